"""A new file for a document that was opened from no glTF file, or that can no longer be written into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document, PlacedPin
from facewright.errors import BadValue
from facewright.formats.gltf.accessors.encode import Builder
from facewright.formats.gltf.accessors.rows import Rows, on_part, spread
from facewright.formats.gltf.animation.keys import add_clip, can_animate
from facewright.formats.gltf.block import block_for
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extensions import declare
from facewright.formats.gltf.container.extras import set_block
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.normals import SmoothNormals
from facewright.formats.gltf.geometry.primitives import NGON
from facewright.formats.gltf.geometry.unweld import Rendered, unweld
from facewright.formats.gltf.geometry.weld import Weld, copies_block, weld
from facewright.formats.gltf.materials.write import NONE, MaterialWriter
from facewright.mesh.polygons import Polygons
from facewright.rig.combine import Combine
from facewright.rig.materials import default_material
from facewright.rig.rig import Part, Rig


@dataclass(frozen=True, eq=False)
class _Piece:
    """A part of the rig that becomes a mesh."""

    part: Part
    order: Ints  # (f,) its polygons in the rig, those of one material together
    material: Ints  # (f,) index of each polygon's material in the file, or NONE
    materials: tuple[int, ...]  # each of these once; of a part without polygons the default
    polygons: Polygons  # over the part's own points
    uvs: Floats | None  # (c, 2) at its corners, NaN where there are none
    shapes: dict[str, Rows]  # offsets of its own points by the shapes that move it


def create_asset(document: Document) -> Asset:
    """A file with one mesh for each part, and one primitive for each of its materials."""
    rig = document.rig
    if rig.vertex_count == 0:
        raise BadValue("a glTF mesh has at least one vertex, and this rig has none")
    json: Json = {"asset": {"version": "2.0", "generator": "facewright"}, "scene": 0, "scenes": [{}], "nodes": []}
    builder = Builder(json)
    materials = MaterialWriter(json, () if document.materials is None else document.materials.images)
    pieces = _pieces(document, materials)
    values = dict(zip(rig.shape_names, Combine(rig)(document.pose).tolist(), strict=True))
    for number, piece in enumerate(pieces):
        json["nodes"].append({"name": piece.part.name, "mesh": number})
        json.setdefault("meshes", []).append(_mesh(rig, piece, values, builder))
    json["scenes"][0]["nodes"] = list(range(len(pieces)))
    targets = {number: list(piece.shapes) for number, piece in enumerate(pieces)}
    _add_clips(document, targets, builder)
    merged = list(dict.fromkeys(name for names in targets.values() for name in names))
    parts = [piece.part for piece in pieces]
    kept = replace(document, pins=_moved_pins(document, np.concatenate([piece.order for piece in pieces])))
    set_block(json, block_for(kept, shapes=merged, parts=parts))
    return Asset(json, materials.binary(builder.finished()))


def _add_clips(document: Document, targets: Mapping[int, Sequence[str]], builder: Builder) -> None:
    if not can_animate(document, targets):
        return
    for clip in document.clips:
        animation: Json = {}
        add_clip(animation, clip, document.rig, targets, builder)
        builder.json.setdefault("animations", []).append(animation)


def _moved_pins(document: Document, order: Ints) -> tuple[PlacedPin, ...]:
    """The pins, with the triangles that they are on when the polygons are in the file's order."""
    polygons = document.rig.polygons
    if np.array_equal(order, np.arange(len(polygons))):
        return document.pins
    fans = np.cumsum([0, *(polygons.counts - 2)])  # first triangle of each polygon
    moved = np.concatenate([np.zeros(0, np.int64), *(np.arange(fans[row], fans[row + 1]) for row in order)])
    place = np.argsort(moved)
    return tuple(
        pin if pin.triangle is None else replace(pin, triangle=int(place[pin.triangle])) for pin in document.pins
    )


def _pieces(document: Document, materials: MaterialWriter) -> list[_Piece]:
    """The parts, as one where polygons join them; every shape is in at least one."""
    rig = document.rig
    parts = _joined(rig)
    stops = np.array([part.stop for part in parts])
    home = np.searchsorted(stops, rig.polygons.corners[rig.polygons.starts[:-1]], side="right")
    moved = [{shape.name: on_part(shape, part) for shape in rig.shapes} for part in parts]
    most = int(np.argmax([sum(len(rows.rows) > 0 for rows in listed.values()) for listed in moved]))
    idle = {name for name in rig.shape_names if all(len(listed[name].rows) == 0 for listed in moved)}
    return [
        _piece(document, part, np.flatnonzero(home == number), materials, {
            name: rows for name, rows in moved[number].items() if len(rows.rows) or (name in idle and number == most)
        })
        for number, part in enumerate(parts)
    ]  # fmt: skip


def _piece(document: Document, part: Part, chosen: Ints, materials: MaterialWriter, shapes: dict[str, Rows]) -> _Piece:
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
    return _Piece(part, chosen, material, tuple(used), polygons, uvs, shapes)


def _materials(document: Document, part: Part, chosen: Ints, writer: MaterialWriter) -> Ints:
    """The file's material of each of some polygons: the document's, or the default of a part of that name."""
    if document.materials is None:
        return np.full(len(chosen), writer.index(default_material(part.name)))
    rows = document.materials.of_polygon[chosen]
    index = {row: writer.index(document.materials[row]) for row in np.unique(rows).tolist()}
    return np.array([index[row] for row in rows.tolist()], np.int64)


def _joined(rig: Rig) -> list[Part]:
    """The rig's parts; those that a polygon connects are one range."""
    stops = np.array([part.stop for part in rig.parts])
    of_corner = np.searchsorted(stops, rig.polygons.corners, side="right")
    starts = rig.polygons.starts[:-1]
    low = np.minimum.reduceat(of_corner, starts) if len(starts) else np.zeros(0, np.int64)
    high = np.maximum.reduceat(of_corner, starts) if len(starts) else low
    bridged = np.zeros(len(stops) + 1, np.int64)
    np.add.at(bridged, low, 1)
    np.add.at(bridged, high, -1)
    open_after = np.cumsum(bridged)[:-1] > 0  # (parts,) whether a polygon connects it to the next part
    found: list[Part] = []
    for part, before in zip(rig.parts, [False, *open_after[:-1]], strict=True):
        if before:
            part = Part(found[-1].name, found.pop().start, part.stop)
        found.append(part)
    return [part for part in found if part.stop > part.start] or found[:1]


def _mesh(rig: Rig, piece: _Piece, values: dict[str, float], builder: Builder) -> Json:
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


def _drawn(piece: _Piece, rendered: Rendered, builder: Builder) -> Iterator[Json]:
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
