"""A piece of mesh on the way into the sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Piece:
    """Quads over their own vertices, with texture coordinates. Places are kept apart: they differ by person."""

    quads: Ints  # (f, 4)
    uvs: Floats  # (u, 2)
    uv_quads: Ints  # (f, 4)

    @property
    def vertex_count(self) -> int:
        return int(self.quads.max()) + 1


def grid_quads(index: Ints) -> Ints:
    """Quads ((rows - 1) (columns - 1), 4) of a grid of vertices (rows, columns)."""
    return np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1).reshape(-1, 4)


def into_box(points: Floats, low: tuple[float, float], high: tuple[float, float]) -> Floats:
    """Points (n, 2) stretched so that their bounding box is the given one."""
    start, size = points.min(axis=0), np.ptp(points, axis=0)
    return np.asarray(low + (points - start) / size * (np.array(high) - low))
