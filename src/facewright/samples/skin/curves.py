"""Lines drawn on the face as seen from the front, and the distance of each texel from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.image.srgb import Floats32

_STEP = 0.03  # centimetres between two points of a line
_BACK = -2.5  # what lies further back is not the face

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, eq=False)
class DrawnLines:
    """Points of many lines."""

    place: Floats  # (p, 2)
    line: Ints  # (p,) number of the line
    along: Floats  # (p,) 0 at its start, 1 at its end

    @classmethod
    def of(cls, lines: Sequence[Points]) -> DrawnLines:
        """Smooth lines through points (x, y) of the face's left, and their mirror images."""
        half = [_smooth(np.asarray(line, np.float64)) for line in lines]
        both = [*half, *(one * [-1, 1] for one in half)]
        line = np.repeat(np.arange(len(both)) % len(half), [len(one) for one in both])
        return cls(np.concatenate(both), line, np.concatenate([np.linspace(0, 1, len(one)) for one in both]))

    def near(self, place: Floats32, reach: float) -> tuple[Ints, Floats32, Ints]:
        """The texels within reach of some line, their distance from the nearest, and the nearest point of it."""
        low, high = self.place.min(axis=0) - reach, self.place.max(axis=0) + reach
        inside = ((place[:, :2] > low) & (place[:, :2] < high)).all(axis=1)
        some = np.flatnonzero(inside & (place[:, 2] > _BACK))
        away, which = nearest(self.place, place[some, :2], reach)
        found = np.isfinite(away)
        return some[found], away[found].astype(np.float32), which[found]


def nearest(points: Floats, places: Floats32, reach: float, *, count: int = 1) -> tuple[Floats, Ints]:
    """Distances from places (n, 2) to the nearest of some points, infinite beyond reach, and the indices of these
    points.
    """
    away, which = cKDTree(points).query(places, k=count, distance_upper_bound=reach)
    return np.asarray(away), np.asarray(which)


def _smooth(points: Floats) -> Floats:
    steps = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    from scipy.interpolate import make_interp_spline  # takes a while to load, and is rarely needed

    curve = make_interp_spline(steps, points, k=min(3, len(points) - 1))
    return np.asarray(curve(np.linspace(0, steps[-1], max(2, int(steps[-1] / _STEP)))))
