"""A first guess of a pose's weights from the template's shapes on the face, for poses without given weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from facewright.arrays import Floats
from facewright.build.slider_evidence import SliderEvidence
from facewright.options import suggests_options
from facewright.rig.evaluate import Evaluator
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.solve.qp import ParametricQP
from facewright.terms.prior_evidence import PosePrior

_ROUNDS = 8  # on a rig with correctives
_SETTLED = 1e-3  # of the motion: rounds end when what is left falls by less
_SEEN = 0.05  # smaller weights are set to 0
_SUFFICE = 2.0  # times what all sliders leave of a motion: a pose of which few leave more is no sparse one
_MET = 0.02  # of a motion: few sliders that leave no more of it suffice, whatever all sliders leave
_MANY = 4.5  # sliders, counted by the motion that each brings: a pose that needs more is no sparse one
# A whole mesh shows a pose more exactly than pins do: share of the pins' variance. Chosen on recorded poses of one
# person of the embedded head, with shapes of another; of two more persons it is within 4 % of the best.
_NOISE = 0.3


class WeightGuess:
    """The shapes of a rig, prepared for guesses of any poses."""

    def __init__(self, rig: Rig) -> None:
        self._rig, self._columns = rig, _columns(rig)
        full = self._columns.reshape(len(rig.sliders), -1, 3) * rig.full_values[:, None, None]
        self._evidence = SliderEvidence(rig, full)
        self._gram = self._columns @ self._columns.T

    def __call__(self, motion: Floats, prior: Prior | None = None) -> dict[str, float]:
        """As `guess_weights`."""
        rig, columns = self._rig, self._columns
        if prior is None or not prior.learned:
            few = _without_both(rig, rig.bounds, _on_the_rig(rig, columns, motion, self._few))
            if self.is_few(few) and self._suffice(few, motion):
                rounded = np.round(few, 2).tolist()
                return {name: value for name, value in zip(rig.sliders, rounded, strict=True) if abs(value) >= _SEEN}
        likely = _on_the_rig(rig, columns, motion, lambda asked, within: _likely(rig, columns, asked, prior)(within))
        found = np.round(_without_both(rig, rig.bounds, likely), 2)
        return {name: float(value) for name, value in zip(rig.sliders, found, strict=True) if value != 0}

    def is_few(self, weights: Floats) -> bool:
        """Whether weights (n,) are those of a pose that shows a few sliders."""
        return _count(weights, self._columns) <= _MANY

    def _suffice(self, few: Floats, motion: Floats) -> bool:
        """Whether a few sliders, personal as they may be, leave hardly more of a motion than all sliders do."""
        ways, whole = self._columns @ motion.ravel(), float((motion**2).sum())
        every = ParametricQP(self._gram, *self._rig.bounds.T).solve(-ways).x
        left, least = (max(float(w @ self._gram @ w - 2 * ways @ w) + whole, 0.0) for w in (few, every))
        enough = max(_SUFFICE**2 * least, _MET**2 * whole)
        return left <= enough or self._evidence.left(motion, few / self._rig.full_values) ** 2 * whole <= enough

    def _few(self, motion: Floats, bounds: Floats) -> Floats:
        """Weights (n,) within bounds (n, 2), of the few sliders that are most likely."""
        likely = self._evidence(motion, np.zeros(len(bounds)), strict=self._rig.is_linear)
        on = likely.values != 0
        low, high = np.where(on[:, None], bounds, 0.0).T
        found = ParametricQP(self._gram, low, high).solve(-self._columns @ motion.ravel()).x
        return np.where(np.abs(found) < _SEEN, 0.0, found)


@suggests_options
def guess_weights(rig: Rig, motion: Floats, *, prior: Prior | None = None) -> dict[str, float]:
    """Guess which sliders make a motion (v, 3) of all vertices; returns values by slider name, within the bounds.

    They are few where few suffice. Otherwise, and wherever a prior was learned from poses, they are those of the pose
    that is likely by the prior; without one the names of the sliders tell which go together.
    """
    return WeightGuess(rig)(motion, prior)


def _count(weights: Floats, columns: Floats) -> float:
    """How many sliders are on, each counted by the motion that it brings."""
    amounts = np.abs(weights) * np.linalg.norm(columns, axis=1)
    return float(amounts.sum() ** 2 / max(float((amounts**2).sum()), np.finfo(float).tiny))


def _without_both(rig: Rig, bounds: Floats, solve: Callable[[Floats], Floats]) -> Floats:
    """Weights (n,) solved within bounds (n, 2), at most one slider of each exclusive pair being on."""
    pairs = [(rig.slider_index(one), rig.slider_index(other)) for one, other in rig.exclusive]
    weights = solve(bounds)
    for _ in pairs:
        both = [pair for pair in pairs if weights[list(pair)].all()]
        if not both:
            break
        weaker = min(max(both, key=lambda pair: abs(weights[list(pair)]).min()), key=lambda i: abs(weights[i]))
        bounds = np.where((np.arange(len(bounds)) == weaker)[:, None], 0.0, bounds)
        weights = solve(bounds)  # with both sides on, the others may have made up for it
    return weights


def _on_the_rig(
    rig: Rig, columns: Floats, motion: Floats, solve: Callable[[Floats, Floats], Floats]
) -> Callable[[Floats], Floats]:
    """Weights (n,) within bounds (n, 2), by a solver for the sliders' own motions (n, 3v) alone.

    Where shapes have in-betweens or sliders combine, what these add at the weights is taken out of the motion, and the
    solve is repeated; of all weights those count that leave the least of the motion.
    """
    if rig.is_linear:
        return lambda bounds: solve(motion, bounds)
    face, whole = Evaluator(rig), float(np.linalg.norm(motion))

    def solved(bounds: Floats) -> Floats:
        best, least = solve(motion, bounds), np.inf
        weights = best
        for _ in range(_ROUNDS):
            moved = face(weights) - rig.neutral
            left = float(np.linalg.norm(moved - motion))
            if not left < least - _SETTLED * whole:
                break
            best, least = weights, left
            weights = solve(motion - moved + (weights @ columns).reshape(motion.shape), bounds)
        return best

    return solved


def _columns(rig: Rig) -> Floats:
    """The motion (n, 3v) of each slider at weight 1, measured at its full value."""
    ends = np.where(rig.bounds[:, 1] > 0, rig.bounds[:, 1], rig.bounds[:, 0])  # (n,)
    posed = Evaluator(rig)(np.diag(ends)) if len(ends) else np.zeros((0, rig.vertex_count, 3))
    scale = np.where(ends == 0, 1.0, ends)
    return np.asarray((posed - rig.neutral).reshape(len(posed), -1) / scale[:, None])


def _likely(rig: Rig, columns: Floats, motion: Floats, prior: Prior | None) -> Callable[[Floats], Floats]:
    """The most likely weights (n,) within any bounds (n, 2).

    Neighbouring vertices move alike, so that the mesh shows no more than one independent row a slider: the rows of
    R in B = QR, where B (3v, n) has the motion of each slider.
    """
    axes, rows = np.linalg.qr(columns.T)
    wanted = motion.ravel() @ axes
    precision = PosePrior(rig, prior).about(rows, np.arange(len(columns))).precision(wanted)
    curvature, slope = rows.T @ rows + _NOISE * precision, -wanted @ rows
    return lambda bounds: ParametricQP(curvature, *bounds.T).solve(slope).x
