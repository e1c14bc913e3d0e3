import numpy as np
import pytest

from facewright.capture.calibrate import calibrate
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from tests.capture.acting import a_rig

RIG = a_rig()
TIMES = np.arange(300) / 30


def weak_actor() -> tuple[Clip, np.ndarray]:
    """A range of motion that starts from 0.1 instead of 0 and goes to 0.5 instead of 1."""
    phase = np.arange(len(RIG.sliders)) * 0.7
    true = np.clip(np.sin(2 * TIMES[:, None] + phase), 0, 1)
    true[:30] = 0
    return Clip.from_table("rom", RIG.sliders, TIMES, 0.1 + 0.4 * true), true


def test_rest_goes_to_nothing_and_the_full_range_to_its_end() -> None:
    clip, true = weak_actor()
    found = calibrate(clip, RIG, neutral=(0.0, 0.9), full=True)(clip, RIG)
    np.testing.assert_allclose(found.sample(RIG.sliders, TIMES), true, atol=0.03)


def test_without_a_named_rest_the_calmest_frames_are_it_and_gains_stay() -> None:
    clip, _ = weak_actor()
    found = calibrate(clip, RIG)
    assert np.allclose(list(found.offsets.values()), 0.1, atol=0.02)
    assert found.gains == {}


def test_a_slider_that_hardly_moves_is_not_blown_up() -> None:
    clip, _ = weak_actor()
    lazy = Clip("rom", {**clip.curves, RIG.sliders[3]: Curve(TIMES, 0.02 * np.sin(TIMES) ** 2)}, 30.0)
    assert calibrate(lazy, RIG, full=True).gains[RIG.sliders[3]] == 1.0


def test_other_curves_stay_and_a_clip_of_another_rig_is_refused() -> None:
    clip, _ = weak_actor()
    more = Clip("rom", {**clip.curves, "HeadYaw": Curve(TIMES, TIMES)}, 30.0)
    after = calibrate(clip, RIG)(more, RIG)
    np.testing.assert_array_equal(after.curves["HeadYaw"].values, TIMES)
    with pytest.raises(BadValue, match="retarget it first"):
        calibrate(Clip("x", {"HeadYaw": Curve(TIMES, TIMES)}), RIG)
    with pytest.raises(BadValue, match="no frame lies between"):
        calibrate(clip, RIG, neutral=(50.0, 60.0))
