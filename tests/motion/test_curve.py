"""A curve goes through its keys, and stays where it is before the first and after the last."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from facewright.errors import BadValue, UnknownName
from facewright.motion.curve import Curve, Interpolation

TIMES = np.array([0.5, 1.0, 1.7, 4.0])
VALUES = np.array([0.2, 0.9, -0.3, 1.4])
SLOPES = np.array([[0.0, 1.0], [0.5, -2.0], [3.0, 3.0], [-1.0, 7.0]])


@pytest.mark.parametrize("interpolation", ["step", "linear", "cubic"])
def test_every_curve_goes_through_its_keys_and_stays_outside_them(interpolation: Interpolation) -> None:
    curve = Curve(TIMES, VALUES, interpolation)
    np.testing.assert_allclose(curve(TIMES), VALUES, atol=1e-15)
    assert curve(-10.0) == pytest.approx(VALUES[0])
    assert curve(99.0) == pytest.approx(VALUES[-1])
    assert curve(np.zeros((2, 3))).shape == (2, 3)


@pytest.mark.parametrize("interpolation", ["step", "linear", "cubic"])
def test_a_curve_of_one_key_is_constant(interpolation: Interpolation) -> None:
    np.testing.assert_array_equal(Curve([2.0], [0.7], interpolation)([0, 2, 5]), [0.7] * 3)


def test_a_step_holds_its_value_until_the_next_key() -> None:
    curve = Curve(TIMES, VALUES, "step")
    np.testing.assert_array_equal(curve([0.99999, 1.0, 1.69999, 1.7]), [0.2, 0.9, 0.9, -0.3])


def test_a_line_is_halfway_between_two_keys_at_half_time() -> None:
    middle = (TIMES[1:] + TIMES[:-1]) / 2
    np.testing.assert_allclose(Curve(TIMES, VALUES)(middle), (VALUES[1:] + VALUES[:-1]) / 2)


def test_a_cubic_leaves_and_arrives_with_its_slopes() -> None:
    curve = Curve(TIMES, VALUES, "cubic", SLOPES)
    h = 1e-7
    for key in range(3):
        leaving = (curve(TIMES[key] + h) - curve(TIMES[key])) / h
        arriving = (curve(TIMES[key + 1]) - curve(TIMES[key + 1] - h)) / h
        assert leaving == pytest.approx(SLOPES[key, 1], abs=1e-4)
        assert arriving == pytest.approx(SLOPES[key + 1, 0], abs=1e-4)


def test_a_smooth_cubic_is_the_hermite_spline() -> None:
    at = np.linspace(0.5, 4, 101)
    slopes = SLOPES[:, 0]
    wanted = CubicHermiteSpline(TIMES, VALUES, slopes)(at)
    np.testing.assert_allclose(Curve(TIMES, VALUES, "cubic", np.stack([slopes, slopes], 1))(at), wanted, atol=1e-12)


def test_a_cubic_without_slopes_eases_in_and_out_and_never_overshoots() -> None:
    curve = Curve(TIMES, VALUES, "cubic")
    np.testing.assert_array_equal(curve.slopes, np.zeros((4, 2)))
    between = curve(np.linspace(1.7, 4.0, 100))
    assert (np.diff(between) > 0).all()


def test_a_curve_is_a_copy_that_nobody_can_change() -> None:
    given = VALUES.copy()
    curve = Curve(TIMES, given)
    given[0] = 9
    assert curve.values[0] == 0.2
    with pytest.raises(ValueError, match="read-only"):
        curve.values[0] = 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], []), "at least one key"),
        (([0, 1, 1], [0, 0, 0]), r"key 2 at 1\.0 s follows 1\.0 s"),
        (([0, 2, 1], [0, 0, 0]), r"key 2 at 1\.0 s follows 2\.0 s"),
        (([0, 1], [0, 0, 0]), r"key values must have shape \(2\), not \(3,\)"),
        (([0, np.nan], [0, 0]), "key times has a value that is not finite"),
        (([0, 1], [0, np.inf]), "key values has a value that is not finite"),
        (([0, 1], [0, 1], "linear", np.zeros((2, 2))), "only cubic curves have slopes; this one is linear"),
        (([0, 1], [0, 1], "cubic", np.zeros((1, 2))), r"key slopes must have shape \(2, 2\)"),
    ],
)
def test_a_wrong_curve_says_what_is_wrong(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(BadValue, match=message):
        Curve(*arguments)


def test_an_unknown_interpolation_is_answered_with_those_that_exist() -> None:
    with pytest.raises(UnknownName, match="no interpolation named 'bezier'; there are step, linear, cubic"):
        Curve([0], [0], "bezier")  # type: ignore[arg-type]
