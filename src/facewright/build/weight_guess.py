"""A first guess of a pose's weights from the template's shapes on the face, for poses without given weights."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.rig.evaluate import Evaluator
from facewright.rig.rig import Rig
from facewright.solve.qp import ParametricQP

# chosen on known shapes; between a cosine with the motion, which is too small for small shapes, and a plain weight
_PRICE = 0.07
_SEEN = 0.05  # smaller weights are set to 0


def guess_weights(rig: Rig, motion: Floats) -> dict[str, float]:
    """Guess which few sliders make a motion (v, 3) of all vertices; returns values by slider name,
    within the bounds.
    """
    columns, bounds = _columns(rig), rig.bounds
    pairs = [(rig.slider_index(one), rig.slider_index(other)) for one, other in rig.exclusive]
    weights = _few(columns, motion, bounds)
    for _ in pairs:
        both = [pair for pair in pairs if weights[list(pair)].all()]
        if not both:
            break
        weaker = min(max(both, key=lambda pair: abs(weights[list(pair)]).min()), key=lambda i: abs(weights[i]))
        bounds = np.where((np.arange(len(bounds)) == weaker)[:, None], 0.0, bounds)
        weights = _few(columns, motion, bounds)  # with both sides on, the others may have made up for it
    rounded = np.round(weights, 2)
    return {name: float(value) for name, value in zip(rig.sliders, rounded, strict=True) if abs(value) >= _SEEN}


def _columns(rig: Rig) -> Floats:
    """The motion (n, 3v) of each slider at weight 1, measured at its full value."""
    ends = np.where(rig.bounds[:, 1] > 0, rig.bounds[:, 1], rig.bounds[:, 0])  # (n,)
    posed = Evaluator(rig)(np.diag(ends)) if len(ends) else np.zeros((0, rig.vertex_count, 3))
    scale = np.where(ends == 0, 1.0, ends)
    return np.asarray((posed - rig.neutral).reshape(len(posed), -1) / scale[:, None])


def _few(columns: Floats, motion: Floats, bounds: Floats) -> Floats:
    """Weights (n,): a penalty on each slider selects a few, which are then solved for without it."""
    slope = -columns @ motion.ravel()
    problem = ParametricQP(columns @ columns.T, *bounds.T)
    price = _PRICE * np.sqrt(float(np.linalg.norm(motion)) * np.linalg.norm(columns, axis=1) ** 3)
    priced = problem.solve(slope + price * np.sign(problem.solve(slope).x)).x
    low, high = np.where((np.abs(priced) > _SEEN)[:, None], bounds, 0.0).T
    found = ParametricQP(problem.H, low, high).solve(slope).x
    return np.where(np.abs(found) < _SEEN, 0.0, found)
