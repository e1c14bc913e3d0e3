"""Whole sequences: found, followed through gaps, and explained where they cannot be."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.motion.depth import DepthImage
from facewright.tracking.track import _moved
from tests.tracking.depth_of import LENS, before_camera, depth_of

OPTIONS = fw.TrackOptions(samples=1500)


@pytest.fixture(scope="module")
def rig() -> fw.Rig:
    return fw.sample()


def sequence(rig: fw.Rig, *, roll: float = 0.0) -> tuple[list[fw.DepthImage | None], np.ndarray]:
    """A jaw that opens and a head that turns, with one frame dropped and one empty."""
    amounts = 0.7 * np.sin(np.linspace(0.3, 2.2, 10)) ** 2
    frames: list[fw.DepthImage | None] = [
        depth_of(rig, rig.pose({"jawOpen": each}), before_camera(rig, yaw=2.0 * i, roll=roll), noise=0.001, seed=i)
        for i, each in enumerate(amounts)
    ]
    frames[4] = None
    frames[6] = DepthImage(np.zeros((120, 160), np.float32), LENS)
    return frames, amounts


def test_a_sequence_is_followed_through_dropped_and_empty_frames(rig: fw.Rig) -> None:
    frames, amounts = sequence(rig)
    found = fw.track(rig, frames, options=OPTIONS)
    jaw = found.weights[:, rig.slider_index("jawOpen")]
    assert np.abs(jaw - amounts).max() < 0.2
    assert found.status[4] is fw.TrackStatus.DROPPED
    assert found.status[6] is fw.TrackStatus.EMPTY
    assert np.isnan(found.residual[[4, 6]]).all()
    assert np.nanmax(found.residual) < 0.0015
    yaws = found.clip.sample(("HeadYaw",), found.times)[:, 0]
    np.testing.assert_allclose(np.degrees(np.diff(yaws)), 2.0, atol=0.7)
    assert np.isfinite(found.map).sum() > 500
    assert np.nanmax(found.map) < 0.005


@pytest.mark.long
def test_a_camera_held_sideways_makes_no_difference_to_the_head(rig: fw.Rig) -> None:
    upright, sideways = (fw.track(rig, sequence(rig, roll=roll)[0], options=OPTIONS) for roll in (0.0, 90.0))
    np.testing.assert_allclose(upright.head.rotations, sideways.head.rotations, atol=0.03)
    assert np.abs(upright.weights - sideways.weights).mean() < 0.02


@pytest.mark.long
def test_tracking_stops_when_asked_and_keeps_what_it_has(rig: fw.Rig) -> None:
    frames, _ = sequence(rig)
    found = fw.track(rig, frames, options=OPTIONS, progress=lambda step: step.frame < 3)
    assert len(found) == 3
    assert not found.finished


def test_millimetres_for_metres_are_told(rig: fw.Rig) -> None:
    frame = depth_of(rig, rig.pose(), before_camera(rig))
    with pytest.raises(fw.BadValue, match="seem to be in millimetres"):
        fw.track(rig, [DepthImage(1000 * frame.depth, LENS)], options=OPTIONS)


@pytest.mark.long
def test_intrinsics_of_another_size_are_told(rig: fw.Rig) -> None:
    frame = depth_of(rig, rig.pose(), before_camera(rig))
    wrong = fw.Pinhole(450.0, 450.0, 79.5, 59.5, 160, 120)
    with pytest.raises(fw.BadValue, match="intrinsics seem to be for pictures of another size"):
        fw.track(rig, [DepthImage(frame.depth, wrong)], options=OPTIONS)


@pytest.mark.long
def test_intrinsics_that_stretch_a_head_are_told(rig: fw.Rig) -> None:
    frames = [depth_of(rig, rig.pose(), before_camera(rig, yaw=3.0 * i)) for i in range(4)]
    wrong = fw.Pinhole(75.0, 75.0, 79.5, 59.5, 160, 120)
    with pytest.raises(fw.BadValue, match="with twice the focal length"):
        fw.track(rig, [DepthImage(frame.depth, wrong) for frame in frames], options=OPTIONS)


@pytest.mark.long
def test_frames_without_a_head_are_told(rig: fw.Rig) -> None:
    wall = np.full((120, 160), 0.5, np.float32)
    with pytest.raises(fw.BadValue, match="no head was found"):
        fw.track(rig, [DepthImage(wall, LENS)], options=OPTIONS)


def test_empty_frames_are_told(rig: fw.Rig) -> None:
    wall = np.full((120, 160), 0.5, np.float32)
    with pytest.raises(fw.BadValue, match="nothing was measured"):
        fw.track(rig, [DepthImage(0 * wall, LENS)], options=OPTIONS)
    with pytest.raises(fw.BadValue, match="no frame"):
        fw.track(rig, [], options=OPTIONS)


@pytest.mark.long
def test_a_point_cloud_is_followed_like_depth(rig: fw.Rig) -> None:
    weights = rig.pose({"jawOpen": 0.6})
    place = before_camera(rig, yaw=10)
    points = place(fw.evaluate(rig, weights))
    frame = depth_of(rig, weights, place, lens=fw.Pinhole(300.0, 300.0, 159.5, 119.5, 320, 240))
    from facewright.tracking.observed import observed

    seen = observed(frame)
    measured = seen.measured(seen.places(20000))
    cloud = fw.PointCloud(measured.points[measured.known], measured.normals[measured.known])
    found = fw.track(rig, [cloud] * 10, options=OPTIONS)  # closest points need some frames
    there = found.placed(9, fw.evaluate(rig, found.weights[9]))
    assert np.linalg.norm(there - points, axis=1)[found.map > 0].mean() < 0.003
    assert abs(found.weights[9, rig.slider_index("jawOpen")] - 0.6) < 0.15


def test_a_small_motion_has_to_be_seen_in_more_than_one_frame(rig: fw.Rig) -> None:
    first = fw.TrackSolver(rig, options=OPTIONS).next(depth_of(rig, rig.pose(), before_camera(rig)), 0.0)
    still = replace(first, evidence=1.0, motion=0.001)
    small, clear = replace(still, motion=0.01), replace(still, evidence=200.0)
    assert _moved([still] * 11 + [small]) == 0
    assert _moved([still] * 10 + [small] * 2) > 0.9
    assert _moved([still, clear]) > 0.9


def test_a_face_that_does_not_move_is_left_at_rest(rig: fw.Rig) -> None:
    frames = [depth_of(rig, rig.pose(), before_camera(rig, yaw=4.0 * i), noise=0.001, seed=i) for i in range(4)]
    found = fw.track(rig, frames, options=OPTIONS)
    assert not found.weights.any()
    assert any("left at rest" in note for note in found.notes)


def test_a_small_motion_that_is_measured_well_is_not_taken_for_rest(rig: fw.Rig) -> None:
    frames = [depth_of(rig, rig.pose({"jawOpen": 0.1}), before_camera(rig, yaw=2.0 * i)) for i in range(4)]
    found = fw.track(rig, frames, options=OPTIONS, scale=0.01)
    assert found.weights[-1, rig.slider_index("jawOpen")] > 0.05
