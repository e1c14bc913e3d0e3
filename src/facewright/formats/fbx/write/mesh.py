"""Meshes with their channels and shapes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.channels.written import WrittenChannel, WrittenMesh
from facewright.formats.fbx.write.encode import Element, element
from facewright.formats.fbx.write.objects import WrittenObjects
from facewright.formats.fbx.write.properties import properties
from facewright.formats.gltf.accessors.rows import Rows
from facewright.formats.gltf.geometry.normals import SmoothNormals

_SMOOTH = 1  # a smoothing group


def add_mesh(
    objects: WrittenObjects, piece: WrittenMesh, neutral: Floats, material: Ints, model: int
) -> dict[str, int]:
    """Add the mesh of a part to its model, with its channels; returns the ids of the channels by name."""
    positions = neutral[piece.part.start : piece.part.stop]
    normals = SmoothNormals(positions, piece.polygons.triangles)
    name = piece.part.name
    geometry = objects.add("Geometry", name, "Mesh", lambda: _geometry(piece, positions, normals, material))
    objects.connect(geometry, model)
    if not piece.channels:
        return {}
    deformer = objects.add("Deformer", f"{name} shapes", "BlendShape", lambda: [element("Version", 100)])
    objects.connect(deformer, geometry)
    return {one.name: _add_channel(objects, piece, one, deformer, normals) for one in piece.channels}


def _add_channel(
    objects: WrittenObjects, piece: WrittenMesh, channel: WrittenChannel, deformer: int, normals: SmoothNormals
) -> int:
    percent = 100 * channel.value
    number = objects.add(
        "Deformer",
        channel.name,
        "BlendShapeChannel",
        lambda: [
            element("Version", 100),
            properties(("DeformPercent", "Number", percent)),
            element("DeformPercent", percent),
            element("FullWeights", 100 * np.array(channel.at)),
        ],
        label="SubDeformer",
    )
    objects.connect(number, deformer)
    outer = max(range(len(channel.at)), key=lambda n: (channel.at[n] > 0, abs(channel.at[n])))
    for n, shape in enumerate(channel.shapes):
        rows = piece.rows[shape.name]
        # Some programs name a channel by its outermost target.
        target = objects.add(
            "Geometry", channel.name if n == outer else shape.name, "Shape", partial(_shape, rows, normals)
        )
        objects.connect(target, number)
    return number


def _shape(rows: Rows, normals: SmoothNormals) -> list[Element]:
    changes = normals.changes(rows)
    place = np.searchsorted(changes.rows, rows.rows)
    return [
        element("Version", 100),
        element("Indexes", rows.rows.astype(np.int32)),
        element("Vertices", rows.values),
        element("Normals", changes.values[place]),
    ]


def _geometry(piece: WrittenMesh, positions: Floats, normals: SmoothNormals, material: Ints) -> list[Element]:
    corners = piece.polygons.corners
    ends = corners.copy()
    last = piece.polygons.starts[1:] - 1
    ends[last] = ~ends[last]  # the last corner of a polygon is written as -1 - corner
    layers = [
        _layer("LayerElementNormal", "ByPolygonVertex", "Direct", element("Normals", normals.unit[corners])),
        _layer("LayerElementSmoothing", "ByPolygon", "Direct", element("Smoothing", _all(_SMOOTH, len(piece.order)))),
    ]
    if piece.uvs is not None:
        rows = element("UV", piece.uvs.coordinates), element("UVIndex", piece.uvs.corners.astype(np.int32))
        layers.append(_layer("LayerElementUV", "ByPolygonVertex", "IndexToDirect", *rows, name="map1"))
    same = len(np.unique(material)) <= 1
    numbers = material[:1] if same else material
    mapping = "AllSame" if same else "ByPolygon"
    layers.append(
        _layer("LayerElementMaterial", mapping, "IndexToDirect", element("Materials", numbers.astype(np.int32)))
    )
    return [
        element("GeometryVersion", 124),
        element("Vertices", positions),
        element("PolygonVertexIndex", ends.astype(np.int32)),
        *layers,
        _layers([layer.name for layer in layers]),
    ]


def _layer(kind: str, mapping: str, reference: str, *data: Element, name: str = "") -> Element:
    return element(
        kind,
        0,
        inside=[
            element("Version", 102 if kind == "LayerElementSmoothing" else 101),
            element("Name", name),
            element("MappingInformationType", mapping),
            element("ReferenceInformationType", reference),
            *data,
        ],
    )


def _layers(kinds: Sequence[str]) -> Element:
    listed = [element("LayerElement", inside=[element("Type", kind), element("TypedIndex", 0)]) for kind in kinds]
    return element("Layer", 0, inside=[element("Version", 100), *listed])


def _all(value: int, count: int) -> np.ndarray:
    return np.full(count, value, np.int32)
