"""Weights for every frame of a take: bounded, few, steady in time, together with the head's motion.

The noise of the markers is measured; the preferences `Sparse` and `Steady` follow from it. Markers that are not seen
are filled in with their motion in the current fit, until nothing changes: the result is the fit of the seen ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.frame_solvers import (
    FrameQuadratic,
    FrameSolver,
    FrameTargets,
    IndependentFrames,
    Off,
    SmoothedFrames,
)
from facewright.capture.gaps import first_filling
from facewright.capture.head import HeadMotion, HeadStep
from facewright.capture.markers import BoundRig, Recording
from facewright.capture.options import FitOptions
from facewright.capture.smoothing import white_noise
from facewright.capture.stabilise import medians
from facewright.capture.take_prior import LikelyPoses, TakePrior
from facewright.capture.take_terms import TakeTerms, typical_motion
from facewright.rig.prior import Prior
from facewright.rig.ties import tied_sliders
from facewright.solve.many import ManySolutions
from facewright.terms.bent_poses import BentPoses, PoseTargets
from facewright.terms.exclusive import conflicting_frames
from facewright.terms.limits import Limits, whole_face, within_ties
from facewright.terms.preferences import RIDGE, Sparse, Steady
from facewright.terms.rules import DistanceRules, frames_within, vertex_offsets

_ROUNDS = 6
_SETTLED = 0.02  # rounds end when 99 % of the weights change by less
_CORRECTIVE_ROUNDS = 2  # of a rig with correctives; the head's motion is updated in between
_STEPS = 3  # in each of these rounds
_UNDECIDED = 0.5  # seconds over which one of two exclusive sliders has to be ahead
_FLOOR = 1e-4  # of the markers' spacing: the least noise
_ASTRAY = 6.0  # times a marker's median residual; a marker further off than this and than
_FAR = 0.4  # of the spacing is not believed in that frame


@dataclass(frozen=True, eq=False)
class TakeScale:
    """What the costs of a take are relative to; lengths are in scene units."""

    noise: float  # standard deviation of a marker's coordinate
    typical: float  # how far a typical marker wants to go
    likely: LikelyPoses


@dataclass(frozen=True, eq=False)
class FittedFrames:
    """The fit of every frame."""

    weights: Floats  # (frames, n)
    head: HeadMotion
    motion: Floats  # (frames, k, 3) of the markers on the rig, the head held
    wanted: Floats  # (frames, k, 3) of the markers of the take, the head held; NaN in gaps
    believed: NDArray[np.bool_]  # (frames, k) seen, and no outlier
    solved: NDArray[np.bool_]  # (frames,)
    noise: float  # standard deviation of a coordinate, scene units
    misfit: float  # the same of the residual
    likely: LikelyPoses


class FrameFitter:
    """A bound rig prepared for fitting takes; the sliders `fixed` (k,) stay at 0."""

    def __init__(
        self, bound: BoundRig, options: FitOptions, fixed: Ints, terms: TakeTerms, prior: Prior | None = None
    ) -> None:
        self.bound, self.options, self.terms = bound, options, terms
        self.convex = options.method == "convex"
        bounds = np.clip(bound.rig.bounds, 0.0, 1.0) if self.convex else bound.rig.bounds.copy()
        bounds[fixed] = np.clip(0.0, *bounds[fixed].T)[:, None]
        self.low, self.high = bounds.T
        full, pairs = bound.rig.full_values, tied_sliders(bound.rig)
        rest = np.clip(0.0, self.low, self.high)
        self._ties = pairs[(rest / full)[pairs[:, 0]] <= (rest / full)[pairs[:, 1]]]  # (p, 2) those that can be kept
        tied = within_ties(Limits(self.low, self.high), self._ties, np.zeros(len(rest)), full)
        self._within = whole_face(tied, np.zeros(len(rest))) if self.convex else tied
        self._prior = TakePrior(bound, prior, np.flatnonzero(self.low < self.high))
        self._sparse, self._steady = Sparse(0.0 if self.convex else options.sparse), Steady(options.steady)
        self._rules = DistanceRules(bound.rig, bound.combine, vertex_offsets(bound.rig))
        self._step = HeadStep(bound.rest)
        self._free = 6 if options.head == "solved" and not self.convex else 0  # unknowns for the head
        self._is_steady = options.steady > 0 and not self.convex

    def scale(self, recorded: Recording, head: HeadMotion) -> TakeScale:
        """Noise and typical motion of a take."""
        wanted = self._wanted(recorded, head)
        most = np.abs(self.bound.rows) @ np.maximum(np.abs(self.low), np.abs(self.high))  # (k, 3)
        noise = white_noise(wanted, _FLOOR * self.bound.spacing)
        return TakeScale(noise, typical_motion(wanted, most), self._prior.of_take(wanted, noise, recorded.rate))

    def __call__(self, recorded: Recording, head: HeadMotion, scale: TakeScale) -> FittedFrames:
        """The fit of a recording, from an estimate of the head's motion."""
        bound, n, noise = self.bound, len(self.low), scale.noise
        wanted, steady, ridge = self._wanted(recorded, head), self._is_steady, RIDGE * noise**2
        solver = self.solver(self._rows, ridge, noise, scale.likely, recorded.rate)
        filling = wanted
        if steady:
            alone, free = IndependentFrames(bound.rows, self._within, ridge), self._price(scale)[:n]
            filling = first_filling(wanted, recorded.seen, recorded.rate, alone, free)
        weights, motion = np.zeros((len(recorded), n)), np.zeros_like(wanted)
        believed, misfit, start, usual = recorded.seen, 0.0, head, None
        poses, spread = len(recorded) / recorded.rate / scale.likely.memory, noise * solver.spread[:n]
        steps, off = np.zeros((len(recorded), self._free)), None
        for number in range(_ROUNDS):
            filled = np.where(believed[:, :, None], wanted, filling if steady else 0.0)
            targets = FrameTargets(
                self._asked(filled, weights, motion, steps),
                self.terms.seen(believed),
                self._price(scale, misfit, usual),
                off if number > 1 else None,
            )
            found, off = self.solve_exclusive(solver, targets, recorded.rate)
            before, weights, steps = weights, found.x[:, :n], found.x[:, n:]
            head = self._step.moved(start, steps) if self._free else head
            filling = motion = bound.motion(weights)
            wanted = self._wanted(recorded, head)
            misfit, usual = _misfit(wanted - motion, believed), self._sparse.usual_of(weights, poses, spread)
            if number == 1:  # in round 0 the residual may come from the head
                outliers = _outliers(wanted - motion, believed, bound.neighbours, bound.spacing)
                believed = believed & ~outliers
                if steady and outliers.any():  # the fit still follows them: fill in without them
                    without = first_filling(wanted, believed, recorded.rate, alone, free)
                    filling = np.where(outliers[:, :, None], without, filling)
            if number and np.quantile(np.abs(weights - before), 0.99) < _SETTLED:
                break
        for _ in range(0 if bound.is_linear else _CORRECTIVE_ROUNDS):
            filled = np.where(believed[:, :, None], wanted, motion if steady else 0.0)
            S, pull = solver.beside(self._asked(filled, weights, motion, steps))
            there = np.concatenate([filled + self._step.motion(steps), self.terms.wanted(len(weights))], axis=1)
            own = self.quadratic(n + self._free, noise, scale.likely)
            targets_here = PoseTargets(
                there.reshape(len(there), -1),
                S + own.H,
                pull + own.c + self._price(scale, misfit, usual),
                known=np.repeat(self.terms.seen(believed), 3, axis=1),
                off=off,
            )
            x, off = self._bent_exclusive(targets_here, np.concatenate([weights, steps], axis=1), recorded.rate)
            weights, steps = x[:, :n], x[:, n:]
            head = self._step.moved(start, steps) if self._free else head
            motion = bound.motion(weights)
            wanted = self._wanted(recorded, head)
            misfit, usual = _misfit(wanted - motion, believed), self._sparse.usual_of(weights, poses, spread)
        weights = self.within_rules(weights)
        motion = bound.motion(weights)
        return FittedFrames(weights, head, motion, wanted, believed, found.solved, noise, misfit, scale.likely)

    def _asked(self, filled: Floats, weights: Floats, motion: Floats, steps: Floats) -> Floats:
        """Motion of markers and wishes (frames, k + m, 3) that a linear rig is asked for, about the present fit."""
        of_markers = filled - self.bend(weights, motion) + self._step.motion(steps)
        return np.concatenate([of_markers, self.terms.linearised(weights)], axis=1)

    def _bent_exclusive(self, targets: PoseTargets, start: Floats, rate: float) -> tuple[Floats, Off]:
        """The frames of the whole rig with one slider of each exclusive pair at 0, and which are."""
        x = self._bent(targets, start)
        for _ in self.bound.rig.exclusive if not self.convex else ():
            off = self._conflicts(x, targets.off, rate)
            if off is None:
                break
            targets = replace(targets, off=off)
            x = self._bent(targets, np.where(off, 0.0, x))
        return x, targets.off

    @cached_property
    def _bent(self) -> BentPoses:
        """The frames of the whole rig, in-betweens and combinations included."""
        by_head = self._rows[:, :, len(self.low) :]
        return self.bent_poses(np.concatenate([self.bound.shape_rows, self.terms.shape_rows]), by_head)

    def bent_poses(self, rows: Floats, linear: Floats | None = None, steps: int = _STEPS) -> BentPoses:
        """The same for rows (m, 3, s) of the shapes and `linear` (m, 3, free) of unknowns after the sliders."""
        by_head = np.zeros((3 * len(rows), 0)) if linear is None else linear.reshape(3 * len(rows), -1)
        by_shape = rows.reshape(3 * len(rows), -1)
        return BentPoses(self.bound.combine, by_shape, self._limits(by_head.shape[1]), linear=by_head, steps=steps)

    def solver(self, rows: Floats, ridge: float, noise: float, likely: LikelyPoses, rate: float) -> FrameSolver:
        """For rows (k, 3, n + free) of unknowns of which the first are the sliders, and those after them the head's."""
        n, unknowns = len(self.low), rows.shape[2]
        limits, quadratic = self._limits(unknowns - n), self.quadratic(unknowns, noise, likely)
        if not self._is_steady:
            ridge = 0.0 if self.convex else ridge
            return IndependentFrames(rows, limits, ridge, quadratic=quadratic)
        precision = noise**2 * np.eye(unknowns)
        precision[:n, :n] = noise**2 * likely.precision
        pace = self._steady.pace(likely.pace, rate)
        return SmoothedFrames(rows, limits, ridge, precision, pace, quadratic=quadratic)

    def quadratic(self, unknowns: int, noise: float, likely: LikelyPoses) -> FrameQuadratic:
        """The preferences of every frame: those of the terms, and how likely poses are where time does not tell."""
        own, n = self.terms.quadratic(unknowns), len(self.low)
        if self.convex or self._is_steady:
            return own
        H = own.H.copy()
        H[:n, :n] += noise**2 * likely.precision
        return FrameQuadratic(H, own.c)

    def _limits(self, free: int) -> Limits:
        """Limits of the sliders, and of unknowns of the head after them."""
        return self._within.followed_by(free)

    @property
    def _rows(self) -> Floats:
        """Motion of markers and wishes (k + m, 3, n + free) by the unknowns; the head moves the markers only."""
        by_slider = np.concatenate([self.bound.rows, self.terms.rows])
        by_head = np.zeros((len(by_slider), 3, self._free))
        by_head[: len(self.bound)] = self._step.rows[:, :, : self._free]
        return np.concatenate([by_slider, by_head], axis=2)

    def _price(self, scale: TakeScale, misfit: float = 0.0, usual: Floats | None = None) -> Floats:
        """The price of a unit of each unknown (n + free,), for sliders with the usual weights (n,)."""
        few = np.where(self.low < 0, 0.0, self._sparse.price(scale.noise, misfit, self.bound.unseen, usual))
        return np.concatenate([few + scale.typical * self.terms.price, np.zeros(self._free)])

    def _wanted(self, recorded: Recording, head: HeadMotion) -> Floats:
        return head.taken_out(recorded.positions) - self.bound.rest

    def tied(self, weights: Floats) -> Floats:
        """Weights (frames, n) in which no slider goes further than the one that it is tied to."""
        tied, full = np.array(weights), self.bound.rig.full_values
        for one, other in self._ties.tolist():
            share = tied[:, other] * (full[one] / full[other])
            tied[:, one] = np.minimum(tied[:, one], np.maximum(share, self.low[one]))
        return tied

    def within_rules(self, weights: Floats) -> Floats:
        """Weights (frames, n) changed where a vertex is further from its rest than a rule allows."""
        return frames_within(self._rules, self._metric, self._within, weights)

    @cached_property
    def _metric(self) -> Floats:
        """How much the markers see of a change of the weights (n, n), made definite."""
        B = self.bound.rows.reshape(-1, self.bound.rows.shape[2])
        H = B.T @ B
        return np.asarray(H + 1e-3 * (H.diagonal().max(initial=0.0) or 1.0) * np.eye(len(H)))

    def bend(self, weights: Floats, motion: Floats) -> Floats | float:
        """What in-betweens and combinations add to the sliders' slopes at rest (frames, k, 3)."""
        if self.bound.is_linear:
            return 0.0
        k, _, n = self.bound.rows.shape
        return motion - (weights @ self.bound.rows.reshape(3 * k, n).T).reshape(-1, k, 3)

    def solve_exclusive(self, solver: FrameSolver, targets: FrameTargets, rate: float) -> tuple[ManySolutions, Off]:
        """The solution with one slider of each exclusive pair at 0, and which are, those of the targets included."""
        found = solver(targets)
        for _ in self.bound.rig.exclusive if not self.convex else ():
            off = self._conflicts(found.x, targets.off, rate)
            if off is None:
                break
            targets = replace(targets, off=off)
            found = solver(targets)
        return found, targets.off

    def _conflicts(self, x: Floats, off: Off, rate: float) -> Off:
        """Which unknowns (frames, n) have to be 0 so that of no exclusive pair both are on; None: as it is, none is."""
        n = len(self.low)
        more = conflicting_frames(self.bound.rig, self.bound.amount, x[:, :n], round(_UNDECIDED * rate))
        if more is None:
            return None
        zero = np.concatenate([more, np.zeros((len(more), x.shape[1] - n), bool)], axis=1)
        return zero if off is None else zero | off


def _outliers(left: Floats, seen: NDArray[np.bool_], near: Ints, spacing: float) -> NDArray[np.bool_]:
    """Markers (frames, k) with a residual that is large, and unlike that of the markers near them (k, 3).

    Where the rig cannot follow the actor, neighbouring markers have similar residuals; a mislabelled marker has not.
    """
    known = np.where(seen[:, :, None], left, np.nan)
    size = np.linalg.norm(known, axis=2)
    limit = np.maximum(_ASTRAY * np.nan_to_num(medians(size)), _FAR * spacing)
    far = np.asarray(np.nan_to_num(size) > limit)
    frames, markers = np.nonzero(far)
    nearby = np.nan_to_num(medians(np.moveaxis(known[frames[:, None], near[markers]], 1, 0)))
    far[frames, markers] = np.linalg.norm(known[frames, markers] - nearby, axis=1) > limit[markers]
    return far


def _misfit(left: Floats, believed: NDArray[np.bool_]) -> float:
    square = np.square(np.where(believed[:, :, None], left, 0.0)).sum()
    return float(np.sqrt(square / max(3 * int(believed.sum()), 1)))
