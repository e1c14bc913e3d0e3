"""Solved clips are smoothed and thinned, the head's motion is not."""

import numpy as np
import pytest

from facewright.capture.finish import finish_clip
from facewright.capture.solver import TakeSolver
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from tests.capture.acting import acted


def noisy() -> Clip:
    times = np.arange(200) / 60
    values = 0.5 + 0.3 * np.sin(3 * times) + 0.02 * np.random.default_rng(3).normal(size=200)
    return Clip("take", {"jawOpen": Curve(times, values), "HeadYaw": Curve(times, values)}, 60.0)


@pytest.mark.parametrize("smooth", ["euro", "6"])
def test_sliders_are_smoothed_and_the_head_is_left_as_it_is(smooth: str) -> None:
    clip, found = noisy(), finish_clip(noisy(), smooth)
    np.testing.assert_array_equal(found.curves["HeadYaw"].values, clip.curves["HeadYaw"].values)
    rough = [np.abs(np.diff(each.curves["jawOpen"].values, 2)).mean() for each in (clip, found)]
    assert rough[1] < 0.5 * rough[0]


def test_dropped_keys_change_no_curve_by_more_than_the_tolerance() -> None:
    clip, found = noisy(), finish_clip(noisy(), "6", 0.01)
    smooth = finish_clip(clip, "6")
    assert len(found.curves["jawOpen"].times) < 60
    gap = found.sample(["jawOpen"], clip.times()) - smooth.sample(["jawOpen"], clip.times())
    assert np.abs(gap).max() <= 0.01 + 1e-12
    assert len(found.curves["HeadYaw"].times) == 200


@pytest.mark.parametrize("smooth", ["fast", "0", "-3", "nan", "inf"])
def test_a_cutoff_that_is_none_is_refused(smooth: str) -> None:
    with pytest.raises(BadValue, match="cutoff in Hz"):
        finish_clip(noisy(), smooth)


def test_a_stopped_solve_gives_the_windows_that_are_done() -> None:
    made = acted(frames=2600)
    told = []
    found = TakeSolver(made.rig, made.binding).solve(
        made.take, progress=lambda done, total: told.append((done, total)), stopped=lambda: len(told) == 2
    )
    assert len(found) == told[-1][0] < told[-1][1] == 2600
    assert found.notes[-1] == f"stopped after {len(found)} of 2600 frames"
    assert found.clip.end == pytest.approx((len(found) - 1) / 60)
