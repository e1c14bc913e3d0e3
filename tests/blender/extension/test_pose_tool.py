"""The tool's operator with events of a pointer, in a window that is made up: Blender without a screen has none."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import corner, values

import facewright as fw

WIDTH, HEIGHT = 800, 600


class View:
    """A 3D viewport that looks along +y, as numpad 1 does, through a perspective camera."""

    def __init__(self, bpy: Any, thing: Any) -> None:
        from mathutils import Matrix

        size = fw.sample().size
        looks = Matrix.Rotation(np.pi / 2, 4, "X")
        view = (Matrix.Translation((0, -3 * size, 0)) @ looks).inverted()
        near, far, half = 0.1 * size, 10 * size, 0.2
        window = Matrix((
            (1 / half, 0, 0, 0),
            (0, WIDTH / HEIGHT / half, 0, 0),
            (0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)),
            (0, 0, -1, 0),
        ))  # fmt: skip
        self.region: SimpleNamespace | None = SimpleNamespace(width=WIDTH, height=HEIGHT)
        self.region_data = SimpleNamespace(view_matrix=view, perspective_matrix=window @ view, is_perspective=True)
        self.redrawn = 0  # how often all of the area was to be drawn anew, with its sidebar
        self.area = SimpleNamespace(tag_redraw=self._redraw)
        self.active_object, self.scene = thing, bpy.context.scene
        self.window_manager = SimpleNamespace(modal_handler_add=lambda operator: None)
        self.workspace = SimpleNamespace(status_text_set=lambda words: None)
        self.evaluated_depsgraph_get = bpy.context.evaluated_depsgraph_get

    def _redraw(self) -> None:
        self.redrawn += 1

    def event(self, kind: str, value: str, place: Any, **keys: Any) -> Any:
        """An event with the pointer over a place in the world."""
        from bpy_extras.view3d_utils import location_3d_to_region_2d
        from mathutils import Vector

        x, y = location_3d_to_region_2d(self.region, self.region_data, Vector(place))
        return SimpleNamespace(type=kind, value=value, mouse_region_x=x, mouse_region_y=y, **keys)


def without_blender(operator: type) -> Any:
    """An operator's own methods, on an object that Blender does not know."""
    from blender.reporting import InWords

    own = {name: value for name, value in vars(operator).items() if callable(value)}
    said: list[str] = []
    made = type("Operator", (InWords,), {**own, "report": lambda self, kind, words: said.append(words)})()
    made.said = said
    return made


def place_of(thing: Any, triangle: int) -> np.ndarray:
    from blender.face import read_face

    face = read_face(thing)
    return np.asarray(face.space.to_world(face.rig.neutral[face.rig.triangles[triangle]].mean(axis=0)))


def test_press_move_and_release_pose_the_face_and_keep_what_was_done(bpy: Any, head: Any) -> None:
    from blender.operators.pose import Drag

    rig = fw.sample()
    triangle = corner(rig, "jawOpen")
    view, operator = View(bpy, head), without_blender(Drag)
    start = place_of(head, triangle)
    end = start + np.array([0, 0, -0.02]) * rig.size
    assert operator.invoke(view, view.event("LEFTMOUSE", "PRESS", start)) == {"RUNNING_MODAL"}
    for share in (0.3, 1.0):
        moved = view.event("MOUSEMOVE", "NOTHING", start + share * (end - start))
        assert operator.modal(view, moved) == {"RUNNING_MODAL"}
    assert operator.modal(view, view.event("LEFTMOUSE", "RELEASE", end)) == {"FINISHED"}
    found = values(head)
    assert max(found.values()) > 0.1
    assert len(head.facewright_pins) == 1
    assert operator.triangle == triangle
    np.testing.assert_allclose(operator.offset, end - start, atol=1e-3 * rig.size)
    np.testing.assert_allclose(np.abs(operator.plane), [0, 1, 0], atol=1e-6)

    head.facewright_pins.clear()  # the same once more from what was kept, as Blender's redo does
    for block in list(head.data.shape_keys.key_blocks)[1:]:
        block.value = 0
    bpy.ops.facewright.drag(
        triangle=operator.triangle, barycentric=operator.barycentric, offset=operator.offset, plane=operator.plane
    )
    for name, value in values(head).items():
        assert value == pytest.approx(found[name], abs=1e-3), name


def test_esc_cancels_and_a_click_beside_the_face_is_left_to_blender(bpy: Any, head: Any) -> None:
    from blender.operators.pose import Drag

    rig = fw.sample()
    view, operator = View(bpy, head), without_blender(Drag)
    start = place_of(head, corner(rig, "jawOpen"))
    operator.invoke(view, view.event("LEFTMOUSE", "PRESS", start))
    operator.modal(view, view.event("MOUSEMOVE", "NOTHING", start - np.array([0, 0, 0.03]) * rig.size))
    assert any(values(head).values())
    assert operator.modal(view, view.event("ESC", "PRESS", start)) == {"CANCELLED"}
    assert not any(values(head).values())
    beside = start + np.array([2, 0, 0]) * rig.size
    assert operator.invoke(view, view.event("LEFTMOUSE", "PRESS", beside)) == {"PASS_THROUGH"}


def test_a_click_pins_and_alt_click_removes_the_pin(bpy: Any, head: Any) -> None:
    from blender.operators.pose import Drag, RemovePin

    view, operator = View(bpy, head), without_blender(Drag)
    start = place_of(head, corner(fw.sample(), "jawOpen"))
    operator.invoke(view, view.event("LEFTMOUSE", "PRESS", start))
    assert operator.modal(view, view.event("LEFTMOUSE", "RELEASE", start)) == {"FINISHED"}
    assert operator.said[-1] == "pin set"
    assert (len(head.facewright_pins), view.redrawn) == (1, 1)
    remove = without_blender(RemovePin)
    assert remove.invoke(view, view.event("LEFTMOUSE", "PRESS", start)) == {"FINISHED"}
    assert (len(head.facewright_pins), view.redrawn) == (0, 2)
    assert remove.invoke(view, view.event("LEFTMOUSE", "PRESS", start)) == {"CANCELLED"}


def test_a_wrong_object_or_place_is_told_in_words(bpy: Any, head: Any) -> None:
    from blender.operators.pose import Drag, RemovePin

    view = View(bpy, head)
    event = view.event("LEFTMOUSE", "PRESS", (0, 0, 0))
    for operator in (without_blender(Drag), without_blender(RemovePin)):
        view.active_object = None
        assert operator.invoke(view, event) == {"CANCELLED"}
        assert "nothing is active" in operator.said[-1]
        view.active_object, kept, view.region = head, view.region, None
        assert operator.invoke(view, event) == {"CANCELLED"}
        assert operator.said[-1] == "drag in a 3D viewport"
        view.region = kept
