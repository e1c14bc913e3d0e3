"""A rig refined by the frames that it follows (after Li, Weise and Pauly 2010, section 6).

A single frame of a depth camera is too noisy for an example: its noise is as large as what is to be learned. So
corrections of all shapes are solved from many frames at once, as smooth fields (`ShapeCorrections`) that explain what
no change of the frames' poses could (`FrameEquations`). Then the sequence is followed again with the corrected rig, and
so on. How far corrections are believed is chosen by frames that are left out of the solve.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from facewright.arrays import Floats, Ints
from facewright.build.target import positions_of
from facewright.errors import BadValue
from facewright.motion.depth import ScanFrame, ScanSequence
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.terms.prior_evidence import PosePrior
from facewright.tracking.frame_equations import FrameEquations, frame_equations, residuals
from facewright.tracking.observed import observed
from facewright.tracking.options import TrackOptions
from facewright.tracking.shape_corrections import CorrectedRows, ShapeCorrections, UsualSizes
from facewright.tracking.solution import TrackSolution
from facewright.tracking.solver import TrackSolver
from facewright.tracking.track import TrackProgress, as_sequence, track

ROUNDS = 5
FEWEST = 8  # frames
_LEFT_OUT = 4  # one of so many frames chooses how far corrections are believed
_LEAST = UsualSizes(0.03, 0.06)  # in the first round: what all shapes have in common comes before single ones
_BELIEVED = (_LEAST, UsualSizes(), UsualSizes(0.5, 0.1), UsualSizes(rest=0.003))
_CLEARLY = 0.003  # of the cost of frames that were left out: larger corrections than the least explain so much more
_EXACT, _STEPS = 3e-3, 60  # of conjugate gradients
_JUDGED = 60  # frames that were not used, and that tell what improved


@dataclass(frozen=True)
class RefineProgress:
    """The state of a refinement after a frame was followed."""

    done: int  # frames followed, of all rounds
    total: int
    round: int  # counted from 1; 1 follows with the rig as it was given


RefineListener = Callable[[RefineProgress], bool | None]  # called after each frame; False stops


@dataclass(frozen=True)
class Improvement:
    """What frames that were not used show, before and after; metres along the normals."""

    frames: int
    residual: tuple[float, float]  # root mean square: mostly the noise of the camera
    shape: tuple[float, float]  # what neighbouring samples have in common: what the rig does not make

    @property
    def share(self) -> float:
        """What is left of the shape's part."""
        return self.shape[1] / self.shape[0] if self.shape[0] > 0 else 1.0


@dataclass(frozen=True, eq=False)
class RefinedRig:
    """A rig that was refined by frames, and what that brought."""

    rig: Rig
    used: Ints  # (k,) frames, increasing
    before: TrackSolution
    after: TrackSolution
    improvement: Improvement
    finished: bool = True  # False if it was stopped early


@suggests_options
def refine_rig(
    rig: Rig,
    frames: ScanSequence | Sequence[ScanFrame | None],
    *,
    count: int = 60,
    rounds: int = ROUNDS,
    template: Rig | None = None,
    prior: Prior | None = None,
    options: TrackOptions | None = None,
    scale: float | None = None,
    progress: RefineListener | None = None,
) -> RefinedRig:
    """The rig with shapes that explain the frames better.

    count: frames that are used, those that show most of the shapes; the others tell what improved.
    template: the rig of the same topology whose shapes were transferred, if there is one: frames tell, too, whether a
    person's shapes are in proportion to the face, as transferred ones are, or go as far as the template's.
    prior, options, scale: as for `track`. progress: returning False stops, with what was found by then.
    """
    sequence = as_sequence(frames)
    if count < FEWEST:
        raise BadValue(f"a rig is refined by {FEWEST} frames or more, not by {count}")
    if template is not None:
        positions_of(template, rig, "the rig")  # raises before the sequence is followed
    follow = _Followed(sequence, options, rounds, progress)
    before = follow(rig, scale, prior)
    used = chosen_frames(rig, before, count)
    if len(used) < FEWEST:
        raise BadValue(f"a rig is refined by {FEWEST} frames or more; the face was seen in {len(used)}")
    solver = TrackSolver(rig, options=options, scale=before.scale)
    space = ShapeCorrections(rig, solver.samples, solver.samples.combine(before.weights[used]), template)
    unknowns, found, refined, sizes = np.zeros(space.count), before, rig, _LEAST
    while follow.goes_on:
        likely = _likely(prior, found)
        problem = _problem(space, _on(solver, refined, likely), sequence, found, used, unknowns)
        # only once: later the frames that are left out have poses of a rig that was corrected by them, too
        if follow.rounds == 2:
            sizes = problem.best(_BELIEVED)
        unknowns = problem.solve(sizes, unknowns)
        tried = space.corrected(unknowns)
        again = follow(tried, before.scale, likely)
        if again.finished:
            refined, found = tried, again
    judged = _judged(before, used)
    improvement = _improvement(sequence, judged, (solver, before), (_on(solver, refined, prior), found))
    return RefinedRig(refined, used, before, found, improvement, not follow.stopped)


class _Followed:
    """Follows a sequence round after round, and tells how far it is."""

    def __init__(
        self,
        sequence: ScanSequence,
        options: TrackOptions | None,
        rounds: int,
        progress: RefineListener | None,
    ) -> None:
        self._sequence, self._options, self._progress = sequence, options, progress
        self._most, self.rounds, self.stopped = rounds + 1, 0, False

    @property
    def goes_on(self) -> bool:
        return self.rounds < self._most and not self.stopped

    def __call__(self, rig: Rig, scale: float | None, prior: Prior | None) -> TrackSolution:
        done = self.rounds * len(self._sequence)
        self.rounds += 1

        def told(step: TrackProgress) -> bool:
            if self._progress is not None:
                total = self._most * len(self._sequence)
                self.stopped |= self._progress(RefineProgress(done + step.frame, total, self.rounds)) is False
            return not self.stopped

        return track(rig, self._sequence, prior=prior, options=self._options, scale=scale, progress=told)


def _likely(prior: Prior | None, found: TrackSolution) -> Prior | None:
    """Which poses are likely: what was given, or else what the sequence itself tells."""
    seen = found.weights[[status.seen for status in found.status]]
    return prior if prior is not None or not seen.any() else Prior.learn(found.rig, seen)


def _on(solver: TrackSolver, rig: Rig, prior: Prior | None) -> TrackSolver:
    """The solver with the same samples and sliders on a rig with other shapes, and with another prior."""
    other = copy(solver)
    other.rig, other.samples = rig, solver.samples.on(rig)
    other.moment = PosePrior(rig, prior).cautious(solver.free)
    return other


def chosen_frames(rig: Rig, found: TrackSolution, count: int) -> Ints:
    """The frames (k,) that tell most of the shapes, increasing; poorly met ones rather than others."""
    seen = np.flatnonzero([status.seen for status in found.status])
    reach = np.array([np.linalg.norm(shape.offsets, axis=1).max(initial=0.0) for shape in rig.shapes])
    moved = Combine(rig)(found.weights[seen]) * reach / (reach.max(initial=0.0) or 1.0)  # (m, s)
    moved *= (found.residual[seen] / np.nanmedian(found.residual[seen]))[:, None]
    known = np.eye(moved.shape[1]) * max(float((moved**2).mean()), 1e-12)
    inverse, left, chosen = np.asarray(np.linalg.inv(known)), np.ones(len(seen), bool), []
    for _ in range(min(count, len(seen))):
        told = np.einsum("ms,st,mt->m", moved, inverse, moved)  # how much is new in each
        best = int(np.where(left, told, -1.0).argmax())
        chosen.append(best)
        left[best] = False
        column = inverse @ moved[best]
        inverse = inverse - np.outer(column, column) / (1 + float(moved[best] @ column))
    return np.sort(seen[chosen])


def _problem(
    space: ShapeCorrections, solver: TrackSolver, sequence: ScanSequence, found: TrackSolution, used: Ints, now: Floats
) -> CorrectionProblem:
    """What the frames that are used say of corrections, about a rig that was corrected by `now` (count,)."""
    equations, rows = [], []
    for i in used.tolist():
        frame = sequence.frames[i]
        assert frame is not None
        place, weights = found.places[i], found.weights[i]
        compared = residuals(solver, observed(frame), weights, place, found.noise)
        equations.append(frame_equations(solver, compared, weights, place, found.noise))
        rows.append(space.rows(compared, solver.samples.combine(weights), place.scale, now))
    return CorrectionProblem(space, equations, rows, now)


class CorrectionProblem:
    """The least squares problem of the corrections, about corrections (count,) that the frames were compared with."""

    def __init__(
        self, space: ShapeCorrections, equations: Sequence[FrameEquations], rows: Sequence[CorrectedRows], now: Floats
    ) -> None:
        self._space, self._equations, self._rows = space, equations, rows
        made = space.made(now, rows)
        self.wanted = [each.found.residual + one for each, one in zip(equations, made, strict=True)]

    def best(self, tried: Sequence[UsualSizes]) -> UsualSizes:
        """The sizes whose corrections explain frames best that were left out; the first ones unless it is clear."""
        every = np.arange(len(self._rows))
        out = every[every % _LEFT_OUT == _LEFT_OUT // 2]
        kept = np.setdiff1d(every, out)
        costs = [self.cost(self.solve(sizes, frames=kept), out) for sizes in tried]
        lowest = int(np.argmin(costs))
        return tried[lowest if costs[lowest] < (1 - _CLEARLY) * costs[0] else 0]

    def cost(self, unknowns: Floats, frames: Ints) -> float:
        """Squared residuals of some frames (k,), weighed."""
        made = self._space.made(unknowns, [self._rows[i] for i in frames])
        left = [self.wanted[i] - one for i, one in zip(frames.tolist(), made, strict=True)]
        return float(sum(one @ self._equations[i].weighed(one) for i, one in zip(frames.tolist(), left, strict=True)))

    def solve(
        self, sizes: UsualSizes, start: Floats | None = None, frames: Ints | None = None, exact: float = _EXACT
    ) -> Floats:
        """Unknowns (count,) that explain some frames (k,), or all, with those sizes as what is usual."""
        some = range(len(self._rows)) if frames is None else frames.tolist()
        rows, equations = [self._rows[i] for i in some], [self._equations[i] for i in some]
        units = self._space.sizes(sizes)

        def back(motions: Sequence[Floats]) -> Floats:
            weighed = [each.weighed(one) for each, one in zip(equations, motions, strict=True)]
            return units * self._space.back(weighed, rows)

        def curved(x: Floats) -> Floats:
            return back(self._space.made(units * x.ravel(), rows)) + x.ravel()

        n = self._space.count
        first = None if start is None else np.divide(start, units, out=np.zeros(n), where=units > 0)
        operator = LinearOperator((n, n), matvec=curved, dtype=np.float64)
        found, _ = cg(operator, back([self.wanted[i] for i in some]), x0=first, rtol=exact, maxiter=_STEPS)
        return np.asarray(units * found)


def _judged(found: TrackSolution, used: Ints) -> Ints:
    """Frames (k,) that were seen and not used."""
    seen = np.flatnonzero([status.seen for status in found.status])
    left = np.setdiff1d(seen, used)
    return left[np.unique(np.linspace(0, len(left) - 1, _JUDGED).round().astype(np.int64))] if len(left) else left


def _improvement(
    sequence: ScanSequence,
    frames: Ints,
    before: tuple[TrackSolver, TrackSolution],
    after: tuple[TrackSolver, TrackSolution],
) -> Improvement:
    (first, first_common), (last, last_common) = (_left(sequence, frames, *each) for each in (before, after))
    return Improvement(len(frames), (first, last), (first_common, last_common))


def _left(sequence: ScanSequence, frames: Ints, solver: TrackSolver, found: TrackSolution) -> tuple[float, float]:
    """Root mean squares of the residuals of some frames, and of what neighbours have in common; metres."""
    squares, common = [0.0], [0.0]
    for i in frames.tolist():
        frame = sequence.frames[i]
        if frame is not None:
            compared = residuals(solver, observed(frame), found.weights[i], found.places[i], found.noise)
            squares.append(compared.cost)
            common.append(solver.common_variance(compared)[1])
    count = max(len(squares) - 1, 1)
    return float(np.sqrt(sum(squares) / count)), float(np.sqrt(sum(common) / count))
