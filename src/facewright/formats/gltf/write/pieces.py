"""The parts of a rig as meshes of a new file: their polygons sorted by material, and the shapes that move them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.formats.gltf.accessors.rows import Rows, on_part
from facewright.formats.gltf.materials.write import MaterialWriter
from facewright.formats.rig_meshes import home_parts, joined_parts
from facewright.mesh.polygons import Polygons
from facewright.rig.materials import default_material
from facewright.rig.rig import Part


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of the rig that becomes a mesh."""

    part: Part
    order: Ints  # (f,) its polygons in the rig, those of one material together
    material: Ints  # (f,) index of each polygon's material in the file, or NONE
    materials: tuple[int, ...]  # each of these once; of a part without polygons the default
    polygons: Polygons  # over the part's own points
    uvs: Floats | None  # (c, 2) at its corners, NaN where there are none
    shapes: dict[str, Rows]  # offsets of its own points by the shapes that move it


def pieces_of(document: Document, materials: MaterialWriter) -> list[Piece]:
    """The parts, as one where polygons join them; every shape is in at least one."""
    rig = document.rig
    parts = joined_parts(rig)
    home = home_parts(rig, parts)
    moved = [{shape.name: on_part(shape, part) for shape in rig.shapes} for part in parts]
    most = int(np.argmax([sum(len(rows.rows) > 0 for rows in listed.values()) for listed in moved]))
    idle = {name for name in rig.shape_names if all(len(listed[name].rows) == 0 for listed in moved)}
    return [
        _piece(document, part, np.flatnonzero(home == number), materials, {
            name: rows for name, rows in moved[number].items() if len(rows.rows) or (name in idle and number == most)
        })
        for number, part in enumerate(parts)
    ]  # fmt: skip


def _piece(document: Document, part: Part, chosen: Ints, materials: MaterialWriter, shapes: dict[str, Rows]) -> Piece:
    rig = document.rig
    material = _materials(document, part, chosen, materials)
    by_material = np.argsort(material, kind="stable")
    chosen, material = chosen[by_material], material[by_material]
    counts = rig.polygons.counts[chosen]
    corners = np.repeat(rig.polygons.starts[chosen] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    polygons = Polygons(rig.polygons.corners[corners] - part.start, counts)
    uvs = None
    if rig.uvs is not None and (rig.uvs.corners[corners] >= 0).any():
        rows = rig.uvs.corners[corners]
        uvs = np.where((rows >= 0)[:, None], rig.uvs.coordinates[rows], np.nan)
    used = np.unique(material).tolist() or [materials.index(default_material(part.name))]
    return Piece(part, chosen, material, tuple(used), polygons, uvs, shapes)


def _materials(document: Document, part: Part, chosen: Ints, writer: MaterialWriter) -> Ints:
    """The file's material of each of some polygons: the document's, or the default of a part of that name."""
    if document.materials is None:
        return np.full(len(chosen), writer.index(default_material(part.name)))
    rows = document.materials.of_polygon[chosen]
    index = {row: writer.index(document.materials[row]) for row in np.unique(rows).tolist()}
    return np.array([index[row] for row in rows.tolist()], np.int64)
