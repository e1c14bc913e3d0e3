"""Correctives: in-betweens and combinations as driven shape keys."""

from typing import Any

import bpy
import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue, OtherTopology
from facewright.rig.correctives import corrective_kinds
from facewright.rig.edit.extract import extract_corrective
from facewright.rig.edit.shapes import free_name
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig

from ..face import Face, read_face, some
from ..keys import write_keys
from ..mesh import coordinates, face_object
from ..reporting import InWords
from ..space import Space

_PLACES = 5  # decimal places of a value at which a corrective is full


class AddCorrective(InWords, bpy.types.Operator):
    """Add a shape key for the present pose, driven by the keys that are on: an in-between for one, a combination for
    several. It brings the face to the sculpt, or is empty, to be sculpted now"""

    bl_idname = "facewright.corrective"
    bl_label = "Add Corrective"
    bl_options = {"REGISTER", "UNDO"}

    name: bpy.props.StringProperty(
        name="Name", description="Of the new key; empty: by the keys that drive it", options={"SKIP_SAVE"}
    )
    sculpt: bpy.props.StringProperty(
        name="Sculpt",
        description="Object or shape key that is how the face should be in this pose; empty: none yet",
        options={"SKIP_SAVE"},
    )

    def run(self, context: Any) -> str:
        thing = context.active_object
        face = read_face(thing)
        pose = np.round(face.pose, _PLACES)
        on = tuple(n for n, value in zip(face.rig.sliders, pose, strict=True) if value != 0 and n not in face.driven)
        name = self.name or free_name(face.rig, _name(face.rig, pose, on))
        rig = extract_corrective(face.rig, name, pose, self._sculpt(thing, face, pose), sliders=on)
        write_keys(thing, rig, face.space, only={name})
        thing.active_shape_key_index = thing.data.shape_keys.key_blocks.find(name)
        return f"{name} is driven by {some(list(on))}"

    def _sculpt(self, thing: Any, face: Face, pose: Floats) -> Floats:
        if not self.sculpt:
            return evaluate(face.rig, pose)
        block, other = thing.data.shape_keys.key_blocks.get(self.sculpt), bpy.data.objects.get(self.sculpt)
        if block is not None:
            return face.space.points(coordinates(block.data))
        if other is None:
            raise BadValue(f"there is no shape key and no object named {self.sculpt!r}")
        mesh = face_object(other, writes=False).data
        if len(mesh.vertices) != face.rig.vertex_count:
            raise OtherTopology(
                f"{other.name} has {len(mesh.vertices):,} vertices, {thing.name} {face.rig.vertex_count:,};"
                " a sculpt is a copy of the face with the same vertices in the same order"
            )
        if mesh.shape_keys is None:
            return Space.of(other).points(coordinates(mesh.vertices))
        sculpted = read_face(other, writes=False)
        return evaluate(sculpted.rig, sculpted.pose)


def _name(rig: Rig, pose: Floats, on: tuple[str, ...]) -> str:
    if len(on) == 1:
        return f"{on[0]} {pose[rig.slider_index(on[0])]:g}"
    return "+".join(on)


class ListCorrectives(InWords, bpy.types.Operator):
    """Say which shape keys are in-betweens and combinations, and which are driven by something else"""

    bl_idname = "facewright.list_correctives"
    bl_label = "List Drivers"

    def run(self, context: Any) -> str:
        face = read_face(context.active_object, writes=False)
        kinds = corrective_kinds(face.rig)
        lines = [
            f"{shape.name}: {kinds[shape.name].value} of {_by(shape)}"
            for shape in face.rig.shapes
            if shape.name in kinds
        ]
        lines += [f"{name}: driven by {words}" for name, words in face.driven.items()]
        lines += [f"{name}: switched off" for name in face.muted]
        return "; ".join(lines) or f"no shape key of {face.name} is driven"


def _by(shape: Any) -> str:
    return " and ".join(
        name if at == 1 else f"{name} at {at:g}" for name, at in zip(shape.sliders, shape.at, strict=True)
    )


CLASSES = (AddCorrective, ListCorrectives)
