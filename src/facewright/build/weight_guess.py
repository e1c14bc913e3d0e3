"""A first guess of a pose's weights, by the template's own shapes on the face: for poses nobody has named yet."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.rig.evaluate import Evaluator
from facewright.rig.rig import Rig
from facewright.solve.qp import ParametricQP

_PRICE = 0.07  # between a cosine with the motion, which small shapes never have, and a weight: chosen on known truth
_SEEN = 0.05  # a smaller weight is nothing a person would name


def guess_weights(rig: Rig, motion: Floats) -> dict[str, float]:
    """The few sliders that make a motion (v, 3) best, by name: in proportion, each for itself, inside their bounds."""
    columns, bounds = _columns(rig), rig.bounds
    pairs = [(rig.slider_index(one), rig.slider_index(other)) for one, other in rig.exclusive]
    weights = _few(columns, motion, bounds)
    for _ in pairs:
        both = [pair for pair in pairs if weights[list(pair)].all()]
        if not both:
            break
        weaker = min(max(both, key=lambda pair: abs(weights[list(pair)]).min()), key=lambda i: abs(weights[i]))
        bounds = np.where((np.arange(len(bounds)) == weaker)[:, None], 0.0, bounds)
        weights = _few(columns, motion, bounds)  # left and right at once may stand for something else
    rounded = np.round(weights, 2)
    return {name: float(value) for name, value in zip(rig.sliders, rounded, strict=True) if abs(value) >= _SEEN}


def _columns(rig: Rig) -> Floats:
    """What each slider moves at weight 1 (n, 3v), going by its full value."""
    ends = np.where(rig.bounds[:, 1] > 0, rig.bounds[:, 1], rig.bounds[:, 0])  # (n,)
    posed = Evaluator(rig)(np.diag(ends)) if len(ends) else np.zeros((0, rig.vertex_count, 3))
    scale = np.where(ends == 0, 1.0, ends)
    return np.asarray((posed - rig.neutral).reshape(len(posed), -1) / scale[:, None])


def _few(columns: Floats, motion: Floats, bounds: Floats) -> Floats:
    """Weights (n,): a price on each chooses those that take part, which are then solved for without it."""
    slope = -columns @ motion.ravel()
    problem = ParametricQP(columns @ columns.T, *bounds.T)
    price = _PRICE * np.sqrt(float(np.linalg.norm(motion)) * np.linalg.norm(columns, axis=1) ** 3)
    priced = problem.solve(slope + price * np.sign(problem.solve(slope).x)).x
    low, high = np.where((np.abs(priced) > _SEEN)[:, None], bounds, 0.0).T
    found = ParametricQP(problem.H, low, high).solve(slope).x
    return np.where(np.abs(found) < _SEEN, 0.0, found)
