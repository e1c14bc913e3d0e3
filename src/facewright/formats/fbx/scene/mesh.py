"""The mesh of a geometry: points, polygons, texture coordinates, and which material each polygon has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.node import FbxNode
from facewright.mesh.polygons import Polygons, Uvs


@dataclass(frozen=True, eq=False)
class FbxMesh:
    """Points and polygons as the file has them."""

    points: Floats  # (p, 3)
    polygons: Polygons
    uvs: Uvs | None
    material: Ints  # (f,) which of the model's materials each polygon has

    def turned_over(self) -> FbxMesh:
        """The same polygons, seen from the other side: for transforms that mirror."""
        back = self.polygons.backwards()
        polygons = Polygons(self.polygons.corners[back], self.polygons.counts)
        uvs = None if self.uvs is None else Uvs(self.uvs.coordinates, self.uvs.corners[back])
        return FbxMesh(self.points, polygons, uvs, self.material)


def read_mesh(node: FbxNode, name: str, budget: ReadBudget) -> FbxMesh:
    """The mesh in a node. Polygons of one or two corners, which are points and lines, are left out."""
    points = node.floats("Vertices", 3)
    ends = node.ints("PolygonVertexIndex")
    budget.rows(len(points) + len(ends), name)
    if len(ends) and ends[-1] >= 0:
        raise BadFile(f"mesh {name!r}: the last polygon has no end")
    corners = np.where(ends < 0, ~ends, ends)  # the last corner of a polygon is written as -1 - corner
    if len(corners) and corners.max() >= len(points):
        raise BadFile(f"mesh {name!r}: a polygon names vertex {corners.max()}, but there are {len(points)}")
    stops = np.flatnonzero(ends < 0) + 1
    counts = np.diff(stops, prepend=0)
    uvs = _uvs(node, corners, counts, name)
    material = _materials(node, len(counts), name)
    kept = counts >= 3
    if not kept.all():
        own = np.repeat(kept, counts)
        corners, counts, material = corners[own], counts[kept], material[kept]
        uvs = None if uvs is None else Uvs(uvs.coordinates, uvs.corners[own])
    return FbxMesh(points, Polygons(corners, counts), uvs, material)


def _uvs(node: FbxNode, corners: Ints, counts: Ints, name: str) -> Uvs | None:
    layer = node.child("LayerElementUV")
    coordinates = np.zeros((0, 2)) if layer is None else layer.floats("UV", 2)
    if layer is None or not len(coordinates) or not len(corners):
        return None
    places = _places(layer, corners, counts)
    if layer_text(layer, "ReferenceInformationType") != "Direct":
        rows = layer.ints("UVIndex")
        places = _looked_up(rows, places, f"mesh {name!r}: UVIndex")
    if len(places) and (places.max() >= len(coordinates) or places.min() < -1):
        raise BadFile(f"mesh {name!r}: a corner has texture coordinates {places.max()}; there are {len(coordinates)}")
    return Uvs(coordinates, places) if (places >= 0).any() else None


def _places(layer: FbxNode, corners: Ints, counts: Ints) -> Ints:
    """The entry of a layer that belongs to each corner."""
    mapping = layer_text(layer, "MappingInformationType")
    if mapping == "ByPolygonVertex":
        return np.arange(len(corners))
    if mapping in ("ByVertice", "ByVertex"):
        return corners
    if mapping == "ByPolygon":
        return np.repeat(np.arange(len(counts)), counts)
    return np.zeros(len(corners), np.int64)  # AllSame


def _materials(node: FbxNode, polygons: int, name: str) -> Ints:
    layer = node.child("LayerElementMaterial")
    found = np.zeros(0, np.int64) if layer is None else layer.ints("Materials")
    if layer is None or not len(found) or layer_text(layer, "MappingInformationType") != "ByPolygon":
        return np.full(polygons, found[0] if len(found) else 0)
    return _looked_up(found, np.arange(polygons), f"mesh {name!r}: Materials")


def _looked_up(rows: Ints, places: Ints, what: str) -> Ints:
    if len(places) and places.max() >= len(rows):
        raise BadFile(f"{what} has {len(rows)} entries; {places.max() + 1} are needed")
    return np.asarray(rows[places])


def layer_text(layer: FbxNode, name: str) -> str:
    """A text that a layer states about itself."""
    child = layer.child(name)
    return "" if child is None else child.text()
