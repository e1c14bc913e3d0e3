"""What `tools.blender_window` has a Blender with a window do: it drags the face with the mouse, and keeps a picture.

Run by that Blender, with the folder of the results behind `--`.
"""

import json
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from blender.keys import write_keys
from blender.space import Space, z_up
from bpy_extras import view3d_utils
from mathutils import Quaternion, Vector

import blender
import facewright as fw
from blender import panels
from facewright.rig.edit.bake import scale

_METRE = 0.01  # of the embedded head's unit
_TAB = (13, 178)  # pixels from the upper right corner of the sidebar to our tab, below Item, Tool and View
_DRAG = (8, 20)  # pixels by which the corner of the mouth is dragged
_MOVES = 8


def main() -> None:
    bpy.context.preferences.view.show_splash = False
    bpy.context.preferences.use_preferences_save = False
    steps = _steps(Path(sys.argv[sys.argv.index("--") + 1]))

    def step() -> float | None:
        try:
            return next(steps, None)
        except Exception:
            traceback.print_exc()
            bpy.ops.wm.quit_blender()
            return None

    bpy.app.timers.register(step, first_interval=1.0)


def _steps(folder: Path) -> Iterator[float]:
    """What is done, with the seconds in which Blender answers."""
    blender.register()
    drawn = _watched()
    thing, window = _face(), bpy.context.window
    area = next(one for one in window.screen.areas if one.type == "VIEW_3D")
    _look(area)
    yield 2.0
    sidebar = next(one for one in area.regions if one.type == "UI")
    yield from _click(window, sidebar.x + sidebar.width - _TAB[0], sidebar.y + sidebar.height - _TAB[1])
    assert drawn, "the tab was not met by the click"
    region = next(one for one in area.regions if one.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.facewright.choose_tool()
    yield 1.0
    yield from _drag(window, region, _corner(thing, area, region))
    keys = thing.data.shape_keys.key_blocks
    moved = {key.name: round(key.value, 3) for key in keys[1:] if abs(key.value) > 5e-4}
    assert moved, "the drag moved nothing"
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.screen.screenshot_area(filepath=str(folder / "window.png"))
    said = {"blender": bpy.app.version_string, "pins": len(thing.facewright_pins), "moved": moved}
    (folder / "window.json").write_text(json.dumps(said))
    bpy.ops.wm.quit_blender()


def _watched() -> list[str]:
    """A list that is no longer empty once our panel was drawn."""
    drawn: list[str] = []
    about = panels.about

    def noted(thing: Any) -> tuple[str, ...]:
        drawn.extend(about(thing))
        return about(thing)

    panels.about = noted
    return drawn


def _face() -> Any:
    """The embedded head, made with what Blenders of old know, too."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    rig = scale(fw.sample(), _METRE)
    polygons = np.split(rig.polygons.corners, rig.polygons.starts[1:-1])
    mesh = bpy.data.meshes.new("face")
    mesh.from_pydata(z_up(rig.neutral).tolist(), [], [polygon.tolist() for polygon in polygons])
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    thing = bpy.data.objects.new("face", mesh)
    bpy.context.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = thing
    write_keys(thing, rig, Space.of(thing))
    return thing


def _look(area: Any) -> None:
    """Look at the face from the front, left of the sidebar."""
    space, view = area.spaces.active, area.spaces.active.region_3d
    space.show_region_ui = True
    view.view_rotation = Quaternion((0.7071068, 0.7071068, 0.0, 0.0))
    view.view_perspective, view.view_distance, view.view_location = "PERSP", 0.4, Vector((0.025, 0.0, -0.005))


def _corner(thing: Any, area: Any, region: Any) -> tuple[int, int]:
    """Where the corner of the mouth is in the window."""
    shape = fw.sample().shape("mouthSmileLeft")
    vertex = int(shape.vertices[np.linalg.norm(shape.offsets, axis=1).argmax()])
    place = thing.matrix_world @ thing.data.vertices[vertex].co
    at = view3d_utils.location_3d_to_region_2d(region, area.spaces.active.region_3d, place)
    return int(region.x + at.x), int(region.y + at.y)


def _click(window: Any, x: int, y: int) -> Iterator[float]:
    window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.5
    window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
    window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=y)
    yield 2.0


def _drag(window: Any, region: Any, start: tuple[int, int]) -> Iterator[float]:
    x, y = start
    window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.5
    window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
    yield 2.0
    for i in range(1, _MOVES + 1):
        x, y = start[0] + _DRAG[0] * i // _MOVES, start[1] + _DRAG[1] * i // _MOVES
        window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
        yield 0.5
    window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=y)
    yield 3.0


main()
