"""Problems that differ in everything are solved as an independent solver would."""

import numpy as np
from scipy.optimize import LinearConstraint, lsq_linear, minimize

from facewright.arrays import Floats
from facewright.solve.each import solve_each
from facewright.solve.limits import RowLimits


def problems(seed: int = 0, count: int = 30, rows: int = 24, n: int = 10) -> tuple[Floats, Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    B, M = rng.normal(size=(count, rows, n)) * rng.uniform(0.01, 1, n), rng.normal(size=(count, rows))
    high = rng.uniform(0.1, 1.0, (count, n))
    return B, M, -high * (rng.uniform(size=(count, n)) < 0.3), high


def solved(B: Floats, M: Floats, low: Floats, high: Floats, start: Floats, rows: RowLimits | None = None) -> Floats:
    H, C = np.swapaxes(B, 1, 2) @ B, -np.einsum("frn,fr->fn", B, M)
    found = solve_each(H, C, low, high, start, rows=rows)
    assert found.solved.all()
    return found.x


def test_every_problem_is_what_an_independent_solver_finds_wherever_it_starts() -> None:
    B, M, low, high = problems()
    others = np.array([lsq_linear(*each[:2], each[2:], tol=1e-14).x for each in zip(B, M, low, high, strict=True)])
    starts = low, high, np.random.default_rng(1).uniform(low, high)
    for start in starts:
        np.testing.assert_allclose(solved(B, M, low, high, start), others, atol=1e-5)


def test_unknowns_with_equal_bounds_stay_there() -> None:
    B, M, low, high = problems()
    low[:, 3] = high[:, 3] = 0.25
    low[4], high[4] = 0.1, 0.1
    start = np.clip(0.0, low, high)
    found = solved(B, M, low, high, start)
    assert (found[:, 3] == 0.25)[np.arange(len(found)) != 4].all()
    assert (found[4] == 0.1).all()


def test_rows_hold_and_the_rest_is_as_an_independent_solver_finds() -> None:
    B, M, low, high = problems(count=12)
    tie = np.eye(10)[:1] - np.eye(10)[1:2]  # the first is not above the second
    low, start = np.zeros_like(low), np.zeros_like(low)
    found = solved(B, M, low, high, start, RowLimits(tie, np.array([-np.inf]), np.array([0.0])))
    assert (found[:, 0] <= found[:, 1] + 1e-9).all()
    assert (found[:, 0] > 1e-3).any()
    for b, m, top, x in zip(B, M, high, found, strict=True):

        def cost(w: Floats, b: Floats = b, m: Floats = m) -> float:
            return float(((b @ w - m) ** 2).sum())

        def slope(w: Floats, b: Floats = b, m: Floats = m) -> Floats:
            return np.asarray(2 * b.T @ (b @ w - m))

        kept, bounds = LinearConstraint(tie, -np.inf, 0.0), [(0.0, one) for one in top]
        options = {"maxiter": 500, "ftol": 1e-14}
        other = minimize(cost, 0 * x, jac=slope, bounds=bounds, constraints=kept, method="SLSQP", options=options)  # type: ignore[call-overload]
        assert cost(x) <= other.fun * (1 + 1e-6)


def test_no_problems_and_no_unknowns_are_solved() -> None:
    nothing = np.zeros((0, 4))
    assert solve_each(np.zeros((0, 4, 4)), nothing, nothing, nothing, nothing).x.shape == (0, 4)
    empty = np.zeros((3, 0))
    assert solve_each(np.zeros((3, 0, 0)), empty, empty, empty, empty).solved.all()
