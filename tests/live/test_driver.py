"""Frames onto a rig, and into a clip."""

import numpy as np
import pytest

import facewright as fw
from facewright import live
from facewright.errors import BadValue, UnknownName

RIG = fw.sample()


def frame(time: float = 0.0, arrived: float | None = None, **values: float) -> live.LiveFrame:
    return live.LiveFrame("phone", values, time, time if arrived is None else arrived)


def at(pose: live.LivePose, name: str) -> float:
    return float(pose.weights[RIG.slider_index(name)])


def test_names_of_any_convention_find_their_sliders() -> None:
    driver = live.LiveDriver(RIG)
    for name in ("jawOpen", "JawOpen", "jaw_open"):
        assert at(driver(frame(**{name: 0.5})), "jawOpen") == 0.5
    assert at(driver(frame(mouthSmile_R=0.25)), "mouthSmileRight") == 0.25


def test_a_map_and_gains_count_before_the_bounds() -> None:
    driver = live.LiveDriver(RIG, names=[fw.MappedName("wide", "jawOpen", 0.5)], gains={"jawOpen": 3.0})
    assert at(driver(frame(wide=0.5)), "jawOpen") == 0.75
    assert at(driver(frame(wide=0.9)), "jawOpen") == 1.0
    with pytest.raises(UnknownName, match="jawOpen"):
        live.LiveDriver(RIG, gains={"jawOpem": 1.0})
    with pytest.raises(BadValue, match="gain"):
        live.LiveDriver(RIG, gains={"jawOpen": float("nan")})


def test_rest_becomes_zero_and_the_range_becomes_one() -> None:
    driver = live.LiveDriver(RIG)
    rested = live.live_rest(driver, [frame(jawOpen=0.1, HeadYaw=0.2), frame(jawOpen=0.12, HeadYaw=0.2)])
    driver = live.LiveDriver(RIG, calibration=rested)
    pose = driver(frame(jawOpen=0.11, HeadYaw=0.3))
    assert at(pose, "jawOpen") == pytest.approx(0, abs=1e-12)
    assert pose.controls["HeadYaw"] == pytest.approx(0.1)
    ranged = live.live_range(driver, [frame(jawOpen=value) for value in np.linspace(0.11, 0.61, 50)])
    pose = live.LiveDriver(RIG, calibration=ranged)(frame(jawOpen=0.61))
    assert at(pose, "jawOpen") == pytest.approx(1, abs=0.01)
    assert ranged.gains["mouthPucker"] == 1.0


def test_smoothing_follows_and_trembles_less() -> None:
    rng = np.random.default_rng(5)
    times = np.arange(240) / 60
    given = 0.4 + 0.02 * rng.standard_normal(240)
    driver = live.LiveDriver(RIG, smooth=1.0)
    found = [at(driver(frame(time, jawOpen=value)), "jawOpen") for time, value in zip(times, given, strict=True)]
    assert np.std(found[60:]) < 0.5 * np.std(given[60:])
    assert np.mean(found[60:]) == pytest.approx(0.4, abs=0.01)


def test_the_streaming_filter_agrees_with_that_of_whole_recordings() -> None:
    values = np.sin(np.arange(100) / 7)[:, None] * np.array([0.5, 0.2])
    one = live.OneEuro(cutoff=1.5, eagerness=6.0)
    found = [one(row, i / 60) for i, row in enumerate(values)]
    np.testing.assert_allclose(found, fw.one_euro(values, 60), atol=1e-9)


def test_a_recording_has_the_times_at_which_frames_were_taken() -> None:
    recording = live.LiveRecording()
    for time in (100.0, 100.016, 100.05, 100.066):
        recording.add(frame(time, arrived=time - 60 + 0.01 * (time == 100.05), jawOpen=time - 100))
    clip = recording.clip("take")
    np.testing.assert_allclose(clip.curves["jawOpen"].times, [0, 0.016, 0.05, 0.066], atol=1e-9)
    np.testing.assert_allclose(clip.curves["jawOpen"].values, [0, 0.016, 0.05, 0.066], atol=1e-9)


def test_a_clock_that_jumps_does_not_stretch_a_recording() -> None:
    recording = live.LiveRecording()
    for time, arrived in ((500.0, 1.0), (500.1, 1.1), (3.0, 1.4), (3.1, 1.5)):
        recording.add(frame(time, arrived=arrived, jawOpen=0.5))
    np.testing.assert_allclose(recording.clip().curves["jawOpen"].times, [0, 0.1, 0.4, 0.5], atol=1e-9)


def test_nothing_recorded_is_said_in_words() -> None:
    with pytest.raises(BadValue, match="no frame came"):
        live.LiveRecording().clip()
