"""Posing: drag the face, pins, rest."""

from typing import Any

import bpy
import numpy as np
from bpy_extras import view3d_utils

from facewright.document import PlacedPin
from facewright.errors import BadValue, FacewrightError

from ..face import read_face
from ..gesture import PoseGesture
from ..keys import write_values
from ..mesh import face_object
from ..pins import add_pin, pins_of, remove_pin
from ..pose_drag import DragSettings, PoseDrag, Ray, insert_keys
from ..reporting import CANCELLED, InWords
from ..surface import Surface


def drag_settings(context: Any, thing: Any) -> DragSettings:
    """What the panel says."""
    chosen = context.scene.facewright
    return DragSettings(
        chosen.method, chosen.symmetric, chosen.damped, chosen.held_by, chosen.held_group, pins_of(thing)
    )


def pointer_ray(context: Any, event: Any) -> Ray:
    """What is under the pointer in a 3D viewport."""
    region, view = context.region, context.region_data
    if region is None or view is None:
        raise BadValue("drag in a 3D viewport")
    at = (event.mouse_region_x, event.mouse_region_y)
    origin, direction = (
        np.array(one(region, view, at))
        for one in (view3d_utils.region_2d_to_origin_3d, view3d_utils.region_2d_to_vector_3d)
    )
    return Ray(origin, direction, np.array(view.view_matrix.inverted().col[2][:3]))


class Drag(InWords, bpy.types.Operator):
    """Drag a point of the face; its shape keys follow. A click sets a pin, which keeps its place in later drags"""

    bl_idname = "facewright.drag"
    bl_label = "Drag Face"
    bl_options = {"REGISTER", "UNDO", "BLOCKING"}

    triangle: bpy.props.IntProperty(name="Triangle", default=-1, options={"HIDDEN"})
    barycentric: bpy.props.FloatVectorProperty(name="Barycentric coordinates", size=3, options={"HIDDEN"})
    offset: bpy.props.FloatVectorProperty(
        name="Offset", description="How far the point goes, in the world", subtype="TRANSLATION", size=3
    )
    plane: bpy.props.FloatVectorProperty(
        name="Plane",
        description="Normal of the plane in which the offset counts; 0: everywhere",
        size=3,
        options={"HIDDEN"},
    )

    _gesture: PoseGesture

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Called by Blender."""
        thing = context.active_object
        try:
            with self.heard():
                face_object(thing)
                ray = pointer_ray(context, event)
                drag = PoseDrag.begin(thing, context.evaluated_depsgraph_get(), ray, drag_settings(context, thing))
        except FacewrightError as problem:
            return self.refuse(problem)
        if drag is None:
            return {"PASS_THROUGH"}
        self._gesture = PoseGesture(drag)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """Called by Blender."""
        try:
            outcome = self._gesture.handle(event.type, event.value, lambda: pointer_ray(context, event))
        except FacewrightError as problem:
            self._gesture.drag.cancel()
            return self.refuse(problem)
        drag = self._gesture.drag
        context.workspace.status_text_set(None if outcome != "RUNNING_MODAL" else drag.words() or None)
        if outcome == "FINISHED":
            self._remember(drag)
            context.area.tag_redraw()  # the sidebar counts the pins
            self.report({"INFO"}, finish_drag(context, drag))
        return {outcome}

    def run(self, context: Any) -> str:
        """The same drag once more, or one that a script asks for."""
        thing = face_object(context.active_object)
        if self.triangle < 0:
            raise BadValue("choose the tool Drag Face in the toolbar, and drag the face in a 3D viewport")
        settings = drag_settings(context, thing)
        drag = drag_at(thing, context.evaluated_depsgraph_get(), settings, self.triangle, tuple(self.barycentric))
        if any(self.offset):
            drag.to(drag.grabbed + np.array(self.offset), np.array(self.plane) if any(self.plane) else None)
        return finish_drag(context, drag)

    def _remember(self, drag: PoseDrag) -> None:
        """Keep what was done, so that it can be adjusted and repeated."""
        self.triangle, self.barycentric = drag.pin.triangle, drag.pin.barycentric
        self.offset, self.plane = drag.last_offset, drag.last_plane


def drag_at(
    thing: Any, depsgraph: Any, settings: DragSettings, triangle: int, barycentric: tuple[float, ...]
) -> PoseDrag:
    """A drag of one point of the surface, whose pin is set if there is none there."""
    face = read_face(thing)
    surface = Surface.of(face, thing, depsgraph)
    if triangle >= len(face.rig.triangles):
        raise BadValue(f"there is no triangle {triangle}; {thing.name} has {len(face.rig.triangles):,}")
    total = sum(barycentric)
    mix = np.array(barycentric) / total if total > 0 else np.full(3, 1 / 3)
    for pin in settings.pins:
        if pin.triangle == triangle and np.allclose(pin.barycentric or (), mix, atol=1e-5):
            return PoseDrag.of(thing, face, surface, settings, pin)
    number = max((pin.id for pin in settings.pins), default=-1) + 1
    a, b, c = mix.tolist()
    return PoseDrag.of(thing, face, surface, settings, PlacedPin(id=number, triangle=triangle, barycentric=(a, b, c)))


def finish_drag(context: Any, drag: PoseDrag) -> str:
    """Keep the pin, and key what changed where that is switched on. Returns what a person should know."""
    if drag.is_new:
        add_pin(drag.thing, drag.pin)
    if drag.changed and context.scene.tool_settings.use_keyframe_insert_auto:
        insert_keys(drag.thing, drag.changed)
    said = [drag.words(), drag.cut_words(), drag.face.driven_words()]
    return "; ".join(filter(None, said)) or (f"{len(drag.changed)} shape keys moved" if drag.changed else "pin set")


class RemovePin(InWords, bpy.types.Operator):
    """Remove the pin under the pointer"""

    bl_idname = "facewright.remove_pin"
    bl_label = "Remove Pin"
    bl_options = {"REGISTER", "UNDO"}

    number: bpy.props.IntProperty(name="Number", default=-1)

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Called by Blender."""
        thing = context.active_object
        try:
            face_object(thing)
            ray = pointer_ray(context, event)
            drag = PoseDrag.begin(thing, context.evaluated_depsgraph_get(), ray, drag_settings(context, thing))
        except FacewrightError as problem:
            return self.refuse(problem)
        if drag is None or drag.is_new:
            return CANCELLED
        self.number = drag.pin.id
        context.area.tag_redraw()
        return self.execute(context)

    def run(self, context: Any) -> str:
        thing = face_object(context.active_object)
        numbers = [pin.number for pin in thing.facewright_pins]
        if self.number not in numbers:
            raise BadValue(f"there is no pin {self.number}; there are {', '.join(map(str, numbers)) or 'none'}")
        remove_pin(thing, self.number)
        return ""


class ClearPins(InWords, bpy.types.Operator):
    """Remove all pins of the active face"""

    bl_idname = "facewright.clear_pins"
    bl_label = "Clear Pins"
    bl_options = {"REGISTER", "UNDO"}

    def run(self, context: Any) -> str:
        face_object(context.active_object).facewright_pins.clear()
        return ""


class RestPose(InWords, bpy.types.Operator):
    """Set the value of every shape key that nothing drives to 0"""

    bl_idname = "facewright.rest"
    bl_label = "Rest"
    bl_options = {"REGISTER", "UNDO"}

    def run(self, context: Any) -> str:
        thing = context.active_object
        face = read_face(thing)
        at_rest = {name: 0.0 for name in face.rig.sliders if name not in face.driven}
        changed = write_values(thing.data.shape_keys, at_rest)
        if changed and context.scene.tool_settings.use_keyframe_insert_auto:
            insert_keys(thing, changed)
        return f"{len(changed)} shape keys at rest"


CLASSES = (Drag, RemovePin, ClearPins, RestPose)
