"""The shape keys of an object are the rig of the library, whatever lies between them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import add, bent, choose, pose, random_pose, shown, values

import facewright as fw

CLOSE = 1e-6  # of the face's size: Blender's coordinates have single precision


def read(thing: Any) -> Any:
    from blender.face import read_face

    return read_face(thing)


def same_shapes(found: fw.Rig, wanted: fw.Rig) -> None:
    assert found.sliders == wanted.sliders
    assert found.polygons.same_as(wanted.polygons)
    np.testing.assert_allclose(found.bounds, wanted.bounds, atol=1e-6)
    np.testing.assert_allclose(found.neutral, wanted.neutral, atol=CLOSE * wanted.size)
    for shape in wanted.shapes:
        np.testing.assert_allclose(
            found.shape(shape.name).dense(found.vertex_count),
            shape.dense(wanted.vertex_count),
            atol=CLOSE * wanted.size,
            err_msg=shape.name,
        )


def test_a_rig_comes_back_as_it_was_written(thing: Any, rig: fw.Rig) -> None:
    found = read(thing)
    same_shapes(found.rig, rig)
    assert (found.driven, found.muted) == ({}, ())


def test_drivers_evaluate_to_the_librarys_face_in_20_poses(bpy: Any, rig: fw.Rig, rng: np.random.Generator) -> None:
    with_more = bent(rig, rng, tuple(rng.choice(rig.sliders, 3, replace=False)))
    thing = add(bpy, with_more)
    assert all(c.driver.is_simple_expression for c in thing.data.shape_keys.animation_data.drivers)
    found = read(thing).rig
    assert found.sliders == with_more.sliders
    for _ in range(20):
        at = random_pose(with_more, rng)
        pose(thing, at)
        wanted = fw.evaluate(with_more, at)
        np.testing.assert_allclose(shown(bpy, thing), wanted, atol=5 * CLOSE * rig.size)
        np.testing.assert_allclose(fw.evaluate(found, at), wanted, atol=5 * CLOSE * rig.size)


def test_the_rig_follows_the_objects_rotation_scale_and_parents(bpy: Any, head: Any, rng: np.random.Generator) -> None:
    rig = fw.sample()
    parent = bpy.data.objects.new("parent", None)
    bpy.context.collection.objects.link(parent)
    parent.rotation_euler, parent.location = (0.4, -0.3, 1.1), (3, -2, 5)
    head.parent, head.scale, head.rotation_euler = parent, (0.5, 2.0, 1.5), (0.2, 0.1, -0.7)
    at = random_pose(rig, rng)
    pose(head, at)
    bpy.context.view_layer.update()
    found = read(head)
    np.testing.assert_allclose(fw.evaluate(found.rig, at), shown(bpy, head), atol=5 * CLOSE * found.rig.size)
    world = np.array([tuple(head.matrix_world @ vertex.co) for vertex in head.data.vertices])
    np.testing.assert_allclose(found.space.to_world(found.rig.neutral), world, atol=1e-4)
    own = np.array([tuple(vertex.co) for vertex in head.data.vertices])
    np.testing.assert_allclose(found.space.own(found.rig.neutral), own, atol=CLOSE * rig.size)


def test_a_key_is_relative_to_its_key_within_its_group_and_switched_off(bpy: Any, head: Any) -> None:
    blocks = head.data.shape_keys.key_blocks
    blocks["jawOpen"].relative_key = blocks["jawForward"]
    group = head.vertex_groups.new(name="half")
    for vertex in range(0, len(head.data.vertices), 2):
        group.add([vertex], 0.25, "REPLACE")
    blocks["mouthSmileLeft"].vertex_group = "half"
    blocks["cheekPuff"].mute = True
    blocks["browInnerUp"].slider_min, blocks["browInnerUp"].slider_max = -0.5, 0.8
    found = read(head)
    assert found.muted == ("cheekPuff",)
    assert "cheekPuff" not in found.rig.sliders
    np.testing.assert_allclose(found.rig.bounds[found.rig.slider_index("browInnerUp")], [-0.5, 0.8], atol=1e-6)
    at = {"jawOpen": 0.7, "mouthSmileLeft": 0.9, "jawForward": 0.2, "browInnerUp": -0.4}
    pose(head, {**at, "cheekPuff": 1.0})
    np.testing.assert_allclose(fw.evaluate(found.rig, at), shown(bpy, head), atol=5 * CLOSE * found.rig.size)


def test_keys_that_something_else_drives_are_told_and_left_alone(bpy: Any, head: Any) -> None:
    empty = bpy.data.objects.new("control", None)
    bpy.context.collection.objects.link(empty)
    empty["amount"] = 0.4
    keys = head.data.shape_keys
    for name, expression in (("jawOpen", "amount*2"), ("jawLeft", "amount")):
        driver = keys.key_blocks[name].driver_add("value").driver
        variable = driver.variables.new()
        variable.name, variable.targets[0].id, variable.targets[0].data_path = "amount", empty, '["amount"]'
        driver.expression = expression
    own = keys.key_blocks["mouthClose"].driver_add("value").driver  # by a key that is driven itself
    variable = own.variables.new()
    variable.name, variable.targets[0].id_type, variable.targets[0].id = "x", "KEY", keys
    variable.targets[0].data_path = 'key_blocks["jawOpen"].value'
    own.expression = "x"
    bpy.context.view_layer.update()
    found = read(head)
    control = 'control ["amount"]'
    assert found.driven == {"jawOpen": control, "jawLeft": control, "mouthClose": "the key jawOpen"}
    assert found.document.locked == tuple(found.driven)
    assert found.pose[found.rig.slider_index("jawOpen")] == pytest.approx(0.8)
    from blender.keys import write_keys

    write_keys(head, found.rig, found.space)
    assert len(keys.animation_data.drivers) == 3


def test_a_driver_that_somebody_made_by_hand_is_a_combination_too(bpy: Any, head: Any) -> None:
    keys = head.data.shape_keys
    curve = keys.key_blocks["mouthFunnel"].driver_add("value")
    for name in ("jawOpen", "mouthPucker"):
        variable = curve.driver.variables.new()
        variable.name, variable.targets[0].id_type, variable.targets[0].id = name, "KEY", keys
        variable.targets[0].data_path = f'key_blocks["{name}"].value'
    curve.driver.expression = "jawOpen * mouthPucker"
    found = read(head).rig
    assert found.shape("mouthFunnel").sliders == ("jawOpen", "mouthPucker")
    assert "mouthFunnel" not in found.sliders
    curve.modifiers.new("GENERATOR").coefficients = (0.5, 1.0)  # the driver's value is no longer used as it is
    assert "mouthFunnel" in read(head).driven


def test_writing_again_keeps_values_ranges_drivers_groups_and_uvs(bpy: Any, head: Any) -> None:
    group = head.vertex_groups.new(name="mine")
    group.add([1, 2, 3], 0.5, "REPLACE")
    own = head.shape_key_add(name="my own", from_mix=False)
    blocks = head.data.shape_keys.key_blocks
    pose(head, {"jawOpen": 0.3, "my own": 0.2})
    blocks["jawOpen"].slider_max = 1.5
    uvs = np.array([tuple(one.vector) for one in head.data.uv_layers.active.uv])
    found = read(head)
    from blender.keys import write_keys

    louder = replace(found.rig, shapes=tuple(replace(one, offsets=1.5 * one.offsets) for one in found.rig.shapes))
    words = write_keys(head, louder, found.space).words
    assert words == "53 shape keys replaced"
    assert values(head)["jawOpen"] == pytest.approx(0.3)
    assert values(head)["my own"] == pytest.approx(0.2)
    assert blocks["jawOpen"].slider_max == pytest.approx(1.5)
    assert own.name == "my own"
    assert [one.name for one in head.vertex_groups] == ["mine"]
    np.testing.assert_array_equal(np.array([tuple(one.vector) for one in head.data.uv_layers.active.uv]), uvs)
    same_shapes(read(head).rig, louder)


def curve_object(bpy: Any, head: Any) -> Any:
    made = bpy.data.objects.new("curve", bpy.data.curves.new("curve", "CURVE"))
    bpy.context.collection.objects.link(made)
    return made


def without_keys(bpy: Any, head: Any) -> Any:
    head.shape_key_clear()
    return head


def in_edit_mode(bpy: Any, head: Any) -> Any:
    bpy.ops.object.mode_set(mode="EDIT")
    return head


def mirrored(bpy: Any, head: Any) -> Any:
    head.scale.x = -1
    bpy.context.view_layer.update()
    return head


def flat(bpy: Any, head: Any) -> Any:
    head.scale.z = 0
    bpy.context.view_layer.update()
    return head


def absolute(bpy: Any, head: Any) -> Any:
    head.data.shape_keys.use_relative = False
    return head


def alone(bpy: Any, head: Any) -> Any:
    head.show_only_shape_key = True
    return head


def without_polygons(bpy: Any, head: Any) -> Any:
    made = bpy.data.objects.new("points", bpy.data.meshes.new("points"))
    bpy.context.collection.objects.link(made)
    return made


BAD = [
    (curve_object, "is no mesh but of the type Curve"),
    (without_keys, "has no shape keys"),
    (in_edit_mode, "is in edit mode; leave it first"),
    (mirrored, "mirrored by a negative scale"),
    (flat, "scaled to nothing"),
    (absolute, "switch Relative on"),
    (alone, "Solo Active off"),
    (without_polygons, "has no polygons"),
]
OPERATORS = ("drag", "rest", "corrective", "list_correctives", "regions", "report", "send")


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize(("spoil", "words"), BAD, ids=[spoil.__name__ for spoil, _ in BAD])
def test_a_wrong_object_is_refused_in_words_by_every_operator(
    bpy: Any, head: Any, operator: str, spoil: Any, words: str
) -> None:
    choose(bpy, spoil(bpy, head))
    given = {"triangle": 5} if operator == "drag" else {}
    try:
        with pytest.raises(RuntimeError, match=words) as raised:
            getattr(bpy.ops.facewright, operator)(**given)
        assert "Traceback" not in str(raised.value)
    finally:
        if bpy.context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.parametrize("operator", [*OPERATORS, "transfer", "build", "import_take", "clear_pins"])
def test_nothing_active_is_refused_in_words(bpy: Any, operator: str) -> None:
    given = {"triangle": 5} if operator == "drag" else {"filepath": "x.csv"} if operator == "import_take" else {}
    with pytest.raises(RuntimeError, match="nothing is active"):
        getattr(bpy.ops.facewright, operator)(**given)


def test_linked_data_is_not_changed(bpy: Any, head: Any, tmp_path: Any) -> None:
    bpy.data.libraries.write(str(tmp_path / "library.blend"), {head})
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, wanted):
        wanted.objects = ["face"]
    linked = wanted.objects[0]
    bpy.context.collection.objects.link(linked)
    choose(bpy, linked)
    for operator, given in (("drag", {"triangle": 5}), ("transfer", {}), ("rest", {}), ("corrective", {})):
        with pytest.raises(RuntimeError, match=r"linked from .*make it local first"):
            getattr(bpy.ops.facewright, operator)(**given)
