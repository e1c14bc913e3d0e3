"""The polygons of a primitive: triangle lists, strips and fans, and n-gons where FB_ngon_encoding says so."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Ints
from facewright.errors import BadFile
from facewright.formats.gltf.accessors.decode import count_of, elements
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extensions import is_marked
from facewright.formats.gltf.container.fields import Json, whole
from facewright.mesh.polygons import Polygons

NGON = "FB_ngon_encoding"

_TRIANGLES, _STRIP, _FAN = 4, 5, 6


def polygons(asset: Asset, mesh: Json, primitive: Json, vertices: int) -> Polygons:
    """Polygons over the primitive's own vertices; none for points and lines."""
    mode = whole(primitive, "mode", "a primitive", _TRIANGLES)
    if mode < _TRIANGLES:
        return _each(np.zeros((0, 3), np.int64))
    if mode > _FAN:
        raise BadFile(f"a primitive has mode {mode}; there are 0 to {_FAN}")
    indices = _indices(asset, primitive, vertices)
    if mode == _TRIANGLES:
        triangles = indices[: len(indices) // 3 * 3].reshape(-1, 3)
        return fans(triangles) if _has_ngons(asset, mesh, primitive) else _each(triangles)
    return _each(_strip(indices) if mode == _STRIP else _fan(indices))


def fans(triangles: Ints) -> Polygons:
    """Join consecutive triangles (t, 3) of a fan about the same first vertex to one polygon."""
    begins = np.ones(len(triangles), bool)
    same = (triangles[1:, 0] == triangles[:-1, 0]) & (triangles[1:, 1] == triangles[:-1, 2])
    begins[1:] = ~same
    keep = np.column_stack([begins, begins, np.ones(len(triangles), bool)])
    starts = np.flatnonzero(begins)
    counts = 2 + np.diff(np.append(starts, len(triangles)))
    return Polygons(triangles[keep], counts)


def _each(triangles: Ints) -> Polygons:
    return Polygons(triangles.ravel(), np.full(len(triangles), 3))


def _indices(asset: Asset, primitive: Json, vertices: int) -> Ints:
    if "indices" not in primitive:
        return np.arange(vertices)
    index = primitive["indices"]
    stored = elements(asset, index, "SCALAR")[:, 0]
    if stored.dtype.kind != "u":
        raise BadFile(f"accessor {index} holds indices, which are unsigned, but it is {stored.dtype}")
    if stored.max() >= vertices:
        raise BadFile(f"accessor {index} names vertex {stored.max()}; there are {vertices}")
    return stored.astype(np.int64)


def corner_count(asset: Asset, primitive: Json, vertices: int) -> int:
    """How many corners a primitive can have at most, without reading it."""
    count = count_of(asset, primitive["indices"]) if "indices" in primitive else vertices
    return count if whole(primitive, "mode", "a primitive", _TRIANGLES) <= _TRIANGLES else 3 * count


def _strip(indices: Ints) -> Ints:
    """Triangles of a strip, without the degenerate ones that connect its pieces."""
    at = np.arange(max(len(indices) - 2, 0))
    odd = at % 2
    triangles = indices[np.column_stack([at, at + 1 + odd, at + 2 - odd])]
    a, b, c = triangles.T
    return np.asarray(triangles[(a != b) & (b != c) & (c != a)])


def _fan(indices: Ints) -> Ints:
    if len(indices) < 3:
        return np.zeros((0, 3), np.int64)
    return np.column_stack([indices[1:-1], indices[2:], np.full(len(indices) - 2, indices[0])])


def _has_ngons(asset: Asset, mesh: Json, primitive: Json) -> bool:
    """Whether the primitive has the extension, or the file uses it without marking any primitive."""
    marks = asset.marks_of(NGON)
    return marks == "everywhere" or (marks == "some" and (is_marked(mesh, NGON) or is_marked(primitive, NGON)))
