"""A mesh of Blender as arrays."""

from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons, Uvs


def face_object(thing: Any, *, writes: bool = True) -> Any:
    """An object that can be a face; otherwise an error that says what would have worked.

    writes: its mesh is going to be changed.
    """
    if thing is None:
        raise BadValue("nothing is active; select the mesh of a face")
    if thing.type != "MESH":
        raise BadValue(f"{thing.name} is no mesh but of the type {thing.type.title()}; select the mesh of a face")
    if thing.mode == "EDIT":
        raise BadValue(f"{thing.name} is in edit mode; leave it first (Tab)")
    keys = thing.data.shape_keys
    for part in (thing, thing.data, *([] if keys is None else [keys])):
        if writes and part.library is not None:
            raise BadValue(
                f"{part.name} is linked from {part.library.filepath} and cannot be changed here;"
                " make it local first (Object, Relations, Make Local)"
            )
    if not len(thing.data.polygons):
        raise BadValue(f"{thing.name} has no polygons; select the mesh of a face")
    return thing


def coordinates(collection: Any) -> Floats:
    """The coordinates (v, 3) of vertices or of the points of a shape key."""
    found = np.empty(3 * len(collection), np.float32)
    collection.foreach_get("co", found)
    return found.reshape(-1, 3).astype(np.float64)


def set_coordinates(collection: Any, points: Floats) -> None:
    collection.foreach_set("co", np.ascontiguousarray(points, np.float32).ravel())


def polygons(mesh: Any) -> Polygons:
    return Polygons(_ints(mesh.loops, "vertex_index"), _ints(mesh.polygons, "loop_total"))


def uvs(mesh: Any) -> Uvs | None:
    """The active texture coordinates; None where there are none."""
    layer = mesh.uv_layers.active
    if layer is None or not len(layer.uv):
        return None
    flat = np.empty(2 * len(layer.uv), np.float32)
    layer.uv.foreach_get("vector", flat)
    if not np.isfinite(flat).all():
        return None
    unique, corners = np.unique(flat.reshape(-1, 2), axis=0, return_inverse=True)
    return Uvs(unique.astype(np.float64), corners.reshape(-1))


def _ints(collection: Any, name: str) -> Ints:
    found = np.empty(len(collection), np.int32)
    collection.foreach_get(name, found)
    return found.astype(np.int64)


def new_mesh(make: Any, name: str, points: Floats, faces: Polygons, texture: Uvs | None) -> Any:
    """A mesh from arrays; `make` is `bpy.data.meshes.new`."""
    mesh = make(name)
    mesh.vertices.add(len(points))
    set_coordinates(mesh.vertices, points)
    mesh.loops.add(len(faces.corners))
    mesh.loops.foreach_set("vertex_index", faces.corners.astype(np.int32))
    mesh.polygons.add(len(faces))
    mesh.polygons.foreach_set("loop_start", faces.starts[:-1].astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    if texture is not None and (texture.corners >= 0).all():
        layer = mesh.uv_layers.new(name="UVMap")
        layer.uv.foreach_set("vector", texture.coordinates[texture.corners].astype(np.float32).ravel())
    mesh.update(calc_edges=True)
    mesh.validate()
    return mesh
