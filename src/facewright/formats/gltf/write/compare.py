"""Whether a document can be written into the file it was opened from: same points, polygons and seams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.formats.block import divides_parts
from facewright.formats.gltf.materials.write import can_assign
from facewright.formats.gltf.read import Opened, rig_parts
from facewright.rig.rig import Rig


@dataclass(frozen=True, eq=False)
class Comparison:
    """Why it cannot be, empty where it can; and new texture coordinates of each part, None where they are the old."""

    problem: str
    uvs: tuple[Floats | None, ...] = ()


def compare(opened: Opened, document: Document) -> Comparison:
    before, rig = opened.document.rig, document.rig
    if before.vertex_count != rig.vertex_count:
        return Comparison(f"it has {rig.vertex_count} vertices, the file {before.vertex_count}")
    if not before.polygons.same_as(rig.polygons):
        return Comparison("its polygons are others")
    if not divides_parts(rig.parts, rig_parts(opened.parts)):
        return Comparison("its parts are divided otherwise")
    if document.materials is not None and not can_assign(opened.asset, document.materials.of_polygon):
        return Comparison("its polygons have other materials")
    uvs = _uvs(opened, rig)
    return Comparison("its texture coordinates have other seams") if uvs is None else Comparison("", uvs)


def _uvs(opened: Opened, rig: Rig) -> tuple[Floats | None, ...] | None:
    """New coordinates (r, 2) of each part's render vertices; None as a whole where a vertex would need two."""
    if rig.uvs is None:  # the file keeps its own for its textures
        return (None,) * len(opened.parts)
    at_corners = np.where((rig.uvs.corners >= 0)[:, None], rig.uvs.coordinates[rig.uvs.corners], np.nan)
    found: list[Floats | None] = []
    start = 0
    for part in opened.parts:
        corners = part.geometry.polygons.corners
        wanted = at_corners[start : start + len(corners)]
        start += len(corners)
        coordinates = part.geometry.uvs.copy()
        given = ~np.isnan(wanted).any(axis=1)
        coordinates[corners[given]] = wanted[given]
        if (coordinates[corners[given]] != wanted[given]).any():
            return None
        found.append(None if np.array_equal(coordinates, part.geometry.uvs, equal_nan=True) else coordinates)
    return tuple(found)
