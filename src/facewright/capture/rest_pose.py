"""An actor's face at rest that is not quite the rig's neutral: the pose of the rig that it is in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.capture.frame_solvers import FrameTargets, IndependentFrames
from facewright.capture.head import HeadStep
from facewright.capture.markers import BoundRig, recording
from facewright.capture.options import FitOptions
from facewright.capture.smoothing import white_noise
from facewright.capture.stabilise import head_motion, stillness
from facewright.motion.take import Take
from facewright.rig.binding import Binding
from facewright.rig.rig import Rig
from facewright.terms.limits import Limits
from facewright.terms.preferences import RIDGE, Sparse

_TOGETHER = 0.1  # seconds whose frames are averaged: their mean has weights within the bounds, too, and less noise
_FRAMES = 150  # such means, spread over the take, that are solved
_FURTHEST = 0.5  # the largest weight of a face at rest
_DEARER = 6.0  # times the price of a weight in all frames: that of a weight at rest
_SLIGHT = 0.02  # weights below this are none
_FLOOR = 3e-3  # of the markers' spacing: the least noise
_LEAST = 3  # markers of a frame
_STEPS = 60
_ROUNDS = 2


def find_rest_pose(rig: Rig, take: Take, binding: Binding) -> Floats:
    """Weights (n,) of the rig in the frame at rest of a binding, from the whole take.

    Markers show how far weights w are from those at rest, w0: B (w - w0) = m. As no weight is below its bound, frames
    that show less of a slider than the frame at rest tell how much that frame has of it. w0 minimises the sum over
    frames of the best 1/2 |B (w - w0) - m|^2 + price'w, the head included, and its own price.
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
    first, and again with the one that was found.
    """
    from scipy.optimize import minimize

    fit = _RestFit(bound, wanted)
    found = np.zeros(len(bound.rig.sliders))
    for _ in range(_ROUNDS):
        misfit = max(fit.misfit(found, noise), noise)
        found = minimize(
            fit.cost, found, (noise, misfit), "L-BFGS-B", jac=True, bounds=fit.bounds, options={"maxiter": _STEPS}
        ).x
    return np.asarray(np.where(found < _SLIGHT, 0.0, found))


class _RestFit:
    """Frames of a take (frames, k, 3), NaN in gaps, fitted for weights at rest."""

    def __init__(self, bound: BoundRig, wanted: Floats) -> None:
        self._bound, n = bound, len(bound.rig.sliders)
        low, high = bound.rig.bounds.T.copy()
        fixed = FitOptions().fixed_sliders(bound)
        low[fixed] = high[fixed] = np.clip(0.0, low[fixed], high[fixed])
        self._rows = np.concatenate([bound.rows, HeadStep(bound.rest).rows], axis=2)
        self._limits = Limits(np.append(low, np.full(6, -1.0)), np.append(high, np.full(6, 1.0)))
        self._asked, self._seen = np.nan_to_num(wanted), ~np.isnan(wanted[:, :, 0])
        self._by_slider, self._priced = bound.rows.reshape(-1, n), low >= 0
        most = np.where(low < 0, 0.0, np.minimum(np.maximum(high, 0.0), _FURTHEST))
        self.bounds = list(zip(np.zeros(n), most.tolist(), strict=True))

    def cost(self, rest: Floats, noise: float, misfit: float) -> tuple[float, Floats]:
        """The cost of weights at rest (n,), about 1 where they explain the take, and its slope."""
        price = self._price(noise, misfit)
        x, left = self._solved(rest, price, noise)
        whole = (left**2).sum() / 2 + (x[:, : len(rest)] @ price).sum() + RIDGE * noise**2 * (x**2).sum() / 2
        unit = len(left) * misfit**2
        own = _DEARER * price / misfit**2
        return float(whole / unit + own @ rest), -left.sum(axis=0).ravel() @ self._by_slider / unit + own

    def misfit(self, rest: Floats, noise: float) -> float:
        """Standard deviation of a coordinate that the weights leave."""
        _, left = self._solved(rest, self._price(noise, noise), noise)
        return float(np.sqrt((left**2).sum() / max(3 * int(self._seen.sum()), 1)))

    def _price(self, noise: float, misfit: float) -> Floats:
        return np.where(self._priced, Sparse(1.0).price(noise, misfit, self._bound.unseen), 0.0)

    def _solved(self, rest: Floats, price: Floats, noise: float) -> tuple[Floats, Floats]:
        """The unknowns of every frame, and what they leave of the markers (frames, k, 3)."""
        frames = IndependentFrames(self._rows, self._limits, RIDGE * noise**2)
        moved = self._asked + (self._by_slider @ rest).reshape(self._asked.shape[1:])
        x = frames(FrameTargets(moved, self._seen, np.append(price, np.zeros(6)))).x
        return x, np.where(self._seen[:, :, None], frames.motion(x) - moved, 0.0)


def at_rest(rig: Rig, binding: Binding, weights: Floats) -> Binding:
    """The binding of an actor whose face at rest has these weights (n,): its markers are moved to the neutral."""
    bound = BoundRig(rig, binding)
    rest = binding.to_rig.inverse()(bound.rest - bound.motion(weights[None])[0])
    named = sorted(zip(rig.sliders, weights.tolist(), strict=True), key=lambda pair: -abs(pair[1]))
    some = [f"{name} {weight:.2f}" for name, weight in named if abs(weight) >= _SLIGHT]
    said = f"at rest the face has {', '.join(some[:8])}" if some else "at rest the face is neutral"
    return replace(binding, rest=rest, notes=(*binding.notes, said))
