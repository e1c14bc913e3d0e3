"""Refining a rig while it follows a face: frames that it cannot make become examples for building (Li 2010, fig. 8).

A frame's example is the posed rig bent towards what was measured, as far as noise allows. Examples are frames of large
residual that differ from each other; the builder finds which shapes they ask to change, and by how much.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.build.builder import Built, RigBuilder
from facewright.errors import BadValue
from facewright.motion.depth import ScanFrame, ScanSequence
from facewright.options import suggests_options
from facewright.rig.evaluate import evaluate
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.tracking.comparison import Tolerance
from facewright.tracking.observed import observed
from facewright.tracking.options import TrackOptions
from facewright.tracking.solution import TrackSolution
from facewright.tracking.surface_fit import BentSurface, FrameView
from facewright.tracking.surface_samples import SurfaceSamples
from facewright.tracking.track import TrackListener, as_sequence, track

_EXAMPLES = 60
_MOST = 0.25  # eye distances: what is further off is something else
_BENDS = (0.06, 0.04, 0.03)  # of the face's size: smaller bends of a single frame are noise
_AROUND = 2  # frames on each side that are bent together with a frame, where the pose hardly differs
_ALIKE = 0.02  # mean difference of weights up to which poses count as one


@dataclass(frozen=True, eq=False)
class RefinedTrack:
    """A refined rig, and what it brought."""

    rig: Rig
    built: Built
    before: TrackSolution  # with the rig that was given
    after: TrackSolution
    examples: Ints  # (m,) frames that were used
    held_out: Ints  # (k,) frames that were not used and are not beside one that was

    @property
    def improved(self) -> tuple[float, float]:
        """Mean residual of the frames that were not used, before and after, metres."""
        return tuple(float(np.nanmean(each.residual[self.held_out])) for each in (self.before, self.after))  # type: ignore[return-value]


@suggests_options
def refine(
    template: Rig,
    rig: Rig,
    frames: ScanSequence | Sequence[ScanFrame | None],
    *,
    prior: Prior | None = None,
    options: TrackOptions | None = None,
    scale: float | None = None,
    examples: int = _EXAMPLES,
    rounds: int = 1,
    progress: TrackListener | None = None,
) -> RefinedTrack:
    """Follow a face, build the rig anew from frames that it could not make, and follow the face with it.

    template: the rig whose shapes were transferred. rig: the person's neutral with those shapes.
    """
    sequence = as_sequence(frames)
    before = after = track(rig, sequence, prior=prior, options=options, scale=scale, progress=progress)
    if not before.finished:
        raise BadValue("refining a rig needs a sequence that was followed to its end")
    chosen = chosen_frames(before, examples)
    builder, current, built = RigBuilder(template, rig), rig, None
    for _ in range(rounds):
        surface = BentSurface(current, SurfaceSamples(current, (options or TrackOptions()).samples))
        for frame in chosen.tolist():
            pose = bent_frame(surface, sequence, after, frame)
            builder.add_pose(pose, after.weights[frame], name=f"frame {frame}", align=True)
        built = builder.solve()
        current = built.rig
        after = track(current, sequence, prior=prior, options=options, scale=before.scale, progress=progress)
    assert built is not None
    return RefinedTrack(current, built, before, after, chosen, held_out_frames(len(sequence), chosen))


def chosen_frames(found: TrackSolution, count: int) -> Ints:
    """Frames of large residual, spread over the sequence: the worst in each of as many equal parts."""
    seen = np.array([each.seen for each in found.status])
    edges = np.linspace(0, len(found), count + 1).astype(int)
    worst = []
    for start, stop in itertools.pairwise(edges):
        here = np.flatnonzero(seen[start:stop]) + start
        if len(here):
            moved = np.abs(found.weights[here]).sum(axis=1)
            worst.append(here[(np.nan_to_num(found.residual[here]) * (1 + moved)).argmax()])
    return np.array(sorted(set(worst)), np.int64)


def held_out_frames(count: int, used: Ints) -> Ints:
    """Frames (k,) that no example was made of, nor helped to make."""
    near = np.concatenate([used + step for step in range(-_AROUND, _AROUND + 1)]) if len(used) else used
    return np.setdiff1d(np.arange(count), near)


def bent_frame(surface: BentSurface, sequence: ScanSequence, found: TrackSolution, frame: int) -> Floats:
    """The face (v, 3) in a frame, the head held: as the rig makes it, bent towards what was measured."""
    weights = found.weights[frame]
    views = []
    for i in range(max(frame - _AROUND, 0), min(frame + _AROUND + 1, len(found))):
        shown = sequence.frames[i]
        if shown is not None and found.status[i].seen and np.abs(found.weights[i] - weights).mean() < _ALIKE:
            views.append(FrameView(observed(shown), found.places[i]))
    positions = evaluate(found.rig, weights)
    eyes = surface.samples.eyes * found.scale
    for smallest in _BENDS:
        wanted = surface.residual(positions, views, Tolerance(_MOST * eyes, _MOST * eyes / 2))
        positions = surface.bent(positions, wanted, smallest)
    return positions
