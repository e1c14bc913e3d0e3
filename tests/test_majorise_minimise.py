"""The published majorise-minimise baseline of the benchmarks is what its description says."""

import numpy as np
from bench.correctives.inverse_rig import MAJORISED, OURS_OF_PAIRS, compared
from bench.correctives.majorise_minimise import MajoriseMinimise, is_quadratic, pair_matrices
from scipy.optimize import minimize, minimize_scalar

import facewright as fw
from facewright.arrays import Floats
from facewright.build.mesh_rows import MeshRows
from facewright.terms.delta_matrix import DeltaMatrix
from tests.capture.acting import a_rig

ALPHA = 0.5


def paired_rig() -> fw.Rig:
    """Sliders and products of pairs, some of which share a slider."""
    plain = a_rig(12)
    aside = np.roll(plain.deltas(), 1, axis=2)
    more = [
        fw.Shape.from_dense(f"{i} {j}", 0.6 * aside[i], sliders=(plain.sliders[i], plain.sliders[j]))
        for i, j in ((0, 1), (1, 2), (3, 7), (4, 5), (5, 9))
    ]
    return fw.Rig(plain.neutral, plain.polygons, (*plain.shapes, *more), sliders=plain.sliders)


def problem() -> tuple[fw.Rig, Floats, MajoriseMinimise, Floats]:
    rig = paired_rig()
    rows = MeshRows(DeltaMatrix(rig).shape_gram).rows
    return rig, rows, MajoriseMinimise(rig, rows), np.random.default_rng(1).normal(size=(3, len(rows))) * 3


def test_the_pairs_are_those_of_the_rig() -> None:
    rig, rows, majorise, wanted = problem()
    assert all(is_quadratic(rig, shape) for shape in rig.shapes)
    weights = np.random.default_rng(2).uniform(size=(3, len(rig.sliders)))
    alone = rows[:, : len(rig.sliders)]
    by_hand = weights @ alone.T + np.einsum("fi,rij,fj->fr", weights, pair_matrices(rig, rows), weights)
    cost = ((by_hand - wanted) ** 2).sum(axis=1) + ALPHA * weights.sum(axis=1)
    np.testing.assert_allclose(majorise.cost(weights, wanted, ALPHA), cost)


def test_the_bound_is_never_below_the_cost_and_touches_it() -> None:
    rig, _, majorise, wanted = problem()
    rng = np.random.default_rng(3)
    weights = rng.uniform(size=(3, len(rig.sliders)))
    q, r, s = majorise.bound(weights, wanted, ALPHA)
    now = majorise.cost(weights, wanted, ALPHA)
    for size in (1e-4, 0.1, 1.0):
        change = size * rng.uniform(-1, 1, (200, *weights.shape))
        bound = now + (q * change + r[:, None] * change**2 + s * change**4).sum(axis=2)
        costs = np.array([majorise.cost(weights + each, wanted, ALPHA) for each in change])
        assert (costs <= bound + 1e-9 * now).all()
    nearby = 1e-6 * rng.uniform(-1, 1, weights.shape)
    slope = majorise.cost(weights + nearby, wanted, ALPHA) - majorise.cost(weights - nearby, wanted, ALPHA)
    np.testing.assert_allclose(slope / 2, (q * nearby).sum(axis=1), rtol=1e-5)


def test_a_step_is_the_least_of_the_bound() -> None:
    rig, _, majorise, wanted = problem()
    weights = np.random.default_rng(4).uniform(size=(3, len(rig.sliders)))
    (q, r, s), change = majorise.bound(weights, wanted, ALPHA), majorise.step(weights, wanted, ALPHA)
    for frame, slider in np.ndindex(change.shape):
        at = float(weights[frame, slider])

        def cost(v: float, q: float = float(q[frame, slider]), r: float = float(r[frame])) -> float:
            return q * v + r * v**2 + s * v**4

        best = minimize_scalar(cost, bounds=(-at, 1 - at), method="bounded", options={"xatol": 1e-9})
        np.testing.assert_allclose(change[frame, slider], best.x, atol=1e-5)


def test_steps_never_cost_more_and_end_where_no_general_method_finds_less_nearby() -> None:
    rig, _, majorise, wanted = problem()
    weights = np.full((3, len(rig.sliders)), 0.3)
    costs = [majorise.cost(weights, wanted, ALPHA)]
    for _ in range(50):
        weights = weights + majorise.step(weights, wanted, ALPHA)
        costs.append(majorise.cost(weights, wanted, ALPHA))
    assert (np.diff(costs, axis=0) <= 1e-9 * costs[0]).all()
    found = majorise(wanted, ALPHA, weights)
    for frame in range(3):
        asked = wanted[frame : frame + 1]

        def cost(w: Floats, asked: Floats = asked) -> float:
            return float(majorise.cost(w[None], asked, ALPHA)[0])

        best = minimize(cost, found[frame], bounds=[(0, 1)] * len(rig.sliders), method="L-BFGS-B")
        assert majorise.cost(found[frame : frame + 1], asked, ALPHA)[0] <= best.fun * (1 + 1e-2)


def test_ours_costs_no_more_on_the_same_rig() -> None:
    rig, rng = paired_rig(), np.random.default_rng(3)
    poses = rng.uniform(size=(12, len(rig.sliders))) * (rng.uniform(size=(12, len(rig.sliders))) < 0.4)
    figures = compared(rig, poses)
    assert figures[OURS_OF_PAIRS].cost <= 1.01 * figures[MAJORISED].cost
    assert np.median(figures[MAJORISED].error) < 0.05
