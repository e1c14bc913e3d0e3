"""Eyeballs. The base mesh has only eight-sided helpers; each becomes a round ball in the same place, of the same size.

Rings round the line of sight, so that one ring lies on the iris' edge; the two ends are square grids bent into discs,
so that all faces are quads and no vertex has more than five neighbours.
"""

from __future__ import annotations

import numpy as np
from tools.bake.mesh import Piece, grid_quads

from facewright.arrays import Floats, Ints

_AROUND = 24  # vertices on a ring; a cap is a grid of a quarter of it on each side
_CAP = _AROUND // 8
_IRIS = 29.4  # degrees from the line of sight to the iris' edge: 12 mm across on a ball of 24.4 mm
_RINGS = np.linspace(_IRIS, 159.0, 11)  # degrees from the line of sight; first and last belong to the caps
_SEAM = 6  # the ring where the front and the back of the texture meet: 107 degrees, never seen


def ball() -> Floats:
    """Vertices (n, 3) of a ball of radius 1 that looks along +z: front cap, rings, back cap."""
    angle, level = _cap()
    polar = [level / _CAP * _IRIS, np.repeat(_RINGS[1:-1], _AROUND), 180 - level / _CAP * (180 - _RINGS[-1])]
    turn = np.concatenate([angle, np.tile(_ring_angles(), len(_RINGS) - 2), angle])
    away = np.radians(np.concatenate(polar))
    return np.stack([np.sin(away) * np.cos(turn), np.sin(away) * np.sin(turn), np.cos(away)], axis=1)


def piece(front: tuple[float, float, float], back: tuple[float, float, float]) -> Piece:
    """The ball's quads; its front and its back each have a disc (x, y, radius) of the texture."""
    rings = _rings()
    cap = grid_quads(np.arange((2 * _CAP + 1) ** 2).reshape(2 * _CAP + 1, -1))
    bands = [grid_quads(np.column_stack([pair, pair[:, :1]])) for pair in np.stack([rings[1:], rings[:-1]], axis=1)]
    ahead = [cap, *bands[:_SEAM]]
    behind = [*bands[_SEAM:], cap[:, ::-1] + rings[-2].max() + 1]
    quads = np.concatenate(ahead + behind)
    count = int(quads.max()) + 1
    uvs = np.concatenate([_disc(ball(), front, _RINGS[_SEAM], 1), _disc(ball(), back, 180 - _RINGS[_SEAM], -1)])
    uv_quads = quads + np.where(np.arange(len(quads)) < sum(map(len, ahead)), 0, count)[:, None]
    used, uv_quads = np.unique(uv_quads, return_inverse=True)
    return Piece(quads, uvs[used], uv_quads.reshape(-1, 4))


def _cap() -> tuple[Floats, Ints]:
    """Angle about the axis and ring number of each vertex of a square grid bent into a disc (Shirley and Chiu 1997)."""
    y, x = (v.ravel() for v in np.mgrid[-_CAP : _CAP + 1, -_CAP : _CAP + 1])
    level = np.maximum(abs(x), abs(y))
    wide = abs(x) >= abs(y)
    share = np.where(wide, y, x) / np.where(level == 0, 1, np.where(wide, x, y))
    angle = np.where(wide, share, 2 - share) * np.pi / 4 + np.where(np.where(wide, x, y) < 0, np.pi, 0)
    return np.mod(angle, 2 * np.pi), level


def _ring_angles() -> Floats:
    return np.linspace(0, 2 * np.pi, _AROUND, endpoint=False)


def _rings() -> Ints:
    """Vertices (rings, around) of each ring by angle, from the front cap's edge to the back cap's."""
    angle, level = _cap()
    edge = np.flatnonzero(level == _CAP)
    edge = edge[np.argsort(angle[edge])]
    inner = len(angle) + np.arange((len(_RINGS) - 2) * _AROUND).reshape(-1, _AROUND)
    return np.vstack([edge, inner, edge + inner.max() + 1])


def _disc(points: Floats, place: tuple[float, float, float], reach: float, side: int) -> Floats:
    """Texture coordinates (n, 2): distance from the middle grows with the angle from the axis."""
    x, y, radius = place
    away = np.degrees(np.arccos(np.clip(side * points[:, 2], -1, 1))) / reach
    flat = points[:, :2] * [side, 1]
    length = np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-12)
    found: Floats = np.array([x, y]) + flat / length * (away * radius)[:, None]
    return found
