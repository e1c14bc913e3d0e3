"""Following a whole sequence: the head is found, its size settled, every frame followed, and all smoothed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from facewright.arrays import Floats, Ints
from facewright.capture.head import HeadMotion
from facewright.errors import BadValue
from facewright.motion.depth import ScanFrame, ScanSequence
from facewright.options import suggests_options
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.tracking.diagnosis import check_lens, check_measured, no_head, size_note
from facewright.tracking.filter import smoothed
from facewright.tracking.find import FoundHead
from facewright.tracking.landmarks import check_sides
from facewright.tracking.options import TrackOptions
from facewright.tracking.placement import TO_CAMERA, HeadPlacement
from facewright.tracking.solution import TrackSolution
from facewright.tracking.solver import TrackedFrame, TrackSolver, TrackStatus

_LOOKED_AT = 8  # frames in which the head is looked for at first
_WELL = 0.7  # share of the face: where so much of it is found, the other frames are not looked at
_FOUND = 0.35  # the same: what is least found of a face of which the rig is not the person's own
_LIVELY = 0.95  # quantile of the frames' evidence for any motion
_STILL = 20.0  # a face that shows more of it moves, however little
_STILL_MOTION = 0.0048  # eye distances along the normals: what moves more does, too; a mannequin seems to move less
_SIZED = 30  # frames that settle the size
_BESIDE = 0.2  # of the distance between the eyes: landmarks so far off are not those of the face
_SETTLED = 1e-6  # standard deviation of its logarithm afterwards


@dataclass(frozen=True)
class TrackProgress:
    """The state of tracking after a frame."""

    frame: int  # counted from 1
    frames: int
    status: TrackStatus
    residual: float  # metres


TrackListener = Callable[[TrackProgress], bool | None]  # called after each frame; False stops


@suggests_options
def track(
    rig: Rig,
    frames: ScanSequence | Sequence[ScanFrame | None],
    *,
    prior: Prior | None = None,
    options: TrackOptions | None = None,
    scale: float | None = None,
    progress: TrackListener | None = None,
) -> TrackSolution:
    """Follow a face in depth images, point clouds or scans, with the rig of the person who is seen.

    frames: with their times, or at 30 frames a second. prior: which poses are likely.
    scale: metres in a scene unit of the rig; by default it follows from the frames.
    progress: called after each frame; returning False stops, and the frames so far are returned.
    """
    sequence = as_sequence(frames)
    solver = TrackSolver(rig, prior=prior, options=options, scale=scale)
    seen = shown_frames(sequence)
    first, head = first_head(solver, sequence, seen)
    place = head.place if scale is not None else _sized(solver, sequence, first, head)
    place = _at_start(solver, sequence, first, place)
    solver.begin(place, float(sequence.times[0]), size=_SETTLED)
    followed: list[TrackedFrame] = []
    finished = True
    for number, (frame, time) in enumerate(zip(sequence.frames, sequence.times.tolist(), strict=True)):
        followed.append(solver.next(frame, time))
        step = TrackProgress(number + 1, len(sequence), followed[-1].status, followed[-1].residual)
        if progress is not None and progress(step) is False:
            finished = number + 1 == len(sequence)
            break
    return _solution(solver, sequence, followed, finished)


def as_sequence(frames: ScanSequence | Sequence[ScanFrame | None]) -> ScanSequence:
    """Frames with times; without, 30 a second."""
    return frames if isinstance(frames, ScanSequence) else ScanSequence(frames, np.arange(len(frames)) / 30.0)


def shown_frames(sequence: ScanSequence) -> Ints:
    """Some frames (k,) in which something was measured, evenly spread; an error where there is none."""
    if not len(sequence):
        raise BadValue("there is no frame to follow a face in")
    tried = np.unique(np.linspace(0, len(sequence) - 1, 4 * _LOOKED_AT).round().astype(np.int64))
    shown = np.array([i for i in tried if (frame := sequence.frames[i]) is not None and frame.seen], np.int64)
    if not len(shown):
        raise BadValue("nothing was measured in any frame: all depths are 0, or outside of what is plausible")
    for i in shown[:1]:
        check_measured(sequence.frames[i])
    check_sides(sequence, shown)
    return shown


def first_head(solver: TrackSolver, sequence: ScanSequence, seen: Ints) -> tuple[int, FoundHead]:
    """The frame to begin with, and the head in it: the first of those in which it is found well."""
    tried = seen[np.unique(np.linspace(0, len(seen) - 1, _LOOKED_AT).round().astype(np.int64))]
    found: list[tuple[int, FoundHead]] = []
    for i in tried.tolist():
        head = solver.find(_frame(sequence, i))
        found += [] if head is None else [(i, head)]
        if head is not None and head.share >= _WELL:
            return i, head
    best = min(found, key=lambda each: each[1].off, default=None)
    if best is None or best[1].share < _FOUND:
        raise no_head(solver.samples, _frame(sequence, int(tried[0]) if best is None else best[0]))
    check_lens(solver.samples, [_frame(sequence, i) for i in tried[1::3].tolist()], best[1])
    return best


def _frame(sequence: ScanSequence, i: int) -> ScanFrame:
    frame = sequence.frames[i]
    assert frame is not None
    return frame


def _sized(solver: TrackSolver, sequence: ScanSequence, first: int, head: FoundHead) -> HeadPlacement:
    """The head in the first frame, of the size that some frames after it agree on."""
    solver.begin(head.place, float(sequence.times[first]))
    place = head.place
    for i in range(first, min(first + _SIZED, len(sequence))):
        place = solver.next(sequence.frames[i], float(sequence.times[i])).place
    return HeadPlacement(head.place.rotation, head.place.offset, place.scale)


def _at_start(solver: TrackSolver, sequence: ScanSequence, first: int, place: HeadPlacement) -> HeadPlacement:
    """The head in the first frame of all, followed back from where it was found."""
    solver.begin(place, -float(sequence.times[first]), size=_SETTLED)
    for i in range(first, -1, -1):
        place = solver.next(sequence.frames[i], -float(sequence.times[i])).place
    return place


def _solution(
    solver: TrackSolver, sequence: ScanSequence, followed: Sequence[TrackedFrame], finished: bool
) -> TrackSolution:
    times = sequence.times[: len(followed)]
    moved = _moved(followed)
    poses = moved * smoothed([each.pose for each in followed], solver.low, solver.high)
    poses = np.clip(poses, solver.low, solver.high)
    weights = np.array([each.weights for each in followed])
    turned = [
        each.place.moved(each.head_slope @ (pose - each.weights[solver.free]), each.place(solver.samples.middle))
        for each, pose in zip(followed, poses, strict=True)
    ]
    weights[:, solver.free] = poses
    places = _bridged(turned, times, [each.status.seen for each in followed])
    last = followed[-1]
    found = [size_note(solver.samples, last.place.scale)] if solver.scale is None else []
    found += [] if moved else ["nothing moves by more than the camera's own errors explain: the face is left at rest"]
    notes = (*sequence.notes, *(note for note in found if note), *_landmark_notes(solver, followed))
    return TrackSolution(
        solver.rig,
        sequence.name,
        times,
        sequence.rate,
        weights,
        tuple(places),
        _head_motion(places, [each.status.seen for each in followed]),
        np.array([each.residual for each in followed]),
        np.array([each.share for each in followed]),
        _map(solver, followed),
        tuple(each.status for each in followed),
        last.noise,
        last.place.scale,
        notes,
        finished,
    )


def _landmark_notes(solver: TrackSolver, followed: Sequence[TrackedFrame]) -> list[str]:
    """A remark where landmarks do not belong to the face that depth shows."""
    if not any(each.landmarks for each in followed):
        return []
    if not solver.landmarks.names:
        return ["the rig's eyes and mouth are not found: landmarks are not used"]
    off = np.array([each.landmarks_off for each in followed])
    known = np.isfinite(off)
    if not known.any():
        return []
    usual = float(np.median(off[known]))
    if usual < _BESIDE * solver.samples.eyes * followed[-1].place.scale:
        return []
    return [
        f"the landmarks lie {1000 * usual:.0f} mm beside the face that the depth shows, and are hardly believed:"
        " are they of the same pictures, of the same size, and not mirrored?"
    ]


def _moved(followed: Sequence[TrackedFrame]) -> float:
    """1 where the frames show a face that moves, 0 where they show no more than the errors of a camera would.

    These are alike over patches of skin, so that sliders explain a part of them. A small motion has to be seen in more
    than one frame of a few: where the head is turned far away, a single one may be off.
    """
    seen = [each for each in followed if each.status.seen]
    if not seen:
        return 0.0
    clear = np.quantile([each.evidence for each in seen], _LIVELY) / _STILL
    small = np.quantile([each.motion for each in seen], _LIVELY, method="lower") / _STILL_MOTION
    most = float(max(clear, small**2))
    return max(0.0, 1 - most**-4) if most > 0 else 0.0


def _bridged(places: Sequence[HeadPlacement], times: Floats, known: Sequence[bool]) -> list[HeadPlacement]:
    """Places with those that are not known interpolated between their neighbours."""
    at = np.flatnonzero(known).tolist()
    if len(at) < 2 or len(at) == len(places):
        return list(places)
    turns = Slerp(times[at], Rotation.from_matrix(np.array([places[i].rotation for i in at])))
    offsets = np.array([places[i].offset for i in at])
    inside = np.clip(times, times[at[0]], times[at[-1]])
    rotations = turns(inside).as_matrix()
    moved = np.stack([np.interp(inside, times[at], column) for column in offsets.T], axis=1)
    return [place if known[i] else HeadPlacement(rotations[i], moved[i], place.scale) for i, place in enumerate(places)]


def _head_motion(places: Sequence[HeadPlacement], known: Sequence[bool]) -> HeadMotion:
    """The head's motion in the rig's own coordinates, about where it is on average.

    A camera that is held sideways does not make the head lie on its side: quarter turns of the picture are taken out.
    """
    rotations = TO_CAMERA @ np.array([place.rotation for place in places])
    up = rotations[:, :2, 1].mean(axis=0)
    quarter = np.round(np.arctan2(-up[0], up[1]) / (np.pi / 2)) * (np.pi / 2)
    upright = Rotation.from_rotvec([0, 0, -quarter]).as_matrix()
    offsets = np.array([TO_CAMERA @ place.offset / place.scale for place in places])
    offsets -= offsets.mean(axis=0)
    return HeadMotion(upright @ rotations, offsets @ upright.T, np.array(known, bool))


def _map(solver: TrackSolver, followed: Sequence[TrackedFrame]) -> Floats:
    """Mean distance along the normal (v,) at each vertex."""
    samples, sums, counts = solver.samples, np.zeros(solver.rig.vertex_count), np.zeros(solver.rig.vertex_count)
    for each in followed:
        if each.comparison is not None:
            vertices = samples.triangles[each.comparison.which].ravel()
            shares = samples.barycentric[each.comparison.which]
            off = np.abs(each.comparison.residual)[:, None] * shares
            sums += np.bincount(vertices, off.ravel(), len(sums))
            counts += np.bincount(vertices, shares.ravel(), len(sums))
    return np.asarray(np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0))
