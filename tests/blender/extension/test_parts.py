"""Eyes and teeth that are objects of their own follow the face as the library moves them."""

from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import add, choose, plain, pose, random_pose, shown, values

import facewright as fw
from facewright.build.registration.face_mesh import FaceMesh
from facewright.rig.edit.parts import extract_parts
from facewright.samples import people

CLOSE = 1e-5  # of the face's size
PARTS = ("left eye", "right eye", "upper teeth", "lower teeth", "upper gums", "lower gums", "tongue")


@pytest.fixture(scope="session")
def whole() -> fw.Rig:
    return fw.sample(people()[-1])


@pytest.fixture
def face(bpy: Any, whole: fw.Rig) -> Any:
    """The skin alone, with its keys."""
    return add(bpy, extract_parts(whole, ["head"]), "head")


def bare(bpy: Any, whole: fw.Rig, name: str) -> Any:
    return plain(bpy, extract_parts(whole, [name]), name)


def put_landmarks(bpy: Any, face: Any) -> None:
    """Landmarks where the template has them, as a person would put them; skin alone has no openings to find."""
    from blender.face import neutral_face

    choose(bpy, face)
    bpy.ops.facewright.add_landmarks()
    rest, space = neutral_face(face)
    known = FaceMesh(fw.sample(), "the head").landmarks
    for empty in face.children:
        empty.location = space.to_world(rest.neutral[known[empty.name]]).tolist()
    bpy.context.view_layer.update()


def together(bpy: Any, face: Any, parts: list[Any], whole: fw.Rig) -> np.ndarray:
    """All vertices as they are shown, in the order of the whole face."""
    objects = {thing.name: thing for thing in (face, *parts)}
    return np.concatenate([shown(bpy, objects[part.name]) for part in whole.parts if part.name in objects])


def test_parts_with_keys_of_the_same_names_follow_in_20_random_poses(bpy: Any, whole: fw.Rig, face: Any) -> None:
    parts = [add(bpy, extract_parts(whole, [name]), name) for name in PARTS]
    choose(bpy, *parts, face)
    bpy.ops.facewright.attach_parts()
    rng = np.random.default_rng(4)
    for _ in range(20):
        at = random_pose(whole, rng)
        pose(face, at)
        wanted = fw.evaluate(whole, at)
        np.testing.assert_allclose(together(bpy, face, parts, whole), wanted, atol=CLOSE * whole.size)


def test_parts_without_keys_get_the_templates_shapes(bpy: Any, whole: fw.Rig, face: Any) -> None:
    """The face and its parts have together the template's polygons, so that the library's transfer is exact."""
    parts = [bare(bpy, whole, name) for name in PARTS]
    choose(bpy, *reversed(parts), face)
    bpy.ops.facewright.attach_parts()
    rest = fw.Rig(whole.neutral, whole.polygons, parts=whole.parts)
    wanted = fw.transfer(fw.sample(), rest)
    assert parts[2].data.shape_keys is None  # the upper teeth stay
    assert {"jawOpen", "jawLeft"} <= set(values(parts[3]))
    assert "eyeLookInLeft" in values(parts[0])
    assert "eyeLookInLeft" not in values(parts[1])
    rng = np.random.default_rng(5)
    for _ in range(3):
        at = random_pose(whole, rng)
        pose(face, at)
        moved = fw.evaluate(wanted, at)
        for part in parts:
            rows = slice(whole.part(part.name).start, whole.part(part.name).stop)
            # A shape that moves a part by less than a ten-thousandth of the face is left out, and there are 52.
            np.testing.assert_allclose(shown(bpy, part), moved[rows], atol=1e-3 * whole.size, err_msg=part.name)


def test_parts_that_are_turned_scaled_and_of_other_polygons_move_with_the_jaw(
    bpy: Any, whole: fw.Rig, face: Any
) -> None:
    """Teeth as triangles, at a tenth of the size with another origin; the drag of the chin moves them."""
    own = extract_parts(whole, ["lower teeth"])
    teeth = plain(bpy, fw.Rig(own.neutral, own.triangles))
    teeth.name = "teeth"
    for vertex in teeth.data.vertices:
        vertex.co = (10 * vertex.co.x, 10 * (vertex.co.z - 0.3), -10 * vertex.co.y)
    teeth.rotation_euler, teeth.scale, teeth.location = (np.pi / 2, 0, 0), (0.1, 0.1, 0.1), (0, 0, 0.3)
    bpy.context.view_layer.update()
    before = shown(bpy, teeth)
    put_landmarks(bpy, face)
    choose(bpy, teeth, face)
    bpy.ops.facewright.attach_parts()
    pose(face, {"jawOpen": 1.0})
    rows = slice(whole.part("lower teeth").start, whole.part("lower teeth").stop)
    wanted = (fw.evaluate(whole, {"jawOpen": 1.0}) - whole.neutral)[rows]
    found = shown(bpy, teeth) - before
    assert np.linalg.norm(found.mean(axis=0) - wanted.mean(axis=0)) < 0.2 * np.linalg.norm(wanted.mean(axis=0))
    spread = np.linalg.norm(shown(bpy, teeth) - shown(bpy, teeth).mean(axis=0), axis=1)
    at_rest = np.linalg.norm(before - before.mean(axis=0), axis=1)
    np.testing.assert_allclose(spread, at_rest, atol=1e-3 * whole.size)  # teeth do not bend


def test_a_part_may_stay_and_its_own_drivers_are_kept(bpy: Any, whole: fw.Rig, face: Any) -> None:
    tongue, eye = add(bpy, extract_parts(whole, ["tongue"]), "tongue"), bare(bpy, whole, "left eye")
    curve = tongue.data.shape_keys.key_blocks["tongueOut"].driver_add("value")
    curve.driver.type, curve.driver.expression = "SCRIPTED", "0.25"
    choose(bpy, tongue, eye, face)
    bpy.ops.facewright.attach_parts(give_shapes=False)
    assert eye.data.shape_keys is None
    pose(face, {"tongueOut": 1.0, "jawOpen": 0.5})
    bpy.context.view_layer.update()
    found = values(tongue)
    assert found["tongueOut"] == pytest.approx(0.25)
    assert found["jawOpen"] == pytest.approx(0.5)


def test_attaching_twice_changes_nothing_and_detaching_keeps_the_values(bpy: Any, whole: fw.Rig, face: Any) -> None:
    tongue = add(bpy, extract_parts(whole, ["tongue"]), "tongue")
    choose(bpy, tongue, face)
    for _ in range(2):
        bpy.ops.facewright.attach_parts()
        assert len(tongue.data.shape_keys.animation_data.drivers) == len(whole.sliders)
    pose(face, {"jawOpen": 0.5})
    bpy.context.view_layer.update()
    bpy.ops.facewright.detach_parts()
    assert not tongue.data.shape_keys.animation_data.drivers
    pose(face, {"jawOpen": 1.0})
    bpy.context.view_layer.update()
    assert values(tongue)["jawOpen"] == pytest.approx(0.5)


def test_attaching_is_one_step_to_undo(bpy: Any, whole: fw.Rig, face: Any) -> None:
    tongue = bare(bpy, whole, "tongue")
    put_landmarks(bpy, face)
    choose(bpy, tongue, face)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.facewright.attach_parts("EXEC_DEFAULT", True, give_shapes=True)
    assert bpy.data.objects["tongue"].data.shape_keys is not None
    bpy.ops.ed.undo()
    assert bpy.data.objects["tongue"].data.shape_keys is None


def test_what_cannot_be_attached_is_refused_in_words(bpy: Any, whole: fw.Rig, face: Any) -> None:
    choose(bpy, face)
    with pytest.raises(RuntimeError, match="select eyes, teeth and whatever else belongs to the face as well"):
        bpy.ops.facewright.attach_parts()
    left = bare(bpy, whole, "left eye")
    right = bpy.data.objects.new("right eye", left.data)
    bpy.context.collection.objects.link(right)
    choose(bpy, left, right, face)
    with pytest.raises(RuntimeError, match="shares its mesh left eye with other objects"):
        bpy.ops.facewright.attach_parts()
    bpy.data.objects.remove(right)
    left.scale.x = -1
    bpy.context.view_layer.update()
    choose(bpy, left, face)
    with pytest.raises(RuntimeError, match="mirrored by a negative scale"):
        bpy.ops.facewright.attach_parts()
    left.scale.x = 1
    bpy.context.view_layer.update()
    choose(bpy, face, left)
    with pytest.raises(RuntimeError, match="left eye has no shape keys"):
        bpy.ops.facewright.attach_parts()
