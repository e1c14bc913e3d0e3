"""The generated animal's face."""

import numpy as np
import pytest

import facewright as fw
from facewright.regions.sides import sides_of
from facewright.samples.animal import animal_mask


@pytest.fixture(scope="module")
def rig() -> fw.Rig:
    return animal_mask(1500)


def test_it_has_as_many_vertices_as_asked_for_and_is_the_same_every_time(rig: fw.Rig) -> None:
    assert rig.vertex_count == 1500
    np.testing.assert_array_equal(animal_mask(1500).deltas(), rig.deltas())


def test_both_sides_are_mirror_images_in_every_shape(rig: fw.Rig) -> None:
    partner = sides_of(rig).partner
    assert (partner >= 0).all()
    for shape in rig.shapes:
        image = shape.name.replace("Left", "*").replace("Right", "Left").replace("*", "Right")
        mirrored = shape.dense(rig.vertex_count)[partner] * [-1, 1, 1]
        np.testing.assert_allclose(rig.shape(image).dense(rig.vertex_count), mirrored, atol=1e-9)


def test_every_shape_moves_a_part_and_leaves_the_rest(rig: fw.Rig) -> None:
    for shape in rig.shapes:
        moved = np.linalg.norm(shape.dense(rig.vertex_count), axis=1)
        assert 0.2 < moved.max() < 0.4 * rig.size, shape.name
        assert (moved > 1e-6).mean() < 0.5, shape.name


def test_the_jaw_opens_the_muzzle_below_the_mouth_and_an_ear_goes_back(rig: fw.Rig) -> None:
    jaw, ear = (fw.evaluate(rig, {name: 1.0}) - rig.neutral for name in ("jawOpen", "earBackLeft"))
    chin = int(np.linalg.norm(rig.neutral[:, :2] - [0, -6.5], axis=1).argmin())
    tip = int((rig.neutral[:, 1] * (rig.neutral[:, 0] > 0)).argmax())
    assert jaw[chin, 1] < -0.5
    assert ear[tip, 2] < -1.0


def test_regions_posing_and_capture_take_it_as_any_face(rig: fw.Rig) -> None:
    regions = fw.segment(rig)
    assert {"left brow", "right brow", "left eye", "right eye", "jaw"} <= set(regions.names_at())
    pose = rig.weights({"snarlLeft": 0.8, "earBackRight": 0.7})
    face = fw.evaluate(rig, pose)
    moved = np.linalg.norm(face - rig.neutral, axis=1)
    snout = int((moved * (rig.neutral[:, 1] < 0)).argmax())
    pins = [fw.Pin(vertex=at, target=face[at]) for at in (snout, int(moved.argmax()))]
    found = fw.evaluate(rig, fw.solve_pose(rig, pins).weights)
    assert np.linalg.norm(found - face) < 0.2 * np.linalg.norm(face - rig.neutral)
