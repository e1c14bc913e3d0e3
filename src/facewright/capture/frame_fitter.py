"""Weights for every frame of a take: bounded, few, steady in time, together with the head's motion.

What the numbers mean: markers shake with a standard deviation that is measured; a slider that is on is about _USUAL;
in a second it goes about _PACE. Markers that are not seen are filled in by what the fit says about them, again and
again until nothing changes: what is left is the fit of those that are seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.bent import Straightened
from facewright.capture.exclusive import losers
from facewright.capture.frame_solvers import FrameSolver, FrameTargets, IndependentFrames, Off, SmoothedFrames
from facewright.capture.gaps import first_filling
from facewright.capture.headstep import HeadStep
from facewright.capture.markers import BoundRig, Recording
from facewright.capture.options import FitOptions
from facewright.capture.smoothing import white_noise
from facewright.capture.stabilise import HeadMotion, medians
from facewright.capture.within import KeptWithin
from facewright.solve.many import ManySolutions

_USUAL = 0.3  # weight
_PACE = 0.22  # weight per square root of a second: what a slider's random walk covers in one
RIDGE = 1e-3  # inverse square of how large a weight could be if only the ridge held it
_SHARED = 3.0  # markers that have one and the same misfit
_ROUNDS = 6
_SETTLED = 0.02  # change of a weight, all but one in a hundred of them, below which rounds end
_BENT = 3  # rounds in which a rig that is not straight is followed, the head moving on in between
_UNDECIDED = 0.5  # seconds over which one of two exclusive sliders has to be ahead
_FLOOR = 1e-4  # of the markers' spacing: noise is taken to be at least that
_ASTRAY = 6.0  # times a marker's usual residual,
_FAR = 0.4  # and this share of the spacing: beyond both, a marker is not believed in that frame


@dataclass(frozen=True, eq=False)
class FittedFrames:
    """What was found, frame by frame."""

    weights: Floats  # (frames, n)
    head: HeadMotion
    motion: Floats  # (frames, k, 3) of the markers on the rig, the head held
    wanted: Floats  # (frames, k, 3) of the markers of the take, the head held; NaN in gaps
    believed: NDArray[np.bool_]  # (frames, k) seen, and not taken for a mistake
    solved: NDArray[np.bool_]  # (frames,)
    noise: float  # standard deviation of a coordinate, scene units
    misfit: float  # the same of what the sliders leave

    @property
    def left(self) -> Floats:
        """What the sliders leave (frames, k, 3); NaN where a marker is not believed."""
        return np.where(self.believed[:, :, None], self.wanted - self.motion, np.nan)


class FrameFitter:
    """A bound rig prepared for fitting takes; sliders that are `off` stay at 0."""

    def __init__(self, bound: BoundRig, options: FitOptions, off: Ints) -> None:
        self.bound, self.options = bound, options
        self.convex = options.method == "convex"
        bounds = np.clip(bound.rig.bounds, 0.0, 1.0) if self.convex else bound.rig.bounds.copy()
        bounds[off] = np.clip(0.0, *bounds[off].T)[:, None]
        self.low, self.high = bounds.T
        self.within = KeptWithin(bound, (self.low, self.high))
        self._step = HeadStep(bound.rest)
        self._free = 6 if options.head and not self.convex else 0  # unknowns for the head

    def noise(self, recorded: Recording, head: HeadMotion) -> float:
        """How much a coordinate of a marker shakes, scene units."""
        return white_noise(self._wanted(recorded, head), _FLOOR * self.bound.spacing)

    def __call__(self, recorded: Recording, head: HeadMotion, noise: float) -> FittedFrames:
        bound, n = self.bound, len(self.low)
        wanted, steadied, ridge = self._wanted(recorded, head), self._steadied, RIDGE * noise**2
        solver = self.solver(self._rows, ridge, noise, recorded.rate)
        filling = wanted
        if steadied:
            alone, free = IndependentFrames(bound.rows, (self.low, self.high), ridge), self.price(noise)[:n]
            filling = first_filling(wanted, recorded.seen, recorded.rate, alone, free)
        weights, motion = np.zeros((len(recorded), n)), np.zeros_like(wanted)
        believed, misfit, start = recorded.seen, 0.0, head
        steps, off = np.zeros((len(recorded), self._free)), None
        for number in range(_ROUNDS):
            asked = np.where(believed[:, :, None], wanted, filling if steadied else 0.0)
            asked = asked - self.bend(weights, motion) + self._step.motion(steps)
            price = self.price(noise, misfit)
            found, off = self.obeying(
                solver, FrameTargets(asked, believed, price, off if number > 1 else None), recorded.rate
            )
            before, weights, steps = weights, found.x[:, :n], found.x[:, n:]
            head = self._step.moved(start, steps) if self._free else head
            filling = motion = bound.motion(weights)
            wanted = self._wanted(recorded, head)
            misfit = _misfit(wanted - motion, believed)
            if number == 1:  # before, the head may be to blame
                doubted = _astray(wanted - motion, believed, bound.neighbours, bound.spacing)
                believed = believed & ~doubted
                if steadied and doubted.any():  # what the fit says about them is their own doing
                    told = first_filling(wanted, believed, recorded.rate, alone, free)
                    filling = np.where(doubted[:, :, None], told, filling)
            if number and np.quantile(np.abs(weights - before), 0.99) < _SETTLED:
                break
        if not bound.is_linear:
            weights, head, misfit = self._straightened(recorded, (weights, head), believed, solver, noise)
            wanted = self._wanted(recorded, head)
        weights = self.within(weights)
        return FittedFrames(weights, head, bound.motion(weights), wanted, believed, found.solved, noise, misfit)

    def _straightened(
        self,
        recorded: Recording,
        found: tuple[Floats, HeadMotion],
        believed: NDArray[np.bool_],
        solver: FrameSolver,
        noise: float,
    ) -> tuple[Floats, HeadMotion, float]:
        """The fit of a rig whose sliders do not act in proportion; first by the markers alone, then drawn to calm."""
        (weights, head), n, misfit = found, len(self.low), 0.0
        bent = Straightened(self.bound, self._step.rows[:, :, : self._free], self._limits(self._free))
        for number in range(_BENT):
            wanted = self._wanted(recorded, head)
            x = np.concatenate([weights, np.zeros((len(weights), self._free))], axis=1)
            near, stay = solver.pull(x)
            stay = stay if number else RIDGE * noise**2 * np.eye(len(stay))
            x = bent(FrameTargets(np.nan_to_num(wanted), believed, self.price(noise, misfit)), x, near, stay)
            weights = x[:, :n]
            head = self._step.moved(head, x[:, n:]) if self._free else head
            misfit = _misfit(self._wanted(recorded, head) - self.bound.motion(weights), believed)
        return weights, head, misfit

    @property
    def _steadied(self) -> bool:
        return self.options.steady > 0 and not self.convex

    def solver(self, rows: Floats, ridge: float, noise: float, rate: float) -> FrameSolver:
        """For unknowns of which the first are the sliders, and those after them, if any, the head's."""
        free = rows.shape[2] - len(self.low)
        limits = self._limits(free)
        if not self._steadied:
            return IndependentFrames(rows, limits, 0.0 if self.convex else ridge, convex=self.convex)
        pace = np.append(np.full(len(self.low), _PACE**2 / rate), np.ones(free))
        return SmoothedFrames(rows, limits, ridge, self.options.steady * noise**2 / pace)

    def _limits(self, free: int) -> tuple[Floats, Floats]:
        return np.append(self.low, np.full(free, -1.0)), np.append(self.high, np.full(free, 1.0))

    @property
    def _rows(self) -> Floats:
        return np.concatenate([self.bound.rows, self._step.rows[:, :, : self._free]], axis=2)

    def price(self, noise: float, misfit: float = 0.0) -> Floats:
        """Of a unit of each unknown, for markers that shake by `noise` and that sliders leave by `misfit`.

        What is left beyond the noise is no chance: neighbouring markers share it, so it weighs more; and it must not be
        chased with sliders that the markers hardly see, such as those of the gaze, which would move the rest at will.
        """
        sparse = 0.0 if self.convex else self.options.sparse
        beyond = max(misfit**2 - noise**2, 0.0)
        of_sliders = sparse / _USUAL * (noise**2 + _SHARED * beyond * (1 + self.bound.unseen**2) / 2)
        return np.concatenate([of_sliders, np.zeros(self._free)])

    def _wanted(self, recorded: Recording, head: HeadMotion) -> Floats:
        return head.taken_out(recorded.positions) - self.bound.rest

    def bend(self, weights: Floats, motion: Floats) -> Floats | float:
        """What in-betweens and combinations add to the sliders' slopes at rest (frames, k, 3)."""
        if self.bound.is_linear:
            return 0.0
        k, _, n = self.bound.rows.shape
        return motion - (weights @ self.bound.rows.reshape(3 * k, n).T).reshape(-1, k, 3)

    def obeying(self, solver: FrameSolver, asked: FrameTargets, rate: float) -> tuple[ManySolutions, Off]:
        """The answer with exclusive pairs kept apart, and who had to give way, those that did before among them."""
        found, n = solver(asked), len(self.low)
        for _ in self.bound.rig.exclusive if not self.convex else ():
            more = losers(self.bound.rig, self.bound.amount, found.x[:, :n], round(_UNDECIDED * rate))
            if more is None:
                break
            shut = np.concatenate([more, np.zeros((len(more), found.x.shape[1] - n), bool)], axis=1)
            asked = replace(asked, off=shut if asked.off is None else shut | asked.off)
            found = solver(asked)
        return found, asked.off


def _astray(left: Floats, seen: NDArray[np.bool_], near: Ints, spacing: float) -> NDArray[np.bool_]:
    """Markers (frames, k) that are where theirs cannot be: far from what the fit says, unlike those near them (k, 3).

    Where the rig cannot follow, neighbours are left behind together; a wrong marker stands alone.
    """
    known = np.where(seen[:, :, None], left, np.nan)
    size = np.linalg.norm(known, axis=2)
    limit = np.maximum(_ASTRAY * np.nan_to_num(medians(size)), _FAR * spacing)
    far = np.asarray(np.nan_to_num(size) > limit)
    frames, markers = np.nonzero(far)
    beside = np.nan_to_num(medians(np.moveaxis(known[frames[:, None], near[markers]], 1, 0)))
    far[frames, markers] = np.linalg.norm(known[frames, markers] - beside, axis=1) > limit[markers]
    return far


def _misfit(left: Floats, believed: NDArray[np.bool_]) -> float:
    square = np.square(np.where(believed[:, :, None], left, 0.0)).sum()
    return float(np.sqrt(square / max(3 * int(believed.sum()), 1)))
