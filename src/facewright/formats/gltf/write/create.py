"""A new file for a document that was opened from no glTF file, or that can no longer be written into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.block import block_for, default_entry
from facewright.formats.gltf.accessors.encode import Builder
from facewright.formats.gltf.accessors.rows import Rows, spread
from facewright.formats.gltf.animation.keys import add_clip, can_animate
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extensions import declare
from facewright.formats.gltf.container.extras import set_block
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.normals import SmoothNormals
from facewright.formats.gltf.geometry.primitives import NGON
from facewright.formats.gltf.geometry.unweld import Rendered, unweld
from facewright.formats.gltf.geometry.weld import Weld, copies_block, weld
from facewright.formats.gltf.materials.write import NONE, MaterialWriter
from facewright.formats.gltf.unit import unit_block
from facewright.formats.gltf.write.pieces import Piece, pieces_of
from facewright.formats.rig_meshes import moved_pins
from facewright.formats.write_options import Keys
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig


def create_asset(document: Document, keys: Keys = "exact") -> Asset:
    """A file with one mesh for each part, and one primitive for each of its materials."""
    rig = document.rig
    if rig.vertex_count == 0:
        raise BadValue("a glTF mesh has at least one vertex, and this rig has none")
    json: Json = {"asset": {"version": "2.0", "generator": "facewright"}, "scene": 0, "scenes": [{}], "nodes": []}
    builder = Builder(json)
    materials = MaterialWriter(json, () if document.materials is None else document.materials.images)
    pieces = pieces_of(document, materials)
    values = dict(zip(rig.shape_names, Combine(rig)(document.pose).tolist(), strict=True))
    for number, piece in enumerate(pieces):
        json["nodes"].append({"name": piece.part.name, "mesh": number})
        json.setdefault("meshes", []).append(_mesh(rig, piece, values, builder))
    json["scenes"][0]["nodes"] = list(range(len(pieces)))
    targets = {number: list(piece.shapes) for number, piece in enumerate(pieces)}
    _add_clips(document, targets, builder, keys)
    merged = list(dict.fromkeys(name for names in targets.values() for name in names))
    parts = [piece.part for piece in pieces]
    kept = replace(document, pins=moved_pins(document, np.concatenate([piece.order for piece in pieces])))
    set_block(json, block_for(kept, default_entry(merged, parts)) | unit_block(document))
    return Asset(json, materials.binary(builder.finished()))


def _add_clips(document: Document, targets: Mapping[int, Sequence[str]], builder: Builder, keys: Keys) -> None:
    if not can_animate(document, targets):
        return
    for clip in document.clips:
        animation: Json = {}
        add_clip(animation, clip, document.rig, targets, builder, keys)
        builder.json.setdefault("animations", []).append(animation)


def _mesh(rig: Rig, piece: Piece, values: dict[str, float], builder: Builder) -> Json:
    positions = rig.neutral[piece.part.start : piece.part.stop]
    rendered = unweld(len(positions), piece.polygons, piece.uvs)
    normals = SmoothNormals(positions, piece.polygons.triangles)
    attributes = {
        "POSITION": builder.attribute(positions[rendered.point], bounds=True),
        "NORMAL": builder.attribute(normals.unit[rendered.point]),
    }
    if rendered.uvs is not None:
        attributes["TEXCOORD_0"] = builder.attribute(np.column_stack([rendered.uvs[:, 0], 1 - rendered.uvs[:, 1]]))
    primitives = [{"attributes": attributes, **drawn} for drawn in _drawn(piece, rendered, builder)]
    mesh: Json = {"name": piece.part.name, "primitives": primitives}
    if piece.shapes:
        targets = [_target(moved, normals, rendered, builder) for moved in piece.shapes.values()]
        for primitive in primitives:
            primitive["targets"] = targets
        mesh["weights"] = [values[name] for name in piece.shapes]
        mesh["extras"] = {"targetNames": list(piece.shapes)}
    _state_copies(mesh, positions, piece.shapes.values(), np.tile(rendered.point, len(primitives)))
    return mesh


def _drawn(piece: Piece, rendered: Rendered, builder: Builder) -> Iterator[Json]:
    """What differs between the primitives of a mesh: material and triangles. They share their vertices."""
    of_triangle = piece.material[piece.polygons.polygon_of_triangle]
    for index in piece.materials:
        primitive: Json = {} if index == NONE else {"material": index}
        triangles = rendered.triangles[of_triangle == index]
        if len(triangles):
            primitive["indices"] = builder.indices(triangles.ravel(), len(rendered.point))
        else:
            primitive["mode"] = 0  # points
        if rendered.has_ngons:
            declare(builder.json, NGON)
            primitive["extensions"] = {NGON: {}}
        yield primitive


def _target(moved: Rows, normals: SmoothNormals, rendered: Rendered, builder: Builder) -> Json:
    points, count = len(normals.unit), len(rendered.point)
    return {
        "POSITION": builder.offsets(spread(moved, rendered.point, points), count, bounds=True),
        "NORMAL": builder.offsets(spread(normals.changes(moved), rendered.point, points), count),
    }


def _state_copies(mesh: Json, positions: Floats, shapes: Iterable[Rows], point: Ints) -> None:
    """State which render vertices are copies, where a reader would weld others as well; `point` is that of each."""
    stored = positions.astype(np.float32).astype(np.float64)[point]
    moved = (
        spread(Rows(rows.rows, rows.values.astype(np.float32).astype(np.float64)), point, len(positions))
        for rows in shapes
    )
    if not np.array_equal(weld(stored, moved).point, point):
        _, first = np.unique(point, return_index=True)
        set_block(mesh, copies_block(Weld(point, first)))
