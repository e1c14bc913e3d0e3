"""Problems that each have a curvature of their own, against the careful solver and against scipy."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from facewright.solve.active_set import ActiveSetQP
from facewright.solve.limits import RowLimits
from facewright.solve.qp import solve_qp
from facewright.solve.solution import Status

N = 15


def problems(seed: int, unit: float = 1.0) -> list[tuple[np.ndarray, np.ndarray]]:
    """H (n, n) and c (n,) that wander, with a jump in the middle."""
    rng = np.random.default_rng(seed)
    B, m, way = rng.normal(size=(6, N)) * rng.uniform(0.01, 1, N), rng.normal(size=6), rng.normal(size=6)
    found = []
    for step in range(12):
        asked = m + 0.1 * step * way + (3 * way if step > 6 else 0)
        H = B.T @ B + 1e-4 * (1 + step) * np.eye(N)
        found.append((unit * H, -unit * asked @ B))
    return found


@pytest.mark.parametrize("unit", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("seed", range(12))
def test_each_is_the_solution_of_the_careful_solver(seed: int, unit: float) -> None:
    rng = np.random.default_rng([1, seed])
    low, high = -rng.uniform(0, 1, N) * (rng.random(N) < 0.7), rng.uniform(0, 1, N)
    high[rng.random(N) < 0.2] = 0.0  # some may not move at all
    matrix = rng.normal(size=(3, N)) * (rng.random((3, N)) < 0.4)
    rows = RowLimits(matrix, np.full(3, -np.inf), np.array([0.0, 0.1, 0.3])) if seed % 2 else None
    qp = ActiveSetQP(low, high, rows)
    for H, c in problems(seed, unit):
        wanted, found = solve_qp(H, c, low, high, rows=rows), qp.solve(H, c)
        assert found.status is Status.SOLVED
        np.testing.assert_allclose(found.x, wanted.x, atol=1e-8)
        np.testing.assert_allclose(found.multipliers, wanted.multipliers, atol=1e-7 * np.abs(c).max())
        assert ((found.x >= low) & (found.x <= high)).all()


@pytest.mark.parametrize("seed", range(6))
def test_without_rows_it_is_bounded_least_squares(seed: int) -> None:
    rng = np.random.default_rng([2, seed])
    low, high = -rng.uniform(0.1, 1, N), rng.uniform(0.1, 1, N)
    qp = ActiveSetQP(low, high)
    for H, c in problems(seed):
        L = np.linalg.cholesky(H)
        expected = lsq_linear(L.T, -np.linalg.solve(L, c), (low, high), method="bvls", tol=1e-15)
        np.testing.assert_allclose(qp.solve(H, c).x, expected.x, atol=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_earlier_solves_do_not_matter(seed: int) -> None:
    low, high = np.full(N, -0.2), np.full(N, 0.4)
    rows = RowLimits(np.eye(2, N) - np.eye(2, N, 2), np.full(2, -np.inf), np.zeros(2))
    used = ActiveSetQP(low, high, rows)
    for H, c in problems(seed):
        np.testing.assert_allclose(used.solve(H, c).x, ActiveSetQP(low, high, rows).solve(H, c).x, atol=1e-11)


@pytest.mark.parametrize("guesses", [0, 1, 2])
def test_where_guesses_do_not_come_to_an_end_the_careful_solver_does(
    monkeypatch: pytest.MonkeyPatch, guesses: int
) -> None:
    monkeypatch.setattr("facewright.solve.active_set._GUESSES", guesses)
    qp = ActiveSetQP(np.zeros(N), np.full(N, 0.3))
    for H, c in problems(4):
        np.testing.assert_allclose(qp.solve(H, c).x, solve_qp(H, c, 0.0, 0.3).x, atol=1e-8)


def test_limits_that_contradict_are_a_status() -> None:
    rows = RowLimits(np.ones((1, 2)), np.array([3.0]), np.array([4.0]))
    assert ActiveSetQP(np.zeros(2), np.ones(2), rows).solve(np.eye(2), np.zeros(2)).status is Status.INFEASIBLE
    nothing = ActiveSetQP(np.zeros(0), np.zeros(0)).solve(np.zeros((0, 0)), np.zeros(0))
    assert (len(nothing.x), nothing.status) == (0, Status.SOLVED)


def test_small_changes_of_the_curvature_make_small_changes_of_the_solution() -> None:
    low, high = np.zeros(N), np.full(N, 0.3)
    (H, c), (other, _) = problems(3)[0], problems(3)[-1]
    qp = ActiveSetQP(low, high)
    answers = [qp.solve(H + share * (other - H), c).x for share in np.linspace(0, 1, 200)]
    steps = [np.abs(b - a).max() for a, b in pairwise(answers)]
    assert max(steps) < 0.1 * np.abs(answers[-1] - answers[0]).max()
