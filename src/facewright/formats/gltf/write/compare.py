"""Whether a rig still fits the file that it was opened from: the same points, polygons and seams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.formats.gltf.block import parts_fit
from facewright.formats.gltf.materials.write import can_assign
from facewright.formats.gltf.read import Opened, rig_parts
from facewright.rig.rig import Rig


@dataclass(frozen=True, eq=False)
class Fit:
    """Why a rig does not fit, empty where it does; and each part's new texture coordinates, None where they are old."""

    problem: str
    uvs: tuple[Floats | None, ...] = ()


def fit(opened: Opened, document: Document) -> Fit:
    before, rig = opened.document.rig, document.rig
    if before.vertex_count != rig.vertex_count:
        return Fit(f"it has {rig.vertex_count} vertices, the file {before.vertex_count}")
    if not before.polygons.same_as(rig.polygons):
        return Fit("its polygons are others")
    if not parts_fit(rig.parts, rig_parts(opened.parts)):
        return Fit("its parts are divided otherwise")
    if document.materials is not None and not can_assign(opened.asset, document.materials.of_polygon):
        return Fit("its polygons have other materials")
    uvs = _uvs(opened, rig)
    return Fit("its texture coordinates have other seams") if uvs is None else Fit("", uvs)


def _uvs(opened: Opened, rig: Rig) -> tuple[Floats | None, ...] | None:
    """New coordinates (r, 2) of each part's render vertices; None as a whole where a vertex would need two."""
    if rig.uvs is None:  # the file's textures still need theirs
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
