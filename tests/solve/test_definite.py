"""One definite problem without checks, against the careful solver."""

import numpy as np
import pytest

from facewright.solve.dual import solve_definite
from facewright.solve.limits import RowLimits
from facewright.solve.qp import solve_qp
from facewright.solve.solution import Status


@pytest.mark.parametrize("unit", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("seed", range(10))
def test_it_is_the_solution_of_the_careful_solver_from_any_start(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(6, 15)) * rng.uniform(0.01, 1, 15)
    H, c = unit * (B.T @ B + 1e-5 * np.eye(15)), unit * rng.normal(size=15)
    low, high = -rng.uniform(0, 1, 15), rng.uniform(0, 1, 15)
    rows = RowLimits(rng.normal(size=(2, 15)), np.full(2, -np.inf), np.array([0.1, 0.3])) if seed % 2 else None
    wanted = solve_qp(H, c, low, high, rows=rows)
    for start in (np.zeros(15), wanted.x, low, high):
        found, status = solve_definite(H, c, low, high, rows, start=start)
        assert status is Status.SOLVED
        np.testing.assert_allclose(found, wanted.x, atol=1e-7)
        assert ((found >= low) & (found <= high)).all()


def test_limits_that_contradict_are_a_status() -> None:
    rows = RowLimits(np.ones((1, 2)), np.array([3.0]), np.array([4.0]))
    _, status = solve_definite(np.eye(2), np.zeros(2), np.zeros(2), np.ones(2), rows, start=np.zeros(2))
    assert status is Status.INFEASIBLE
    found, status = solve_definite(np.zeros((0, 0)), np.zeros(0), np.zeros(0), np.zeros(0), start=np.zeros(0))
    assert (len(found), status) == (0, Status.SOLVED)


@pytest.mark.parametrize("seed", range(10))
def test_a_small_problem_has_the_same_solution_with_and_without_limits_in_its_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(6, 4))
    H, c = B.T @ B + 1e-5 * np.eye(4), rng.normal(size=4)
    free = np.linalg.solve(H, -c)
    for room in (0.5, 2.0):  # of the minimum without limits: it is outside, inside
        low, high = -room * np.abs(free), room * np.abs(free)
        found, status = solve_definite(H, c, low, high, start=np.zeros(4))
        assert status is Status.SOLVED
        np.testing.assert_allclose(found, solve_qp(H, c, low, high).x, atol=1e-7)
    np.testing.assert_allclose(found, free, atol=1e-9)
