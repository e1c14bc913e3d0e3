"""Correctives in Blender are the library's, as drivers that are read back."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import plain, pose, random_pose, shown

import facewright as fw


def read(thing: Any) -> fw.Rig:
    from blender.face import read_face

    return read_face(thing).rig


@pytest.mark.parametrize(
    "at", [{"jawOpen": 0.5}, {"jawOpen": 1.0, "mouthLeft": 1.0}, {"jawOpen": 0.75, "mouthFunnel": 1.0}]
)
@pytest.mark.parametrize("sculpted", ["object", "key"])
def test_a_corrective_brings_the_face_to_the_sculpt_and_is_the_librarys(
    bpy: Any, thing: Any, at: dict[str, float], sculpted: str, rng: np.random.Generator
) -> None:
    rig = read(thing)
    wanted = fw.evaluate(rig, at) + 0.002 * rig.size * rng.normal(size=(rig.vertex_count, 3))
    if sculpted == "object":
        plain(bpy, replace(rig, neutral=wanted), "sculpt")
        bpy.context.view_layer.objects.active = thing
    else:
        from blender.mesh import set_coordinates
        from blender.space import z_up

        set_coordinates(thing.shape_key_add(name="sculpt", from_mix=False).data, z_up(wanted))
        thing.data.shape_keys.key_blocks["sculpt"].mute = True
    pose(thing, at)
    bpy.ops.facewright.corrective(name="fixed", sculpt="sculpt")
    np.testing.assert_allclose(shown(bpy, thing), wanted, atol=2e-6 * rig.size)
    library = fw.edit.extract_corrective(rig, "fixed", at, wanted)
    for _ in range(20):
        drawn = random_pose(rig, rng)
        pose(thing, drawn)
        np.testing.assert_allclose(shown(bpy, thing), fw.evaluate(library, drawn), atol=2e-6 * rig.size)
        np.testing.assert_allclose(fw.evaluate(read(thing), drawn), fw.evaluate(library, drawn), atol=2e-6 * rig.size)
    kinds = fw.corrective_kinds(read(thing))
    assert kinds["fixed"].value == ("in-between" if len(at) == 1 else "combination")


def test_an_empty_corrective_changes_nothing_and_is_ready_to_be_sculpted(bpy: Any, head: Any) -> None:
    pose(head, {"jawOpen": 0.5})
    before = shown(bpy, head)
    bpy.ops.facewright.corrective()
    np.testing.assert_array_equal(shown(bpy, head), before)
    assert head.active_shape_key.name == "jawOpen 0.5"
    assert head.active_shape_key.value == pytest.approx(1.0)
    pose(head, {"mouthSmileLeft": 1.0})
    bpy.ops.facewright.corrective()
    assert head.active_shape_key.name == "jawOpen+mouthSmileLeft"
    bpy.ops.facewright.list_correctives()


def test_mistakes_are_told_in_words(bpy: Any, head: Any) -> None:
    with pytest.raises(RuntimeError, match="the pose is the neutral"):
        bpy.ops.facewright.corrective()
    pose(head, {"jawOpen": 1.0})
    with pytest.raises(RuntimeError, match="alone is at its end"):
        bpy.ops.facewright.corrective()
    pose(head, {"jawOpen": 0.5})
    with pytest.raises(RuntimeError, match="no shape key and no object named 'nobody'"):
        bpy.ops.facewright.corrective(sculpt="nobody")
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.view_layer.objects.active = head
    with pytest.raises(RuntimeError, match="Cube has 8 vertices"):
        bpy.ops.facewright.corrective(sculpt="Cube")


def test_a_corrective_is_one_step_to_undo(bpy: Any, head: Any) -> None:
    pose(head, {"jawOpen": 0.5})
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.facewright.corrective("EXEC_DEFAULT", True)
    assert "jawOpen 0.5" in bpy.context.active_object.data.shape_keys.key_blocks
    bpy.ops.ed.undo()
    keys = bpy.context.active_object.data.shape_keys
    assert "jawOpen 0.5" not in keys.key_blocks
    assert keys.animation_data is None or not len(keys.animation_data.drivers)
