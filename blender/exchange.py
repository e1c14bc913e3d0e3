"""A face of Blender as a document of the library, and a document as a face of Blender."""

from dataclasses import replace
from typing import Any

import bpy

from facewright.document import Document, bake_layers
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons
from facewright.rig.rig import Rig
from facewright.rig.unit import metres_per

from .curves import frame_rate, read_clip, write_clip
from .face import read_face, shape_keys
from .keys import WrittenKeys, check_topology, write_keys, write_values
from .mesh import coordinates, face_object, new_mesh, polygons
from .space import Space, z_up

_UNITS = {1.0: "m", 0.01: "cm", 0.001: "mm", 0.1: "dm", 0.0254: "in", 0.3048: "ft"}  # by metres
_SAME = 1e-4  # of the face's size


def document_of(thing: Any, scene: Any) -> Document:
    """An object with its pose and its present action."""
    face, keys = read_face(thing, writes=False), shape_keys(thing)
    clip = read_clip(keys, frame_rate(scene), scene.frame_start)
    unit = next((unit for metres, unit in _UNITS.items() if abs(scene.unit_settings.scale_length - metres) < 1e-7), "")
    document = replace(face.document, unit=unit)
    return document if clip is None else replace(document, clips=(clip,), clip=clip.name)


def new_face(context: Any, name: str, document: Document) -> tuple[Any, WrittenKeys]:
    """A new object with the rig, the pose and the clips of a document. It becomes the active one."""
    rig = document.rig
    factor = _blender_units(document, context.scene)
    mesh = new_mesh(bpy.data.meshes.new, name, z_up(factor * rig.neutral), rig.polygons, rig.uvs)
    thing = bpy.data.objects.new(name, mesh)
    context.collection.objects.link(thing)
    context.view_layer.update()
    if context.view_layer.objects.active is not None:
        for other in context.selected_objects:
            other.select_set(False)
    context.view_layer.objects.active = thing
    thing.select_set(True)
    if not rig.shapes:
        return thing, WrittenKeys((), (), ("a face without shapes",))
    written = write_keys(thing, _scaled(rig, factor), Space.of(thing))
    _write_motion(thing, document, context.scene)
    return thing, written


def update_face(context: Any, thing: Any, document: Document) -> WrittenKeys:
    """The shapes, the pose and the clips of a document of the same topology, on an object that has keys or not."""
    face_object(thing)
    check_topology(thing, document.rig, "the face")
    if not document.rig.shapes:
        raise BadValue("the face has no shapes; nothing was changed")
    factor = _blender_units(document, context.scene)
    rig = _scaled(document.rig, factor)
    written = write_keys(thing, rig, Space.of(thing))
    _write_motion(thing, document, context.scene)
    at_rest = Space.of(thing).points(coordinates(thing.data.shape_keys.reference_key.data))
    if abs(at_rest - rig.neutral).max(initial=0.0) > _SAME * rig.size:
        return replace(written, notes=(*written.notes, "the face at rest is another one there, and was left as it is"))
    return written


def fits(thing: Any, rig: Rig) -> bool:
    """Whether an object has the vertices and polygons of a rig."""
    if thing is None or thing.type != "MESH" or len(thing.data.vertices) != rig.vertex_count:
        return False
    faces: Polygons = polygons(thing.data)
    return faces.same_as(rig.polygons)


def _write_motion(thing: Any, document: Document, scene: Any) -> None:
    face, keys = read_face(thing), shape_keys(thing)
    known = {name: i for i, name in enumerate(document.rig.sliders)}
    pose = {name: float(document.pose[known[name]]) for name in face.rig.sliders if name in known}
    write_values(keys, {name: value for name, value in pose.items() if name not in face.driven})
    for clip in bake_layers(document).clips:
        write_clip(keys, clip, frame_rate(scene), scene.frame_start, tuple(face.driven))


def _blender_units(document: Document, scene: Any) -> float:
    """How many units of the scene one of a document is; 1 where the document does not say its unit."""
    return metres_per(document.unit) / scene.unit_settings.scale_length if document.unit else 1.0


def _scaled(rig: Rig, factor: float) -> Rig:
    from facewright.rig.edit.bake import scale

    return rig if factor == 1 else scale(rig, factor)
