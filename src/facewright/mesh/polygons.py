"""Polygons of any size over one vertex array, with texture coordinates per corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats, frozen, indices
from facewright.errors import BadValue


@dataclass(frozen=True, eq=False)
class Polygons:
    """Faces of three or more corners, stored polygon after polygon."""

    corners: Ints  # (c,) vertex at each corner
    counts: Ints  # (f,) corners of each polygon, at least 3

    def __post_init__(self) -> None:
        counts = indices("polygon corner counts", self.counts, (None,), below=2**31)
        corners = indices("polygon corners", self.corners, (None,), below=2**31)
        if counts.size and counts.min() < 3:
            raise BadValue(f"polygon {int(counts.argmin())} has {counts.min()} corners; a polygon has at least 3")
        if counts.sum() != len(corners):
            raise BadValue(f"the polygons' counts add up to {counts.sum()} corners, but there are {len(corners)}")
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "corners", corners)

    @classmethod
    def of(cls, faces: Polygons | ArrayLike | Sequence[Sequence[int]]) -> Polygons:
        """Polygons from a (f, 3) or (f, 4) array, or from a list of faces of different sizes."""
        if isinstance(faces, Polygons):
            return faces
        if isinstance(faces, np.ndarray) and faces.ndim == 2:
            return cls(faces.ravel(), np.full(len(faces), faces.shape[1]))
        rows = [np.asarray(face) for face in faces]  # type: ignore[union-attr]
        if any(row.ndim != 1 for row in rows):
            raise BadValue("each polygon is a row of vertices: a (f, n) array, or a list of lists")
        counts = np.array([len(row) for row in rows], np.int64)
        return cls(np.concatenate(rows) if rows else np.zeros(0, np.int64), counts)

    def __len__(self) -> int:
        return len(self.counts)

    def same_as(self, other: Polygons) -> bool:
        """Whether all polygons have the same vertices in the same order."""
        return np.array_equal(self.counts, other.counts) and np.array_equal(self.corners, other.corners)

    @cached_property
    def starts(self) -> Ints:
        """The first corner (f + 1,) of each polygon, and the number of corners at the end."""
        return frozen(np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64))

    @cached_property
    def triangle_corners(self) -> Ints:
        """Corners (t, 3) of the triangles: each polygon is a fan about its first corner."""
        fans = self.counts - 2
        first = np.repeat(self.starts[:-1], fans)
        step = np.arange(fans.sum()) - np.repeat(np.cumsum(fans) - fans, fans)
        return frozen(np.stack([first, first + step + 1, first + step + 2], axis=1))

    @cached_property
    def triangles(self) -> Ints:
        """Vertices (t, 3) of the triangles."""
        return frozen(self.corners[self.triangle_corners])

    @cached_property
    def polygon_of_triangle(self) -> Ints:
        """The polygon (t,) that each triangle is part of."""
        return frozen(np.repeat(np.arange(len(self)), self.counts - 2))

    def rows(self) -> list[Ints]:
        """The vertices of each polygon."""
        return np.split(self.corners, self.starts[1:-1]) if len(self) else []

    def backwards(self) -> Ints:
        """The corners (c,) in the order in which polygons are seen from the other side; the first stays the first."""
        first = np.repeat(self.starts[:-1], self.counts)
        within = np.arange(len(self.corners)) - first
        return np.asarray(first + (-within) % np.repeat(self.counts, self.counts))

    def uniform(self) -> Ints | None:
        """All polygons as one (f, n) array if all have n corners, else None."""
        if len(self) and self.counts.min() != self.counts.max():
            return None
        return self.corners.reshape(len(self), int(self.counts[0]) if len(self) else 3)

    def __repr__(self) -> str:
        return f"Polygons({len(self)} polygons, {len(self.corners)} corners)"


@dataclass(frozen=True, eq=False)
class Uvs:
    """Texture coordinates per polygon corner, so that seams need no copies of vertices."""

    coordinates: Floats  # (u, 2), v up as in OBJ
    corners: Ints  # (c,) row of `coordinates` at each polygon corner, -1 for none

    def __post_init__(self) -> None:
        coordinates = floats("texture coordinates", self.coordinates, (None, 2))
        corners = indices("texture corners", self.corners, (None,), below=len(coordinates), least=-1)
        object.__setattr__(self, "coordinates", coordinates)
        object.__setattr__(self, "corners", corners)

    def __repr__(self) -> str:
        return f"Uvs({len(self.coordinates)} coordinates, {len(self.corners)} corners)"
