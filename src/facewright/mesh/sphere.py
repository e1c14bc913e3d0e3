"""Fits of spheres to points."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats

_ROUND = 0.12  # of the radius: points that are this near to a sphere lie on it


def fitted_sphere(points: Floats) -> tuple[Floats, float]:
    """Centre (3,) and radius of the sphere nearest to points (k, 3), by least squares."""
    middle = points.mean(axis=0)
    local = points - middle
    rows = np.column_stack([2 * local, np.ones(len(local))])
    found = np.linalg.lstsq(rows, (local**2).sum(axis=1), rcond=None)[0]
    return middle + found[:3], float(np.sqrt(max(found[3] + found[:3] @ found[:3], 0.0)))


def is_round(points: Floats) -> bool:
    """Whether at least nine in ten of the points (k, 3) lie on a sphere."""
    middle, radius = fitted_sphere(points)
    off = np.abs(np.linalg.norm(points - middle, axis=1) - radius)
    return bool(radius > 0 and np.quantile(off, 0.9) < _ROUND * radius)
