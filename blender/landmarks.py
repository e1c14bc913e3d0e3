"""Landmarks of a mesh as empties that belong to it: corners of eyes and mouth, tip of the nose, chin."""

from typing import Any

import bpy
import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats
from facewright.build.registration.face_mesh import FaceMesh
from facewright.errors import BadValue
from facewright.rig.rig import Rig

from .space import Space

_NAME = "facewright_landmark"  # the property of an empty that says which landmark it is
_FAR = 0.05  # of the face's size: an empty further off the mesh was not put onto it
_SHOWN = 0.01  # of the face's size


def add_landmarks(thing: Any, rig: Rig, space: Space, template: Rig) -> tuple[str, ...]:
    """Empties for the landmarks of a template, about where they are on an object; returns their names."""
    known = FaceMesh(template, "the template").landmarks
    if not known:
        raise BadValue("no landmarks are found on the template, which has no openings of eyes and mouth")
    for old in _empties(thing):
        bpy.data.objects.remove(old)
    low, high = (template.neutral.min(axis=0), template.neutral.max(axis=0))
    start, end = rig.neutral.min(axis=0), rig.neutral.max(axis=0)
    for name, vertex in known.items():
        share = (template.neutral[vertex] - low) / np.maximum(high - low, 1e-12)
        empty = bpy.data.objects.new(name, None)
        empty[_NAME] = name
        empty.empty_display_type, empty.empty_display_size = "SPHERE", _SHOWN * rig.size
        empty.show_name = empty.show_in_front = True
        for collection in thing.users_collection:
            collection.objects.link(empty)
        empty.parent, empty.matrix_parent_inverse = thing, thing.matrix_world.inverted()
        empty.location = space.to_world(start + share * (end - start)).tolist()
    return tuple(known)


def landmarks_of(thing: Any, rig: Rig, space: Space) -> dict[str, int] | None:
    """The vertex at each of the landmarks of an object; None where it has none."""
    empties = _empties(thing)
    if not empties:
        return None
    places = np.array([space.from_world(_place(empty)) for empty in empties])
    away, vertices = (np.atleast_1d(found) for found in cKDTree(rig.neutral).query(places))
    if (away > _FAR * rig.size).any():
        far = [empty[_NAME] for empty, distance in zip(empties, away, strict=True) if distance > _FAR * rig.size]
        raise BadValue(f"put the landmarks onto the face, or delete them: {', '.join(far)}")
    return {empty[_NAME]: int(vertex) for empty, vertex in zip(empties, vertices, strict=True)}


def _empties(thing: Any) -> list[Any]:
    return [one for one in thing.children if one.type == "EMPTY" and isinstance(one.get(_NAME), str)]


def _place(empty: Any) -> Floats:
    return np.array(empty.matrix_world.translation)
