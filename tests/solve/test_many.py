import numpy as np
import pytest
from scipy.optimize import lsq_linear

from facewright.arrays import Floats
from facewright.solve.limits import RowLimits
from facewright.solve.many import are_minima, solve_many
from facewright.solve.qp import solve_qp


def a_problem(seed: int = 0, rows: int = 40, n: int = 12, frames: int = 25) -> tuple[Floats, Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    B, M = rng.normal(size=(rows, n)), rng.normal(size=(frames, rows)) * 3
    return B, M, np.zeros(n), rng.uniform(0.3, 1.0, n)


def test_every_frame_is_what_an_independent_solver_finds() -> None:
    B, M, low, high = a_problem()
    found = solve_many(B.T @ B, -M @ B, low, high)
    assert found.solved.all()
    others = np.array([lsq_linear(B, m, (low, high), tol=1e-14).x for m in M])
    np.testing.assert_allclose(found.x, others, atol=1e-6)
    assert found.x.min() == 0
    assert (found.x <= high).all()


def test_a_singular_quadratic_is_solved_with_care() -> None:
    B, M, low, high = a_problem(n=12)
    B[:, 5] = B[:, 4]
    found = solve_many(B.T @ B, -M @ B, low, high)
    assert found.solved.all()
    costs = [float(((B @ x - m) ** 2).sum()) for x, m in zip(found.x, M, strict=True)]
    others = [float(((B @ lsq_linear(B, m, (low, high), tol=1e-14).x - m) ** 2).sum()) for m in M]
    np.testing.assert_allclose(costs, others, rtol=1e-6)


def test_unknowns_that_are_off_in_a_frame_are_zero_there_and_the_rest_is_best_without_them() -> None:
    B, M, low, high = a_problem()
    off = np.random.default_rng(1).uniform(size=(len(M), len(low))) < 0.3
    off[5:9], off[12:15] = off[5], False  # the same ones for a while, then none
    found = solve_many(B.T @ B, -M @ B, low, high, off=off)
    assert found.solved.all()
    assert not found.x[off].any()
    for frame in range(len(M)):
        one = solve_qp(B.T @ B, -M[frame] @ B, low, np.where(off[frame], 0.0, high))
        np.testing.assert_allclose(found.x[frame], one.x, atol=1e-8)


def test_unknowns_that_cannot_move_keep_their_value_and_count() -> None:
    B, M, low, high = a_problem()
    low[2] = high[2] = 0.25
    found = solve_many(B.T @ B, -M @ B, low, high)
    np.testing.assert_array_equal(found.x[:, 2], 0.25)
    np.testing.assert_allclose(found.x[7], solve_qp(B.T @ B, -M[7] @ B, low, high).x, atol=1e-8)


@pytest.mark.parametrize("singular", [False, True])
def test_rows_are_kept_in_every_frame(singular: bool) -> None:
    B, M, low, high = a_problem()
    B[:, 5] = B[:, 4] if singular else B[:, 5]
    low[7] = high[7] = 0.1  # a row of an unknown that cannot move limits the other one
    rows = RowLimits(
        np.array([np.eye(12)[0] - np.eye(12)[1], np.eye(12)[2] - np.eye(12)[7], np.ones(12)]),
        np.array([-np.inf, -np.inf, 0.2]),
        np.array([0.0, 0.0, 2.5]),
    )
    off = np.zeros(M.shape[:1] + low.shape, bool)
    off[3:6, 1] = True
    found = solve_many(B.T @ B, -M @ B, low, high, rows=rows, off=off)
    assert found.solved.all()
    limited = 0
    for frame, x in enumerate(found.x):
        one = solve_qp(B.T @ B, -M[frame] @ B, low, np.where(off[frame], 0.0, high), rows=rows)
        np.testing.assert_allclose(x, one.x, atol=1e-6)
        assert (rows.matrix @ x <= rows.high + 1e-9).all()
        limited += bool(one.row_multipliers.any())
    assert limited > 5


def test_a_wrong_answer_is_not_taken_for_a_minimum() -> None:
    B, M, low, high = a_problem()
    x = np.array(solve_many(B.T @ B, -M @ B, low, high).x)
    x[4, 0] = 0.5 * high[0] if x[4, 0] == 0 else 0.0
    solved = are_minima(B.T @ B, -M @ B, x, low, high)
    assert not solved[4]
    assert solved.sum() == len(M) - 1


@pytest.mark.parametrize(("frames", "n"), [(0, 4), (3, 0)])
def test_nothing_to_solve_is_solved(frames: int, n: int) -> None:
    assert solve_many(np.eye(n), np.zeros((frames, n)), 0.0, 1.0).x.shape == (frames, n)
