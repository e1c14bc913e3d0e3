"""The filters of direct manipulation against the paper's equations, against plain iterations, and at their limits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.solve.filters import Hybrid, Landweber, PseudoInverse, Spectrum, Tikhonov, Transpose
from facewright.solve.printed import equation_3, equation_4, equation_6, equation_8

EVERY = [PseudoInverse(), Tikhonov(), Transpose(), Transpose(0.5), Hybrid(), Hybrid(0.3), Landweber(), Landweber(2.5)]


def drag(seed: int, k: int = 6, n: int = 15, rank: int | None = None) -> tuple[Floats, Floats, Floats]:
    """Pins' rows B (k, n) of that rank, a wanted motion, and weights to start from."""
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(k, n))
    if rank is not None:
        B = rng.normal(size=(k, rank)) @ rng.normal(size=(rank, n))
    return B, rng.normal(size=k), rng.uniform(0, 1, n)


SHAPES = [(6, 15, None), (15, 6, None), (6, 6, None), (9, 12, 4), (1, 8, None), (8, 1, None)]


@pytest.mark.parametrize(("k", "n", "rank"), SHAPES)
def test_tikhonov_is_equation_4(k: int, n: int, rank: int | None) -> None:
    for seed in range(10):
        B, m, w0 = drag(seed, k, n, rank)
        for strength in (1.0, 1e-2, 1e-4):
            alpha = float(strength * np.linalg.norm(B, 2) ** 2)
            w = Spectrum(B).apply(Tikhonov(strength), m, start=w0)
            np.testing.assert_allclose(w, equation_4(B, m, w0, alpha), atol=1e-10)


@pytest.mark.parametrize(("k", "n", "rank"), SHAPES)
def test_the_pseudo_inverse_is_equation_3(k: int, n: int, rank: int | None) -> None:
    for seed in range(10):
        B, m, _ = drag(seed, k, n, rank)
        np.testing.assert_allclose(Spectrum(B).apply(PseudoInverse(), m), equation_3(B, m), atol=1e-10)


@pytest.mark.parametrize(("k", "n", "rank"), SHAPES)
def test_the_transpose_is_equation_6_times_the_step_that_brings_the_pins_nearest(
    k: int, n: int, rank: int | None
) -> None:
    B, m, _ = drag(1, k, n, rank)
    w = Spectrum(B).apply(Transpose(), m)
    direction = equation_6(B, m)
    eta = (w @ direction) / (direction @ direction)
    np.testing.assert_allclose(w, eta * direction, atol=1e-12)
    here, shorter, longer = (np.linalg.norm(B @ (t * w) - m) for t in (1.0, 0.999, 1.001))
    assert here <= min(shorter, longer)


@pytest.mark.parametrize("gamma", [0.0, 0.3, 1.0])
def test_the_hybrid_is_equation_8_with_the_scaled_transpose(gamma: float) -> None:
    B, m, _ = drag(2)
    transpose = Spectrum(B).apply(Transpose(), m)
    expected = gamma * equation_3(B, m) + (1 - gamma) * transpose
    np.testing.assert_allclose(Spectrum(B).apply(Hybrid(gamma), m), expected, atol=1e-12)


def test_the_hybrid_leans_by_how_independent_the_pins_are() -> None:
    B, m, _ = drag(3)
    s = np.linalg.svd(B, compute_uv=False)
    free = Spectrum(B).apply(Hybrid(), m)
    np.testing.assert_allclose(free, Spectrum(B).apply(Hybrid(s[-1] / s[0]), m), atol=1e-12)
    same_pin_twice = np.vstack([B, B[0]])
    m = np.append(m, m[0])
    np.testing.assert_allclose(
        Spectrum(same_pin_twice).apply(Hybrid(), m), Spectrum(same_pin_twice).apply(Transpose(), m), atol=1e-12
    )


def test_equation_8_takes_the_smallest_singular_value() -> None:
    B, m, _ = drag(4)
    gamma = np.linalg.svd(B, compute_uv=False)[-1]
    np.testing.assert_allclose(equation_8(B, m), gamma * np.linalg.pinv(B) @ m + (1 - gamma) * B.T @ m, atol=1e-12)


@pytest.mark.parametrize("step", [0.2, 1.0])
def test_one_landweber_step_is_the_transpose_with_the_same_step(step: float) -> None:
    for seed in range(10):
        B, m, w0 = drag(seed)
        one = Spectrum(B).apply(Landweber(1, step), m, start=w0)
        np.testing.assert_allclose(one, Spectrum(B).apply(Transpose(step), m, start=w0), atol=1e-12)


@pytest.mark.parametrize(("k", "n", "rank"), SHAPES)
def test_landweber_steps_are_those_of_the_plain_iteration(k: int, n: int, rank: int | None) -> None:
    B, m, w = drag(5, k, n, rank)
    filtered = Spectrum(B).apply(Landweber(25, 0.7), m, start=w)
    eta = 0.7 / np.linalg.norm(B, 2) ** 2
    for _ in range(25):
        w = w + eta * B.T @ (m - B @ w)
    np.testing.assert_allclose(filtered, w, atol=1e-11)


@pytest.mark.parametrize(("k", "n", "rank"), SHAPES)
def test_many_landweber_steps_are_the_pseudo_inverse(k: int, n: int, rank: int | None) -> None:
    B, m, _ = drag(6, k, n, rank)
    np.testing.assert_allclose(Spectrum(B).apply(Landweber(1e9), m), equation_3(B, m), atol=1e-10)


def test_no_landweber_steps_stay_at_the_start() -> None:
    B, m, w0 = drag(7)
    np.testing.assert_array_equal(Spectrum(B).apply(Landweber(0), m, start=w0), w0)


def test_landweber_is_exact_for_directions_too_weak_to_show_beside_one() -> None:
    weak = 1e-9
    B, m = np.diag([1.0, weak]), np.array([0.0, 1.0])
    few = Spectrum(B).apply(Landweber(10), m)[1]
    assert few == pytest.approx(10 * weak, rel=1e-12)  # 1 - (1 - weak^2)^10 would be 0 in floating point
    half_way = Spectrum(B).apply(Landweber(np.log(2) / weak**2), m)[1]
    assert half_way == pytest.approx(0.5 / weak, rel=1e-12)


@pytest.mark.parametrize("filter", EVERY)
@pytest.mark.parametrize("unit", [0.01, 100.0, 1e-6])
def test_the_unit_of_length_changes_nothing(filter: Any, unit: float) -> None:
    for rank in (None, 3):
        B, m, w0 = drag(8, rank=rank)
        scaled = Spectrum(unit * B).apply(filter, unit * m, start=w0)
        np.testing.assert_allclose(scaled, Spectrum(B).apply(filter, m, start=w0), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("filter", EVERY)
def test_pins_where_the_start_already_puts_them_move_nothing(filter: Any) -> None:
    B, _, w0 = drag(9)
    np.testing.assert_allclose(Spectrum(B).apply(filter, B @ w0, start=w0), w0, atol=1e-13)


@pytest.mark.parametrize("filter", EVERY)
@pytest.mark.parametrize("B", [np.zeros((0, 5)), np.zeros((3, 5)), np.zeros((3, 0)), np.zeros((0, 0))])
def test_no_pins_no_sliders_or_pins_no_slider_moves_leave_the_start(filter: Any, B: Floats) -> None:
    start = np.linspace(0.1, 0.9, B.shape[1])
    np.testing.assert_array_equal(Spectrum(B).apply(filter, np.ones(len(B)), start=start), start)


@pytest.mark.parametrize("filter", EVERY)
def test_a_slider_that_moves_no_pin_stays(filter: Any) -> None:
    B, m, w0 = drag(10)
    B[:, 4] = 0
    assert Spectrum(B).apply(filter, m, start=w0)[4] == pytest.approx(w0[4], abs=1e-14)


@pytest.mark.parametrize("filter", [PseudoInverse(), Tikhonov(), Transpose(), Hybrid(), Landweber()])
def test_every_default_brings_the_pins_nearer(filter: Any) -> None:
    for seed in range(20):
        B, m, w0 = drag(seed, k=12, n=9)
        w = Spectrum(B).apply(filter, m, start=w0)
        assert np.linalg.norm(B @ w - m) < np.linalg.norm(B @ w0 - m)


@pytest.mark.parametrize(
    "make",
    [
        lambda: PseudoInverse(-1),
        lambda: Tikhonov(np.nan),
        lambda: Tikhonov(-1e-3),
        lambda: Transpose(np.inf),
        lambda: Hybrid(1.5),
        lambda: Landweber(-1),
        lambda: Landweber(3, 1.5),
        lambda: Spectrum([[1, np.nan]]),
        lambda: Spectrum([[1, 2]]).apply(Transpose(), [np.nan]),
        lambda: Spectrum([[1, 2]]).apply(Transpose(), [1, 2]),
        lambda: equation_4([[1, 2]], [1], [0, 0], 0.0),
    ],
)
def test_what_cannot_be_meant_is_refused(make: Callable[..., Any]) -> None:
    with pytest.raises(BadValue):
        make()
