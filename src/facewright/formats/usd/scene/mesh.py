"""The mesh of a prim: points, polygons, texture coordinates, and which material each polygon has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile
from facewright.formats.usd.process import StageFile
from facewright.mesh.polygons import Polygons, Uvs


@dataclass(frozen=True, eq=False)
class UsdMesh:
    """Points and polygons as the file has them; a surface that is to be subdivided is its cage."""

    points: Floats  # (p, 3)
    polygons: Polygons
    uvs: Uvs | None
    material: tuple[str, ...]  # paths of materials, "" for none
    of_polygon: Ints  # (f,) which of them each polygon has
    double_sided: bool

    def turned_over(self) -> UsdMesh:
        """The same polygons, seen from the other side."""
        back = self.polygons.backwards()
        polygons = Polygons(self.polygons.corners[back], self.polygons.counts)
        uvs = None if self.uvs is None else Uvs(self.uvs.coordinates, self.uvs.corners[back])
        return replace(self, polygons=polygons, uvs=uvs)


def read_mesh(stage: StageFile, one: dict[str, Any], name: str) -> UsdMesh:
    """The mesh of a description. Polygons of one or two corners, and those that are holes, are left out."""
    points = table(stage, one["points"], 3, f"mesh {name!r}: points")
    counts, corners = (integers(stage, one[key], f"mesh {name!r}: {key}") for key in ("counts", "corners"))
    if (len(counts) and counts.min() < 0) or counts.sum() != len(corners):
        raise BadFile(f"mesh {name!r}: the polygons' counts add up to {counts.sum()}; there are {len(corners)} corners")
    if len(corners) and not (corners.min() >= 0 and corners.max() < len(points)):
        raise BadFile(f"mesh {name!r}: a polygon names vertex {corners.max()}, but there are {len(points)}")
    uvs = _uvs(stage, one["uvs"], counts, corners, len(points), name)
    materials, of_polygon = _materials(stage, one["materials"], len(counts))
    kept = counts >= 3
    holes = integers(stage, one["holes"], f"mesh {name!r}: holes")
    kept[holes[(holes >= 0) & (holes < len(kept))]] = False
    if not kept.all():
        own = np.repeat(kept, counts)
        corners, counts, of_polygon = corners[own], counts[kept], of_polygon[kept]
        uvs = None if uvs is None else Uvs(uvs.coordinates, uvs.corners[own])
    found = UsdMesh(points, Polygons(corners, counts), uvs, materials, of_polygon, bool(one["double_sided"]))
    return found.turned_over() if one["left_handed"] else found


def table(stage: StageFile, entry: Any, columns: int, what: str) -> Floats:
    """An array of rows of so many numbers."""
    found = np.zeros((0, columns)) if entry is None else stage.array(entry)
    if found.ndim != 2 or found.shape[1] != columns or found.dtype.kind != "f":
        raise BadFile(f"{what} has the shape {found.shape}; it has rows of {columns} numbers with fractions")
    return found.astype(np.float64)


def integers(stage: StageFile, entry: Any, what: str) -> Ints:
    """An array of whole numbers."""
    found = np.zeros(0, np.int64) if entry is None else stage.array(entry)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise BadFile(f"{what} are no list of whole numbers")
    return found.astype(np.int64)


def _uvs(stage: StageFile, one: Any, counts: Ints, corners: Ints, points: int, name: str) -> Uvs | None:
    if one is None or not len(corners):
        return None
    coordinates = table(stage, one["values"], 2, f"mesh {name!r}: texture coordinates")
    places = _places(str(one["interpolation"]), counts, corners)
    if one["rows"] is not None:
        rows = integers(stage, one["rows"], f"mesh {name!r}: indices of texture coordinates")
        if len(places) and places.max() >= len(rows):
            raise BadFile(f"mesh {name!r}: there are {len(rows)} texture coordinates; {places.max() + 1} are needed")
        places = rows[places]
    if len(places) and not (places.min() >= -1 and places.max() < len(coordinates)):
        raise BadFile(f"mesh {name!r}: a corner has texture coordinates {places.max()}; there are {len(coordinates)}")
    absent = int(one["absent"])
    if absent >= 0:
        places = np.where(places == absent, -1, places)
        if absent == len(coordinates) - 1:
            coordinates = coordinates[:-1]  # as we write it
    return Uvs(coordinates, places) if (places >= 0).any() else None


def _places(interpolation: str, counts: Ints, corners: Ints) -> Ints:
    """The value that belongs to each corner."""
    if interpolation == "faceVarying":
        return np.arange(len(corners))
    if interpolation in ("vertex", "varying"):
        return corners
    if interpolation == "uniform":
        return np.repeat(np.arange(len(counts)), counts)
    return np.zeros(len(corners), np.int64)


def _materials(stage: StageFile, one: dict[str, Any], polygons: int) -> tuple[tuple[str, ...], Ints]:
    """Paths of materials, and which of them each polygon has; subsets go before what the whole mesh has."""
    paths, of_polygon = [str(one["whole"])], np.zeros(polygons, np.int64)
    for subset in one["subsets"]:
        rows = integers(stage, subset["polygons"], "polygons of a subset")
        of_polygon[rows[(rows >= 0) & (rows < polygons)]] = len(paths)
        paths.append(str(subset["material"]))
    return tuple(paths), of_polygon
