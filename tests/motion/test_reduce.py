import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.reduce import reduce_clip, reduce_curve

VALUES = st.lists(st.floats(-1, 1), min_size=1, max_size=60)


@given(VALUES, st.floats(0, 0.5))
def test_a_reduced_curve_is_nowhere_further_than_the_tolerance(values: list[float], tolerance: float) -> None:
    curve = Curve(np.cumsum(0.01 + np.abs(np.sin(np.arange(len(values))))), np.array(values))
    few = reduce_curve(curve, tolerance)
    at = np.linspace(curve.times[0] - 1, curve.times[-1] + 1, 500)
    assert np.abs(few(at) - curve(at)).max() <= tolerance + 1e-12
    assert set(few.times) <= set(curve.times)


def test_a_straight_line_keeps_its_ends_alone() -> None:
    times = np.arange(5000) / 60
    assert len(reduce_curve(Curve(times, 0.3 * times + 0.1), 1e-9).times) == 2


def test_a_smooth_curve_needs_few_keys_and_a_larger_tolerance_fewer() -> None:
    times = np.arange(600) / 60
    curve = Curve(times, np.sin(times))
    counts = [len(reduce_curve(curve, tolerance).times) for tolerance in (1e-4, 1e-3, 1e-2)]
    assert counts[0] > counts[1] > counts[2]
    assert counts[1] < 100


def test_curves_that_are_not_straight_between_keys_are_left_alone() -> None:
    curve = Curve(np.arange(5.0), np.zeros(5), "cubic")
    assert reduce_curve(curve, 1.0) is curve


def test_tolerances_may_differ_from_curve_to_curve() -> None:
    times = np.arange(100) / 30
    clip = Clip.from_table("c", ["a", "b"], times, np.stack([np.sin(times), np.sin(times)], axis=1))
    after = reduce_clip(clip, {"a": 0.01})
    assert len(after.curves["a"].times) < 30
    assert len(after.curves["b"].times) == 100


def test_a_tolerance_below_nothing_is_refused() -> None:
    with pytest.raises(BadValue):
        reduce_curve(Curve(np.arange(3.0), np.zeros(3)), -1.0)
