"""An actor's face at rest that is not quite the rig's neutral: the pose of the rig that it is in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.capture.frame_solvers import FrameTargets, IndependentFrames, Off
from facewright.capture.head import HeadStep
from facewright.capture.markers import BoundRig, recording
from facewright.capture.options import FitOptions
from facewright.capture.smoothing import white_noise
from facewright.capture.stabilise import head_motion, stillness
from facewright.motion.take import Take
from facewright.rig.binding import Binding
from facewright.rig.rig import Rig
from facewright.rig.ties import tied_sliders
from facewright.terms.exclusive import conflicting_frames
from facewright.terms.limits import Limits, within_ties
from facewright.terms.preferences import RIDGE, Sparse

_TOGETHER = 0.1  # seconds whose frames are averaged: their mean has weights within the bounds, too, and less noise
_FRAMES = 150  # such means, spread over the take, that are solved
_FURTHEST = 0.5  # the largest weight of a face at rest
_DEARER = 6.0  # times the price of a weight in all frames: that of a weight at rest
_SLIGHT = 0.02  # weights below this are none
_FLOOR = 3e-3  # of the markers' spacing: the least noise
_LEAST = 3  # markers of a frame
_STEPS = 60
_EXACT = 1e-7  # the cost, which is about 1, is minimised to this
_ROUNDS = 2


def find_rest_pose(rig: Rig, take: Take, binding: Binding) -> Floats:
    """Weights (n,) of the rig in the frame at rest of a binding, from the whole take.

    Markers show how far weights w are from those at rest, w0: B (w - w0) = m. As no weight is below its bound, frames
    that show less of a slider than the frame at rest tell how much that frame has of it. w0 minimises the sum over
    frames of the best 1/2 |B (w - w0) - m|^2 + price'w, the head included, and its own price. Both obey the ties and
    the exclusive pairs of the rig.
    """
    bound = BoundRig(rig, binding)
    recorded = recording(take, binding)
    head = head_motion(recorded.positions, bound.rest, stillness(recorded.positions))
    wanted = head.taken_out(recorded.positions) - bound.rest
    together = max(1, min(round(_TOGETHER * recorded.rate), len(wanted)))
    noise = white_noise(wanted, _FLOOR * bound.spacing) / np.sqrt(together)
    means = wanted[: len(wanted) // together * together].reshape(-1, together, *wanted.shape[1:]).mean(axis=1)
    usable = means[(~np.isnan(means[:, :, 0])).sum(axis=1) >= _LEAST]
    if not len(usable):
        return np.zeros(len(rig.sliders))
    return _shared_weights(bound, usable[:: max(1, len(usable) // _FRAMES)], noise)


def _shared_weights(bound: BoundRig, wanted: Floats, noise: float) -> Floats:
    """The weights at rest (n,) from motions of the markers (frames, k, 3), NaN in gaps.

    What no weights explain counts as noise that neighbouring markers share. It is measured without a pose at rest
    first, and again with the one that was found. Where both of an exclusive pair come out on, the one that moves the
    face less is left out.
    """
    fit = _RestFit(bound, wanted)
    found = np.zeros(len(bound.rig.sliders))
    for _ in range(_ROUNDS):
        misfit = max(fit.decide(found, noise), noise)
        found = fit.best(found, noise, misfit)
        while fit.excluded(found):
            found = fit.best(np.minimum(found, fit.most), noise, misfit)
    return fit.without_slight(found)


class _RestFit:
    """Frames of a take (frames, k, 3), NaN in gaps, fitted for weights at rest."""

    def __init__(self, bound: BoundRig, wanted: Floats) -> None:
        self._bound, n = bound, len(bound.rig.sliders)
        low, high = bound.rig.bounds.T.copy()
        fixed = FitOptions().fixed_sliders(bound)
        low[fixed] = high[fixed] = np.clip(0.0, low[fixed], high[fixed])
        self._rows = np.concatenate([bound.rows, HeadStep(bound.rest).rows], axis=2)
        full, rest = bound.rig.full_values, np.clip(0.0, low, high)
        pairs = tied_sliders(bound.rig)
        pairs = pairs[(rest / full)[pairs[:, 0]] <= (rest / full)[pairs[:, 1]]]  # those that can be kept
        self._ties = within_ties(Limits(low, high), pairs, np.zeros(n), full).rows
        self._limits = Limits(low, high, self._ties).followed_by(6)
        self._off: Off = None
        self._asked, self._seen = np.nan_to_num(wanted), ~np.isnan(wanted[:, :, 0])
        self._by_slider, self._priced = bound.rows.reshape(-1, n), low >= 0
        self.most = np.where(low < 0, 0.0, np.minimum(np.maximum(high, 0.0), _FURTHEST))  # (n,)

    def best(self, start: Floats, noise: float, misfit: float) -> Floats:
        """The weights at rest (n,) with the least cost, within the ties."""
        from scipy.optimize import Bounds, LinearConstraint, minimize

        ties = self._ties
        kept = () if ties is None else (LinearConstraint(ties.matrix, -np.inf, 0.0),)
        found = minimize(  # type: ignore[call-overload]
            lambda rest: self.cost(rest, noise, misfit),
            start,
            method="SLSQP",
            jac=True,
            bounds=Bounds(np.zeros(len(start)), self.most),
            constraints=kept,
            options={"maxiter": _STEPS, "ftol": _EXACT},
        )
        return np.asarray(np.clip(found.x, 0.0, self.most))

    def excluded(self, rest: Floats) -> bool:
        """Leave out the weaker slider of each exclusive pair that is on; whether there was one."""
        off = conflicting_frames(self._bound.rig, self._bound.amount, self.without_slight(rest)[None], 1)
        if off is not None:
            self.most[off[0]] = 0.0
        return off is not None

    def without_slight(self, rest: Floats) -> Floats:
        """Weights (n,) of which those that are next to nothing are 0, and so are those that are tied to them."""
        kept = np.where(rest < _SLIGHT, 0.0, rest)
        rows = np.zeros((0, len(kept))) if self._ties is None else self._ties.matrix
        for row in np.tile(rows, (len(rows), 1)):  # often enough for a tie to a slider that is tied itself
            kept[row > 0] = np.maximum(kept[row > 0] - max(row @ kept, 0.0), 0.0)
        return np.asarray(kept)

    def cost(self, rest: Floats, noise: float, misfit: float) -> tuple[float, Floats]:
        """The cost of weights at rest (n,), about 1 where they explain the take, and its slope."""
        price = self._price(noise, misfit)
        x, left = self._solved(rest, price, noise)
        whole = (left**2).sum() / 2 + (x[:, : len(rest)] @ price).sum() + RIDGE * noise**2 * (x**2).sum() / 2
        unit = len(left) * misfit**2
        own = _DEARER * price / misfit**2
        return float(whole / unit + own @ rest), -left.sum(axis=0).ravel() @ self._by_slider / unit + own

    def decide(self, rest: Floats, noise: float) -> float:
        """Standard deviation of a coordinate that the weights leave.

        From now on one slider of each exclusive pair is off in each frame, the one that moves the face less there.
        """
        price, n = self._price(noise, noise), len(rest)
        self._off = None
        x, left = self._solved(rest, price, noise)
        for _ in self._bound.rig.exclusive:
            more = conflicting_frames(self._bound.rig, self._bound.amount, x[:, :n], 1)
            if more is None:
                break
            zero = np.pad(more, ((0, 0), (0, 6)))
            self._off = zero if self._off is None else zero | self._off
            x, left = self._solved(rest, price, noise)
        return float(np.sqrt((left**2).sum() / max(3 * int(self._seen.sum()), 1)))

    def _price(self, noise: float, misfit: float) -> Floats:
        return np.where(self._priced, Sparse(1.0).price(noise, misfit, self._bound.unseen), 0.0)

    def _solved(self, rest: Floats, price: Floats, noise: float) -> tuple[Floats, Floats]:
        """The unknowns of every frame, and what they leave of the markers (frames, k, 3)."""
        frames = IndependentFrames(self._rows, self._limits, RIDGE * noise**2)
        moved = self._asked + (self._by_slider @ rest).reshape(self._asked.shape[1:])
        x = frames(FrameTargets(moved, self._seen, np.append(price, np.zeros(6)), self._off)).x
        return x, np.where(self._seen[:, :, None], frames.motion(x) - moved, 0.0)


def at_rest(rig: Rig, binding: Binding, weights: Floats) -> Binding:
    """The binding of an actor whose face at rest has these weights (n,): its markers are moved to the neutral."""
    bound = BoundRig(rig, binding)
    rest = binding.to_rig.inverse()(bound.rest - bound.motion(weights[None])[0])
    named = sorted(zip(rig.sliders, weights.tolist(), strict=True), key=lambda pair: -abs(pair[1]))
    some = [f"{name} {weight:.2f}" for name, weight in named if abs(weight) >= _SLIGHT]
    said = f"at rest the face has {', '.join(some[:8])}" if some else "at rest the face is neutral"
    return replace(binding, rest=rest, notes=(*binding.notes, said))
