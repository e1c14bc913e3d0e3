"""Breakdowns, blends and smoothing, each against its formula; reduced keys against the tolerance."""

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.motion.curve import Curve
from facewright.motion.keys import with_tangents
from facewright.motion.reduce import reduced_keys
from facewright.motion.tangents import Tangent
from facewright.motion.tween import blended, breakdown, smoothed_keys

RNG = np.random.default_rng(8)
TIMES, VALUES = np.arange(9) * 0.5, RNG.uniform(0, 1, 9)


@pytest.mark.parametrize("share", [-0.2, 0.0, 0.3, 1.0, 1.1])
def test_a_breakdown_lies_between_the_keys_around_it(share: float) -> None:
    curve = Curve(TIMES, VALUES)
    between = breakdown(curve, [0.7], share)
    assert between(0.7) == pytest.approx(VALUES[1] + share * (VALUES[2] - VALUES[1]))
    own = breakdown(curve, TIMES[3:5], share)  # keys are not their own neighbours
    np.testing.assert_allclose(own.values[3:5], VALUES[2] + share * (VALUES[5] - VALUES[2]))
    np.testing.assert_array_equal(np.delete(own.values, [3, 4]), np.delete(VALUES, [3, 4]))
    assert breakdown(curve, [9.0], share)(9.0) == VALUES[-1]


def test_a_blend_goes_from_where_it_is_to_a_neighbour() -> None:
    curve = Curve(TIMES, VALUES)
    assert blended(curve, [1.0], -1.0)(1.0) == pytest.approx(VALUES[1])
    assert blended(curve, [1.0], 1.0)(1.0) == pytest.approx(VALUES[3])
    assert blended(curve, [1.0], 0.25)(1.0) == pytest.approx(0.75 * VALUES[2] + 0.25 * VALUES[3])
    assert blended(curve, [0.0], -1.0).values.tolist() == VALUES.tolist()


def test_smoothing_is_a_power_of_its_matrix() -> None:
    times = np.cumsum(RNG.uniform(0.1, 1, 9))
    curve, which = Curve(times, VALUES), [0, 2, 3, 4, 7, 8]
    matrix = np.eye(9)
    for i in (2, 3, 4, 7):
        share = (times[i] - times[i - 1]) / (times[i + 1] - times[i - 1])
        matrix[i, [i - 1, i, i + 1]] = 0.4 * (1 - share), 0.6, 0.4 * share
    found = smoothed_keys(curve, times[which], 0.4, 5)
    np.testing.assert_allclose(found.values, np.linalg.matrix_power(matrix, 5) @ VALUES, atol=1e-12)
    line = Curve(times, 3 * times)
    np.testing.assert_allclose(smoothed_keys(line, times, 1.0, 4).values, 3 * times)
    with pytest.raises(BadValue, match="from 0 to 1"):
        smoothed_keys(curve, times, 2.0)


@pytest.mark.parametrize("tangent", ["auto", "linear", "step", "free"])
@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.1])
def test_reduced_keys_stay_within_the_tolerance(tangent: Tangent, tolerance: float) -> None:
    times = np.arange(240) / 30
    curve = with_tangents(Curve(times, np.sin(times) + 0.005 * RNG.normal(size=240)), None, tangent)
    found = reduced_keys(curve, times, tolerance)
    fine = np.linspace(0, times[-1], 4 * 239 + 1)
    assert np.abs(found(fine) - curve(fine)).max() <= tolerance + 1e-12
    assert np.isin(found.times, times).all()
    if tolerance:
        assert len(found.times) < 240
        assert len(reduced_keys(curve, times, 4 * tolerance).times) < len(found.times)


def test_keys_that_are_not_chosen_stay() -> None:
    times = np.arange(60) / 30
    curve = Curve(times, times**2)
    found = reduced_keys(curve, times[20:40], 0.05)
    np.testing.assert_array_equal(found.times[:20], times[:20])
    np.testing.assert_array_equal(found.times[-20:], times[-20:])
    assert len(found.times) < 50
