"""A clip plays its curves together, and gives back the table it was made of."""

from typing import Any

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve


def test_a_table_comes_back_at_its_own_times_and_its_rate_is_found() -> None:
    rng = np.random.default_rng(0)
    times, values = 2 + np.arange(50) / 24, rng.random((50, 3))
    clip = Clip.from_table("take", ["a", "b", "c"], times, values)
    assert clip.rate == pytest.approx(24)
    np.testing.assert_array_equal(clip.sample(["a", "b", "c"], times), values)
    assert (clip.start, clip.end) == (times[0], times[-1])
    np.testing.assert_allclose(clip.times(), times)
    np.testing.assert_allclose(clip.sample(["a", "b", "c"]), values, atol=1e-9)


def test_a_key_at_an_absurd_time_is_told_before_its_frames_are_made() -> None:
    with pytest.raises(BadValue, match="'far' is 1e\\+12 s long"):
        Clip("far", {"a": Curve([0, 1e12], [0, 1])}).times()


def test_a_dropped_frame_does_not_change_the_rate() -> None:
    times = np.delete(np.arange(60) / 30, [7, 31])
    clip = Clip.from_table("take", ["a"], times, np.zeros((58, 1)))
    assert clip.rate == pytest.approx(30)
    assert len(clip.times()) == 60


def test_sliders_come_in_the_order_asked_for_and_without_a_curve_stay_at_zero() -> None:
    clip = Clip("c", {"a": Curve([0, 1], [0, 1]), "b": Curve([0.5], [0.3])})
    np.testing.assert_allclose(clip.sample(["b", "none", "a"], [0, 0.5]), [[0.3, 0, 0], [0.3, 0, 0.5]])
    np.testing.assert_allclose(clip.sample(["a"], 0.25), [[0.25]])


def test_a_clip_lasts_from_its_first_to_its_last_key() -> None:
    clip = Clip("c", {"a": Curve([1, 2], [0, 1]), "b": Curve([-0.5, 1.5], [0, 1])}, rate=10)
    assert (clip.start, clip.end) == (-0.5, 2)
    assert len(clip.times()) == 26


def test_a_clip_without_curves_is_one_frame_of_nothing() -> None:
    clip = Clip("empty")
    assert (clip.start, clip.end) == (0, 0)
    np.testing.assert_array_equal(clip.sample(["a"]), [[0]])
    assert Clip.from_table("none", ["a"], [], np.zeros((0, 1))).curves == {}


def test_a_single_frame_is_a_clip() -> None:
    clip = Clip.from_table("still", ["a", "b"], [3.0], [[0.2, 0.4]])
    np.testing.assert_array_equal(clip.sample(["a", "b"]), [[0.2, 0.4]])


def test_nobody_can_change_a_clip() -> None:
    curves = {"a": Curve([0], [1])}
    clip = Clip("c", curves)
    curves["b"] = curves["a"]
    assert set(clip.curves) == {"a"}
    with pytest.raises(TypeError):
        clip.curves["b"] = curves["a"]  # type: ignore[index]


@pytest.mark.parametrize("rate", [0, -1, np.nan, np.inf])
def test_a_rate_is_a_positive_number(rate: float) -> None:
    with pytest.raises(BadValue, match="clip 'c': the rate is a positive number of frames a second"):
        Clip("c", {}, rate)


@pytest.mark.parametrize(
    ("sliders", "times", "values", "message"),
    [
        (["a"], [0, 1], np.zeros((3, 1)), r"values must have shape \(2, 1\), not \(3, 1\)"),
        (["a", "a"], [0, 1], np.zeros((2, 2)), "slider 'a' is there twice"),
        (["a"], [0, 0], np.zeros((2, 1)), "the times must increase from row to row"),
        ([], [0, 0], np.zeros((2, 0)), "the times must increase from row to row"),
        (["a"], [0, 1], [[0], [np.nan]], "values has a value that is not finite at index 1, 0"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(sliders: list[Any], times: list[int], values: Any, message: str) -> None:
    with pytest.raises(BadValue, match=message):
        Clip.from_table("take", sliders, times, values)
