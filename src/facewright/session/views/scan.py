"""The document's depth or scan sequence as pages see it: how it was tracked, and the cloud of each frame."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats, Ints
from facewright.capture.statistics import worst_frames
from facewright.formats.scans.packed import PackedFrames, pack_frame
from facewright.mesh.align import Similarity
from facewright.motion.depth import DepthImage, ScanFrame, ScanSequence
from facewright.rig.rig import Rig
from facewright.rig.scanned import Scanned
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.tasks.background_solve import SolvingInfo
from facewright.session.tasks.scan import ScanTracking
from facewright.session.views.view import Gone, Reply, resource, view
from facewright.tracking.placement import TO_CAMERA

_POINTS = 6000  # of a cloud that is shown
_WORST = 8  # frames that are marked
_AROUND = 0.75  # of the face's largest extent: what is further from its middle is not shown
_HEAD = 0.24  # metres: the largest extent of a face whose place is not known


class TrackedInfo(Struct):
    """The clip that was tracked in the sequence; its residuals are in the ScanTable."""

    clip: str
    frames: int
    words: list[str]  # of the statuses
    counts: list[int]  # frames of each status
    worst_frames: list[int]
    typical: float  # millimetres, the median of all frames
    most: float  # 95 % are below
    notes: list[str]


class ScanInfo(Struct):
    """The sequence without its frames: times and residuals are at `GET /api/scan/{id}`, a frame's cloud at
    `GET /api/scan/{id}/{frame}`.
    """

    id: str  # changes when frames, places or residuals do, and only then
    name: str
    kind: str  # depth, 320 x 240; or points
    frames: int
    rate: float
    seconds: float  # of the last frame
    dropped: int  # frames
    rest: list[int]
    found: bool  # the head was found
    millimetres: float  # of the person in a scene unit; 0 where the head was not found
    notes: list[str]
    tracked: TrackedInfo | None


@view("scan", lambda context: (context.document.value.rig, context.document.value.scanned))
def scan(context: Context) -> ScanInfo | None:
    """The document's depth or scan sequence, if it has one."""
    scanned = context.document.value.scanned
    if scanned is None:
        return None
    sequence = scanned.sequence
    return ScanInfo(
        id=_id(context, scanned),
        name=sequence.name,
        kind=_kind(sequence),
        frames=len(sequence),
        rate=round(sequence.rate, 3),
        seconds=float(sequence.times[-1]),
        dropped=_dropped(sequence),
        rest=list(scanned.rest),
        found=scanned.place is not None or scanned.tracked is not None,
        millimetres=1000 * _scale(scanned),
        notes=[*sequence.notes, *scanned.notes],
        tracked=_tracked(scanned),
    )


@view("tracking", lambda context: (context.task(ScanTracking).info,))
def tracking(context: Context) -> SolvingInfo | None:
    """The tracking that is under way."""
    return context.task(ScanTracking).info


def summary(scanned: Scanned) -> str:
    """A sequence in a sentence, and what to do with it."""
    of = scanned.sequence
    facts = f"{of.name}: {len(of):,} frames of {_kind(of)}, {of.rate:.3g} a second"
    if scanned.place is None:
        return f"{facts}. {' '.join(f'{note[:1].upper()}{note[1:]}.' for note in scanned.notes)}"
    return f"{facts}. The head was found: solve it to a clip."


@dataclass(frozen=True, eq=False, kw_only=True)
class ScanTable(Frame):
    """When the frames of a sequence are, and how well each was followed; only tracked frames have a status."""

    scan: str  # its id
    times: Annotated[Floats, Array("f8", ("f",))]  # seconds
    residual: Annotated[Floats, Array("f4", ("t",))]  # millimetres, NaN where nothing was compared
    status: Annotated[Ints, Array("u4", ("t",))]  # of the words of the TrackedInfo


@dataclass(frozen=True, eq=False, kw_only=True)
class ScanCloud(Frame):
    """Some of what was measured in a frame near the face, in the scene, with the head held."""

    scan: str
    frame: int
    points: Annotated[Floats, Array("f4", ("k", 3))]


@resource("scan/{id}")
def scan_table(context: Context, id: str) -> Reply:
    """Times and residuals."""
    scanned = _asked(context, id)
    tracked = scanned.tracked
    residual = np.zeros(0) if tracked is None else 1000 * tracked.residual
    status = np.zeros(0, np.int64) if tracked is None else tracked.status
    return Reply(ScanTable(scan=id, times=scanned.sequence.times, residual=residual, status=status).pack())


@resource("scan/{id}/{frame}")
def scan_cloud(context: Context, id: str, frame: str) -> Reply:
    """What was measured in a frame."""
    scanned = _asked(context, id)
    if not (frame.isascii() and frame.isdigit() and int(frame) < len(scanned.sequence)):
        raise Gone(f"the frames of the sequence go from 0 to {len(scanned.sequence) - 1}")
    found = _near(context.document.value.rig, scanned, int(frame))
    return Reply(ScanCloud(scan=id, frame=int(frame), points=found).pack(), keep=scanned.place is not None)


def _asked(context: Context, id: str) -> Scanned:
    scanned = context.document.value.scanned
    if scanned is None or id != _id(context, scanned):
        raise Gone("another sequence is loaded now, or it was tracked anew")
    return scanned


def _near(rig: Rig, scanned: Scanned, at: int) -> Floats:
    """Points (k, 3) of a frame that are near the face, in the rig's coordinates."""
    frame = scanned.sequence.frames[at]
    if frame is None or not frame.seen:
        return np.zeros((0, 3))
    measured = _measured(frame)
    placed = _place(rig, scanned, at, measured).inverse()(measured)
    low, high = rig.neutral.min(axis=0), rig.neutral.max(axis=0)
    far = np.linalg.norm(placed - (low + high) / 2, axis=1)
    near = np.flatnonzero(far < _AROUND * (high - low).max())
    chosen = near[np.linspace(0, len(near) - 1, min(len(near), _POINTS)).astype(np.int64)] if len(near) else near
    return np.asarray(placed[chosen])


def _measured(frame: ScanFrame) -> Floats:
    if not isinstance(frame, DepthImage):
        return frame.points
    rows, columns = np.nonzero(frame.depth)
    return frame.lens.points(rows, columns, frame.depth[rows, columns].astype(np.float64))


def _place(rig: Rig, scanned: Scanned, at: int, measured: Floats) -> Similarity:
    """Where the rig is before the camera in a frame: as tracked, as found at first, or before the nearest points."""
    tracked = scanned.tracked
    if tracked is not None and at < len(tracked):
        return Similarity(tracked.rotations[at], tracked.offsets[at], tracked.scale)
    if scanned.place is not None:
        return scanned.place
    low, high = rig.neutral.min(axis=0), rig.neutral.max(axis=0)
    scale = _HEAD / float((high - low).max() or 1.0)
    nearest = measured[measured[:, 2] <= np.quantile(measured[:, 2], 0.3)].mean(axis=0)
    return Similarity(TO_CAMERA, nearest - scale * TO_CAMERA @ ((low + high) / 2), scale)


def _id(context: Context, scanned: Scanned) -> str:
    content = context.ids.of(scanned.sequence, _content_id)

    def make(scanned: Scanned) -> str:
        digest = hashlib.blake2b(content.encode(), digest_size=12)
        digest.update(scanned.sequence.times.tobytes())
        place, tracked = scanned.place, scanned.tracked
        if place is not None:
            digest.update(repr(place).encode())
        if tracked is not None:
            for part in (tracked.status, tracked.residual, tracked.rotations, tracked.offsets):
                digest.update(part.tobytes())
            digest.update(repr(tracked.scale).encode())
        return digest.hexdigest()

    return context.ids.of(scanned, make)


def _content_id(sequence: ScanSequence) -> str:
    digest, frames = hashlib.blake2b(digest_size=12), sequence.frames
    for each in frames.parts if isinstance(frames, PackedFrames) else map(pack_frame, frames):
        digest.update(len(each).to_bytes(8, "little") + each)
    return digest.hexdigest()


def _kind(sequence: ScanSequence) -> str:
    first = next((frame for frame in sequence.frames if frame is not None), None)
    if isinstance(first, DepthImage):
        return f"depth, {first.lens.width} x {first.lens.height}"
    return "points" if first is None else f"{first.seen:,} points"


def _dropped(sequence: ScanSequence) -> int:
    frames = sequence.frames
    if isinstance(frames, PackedFrames):
        return sum(not each for each in frames.parts)
    return sum(each is None for each in frames)


def _scale(scanned: Scanned) -> float:
    known = scanned.tracked or scanned.place
    return 0.0 if known is None else known.scale


def _tracked(scanned: Scanned) -> TrackedInfo | None:
    tracked = scanned.tracked
    if tracked is None:
        return None
    left = 1000 * tracked.residual
    known = left[~np.isnan(left)]
    return TrackedInfo(
        clip=tracked.clip,
        frames=len(tracked),
        words=list(tracked.words),
        counts=np.bincount(tracked.status, minlength=len(tracked.words)).tolist(),
        worst_frames=worst_frames(left, _WORST, scanned.sequence.rate).tolist(),
        typical=float(np.median(known)) if len(known) else 0.0,
        most=float(np.quantile(known, 0.95)) if len(known) else 0.0,
        notes=list(tracked.notes),
    )
