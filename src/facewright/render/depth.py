"""Depth images of surfaces, as a camera would measure them without noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.normals import triangle_normals
from facewright.motion.depth import Pinhole
from facewright.render.camera import Camera
from facewright.render.raster import visible

_FLIP = np.array([1.0, -1.0, -1.0])  # a depth camera has y down and looks along +z, ours has y up and looks along -z


@dataclass(frozen=True, eq=False)
class RenderedDepth:
    """The visible surface at each pixel (height, width)."""

    depth: Floats  # along the view direction; 0 where there is nothing
    triangle: NDArray[np.int32]  # -1 where there is nothing
    facing: Floats  # cosine between the surface's normal and the ray, from 0 (grazing) to 1


def render_depth(positions: Floats, triangles: Ints, lens: Pinhole) -> RenderedDepth:
    """Depth of a surface (v, 3) in the coordinates of the camera, in the positions' unit."""
    width, height = lens.width, lens.height
    if not np.isclose(lens.fx, lens.fy):
        raise BadValue("depth is rendered for square pixels only: fx and fy are equal")
    camera = Camera(np.zeros(3), np.diag([1.0, 1.0, -1.0]), 1.0, height / 2 / lens.fy)
    off_centre = np.array([lens.cx - (width - 1) / 2, lens.cy - (height - 1) / 2])
    moved = positions.copy()
    moved[:, :2] += positions[:, 2:] * off_centre / lens.fx  # the rasteriser's own camera looks at the middle
    found = visible(camera, moved * _FLIP, triangles, (width, height))
    depth = np.where(found.triangle >= 0, -1 / np.where(found.triangle >= 0, found.depth, -1.0), 0.0)
    return RenderedDepth(depth, found.triangle, _facing(positions, triangles, found.triangle, lens))


def _facing(positions: Floats, triangles: Ints, triangle: NDArray[np.int32], lens: Pinhole) -> Floats:
    normals = triangle_normals(positions, triangles)
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    rows, columns = np.indices(triangle.shape)
    rays = np.stack([(columns - lens.cx) / lens.fx, (rows - lens.cy) / lens.fy, np.ones(triangle.shape)], axis=2)
    rays /= np.linalg.norm(rays, axis=2, keepdims=True)
    cosine = np.abs((np.append(normals, [[0, 0, 0]], axis=0)[triangle] * rays).sum(axis=2))
    return np.where(triangle >= 0, cosine, 0.0)
