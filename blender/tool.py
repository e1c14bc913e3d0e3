"""The tool of the toolbar, and its pins drawn over the viewport."""

from typing import Any

import bpy
import numpy as np

from facewright.errors import FacewrightError

from .mesh import coordinates
from .pins import pins_of
from .reporting import InWords

_COLOR = (0.95, 0.55, 0.1, 1.0)
_SIZE = 9.0  # pixels
_HANDLES: list[Any] = []


class DragTool(bpy.types.WorkSpaceTool):
    """Drag the face."""

    bl_space_type = "VIEW_3D"
    bl_context_mode = "OBJECT"
    bl_idname = "facewright.drag_tool"
    bl_label = "Drag Face"
    bl_description = "Drag a point of the face, and its shape keys follow. Click to pin, Alt click to remove a pin"
    bl_icon = "ops.pose.push"
    bl_widget = None
    bl_keymap = (
        ("facewright.remove_pin", {"type": "LEFTMOUSE", "value": "PRESS", "alt": True}, None),
        ("facewright.drag", {"type": "LEFTMOUSE", "value": "PRESS"}, None),
    )

    @staticmethod
    def draw_settings(context: Any, layout: Any, tool: Any) -> None:
        """The settings beside the tool's name."""
        for name in ("method", "symmetric", "damped"):
            layout.prop(context.scene.facewright, name)


class ChooseTool(InWords, bpy.types.Operator):
    """Choose the tool that drags the face: click to pin, drag, Esc cancels, Alt click removes a pin"""

    bl_idname = "facewright.choose_tool"
    bl_label = "Drag Face"

    def run(self, context: Any) -> str:
        if bpy.app.background:
            return ""
        bpy.ops.wm.tool_set_by_id(name=DragTool.bl_idname)
        return ""


def pin_places(context: Any) -> np.ndarray:
    """Where the pins of the active object are shown, in the world (k, 3)."""
    thing = context.active_object
    if thing is None or thing.type != "MESH" or thing.mode == "EDIT" or not len(thing.facewright_pins):
        return np.zeros((0, 3))
    evaluated = thing.evaluated_get(context.evaluated_depsgraph_get())
    shown = evaluated.data.vertices
    if len(shown) != len(thing.data.vertices):
        return np.zeros((0, 3))
    pins = pins_of(thing)
    triangles = _triangles(thing, [pin.triangle or 0 for pin in pins])
    points = coordinates(shown)
    places = np.array([np.array(pin.barycentric) @ points[row] for pin, row in zip(pins, triangles, strict=True)])
    world = np.array(thing.matrix_world)
    return np.asarray(places.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])


def _triangles(thing: Any, wanted: list[int]) -> np.ndarray:
    from .mesh import polygons

    return polygons(thing.data).triangles[wanted]


def _draw() -> None:
    import gpu
    from gpu_extras.batch import batch_for_shader

    try:
        places = pin_places(bpy.context)
    except FacewrightError:
        return
    if not len(places):
        return
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.point_size_set(_SIZE)
    gpu.state.depth_test_set("NONE")
    shader.uniform_float("color", _COLOR)
    batch_for_shader(shader, "POINTS", {"pos": [tuple(place) for place in places.tolist()]}).draw(shader)


def register() -> None:
    bpy.utils.register_tool(DragTool, separator=True)
    if not bpy.app.background:
        _HANDLES.append(bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW"))


def unregister() -> None:
    while _HANDLES:
        bpy.types.SpaceView3D.draw_handler_remove(_HANDLES.pop(), "WINDOW")
    bpy.utils.unregister_tool(DragTool)


CLASSES = (ChooseTool,)
