"""The rigid motion of parts that do not bend: eyeballs, teeth."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats


def best_rotation(rest: Floats, moved: Floats) -> Floats:
    """The rotation (3, 3) about their middle that takes points (n, 3) nearest to where they moved (Kabsch)."""
    u, _, vt = np.linalg.svd((rest - rest.mean(axis=0)).T @ (moved - moved.mean(axis=0)))
    handed = np.sign(np.linalg.det(u @ vt))
    return np.asarray((u * [1.0, 1.0, handed] @ vt).T)


def best_ball(points: Floats) -> tuple[Floats, float]:
    """Centre and radius of the sphere nearest to points (n, 3), by linear least squares."""
    system = np.column_stack([2 * points, np.ones(len(points))])
    found = np.linalg.lstsq(system, (points**2).sum(axis=1), rcond=None)[0]
    centre = found[:3]
    return centre, float(np.sqrt(found[3] + centre @ centre))
