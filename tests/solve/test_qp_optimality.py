"""The answers of the quadratic solver against other formulations, on random and on badly conditioned problems."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, lsq_linear, minimize

from facewright.arrays import Floats
from facewright.solve.limits import RowLimits
from facewright.solve.qp import ParametricQP, solve_qp
from facewright.solve.solution import Status

SPECTRA = ("even", "one weak", "scaled", "rank half")


def hessian(rng: np.random.Generator, n: int, condition: float, spectrum: str) -> Floats:
    q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    s = np.logspace(0, -np.log10(condition), n)
    if spectrum == "one weak":
        s = np.append(np.ones(n - 1), 1 / condition)
    if spectrum == "rank half":
        s[n // 2 :] = 0
    if spectrum == "scaled":
        size = rng.permutation(np.sqrt(s))
        return np.asarray(size[:, None] * ((q * np.linspace(1, 0.1, n)) @ q.T) * size)
    return np.asarray((q * s) @ q.T)


def problem(seed: int, condition: float, spectrum: str) -> tuple[Floats, Floats, Floats, Floats]:
    """H, c and bounds with sides open, closed and equal; the free minimum lies around the bounds; c leans to few."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    H = hessian(rng, n, condition, spectrum)
    c = -H @ rng.uniform(-0.5, 1.5, n) + rng.choice([0.0, 1e-3]) * np.abs(H).max()
    low, high = np.where(rng.random(n) < 0.1, -1.0, 0.0), np.ones(n)
    high[rng.random(n) < 0.1] = 0.0  # some locked
    return H, c, low, high


def optimality_error(H: Floats, c: Floats, low: Floats | float, high: Floats | float, x: Floats) -> float:
    """How far x is from meeting the Karush-Kuhn-Tucker conditions, relative to the terms that should cancel."""
    slope = H @ x + c
    wrong = np.where((x > low) & (slope > 0), slope, np.where((x < high) & (slope < 0), -slope, 0.0))
    return float(wrong.max() / max(np.abs(H @ x).max(), np.abs(c).max()))


def cost(H: Floats, c: Floats, x: Floats) -> float:
    return float(0.5 * x @ H @ x + c @ x)


def best_of_all_active_sets(H: Floats, c: Floats, low: Floats, high: Floats) -> Floats:
    """The minimum by trying every choice of low, high or free for each unknown: 3^n linear systems."""
    found = []
    for sides in product((-1, 0, 1), repeat=len(c)):
        side = np.array(sides)
        x = np.where(side < 0, low, high)
        free = side == 0
        if free.any():
            x[free] = np.linalg.solve(H[np.ix_(free, free)], -c[free] - H[np.ix_(free, ~free)] @ x[~free])
        if (x >= low).all() and (x <= high).all():
            found.append(x)
    return min(found, key=lambda x: cost(H, c, x))


@pytest.mark.parametrize("condition", [1e1, 1e4, 1e7, 1e10])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_the_answer_meets_the_optimality_conditions_inside_the_bounds(spectrum: str, condition: float) -> None:
    for seed in range(40):
        H, c, low, high = problem(seed, condition, spectrum)
        found = solve_qp(H, c, low, high)
        assert found.status is Status.SOLVED
        assert (found.x >= low).all()
        assert (found.x <= high).all()
        assert optimality_error(H, c, low, high, found.x) < 1e-10


@pytest.mark.parametrize("condition", [1e1, 1e5])
def test_the_answer_is_that_of_trying_every_active_set(condition: float) -> None:
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 6))
        H = hessian(rng, n, condition, "even")
        c = -H @ rng.uniform(-1, 2, n)
        best = best_of_all_active_sets(H, c, np.zeros(n), np.ones(n))
        np.testing.assert_allclose(solve_qp(H, c, 0, 1).x, best, atol=1e-15 * condition + 1e-12)


@pytest.mark.parametrize("n", [10, 52, 150])
def test_the_answer_is_that_of_bounded_least_squares(n: int) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        B, m = rng.normal(size=(2 * n, n)), rng.normal(size=2 * n) * 4
        reference = lsq_linear(B, m, (0, 1), method="bvls", tol=1e-14, max_iter=2000).x
        np.testing.assert_allclose(solve_qp(B.T @ B, -B.T @ m, 0, 1).x, reference, atol=1e-10)


def test_rows_give_the_answer_of_a_general_nonlinear_solver() -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        H, c = hessian(rng, 7, 1e2, "even"), rng.normal(size=7)
        equation, others = rng.normal(size=(1, 7)), rng.normal(size=(2, 7))
        rows = RowLimits(np.vstack([equation, others]), np.array([0.3, -0.2, -np.inf]), np.array([0.3, 0.1, 0.2]))
        found = solve_qp(H, c, -1, 1, rows=rows)
        reference = minimize(  # type: ignore[call-overload]
            lambda x, H=H, c=c: cost(H, c, x),
            np.zeros(7),
            jac=lambda x, H=H, c=c: H @ x + c,
            bounds=[(-1, 1)] * 7,
            constraints=[LinearConstraint(equation, 0.3, 0.3), LinearConstraint(others, rows.low[1:], rows.high[1:])],
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        )
        assert found.status is Status.SOLVED
        assert cost(H, c, found.x) <= reference.fun + 1e-9
        np.testing.assert_allclose(found.x, reference.x, atol=1e-5)


def test_multipliers_balance_the_slope_and_press_only_on_limits_that_are_met() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        H, c = hessian(rng, 12, 1e3, "even"), rng.normal(size=12)
        rows = RowLimits(rng.normal(size=(4, 12)), np.full(4, -0.5), np.full(4, 0.5))
        found = solve_qp(H, c, 0, 1, rows=rows)
        balance = H @ found.x + c + found.multipliers + found.row_multipliers @ rows.matrix
        np.testing.assert_allclose(balance, 0, atol=1e-11)
        assert (found.x[found.multipliers > 0] == 1).all()
        assert (found.x[found.multipliers < 0] == 0).all()
        value = rows.matrix @ found.x
        np.testing.assert_allclose(value[found.row_multipliers > 0], 0.5, atol=1e-11)
        np.testing.assert_allclose(value[found.row_multipliers < 0], -0.5, atol=1e-11)
        assert (np.abs(value) <= 0.5 + 1e-11).all()


@pytest.mark.parametrize("spectrum", SPECTRA)
@pytest.mark.parametrize("condition", [1e3, 1e9])
def test_a_stream_gives_what_single_solves_give(spectrum: str, condition: float) -> None:
    rng = np.random.default_rng(5)
    H = hessian(rng, 40, condition, spectrum)
    stream = ParametricQP(H, 0, 1)
    wanted = rng.uniform(-0.5, 1.5, 40)
    for _ in range(200):
        wanted += 0.05 * rng.normal(size=40)
        c = -H @ wanted + 1e-3
        found = stream.solve(c)
        assert found.status is Status.SOLVED
        assert optimality_error(H, c, 0, 1, found.x) < 1e-10
        np.testing.assert_allclose(found.x, solve_qp(H, c, 0, 1).x, atol=1e-14 * condition + 1e-9)


def test_a_small_change_of_the_linear_term_makes_a_small_change_of_the_answer() -> None:
    rng = np.random.default_rng(2)
    H = hessian(rng, 30, 1e3, "even")
    qp, c = ParametricQP(H, 0, 1), rng.normal(size=30)
    for _ in range(100):
        step = 1e-4 * rng.normal(size=30)
        moved = np.linalg.norm(qp.solve(c + step).x - qp.solve(c).x)
        assert moved <= np.linalg.norm(step) / np.linalg.eigvalsh(H)[0] + 1e-12
        c = c + 100 * step


def test_an_added_term_gives_what_the_whole_hessian_gives() -> None:
    rng = np.random.default_rng(3)
    H, B, c = hessian(rng, 30, 1e4, "rank half"), rng.normal(size=(9, 30)), rng.normal(size=30)
    fixed = ParametricQP(H, 0, 1)
    fixed.solve(c)
    np.testing.assert_allclose(fixed.plus(B).solve(c).x, solve_qp(H + B.T @ B, c, 0, 1).x, atol=1e-9)
