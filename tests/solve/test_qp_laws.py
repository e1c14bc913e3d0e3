"""What a user of the quadratic solver may rely on: units, open minima, locks, and plain words if it cannot be done."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.solve.limits import RowLimits
from facewright.solve.qp import ParametricQP, solve_qp
from facewright.solve.solution import Status


def pins(seed: int, k: int, n: int) -> tuple[Floats, Floats]:
    """Fewer pins than sliders, and wanted motions some of which need a bound."""
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(k, n))
    return B, B @ rng.uniform(-0.5, 1.5, n)


@pytest.mark.parametrize("unit", [1e-9, 1e-4, 1e4, 1e9])
@pytest.mark.parametrize("k", [0, 4, 20])
def test_the_unit_of_the_cost_changes_nothing(unit: float, k: int) -> None:
    B, m = pins(1, k, 10)
    H, c = B.T @ B, 0.3 - B.T @ m
    np.testing.assert_allclose(solve_qp(unit * H, unit * c, 0, 1).x, solve_qp(H, c, 0, 1).x, atol=1e-9)


@pytest.mark.parametrize("unit", [1e-7, 1e7])
def test_the_unit_of_a_row_changes_nothing(unit: float) -> None:
    c, row = np.array([-0.2, -0.9, -1.5]), np.ones((1, 3))
    found = solve_qp(np.eye(3), c, 0, 1, rows=RowLimits(unit * row, np.array([unit]), np.array([unit])))
    np.testing.assert_allclose(
        found.x, solve_qp(np.eye(3), c, 0, 1, rows=RowLimits(row, np.array([1]), np.array([1]))).x, atol=1e-12
    )
    assert found.row_multipliers[0] * unit == pytest.approx(0.7)


def test_going_away_and_coming_back_gives_the_first_answer_even_where_the_minimum_is_open() -> None:
    B, m = pins(4, 6, 30)
    qp = ParametricQP(B.T @ B, 0, 1)
    there = [qp.solve(-B.T @ (t * m)).x for t in np.linspace(0, 1, 30)]
    back = [qp.solve(-B.T @ (t * m)).x for t in np.linspace(1, 0, 30)]
    np.testing.assert_allclose(there, back[::-1], atol=1e-6)


def test_an_open_minimum_inside_the_bounds_is_that_of_the_pseudo_inverse() -> None:
    B, m = pins(7, 5, 20)
    x = solve_qp(B.T @ B, -B.T @ m, -np.inf, np.inf).x
    np.testing.assert_allclose(x, np.linalg.pinv(B) @ m, atol=1e-6)


@pytest.mark.parametrize("few", [0.0, 0.2])
def test_of_all_minima_the_answer_is_the_one_nearest_to_a_given_pose(few: float) -> None:
    for seed in range(6):
        B, m = pins(seed, 3, 8)
        H, c = B.T @ B, few - B.T @ m
        near = np.random.default_rng(seed).uniform(0, 1, 8)
        x = solve_qp(H, c, 0, 1, near=near).x
        shared = np.vstack([B, np.ones(8)]) if few else B  # all minima have the same B x, and the same sum if it counts
        nearest = minimize(  # type: ignore[call-overload]
            lambda z, near=near: np.sum((z - near) ** 2),
            x,
            bounds=[(0, 1)] * 8,
            constraints=LinearConstraint(shared, shared @ x, shared @ x),
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        ).x
        np.testing.assert_allclose(x, nearest, atol=1e-5)


def test_twin_sliders_share_the_work_and_a_dead_one_stays_where_it_was() -> None:
    B = np.array([[2.0, 2.0, 0.0]])
    x = solve_qp(B.T @ B, -B.T @ [2.0], 0, 1, near=[0.0, 0.0, 0.7]).x
    np.testing.assert_allclose(x, [0.5, 0.5, 0.7], atol=1e-8)


@pytest.mark.parametrize("dead", [[], [1]])
def test_a_slider_that_moves_little_is_solved_as_exactly_as_one_that_moves_much_even_beside_a_dead_one(
    dead: list[Any],
) -> None:
    H = np.diag([1.0, 1e-4, 1e-10, 1e2])
    H[dead, dead] = 0
    wanted = np.array([0.3, 0.5, 0.6, 0.9])
    x = solve_qp(H, -H @ wanted, 0, 1, near=wanted * (H.diagonal() == 0)).x
    np.testing.assert_allclose(x, wanted, atol=1e-12)


def test_locked_sliders_keep_their_value_to_the_last_bit() -> None:
    B, m = pins(3, 12, 10)
    locked = np.array([0.1, 1 / 3, 0.7])
    low, high = np.zeros(10), np.ones(10)
    low[2:5] = high[2:5] = locked
    found = solve_qp(B.T @ B, -B.T @ m, low, high)
    assert found.solved
    assert (found.x[2:5] == locked).all()


def test_most_sliders_locked_leave_the_others_exact_on_a_bad_hessian() -> None:
    rng = np.random.default_rng(1)
    q = np.linalg.qr(rng.normal(size=(60, 60)))[0]
    H = (q * np.logspace(0, -10, 60)) @ q.T
    locked, low, high = rng.permutation(60)[:45], np.zeros(60), np.ones(60)
    low[locked] = high[locked] = rng.random(45)
    c = -H @ rng.uniform(-0.5, 1.5, 60)
    found = solve_qp(H, c, low, high)
    assert found.solved
    free = (found.x > low) & (found.x < high)
    np.testing.assert_allclose((H @ found.x + c)[free], 0, atol=1e-14)
    assert free.any()


def test_everything_locked_is_solved_by_the_locks() -> None:
    found = solve_qp(np.eye(3), [-1, -2, 3], [0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
    assert found.status is Status.SOLVED
    assert (found.x == [0.1, 0.2, 0.3]).all()


def test_without_bounds_the_answer_is_that_of_the_linear_system() -> None:
    rng = np.random.default_rng(0)
    B, c = rng.normal(size=(20, 8)), rng.normal(size=8)
    found = solve_qp(B.T @ B, c, -np.inf, np.inf)
    np.testing.assert_allclose(found.x, np.linalg.solve(B.T @ B, -c), atol=1e-12)
    assert (found.multipliers == 0).all()


def test_whole_face_weights_are_not_negative_and_sum_to_one() -> None:
    for seed in range(20):
        B, m = pins(seed, 30, 12)
        found = solve_qp(B.T @ B, -B.T @ m, 0, np.inf, rows=RowLimits(np.ones((1, 12)), np.array([1]), np.array([1])))
        assert found.solved
        assert (found.x >= 0).all()
        assert found.x.sum() == pytest.approx(1, abs=1e-12)


def test_an_equation_said_twice_is_said_once() -> None:
    c, once = (
        [-0.2, -0.9, -1.5],
        solve_qp(np.eye(3), [-0.2, -0.9, -1.5], 0, 1, rows=RowLimits(np.ones((1, 3)), np.array([1]), np.array([1]))),
    )
    twice = solve_qp(np.eye(3), c, 0, 1, rows=RowLimits(np.ones((2, 3)), np.array([1, 1]), np.array([1, 1])))
    assert twice.solved
    np.testing.assert_allclose(twice.x, once.x, atol=1e-12)


def test_rules_that_repeat_what_the_locks_say_are_met_whatever_the_rounding() -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 6))
        locked, A = rng.random(n), rng.normal(size=(5, n)) * (rng.random((5, n)) < 0.5)
        B, m = pins(seed, 1, n)
        found = solve_qp(B.T @ B, -B.T @ m, locked, locked, rows=RowLimits(A, A @ locked, A @ locked))
        assert found.solved
        assert (found.x == locked).all()


@pytest.mark.parametrize(
    "rows",
    [
        RowLimits(np.ones((1, 3)), np.array([4]), np.array([5])),
        RowLimits(np.ones((2, 3)), np.array([1, 2]), np.array([1, 2])),
        RowLimits(np.zeros((1, 3)), np.array([1]), np.array([2])),
        RowLimits(np.array([[1, 0, 0], [1, 1, 0]]), np.array([0.9, -np.inf]), np.array([1, 0.5])),
    ],
)
def test_rules_that_contradict_are_reported_and_the_values_stay_usable(rows: RowLimits) -> None:
    found = solve_qp(np.eye(3), [-1, 0, 1], 0, 1, rows=rows, near=[0.2, 0.3, 0.4])
    assert found.status is Status.INFEASIBLE
    np.testing.assert_array_equal(found.x, [0.2, 0.3, 0.4])


def test_a_cost_that_falls_without_end_is_reported() -> None:
    found = solve_qp(np.diag([1.0, 0.0]), [0, 1], -np.inf, np.inf)
    assert found.status is Status.UNBOUNDED
    assert np.isfinite(found.x).all()
    assert solve_qp(np.diag([1.0, 0.0]), [0, 1], [-np.inf, -3], np.inf).x[1] == -3


def test_a_linear_cost_goes_to_its_bounds_and_rests_where_it_is_flat() -> None:
    found = solve_qp(np.zeros((3, 3)), [1e-5, -1e-5, 0], -1, 1, near=[0, 0, 0.5])
    assert found.solved
    np.testing.assert_allclose(found.x, [-1, 1, 0.5], atol=1e-12)


def test_no_unknowns_are_solved_at_once() -> None:
    found = solve_qp(np.zeros((0, 0)), [], 0, 1)
    assert found.solved
    assert found.x.shape == (0,)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"H": np.full((2, 2), np.nan)}, "H has a value that is not finite"),
        ({"c": [0, np.inf]}, "c has a value that is not finite at index 1"),
        ({"low": [0, np.nan]}, "low bounds has nan at index 1"),
        ({"low": [0, np.inf]}, "low bounds has inf at index 1"),
        ({"low": [0, 2]}, "bound 1 has its low side 2 above its high side 1"),
        ({"high": [1, 1, 1]}, "high bounds must be one number or 2"),
        ({"near": [np.nan, 0]}, "near has a value that is not finite"),
        ({"H": np.diag([1.0, -1.0])}, "not convex"),
        ({"H": -np.eye(2)}, "not convex"),
        ({"H": [[1, 1], [1, 0]]}, "not convex"),
        ({"H": [[1, 0.5], [0, 1]]}, "symmetric"),
        ({"H": np.ones((2, 3))}, "square"),
        ({"c": [0, 1, 2]}, "c must have shape"),
        ({"rows": RowLimits(np.ones((1, 3)), np.array([0]), np.array([1]))}, "matrix of the rows must have shape"),
    ],
)
def test_a_mistake_in_the_input_is_named(change: dict[str, Any], said: str) -> None:
    right: dict[str, Any] = {"H": np.eye(2), "c": [0, 1], "low": 0, "high": 1}
    with pytest.raises(BadValue, match=said):
        solve_qp(**right | change)


def test_a_start_from_another_problem_saves_work_and_changes_nothing() -> None:
    B, m = pins(5, 40, 30)
    first = solve_qp(B.T @ B, -B.T @ m, 0, 1)
    other = B + 1e-3 * np.random.default_rng(6).normal(size=B.shape)
    H, c = other.T @ other, -other.T @ m
    warm = ParametricQP(H, 0, 1, start=first).solve(c)
    cold = solve_qp(H, c, 0, 1)
    np.testing.assert_allclose(warm.x, cold.x, atol=1e-13)
    assert warm.iterations < cold.iterations
    with pytest.raises(BadValue, match="multipliers of the start"):
        ParametricQP(np.eye(2), 0, 1, start=first)


def test_a_stream_goes_on_after_a_bad_term() -> None:
    qp = ParametricQP(np.eye(2), 0, 1)
    with pytest.raises(BadValue):
        qp.solve([np.nan, 0])
    np.testing.assert_allclose(qp.solve([-0.5, 3]).x, [0.5, 0])
