"""Sparse systems against dense ones, and singular ones named instead of solved."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import block_diag, csc_array, csr_array, diags_array, eye_array, kron

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.solve.sparse import SparseSolver


def path(n: int) -> csc_array:
    """The Laplacian of n points in a row: singular until one of them is held."""
    degree = np.r_[1.0, np.full(n - 2, 2.0), 1.0]
    return csc_array(diags_array([-np.ones(n - 1), degree, -np.ones(n - 1)], offsets=[-1, 0, 1]))


def grid(n: int) -> csc_array:
    """The Laplacian of a square of n by n points."""
    return csc_array(kron(path(n), eye_array(n)) + kron(eye_array(n), path(n)))


@pytest.mark.parametrize("columns", [(), (1,), (7,)])
@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_solutions_are_those_of_the_dense_system(columns: tuple[Any, ...], scale: float) -> None:
    rng = np.random.default_rng(0)
    A = scale * (grid(9) + 0.1 * eye_array(81))
    b = rng.normal(size=(81, *columns))
    np.testing.assert_allclose(SparseSolver(A).solve(b), np.linalg.solve(A.toarray(), b), rtol=1e-11)


@pytest.mark.parametrize("columns", [(), (3,)])
def test_fixed_unknowns_keep_their_values_and_the_others_meet_their_equations(columns: tuple[Any, ...]) -> None:
    rng = np.random.default_rng(1)
    A, fixed = grid(8), np.array([60, 3, 17])
    b, values = rng.normal(size=(64, *columns)), rng.normal(size=(3, *columns))
    solver = SparseSolver(A, fixed=fixed)
    x = solver.solve(b, values)
    np.testing.assert_array_equal(x[fixed], values)
    np.testing.assert_allclose((A @ x - b)[solver.free], 0, atol=1e-11)


def test_the_solution_is_the_minimum_under_the_given_values() -> None:
    A, fixed, b = grid(5), [0, 24], np.linspace(-1, 1, 25)
    dense = A.toarray()

    def energy(x: Floats) -> float:
        return float(0.5 * x @ dense @ x - b @ x)

    x = SparseSolver(A, fixed=fixed).solve(b, [1.0, 2.0])
    rng = np.random.default_rng(2)
    for _ in range(50):
        step = 1e-3 * rng.normal(size=25)
        step[fixed] = 0
        assert energy(x + step) > energy(x)


def test_fixed_unknowns_are_0_unless_given() -> None:
    solver = SparseSolver(path(6), fixed=[2])
    np.testing.assert_array_equal(solver.solve(np.ones(6)), solver.solve(np.ones(6), [0.0]))


def test_a_straight_line_is_drawn_between_two_held_ends() -> None:
    x = SparseSolver(path(11), fixed=[0, 10]).solve(np.zeros(11), [2.0, 4.0])
    np.testing.assert_allclose(x, np.linspace(2, 4, 11), atol=1e-13)


def test_everything_fixed_is_everything_given() -> None:
    np.testing.assert_array_equal(SparseSolver(path(3), fixed=[2, 0, 1]).solve(np.ones(3), [5, 6, 7]), [6, 7, 5])


def test_nothing_to_solve_is_solved() -> None:
    assert SparseSolver(csc_array((0, 0))).solve(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("n", [2, 10, 40])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_a_surface_held_nowhere_is_refused(n: int, scale: float) -> None:
    for A in (grid(n), grid(n) @ grid(n)):
        with pytest.raises(BadValue, match="nothing holds unknown"):
            SparseSolver(scale * A)


def test_the_part_that_nothing_holds_is_named() -> None:
    A = block_diag([path(5), path(4) + 0.1 * eye_array(4)], format="csr")
    with pytest.raises(BadValue, match=r"nothing holds unknown [0-4];"):
        SparseSolver(csr_array(A))
    assert np.isfinite(SparseSolver(csr_array(A), fixed=[3]).solve(np.ones(9))).all()


def test_an_unknown_in_no_equation_is_named() -> None:
    with pytest.raises(BadValue, match="nothing holds unknown 2"):
        SparseSolver(csc_array(np.diag([1.0, 1.0, 0.0])))


def test_a_barely_held_surface_is_solved() -> None:
    A = grid(30) + 1e-9 * eye_array(900)
    x = SparseSolver(A).solve(np.ones(900))
    np.testing.assert_allclose(x, 1e9, rtol=1e-5)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: SparseSolver(csc_array([[1.0, 2.0], [0.0, 1.0]])), "symmetric"),
        (lambda: SparseSolver(csc_array([[1.0, 2.0], [2.0, 1.0]])), "not positive definite"),
        (lambda: SparseSolver(csc_array([[-1.0]])), "not positive definite"),
        (lambda: SparseSolver(csc_array([[np.nan]])), "not finite"),
        (lambda: SparseSolver(csc_array((2, 3))), "square"),
        (lambda: SparseSolver(path(4), fixed=[1, 1]), "twice"),
        (lambda: SparseSolver(path(4), fixed=[4]), "indices go from 0 to 3"),
        (lambda: SparseSolver(path(4), fixed=[0]).solve([1, 2, np.inf, 4]), "b has a value that is not finite"),
        (lambda: SparseSolver(path(4), fixed=[0]).solve(np.ones(5)), "b must have shape"),
        (lambda: SparseSolver(path(4), fixed=[0]).solve(np.ones((4, 2)), [1.0]), "values must have shape"),
    ],
)
def test_a_mistake_in_the_system_is_named(make: Callable[..., Any], said: str) -> None:
    with pytest.raises(BadValue, match=said):
        make()
