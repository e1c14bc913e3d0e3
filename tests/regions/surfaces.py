"""Small surfaces for tests of regions."""

import numpy as np
from scipy.sparse import csr_array

import facewright as fw
from facewright.mesh.topology import Topology


def grid(columns: int, rows: int) -> tuple[np.ndarray, fw.Polygons]:
    """Points (columns * rows, 3) on a gently curved sheet, and its quads."""
    x, y = np.meshgrid(np.arange(columns, dtype=float), np.arange(rows, dtype=float))
    points = np.stack([x, y, 0.03 * (x - columns / 2) ** 2], axis=-1).reshape(-1, 3)
    at = np.arange(columns * rows).reshape(rows, columns)
    quads = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], axis=-1).reshape(-1, 4)
    return points, fw.Polygons.of(quads)


def sheet(columns: int, rows: int, **bumps: tuple[float, float, float]) -> fw.Rig:
    """A sheet with shapes that raise a bump: middle x, y and width."""
    points, quads = grid(columns, rows)
    shapes = []
    for name, (x, y, width) in bumps.items():
        away = np.hypot(points[:, 0] - x, points[:, 1] - y) / width
        delta = np.zeros_like(points)
        delta[:, 2] = np.where(away < 1, (1 - away**2) ** 3, 0.0)
        shapes.append(fw.Shape.from_dense(name, delta))
    return fw.Rig(points, quads, tuple(shapes))


def ring_of(rig: fw.Rig) -> csr_array:
    return Topology(rig.polygons, rig.vertex_count).adjacency
