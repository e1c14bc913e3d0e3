"""Lids that meet. The units close the eye at about two thirds and go on from there, past the lower lid, into the cheek.

How much of an eyeball is seen is measured from ahead and from below, in columns from one corner of the eye to the
other. The motion of each column is scaled so that its lids meet where the slider is at 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from facewright.arrays import Floats, Ints

# In radii of the eyeball:
_STEP = 0.014  # of the grid
_WIDTH, _HEIGHT = 1.25, 0.9  # of what is looked at, from the middle
_SMOOTH = 0.1  # over which the columns' scales are averaged
_OPEN = 0.06  # a column that shows less of the ball at rest is a corner of the eye, and says nothing

_VIEWS = (0.0, -25.0)  # degrees above the line of sight; from below one looks under a lid that hangs before the other
_SLIVER = 0.003  # of what is seen of the ball at rest: an eye that shows less is closed
_VALUES = np.linspace(0.0, 1.3, 14)  # of the slider, at which the eye is looked at
_ROUNDS = 2
_OVERLAP = 1.03  # lids press on each other a little


@dataclass(frozen=True, eq=False)
class EyeOpening:
    """An eyeball behind its lids."""

    centre: Floats  # (3,)
    radius: float
    triangles: Ints  # (t, 3) of the skin near the eye

    @classmethod
    def of(cls, skin: Floats, quads: Ints, centre: Floats, radius: float) -> EyeOpening:
        """The opening before a ball in skin (v, 3) at rest."""
        away = (skin - centre) / radius
        near = (np.abs(away[:, 0]) < 2.4) & (np.abs(away[:, 1]) < 2.0) & (away[:, 2] > -0.6)
        triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        return cls(centre, radius, triangles[near[triangles].all(axis=1)])

    @property
    def columns(self) -> Floats:
        """Where the columns are, in radii from the middle, increasing."""
        return np.arange(-_WIDTH, _WIDTH, _STEP)

    def seen(self, skin: Floats) -> Floats:
        """The height (views, columns) of the ball that is seen between the lids, in radii."""
        x, y = self.columns, np.arange(-_HEIGHT, _HEIGHT, _STEP)
        room = 1 - x[:, None] ** 2 - y**2
        ball = np.where(room > 0, np.sqrt(np.maximum(room, 0)), -np.inf)
        found = []
        for angle in _VIEWS:
            nearest = np.full((len(x), len(y)), -np.inf)
            turn = Rotation.from_euler("x", angle, degrees=True)
            for corners in turn.apply((skin - self.centre) / self.radius)[self.triangles]:
                _draw(nearest, x, y, corners)
            found.append((ball > nearest).sum(axis=1) * _STEP)
        return np.array(found)


def meeting_at_one(opening: EyeOpening, rest: Floats, delta: Floats) -> Floats:
    """Offsets (v, 3) of a shape that closes an eye, each column scaled so that its lids meet at 1."""
    x, found = opening.columns, delta
    at_rest = opening.seen(rest).max(axis=0)
    counted = np.where(at_rest > _OPEN, at_rest, 0.0)
    for _ in range(_ROUNDS):
        seen = np.array([opening.seen(rest + value * found) for value in _VALUES])
        scale = _averaged(x, _closing_values(seen.max(axis=1)), counted)
        found = found * np.interp((rest[:, 0] - opening.centre[0]) / opening.radius, x[counted > 0], scale)[:, None]
    seen = np.array([opening.seen(rest + value * found) for value in _VALUES])
    shares = (seen / seen[0].sum(axis=-1, keepdims=True)).sum(axis=2)  # (values, views)
    return np.asarray(found * (_OVERLAP * _closing_values(shares, _SLIVER).max()))


def _draw(nearest: Floats, x: Floats, y: Floats, corners: Floats) -> None:
    """Put a triangle (3, 3) into a map of what is nearest to the eye of an onlooker far ahead, in place."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy)
    if abs(area) < 1e-9:
        return
    columns = slice(*np.searchsorted(x, (min(ax, bx, cx), max(ax, bx, cx))))
    rows = slice(*np.searchsorted(y, (min(ay, by, cy), max(ay, by, cy))))
    px, py = x[columns, None], y[None, rows]
    a = ((by - cy) * (px - cx) + (cx - bx) * (py - cy)) / area
    b = ((cy - ay) * (px - cx) + (ax - cx) * (py - cy)) / area
    inside = (a >= 0) & (b >= 0) & (a + b <= 1)
    part = nearest[columns, rows]
    np.maximum(part, np.where(inside, a * az + b * bz + (1 - a - b) * cz, -np.inf), out=part)


def _closing_values(seen: Floats, sliver: float = 0.0) -> Floats:
    """The slider's value (k,) from which on no more than a sliver is seen (values, k) of a ball.

    Between two values at which it is looked at, an eye closes as evenly as before.
    """
    last = len(_VALUES) - 2 - np.argmax(seen[-2::-1] > sliver, axis=0)  # the last value at which it is open
    here = np.take_along_axis(seen, last[None], axis=0)[0]
    fall = np.take_along_axis(seen, np.maximum(last - 1, 0)[None], axis=0)[0] - here
    further = np.where(fall > 0, (here - sliver) / np.maximum(fall, _STEP / 10), 1.0)
    return np.asarray(_VALUES[last] + np.clip(further, 0.0, 1.0) * (_VALUES[1] - _VALUES[0]))


def _averaged(x: Floats, values: Floats, counted: Floats) -> Floats:
    """The values of the columns that count, averaged over their neighbours."""
    share = np.exp(-(((x[:, None] - x) / _SMOOTH) ** 2)) * counted
    return np.asarray((share @ values)[counted > 0] / share.sum(axis=1)[counted > 0])
