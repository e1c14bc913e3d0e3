"""Rigs with thousands of sliders: those that move nothing near the pins change nothing and cost nothing."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.pose.bounded import BoundedChange
from facewright.solve.limits import RowLimits
from facewright.solve.qp import solve_qp
from facewright.solve.solution import Status
from facewright.terms.limits import Limits
from tests.bounded import bounded
from tests.formats.hostile import shapes_of_nothing
from tests.laws.things import combining_rig, pose


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("with_rows", [False, True])
def test_very_many_sliders_are_solved_as_the_whole_quadratic_program(seed: int, with_rows: bool) -> None:
    rng, n = np.random.default_rng([seed, with_rows]), 450
    moves, ridge, price = rng.normal(size=(12, n)), rng.uniform(0.01, 0.1, n), rng.uniform(0.1, 1, n)
    low, high = -rng.uniform(0, 1, n), rng.uniform(0, 1, n)
    low[::5], high[1::5] = 0.0, 0.0
    rows = RowLimits(np.ones((1, n)), np.array([-np.inf]), np.array([0.05])) if with_rows else None
    c = 2 * rng.normal(size=12) @ moves
    found, status = BoundedChange(moves, None, ridge, Limits(low, high, rows)).solve(c, price)
    H = moves.T @ moves
    split = np.block([[H, -H], [-H, H]]) + np.diag(np.tile(ridge, 2))
    both = rows and RowLimits(np.hstack([rows.matrix, -rows.matrix]), rows.low, rows.high)
    whole = solve_qp(
        split, np.concatenate([c, -c]) + np.tile(price, 2), np.zeros(2 * n), np.append(high, -low), rows=both
    )
    assert status is Status.SOLVED
    assert 0 < np.count_nonzero(found) < n
    np.testing.assert_allclose(found, whole.x[:n] - whole.x[n:], atol=1e-5)


def crowded(rig: fw.Rig, more: int) -> fw.Rig:
    """The rig with sliders in front that move one more vertex, far from all pins."""
    last = rig.vertex_count
    idle = [fw.Shape(f"idle {i}", [last], [[1e-3, 0.0, 0.0]]) for i in range(more)]
    neutral = np.concatenate([rig.neutral, rig.neutral[:1]])
    sliders = (*(shape.name for shape in idle), *rig.sliders)
    bounds = np.concatenate([np.tile([0.0, 1.0], (more, 1)), rig.bounds])
    return fw.Rig(neutral, rig.polygons, (*idle, *rig.shapes), sliders, bounds)


@pytest.mark.parametrize("seed", range(4))
def test_sliders_that_move_nothing_near_the_pins_change_nothing(seed: int) -> None:
    rig = combining_rig(seed)
    goal = pose(rig, np.random.default_rng([6, seed]), 3)
    places = fw.evaluate(rig, goal)
    pins = [fw.Pin(vertex=v, target=places[v]) for v in range(5)]
    alone = fw.solve_pose(crowded(rig, 0), pins)
    many = fw.solve_pose(crowded(rig, 2000), pins)
    assert not many.weights[:2000].any()
    np.testing.assert_allclose(many.weights[2000:], alone.weights, atol=1e-9)
    assert alone.status is many.status


def posed(path: Path) -> object:
    rig = fw.load(path)
    found = fw.solve_pose(rig, [fw.Pin(vertex=0, target=rig.neutral[0] + 0.1)])
    return int(np.count_nonzero(found.weights)), fw.evaluate(rig, found.weights).shape


@pytest.mark.long  # a quicker test holds the same
def test_a_rig_with_20000_shapes_of_nothing_is_posed_within_a_gigabyte(tmp_path: Path) -> None:
    outcome = bounded(posed, shapes_of_nothing(tmp_path))
    assert outcome == ("returned", "(0, (3, 3))")


def dragged(sliders: int) -> object:
    rng = np.random.default_rng(1)
    neutral = rng.normal(size=(60, 3))
    shapes = [fw.Shape.from_dense(f"s{i}", rng.normal(size=(60, 3))) for i in range(sliders)]
    rig = fw.Rig(neutral, [[0, 1, 2]], shapes)
    drag = fw.PoseSolver(rig).drag([fw.Pin(vertex=v, target=neutral[v]) for v in range(8)])
    return [drag.to(neutral[:8] + 0.1 * step * rng.normal(size=(8, 3))).status.name for step in range(10)]


def doubled(sliders: int) -> object:
    rng = np.random.default_rng(1)
    neutral, moved = rng.normal(size=(60, 3)), rng.normal(size=(60, 3))
    rig = fw.Rig(neutral, [[0, 1, 2]], [fw.Shape.from_dense(f"s{i}", moved) for i in range(sliders)])
    found = fw.solve_pose(rig, [fw.Pin(vertex=0, target=neutral[0] + 0.5 * moved[0])])
    return bool(found.weights.sum() > 0.4)


def test_thousands_of_equal_sliders_are_posed_within_bounds() -> None:
    assert bounded(doubled, 3000) == ("returned", "True")


def test_a_rig_of_5000_sliders_that_all_move_the_pins_is_dragged_within_bounds() -> None:
    assert bounded(dragged, 5000).text == repr(["SOLVED"] * 10)
