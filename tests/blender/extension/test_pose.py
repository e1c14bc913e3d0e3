"""Drags in Blender give the values that the library gives, and are one step to undo."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import corner, pose, shown, values

import facewright as fw
from facewright.document import Document, HeldPoints, PlacedPin
from facewright.rig.names import mirror_name
from facewright.workflow.drag.drag import PinDrag, drag_pins
from facewright.workflow.solver_cache import SolverCache

THIRD = (1 / 3, 1 / 3, 1 / 3)


def solved(rig: fw.Rig, triangle: int, offset: Any, start: Any = None, **options: Any) -> dict[str, float]:
    """The same drag by the library alone; the offset is in Blender's axes."""
    pins = options.pop("pins", ())
    held = options.pop("held", HeldPoints())
    pin = PlacedPin(id=len(pins), triangle=triangle, barycentric=THIRD)
    document = Document(rig, pose=start, pins=(*pins, pin), held=held)
    x, y, z = offset
    place = fw.evaluate(rig, document.pose)[rig.triangles[triangle]].mean(axis=0) + np.array([x, z, -y])
    found, _ = drag_pins(document, PinDrag({pin.id: tuple(place.tolist())}, **options), SolverCache())
    return dict(zip(rig.sliders, found.pose.tolist(), strict=True))


def agree(found: dict[str, float], wanted: dict[str, float]) -> None:
    for name, value in wanted.items():
        assert found[name] == pytest.approx(value, abs=2e-4), name


def read(thing: Any) -> fw.Rig:
    from blender.face import read_face

    return read_face(thing).rig


@pytest.mark.parametrize("method", ["automatic", "bounded", "natural"])
@pytest.mark.parametrize("symmetric", [False, True])
def test_a_drag_is_the_librarys(bpy: Any, thing: Any, rig: fw.Rig, method: str, symmetric: bool) -> None:
    settings = bpy.context.scene.facewright
    settings.method, settings.symmetric = method, symmetric
    triangle = corner(rig, next(name for name in rig.sliders if "mouthSmile" in name))
    offset = np.array([0.01, -0.005, 0.02]) * rig.size
    bpy.ops.facewright.drag(triangle=triangle, offset=offset)
    wanted = solved(read(thing), triangle, offset, method=method, symmetric=symmetric)
    assert sum(value > 0.05 for value in wanted.values()) >= 1
    agree(values(thing), wanted)
    if symmetric:
        found = values(thing)
        for name in found:
            assert found[name] == pytest.approx(found.get(mirror_name(name) or name, found[name]), abs=0.05), name


@pytest.mark.parametrize("method", ["convex", "pinv", "tikhonov", "transpose", "hybrid", "landweber"])
def test_methods_for_comparison_are_the_librarys_within_the_keys_ranges(bpy: Any, head: Any, method: str) -> None:
    rig = read(head)
    bpy.context.scene.facewright.method = method
    triangle, offset = corner(rig, "jawOpen"), np.array([0, 0, -0.02]) * rig.size
    bpy.ops.facewright.drag(triangle=triangle, offset=offset)
    wanted = solved(rig, triangle, offset, method=method)
    agree(values(head), {name: min(max(value, 0.0), 1.0) for name, value in wanted.items()})


def test_pins_hold_in_later_drags(bpy: Any, head: Any) -> None:
    rig = read(head)
    bpy.context.scene.facewright.method = "bounded"
    first, second = corner(rig, "browInnerUp"), corner(rig, "jawOpen")
    bpy.ops.facewright.drag(triangle=first)  # a click sets a pin and moves nothing
    assert not any(values(head).values())
    assert len(head.facewright_pins) == 1
    offset = np.array([0, 0, -0.03]) * rig.size
    bpy.ops.facewright.drag(triangle=second, offset=offset)
    pin = PlacedPin(id=0, triangle=first, barycentric=THIRD)
    agree(values(head), solved(rig, second, offset, method="bounded", pins=(pin,)))
    assert len(head.facewright_pins) == 2
    bpy.ops.facewright.drag(triangle=second, offset=offset)  # the pin that is there already
    assert len(head.facewright_pins) == 2
    bpy.ops.facewright.remove_pin(number=1)
    assert [one.number for one in head.facewright_pins] == [0]
    with pytest.raises(RuntimeError, match="there is no pin 7; there are 0"):
        bpy.ops.facewright.remove_pin(number=7)
    bpy.ops.facewright.clear_pins()
    assert not len(head.facewright_pins)


@pytest.mark.parametrize("by", ["GROUP", "SELECTION"])
def test_held_vertices_are_spared_as_by_the_library(bpy: Any, head: Any, by: str) -> None:
    rig = read(head)
    chosen = np.sort(rig.shape("mouthLowerDownLeft").vertices)
    settings = bpy.context.scene.facewright
    settings.method, settings.held_by = "bounded", by
    selected = np.zeros(rig.vertex_count, bool)
    if by == "GROUP":
        head.vertex_groups.new(name="lip").add(chosen.tolist(), 1.0, "REPLACE")
        settings.held_group = "lip"
    else:
        selected[chosen] = True
    head.data.vertices.foreach_set("select", selected)
    triangle, offset = corner(rig, "jawOpen"), np.array([0, 0, -0.02]) * rig.size
    bpy.ops.facewright.drag(triangle=triangle, offset=offset)
    held = HeldPoints(chosen, np.full(len(chosen), 7), on=True)
    wanted = solved(rig, triangle, offset, method="bounded", held=held)
    agree(values(head), wanted)
    free = solved(rig, triangle, offset, method="bounded")
    assert max(abs(wanted[name] - free[name]) for name in free) > 0.01
    settings.held_by, settings.held_group = "GROUP", "missing"
    with pytest.raises(RuntimeError, match="no vertex group 'missing'"):
        bpy.ops.facewright.drag(triangle=triangle, offset=offset)
    settings.held_by = "SELECTION"
    head.data.vertices.foreach_set("select", np.ones(rig.vertex_count, bool))
    with pytest.raises(RuntimeError, match="select a few"):
        bpy.ops.facewright.drag(triangle=triangle, offset=offset)


def test_a_drag_starts_from_the_values_that_are_there(bpy: Any, head: Any) -> None:
    rig = read(head)
    start = {"jawOpen": 0.25, "eyeBlinkLeft": 0.75}
    pose(head, start)
    triangle, offset = corner(rig, "mouthSmileLeft"), np.array([0.005, 0, 0.01]) * rig.size
    bpy.ops.facewright.drag(triangle=triangle, offset=offset)
    agree(values(head), solved(rig, triangle, offset, start))


def test_driven_and_muted_keys_stay(bpy: Any, head: Any) -> None:
    keys = head.data.shape_keys
    keys.key_blocks["jawOpen"].driver_add("value").driver.expression = "0.25+0*frame"
    keys.key_blocks["mouthLowerDownLeft"].mute = True
    bpy.context.view_layer.update()
    triangle = corner(fw.sample(), "jawOpen")
    bpy.ops.facewright.drag(triangle=triangle, offset=(0, 0, -0.5))
    bpy.context.view_layer.update()
    found = values(head)
    assert found["jawOpen"] == pytest.approx(0.25)
    assert found["mouthLowerDownLeft"] == 0
    assert max(value for name, value in found.items() if name != "jawOpen") > 0.1
    for block in list(keys.key_blocks)[1:]:
        block.mute = True
    with pytest.raises(RuntimeError, match="is driven or switched off"):
        bpy.ops.facewright.drag(triangle=triangle, offset=(0, 0, -0.5))


def test_a_drag_is_one_step_to_undo_with_its_pin(bpy: Any, head: Any) -> None:
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.facewright.drag("EXEC_DEFAULT", True, triangle=corner(fw.sample(), "jawOpen"), offset=(0, 0, -0.5))
    head = bpy.context.active_object
    moved = values(head)
    assert max(moved.values()) > 0.1
    bpy.ops.ed.undo()
    head = bpy.context.active_object
    assert not any(values(head).values())
    assert not len(head.facewright_pins)
    bpy.ops.ed.redo()
    head = bpy.context.active_object
    assert values(head) == moved
    assert len(head.facewright_pins) == 1


def test_keys_are_inserted_where_auto_key_is_on(bpy: Any, head: Any) -> None:
    from blender.curves import curves_of

    keys = head.data.shape_keys
    triangle = corner(fw.sample(), "jawOpen")
    bpy.ops.facewright.drag(triangle=triangle, offset=(0, 0, -0.3))
    assert not curves_of(keys)
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    bpy.context.scene.frame_set(12)
    before = values(head)
    bpy.ops.facewright.drag(triangle=triangle, offset=(0, 0, -0.3))
    changed = {name for name, value in values(head).items() if value != before[name]}
    curves = curves_of(keys)
    assert set(curves) == changed
    for name in changed:
        assert [tuple(one.co) for one in curves[name].keyframe_points] == [(12.0, pytest.approx(values(head)[name]))]


def modified(kind: str, **fields: Any) -> Callable[[Any, Any], Any]:
    def add(bpy: Any, head: Any) -> Any:
        made = head.modifiers.new(kind.title(), kind)
        for name, value in fields.items():
            setattr(made, name, value)
        return made

    return add


def bone(bpy: Any, head: Any) -> None:
    """An armature whose only bone turns the whole head by a quarter."""
    armature = bpy.data.armatures.new("armature")
    thing = bpy.data.objects.new("armature", armature)
    bpy.context.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = thing
    bpy.ops.object.mode_set(mode="EDIT")
    made = armature.edit_bones.new("head")
    made.head, made.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="POSE")
    thing.pose.bones["head"].rotation_mode = "XYZ"
    thing.pose.bones["head"].rotation_euler = (0, np.pi / 2, 0)  # about the bone, which points up
    bpy.ops.object.mode_set(mode="OBJECT")
    head.vertex_groups.new(name="head").add(list(range(len(head.data.vertices))), 1.0, "REPLACE")
    modifier = head.modifiers.new("Armature", "ARMATURE")
    modifier.object = thing
    bpy.context.view_layer.objects.active = head
    bpy.context.view_layer.update()


def test_a_drag_on_a_head_that_an_armature_turns_goes_where_the_pointer_goes(bpy: Any, head: Any) -> None:
    rig = read(head)
    bone(bpy, head)
    triangle = corner(rig, "jawLeft")
    before = shown(bpy, head)[rig.triangles[triangle]].mean(axis=0)
    at_rest = rig.neutral[rig.triangles[triangle]].mean(axis=0)
    assert np.linalg.norm(before - at_rest) > 0.05 * rig.size
    motion = fw.evaluate(rig, {"jawLeft": 0.6})[rig.triangles[triangle]].mean(axis=0) - at_rest
    ours, theirs = (points - points.mean(axis=0) for points in (rig.neutral, shown(bpy, head)))
    turn = np.linalg.lstsq(ours, theirs, rcond=None)[0]
    x, y, z = motion @ turn
    bpy.ops.facewright.drag(triangle=triangle, offset=(x, -z, y))
    agree(values(head), solved(rig, triangle, (motion[0], -motion[2], motion[1])))
    assert values(head)["jawLeft"] > 0.3


def test_modifiers_that_smooth_are_handled_and_others_refused_in_words(bpy: Any, head: Any) -> None:
    rig = read(head)
    triangle, offset = corner(rig, "jawOpen"), np.array([0, 0, -0.02]) * rig.size
    modified("SUBSURF", levels=1)(bpy, head)
    bpy.context.view_layer.update()
    bpy.ops.facewright.drag(triangle=triangle, offset=offset)
    agree(values(head), solved(rig, triangle, offset))
    modified("SOLIDIFY", thickness=0.1)(bpy, head)
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="apply the modifier Solidify, or switch it off"):
        bpy.ops.facewright.drag(triangle=triangle, offset=offset)
    head.modifiers["Solidify"].show_viewport = False
    bpy.context.view_layer.update()
    bpy.ops.facewright.drag(triangle=triangle, offset=offset)


def test_a_point_that_is_not_there_is_refused_in_words(bpy: Any, head: Any) -> None:
    with pytest.raises(RuntimeError, match="there is no triangle 999999"):
        bpy.ops.facewright.drag(triangle=999999)
    with pytest.raises(RuntimeError, match="drag the face in a 3D viewport"):
        bpy.ops.facewright.drag()


class Pointer:
    """A view from the front, and a pointer in it."""

    def __init__(self, thing: Any, rig: fw.Rig, triangle: int) -> None:
        from blender.pose_drag import Ray
        from blender.space import Space

        self.ray, self._thing = Ray, thing
        place = Space.of(thing).to_world(rig.neutral[rig.triangles[triangle]].mean(axis=0))
        self.eye = place + np.array([0.1, -3.0, 0.2]) * rig.size
        self.normal = np.array([0.0, -1.0, 0.0])
        self.target = place

    def __call__(self, offset: Any = (0, 0, 0)) -> Any:
        towards = self.target + np.asarray(offset) - self.eye
        return self.ray(self.eye, towards / np.linalg.norm(towards), self.normal)


def begun(bpy: Any, thing: Any, ray: Any) -> Any:
    from blender.gesture import PoseGesture
    from blender.operators.pose import drag_settings
    from blender.pose_drag import PoseDrag

    graph = bpy.context.evaluated_depsgraph_get()
    drag = PoseDrag.begin(thing, graph, ray, drag_settings(bpy.context, thing))
    return None if drag is None else PoseGesture(drag)


def test_events_of_a_pointer_make_a_drag_in_the_plane_of_the_view(bpy: Any, thing: Any, rig: fw.Rig) -> None:
    from blender.operators.pose import finish_drag

    own = read(thing)
    triangle = corner(rig, next(name for name in rig.sliders if "jawOpen" in name))
    pointer = Pointer(thing, own, triangle)
    gesture = begun(bpy, thing, pointer())
    assert gesture.drag.pin.triangle == triangle
    np.testing.assert_allclose(gesture.drag.grabbed, pointer.target, atol=1e-5 * rig.size)
    offset = np.array([0.0, 0.0, -0.02]) * rig.size
    for share in (0.2, 0.7, 1.0):
        assert gesture.handle("MOUSEMOVE", "NOTHING", lambda share=share: pointer(share * offset)) == "RUNNING_MODAL"
    assert gesture.handle("LEFTMOUSE", "RELEASE", pointer) == "FINISHED"
    x, y, z = pointer.normal
    agree(values(thing), solved(own, triangle, offset, plane=(x, z, -y)))
    finish_drag(bpy.context, gesture.drag)
    assert len(thing.facewright_pins) == 1
    again = begun(bpy, thing, pointer(values_place(bpy, thing, own, triangle) - pointer.target))
    assert not again.drag.is_new  # the pin under the pointer is taken


def values_place(bpy: Any, thing: Any, rig: fw.Rig, triangle: int) -> np.ndarray:
    from blender.space import Space

    return Space.of(thing).to_world(shown(bpy, thing)[rig.triangles[triangle]].mean(axis=0))


@pytest.mark.parametrize("key", ["ESC", "RIGHTMOUSE"])
def test_esc_puts_everything_back(bpy: Any, head: Any, key: str) -> None:
    rig = read(head)
    pose(head, {"jawOpen": 0.4})
    bpy.context.view_layer.update()
    triangle = corner(rig, "mouthSmileLeft")
    place = shown(bpy, head)[rig.triangles[triangle]].mean(axis=0) - rig.neutral[rig.triangles[triangle]].mean(axis=0)
    pointer = Pointer(head, rig, triangle)
    pointer.target = pointer.target + np.array([place[0], -place[2], place[1]])
    gesture = begun(bpy, head, pointer())
    before = values(head)
    gesture.handle("MOUSEMOVE", "NOTHING", lambda: pointer([0.03 * rig.size, 0, 0.03 * rig.size]))
    assert values(head) != before
    assert gesture.handle(key, "PRESS", pointer) == "CANCELLED"
    assert values(head) == before
    assert not len(head.facewright_pins)


def test_a_pointer_beside_the_face_takes_nothing(bpy: Any, head: Any) -> None:
    rig = read(head)
    pointer = Pointer(head, rig, 0)
    assert begun(bpy, head, pointer([10 * rig.size, 0, 0])) is None


def test_the_panel_and_the_tool_can_be_drawn(bpy: Any, head: Any) -> None:
    from tools.blender_layout import Recorder

    from blender import panels, tool

    settings = bpy.context.scene.facewright
    settings.held_by, settings.examples = "GROUP", "KEYS"
    drawn: tuple[Any, ...] = panels.CLASSES
    for panel in drawn:
        for template in ("SAMPLE", "FILE", "OBJECT"):
            settings.template = template
            layout = Recorder()
            panel.draw(SimpleNamespace(layout=layout), bpy.context)
            assert layout.items
    with pytest.raises(RuntimeError, match="choose the vertex group"):
        bpy.ops.facewright.drag(triangle=100)
    settings.held_by = "NONE"
    bpy.ops.facewright.drag(triangle=100)
    places = tool.pin_places(bpy.context)
    rig = read(head)
    np.testing.assert_allclose(places[0], values_place(bpy, head, rig, 100), atol=1e-5 * rig.size)
