"""Teeth and gums. The base mesh has only a plain band for each jaw; teeth of usual sizes are set along it.

Everything is placed relative to the band, so each person's teeth fit her own jaw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from tools.bake.mesh import Piece, grid_quads, into_box

from facewright.arrays import Floats, Ints

_ACROSS = np.array([-1.0, -0.62, 0.0, 0.62])  # columns of a tooth; at -1 it meets the one before
_MILLIMETRE = 0.01  # in the base mesh's decimetres


@dataclass(frozen=True)
class Tooth:
    """Lengths in millimetres."""

    width: float
    crown: float  # height of what shows, as part of the band's height
    neck: float  # thickness from outside to inside at the gum
    edge: float  # and at the biting edge
    point: float = 0.0  # how far a canine's corners draw back, as part of its crown


# From the middle of the jaw outwards.
UPPER = (
    Tooth(8.5, 0.64, 6.6, 1.7), Tooth(6.6, 0.58, 6.2, 1.6), Tooth(7.6, 0.63, 7.4, 2.6, 0.2), Tooth(7.0, 0.53, 8.4, 5.0),
    Tooth(6.8, 0.50, 8.6, 5.4), Tooth(10.2, 0.46, 9.8, 7.6), Tooth(9.8, 0.45, 9.6, 7.4),
)  # fmt: skip
LOWER = (
    Tooth(5.3, 0.60, 5.8, 1.5), Tooth(5.9, 0.60, 6.0, 1.5), Tooth(6.8, 0.64, 7.2, 2.4, 0.2), Tooth(7.0, 0.56, 7.8, 4.6),
    Tooth(7.1, 0.54, 8.0, 5.2), Tooth(11.2, 0.50, 9.6, 7.4), Tooth(10.5, 0.49, 9.4, 7.2),
)  # fmt: skip

# Rows of a tooth, as part of its crown: down the outside, then up the inside. Below 0 are roots, inside the gum.
_OUTSIDE, _INSIDE = np.array([-0.3, 0.1, 0.5, 0.85, 1.0]), np.array([1.0, 0.5, -0.3])


@dataclass(frozen=True, eq=False)
class Columns:
    """Where along the jaw the cross-sections stand, and of which tooth."""

    across: Floats  # (n,) -1 and 1 where two teeth meet, 0 in the middle of one
    width: Floats  # (n,) place along the jaw, from 0 to 1
    crown: Floats  # (n,)
    neck: Floats  # (n,) decimetres
    edge: Floats  # (n,) decimetres
    point: Floats  # (n,)


def columns(teeth: tuple[Tooth, ...]) -> Columns:
    """All cross-sections of a jaw, from one end to the other."""
    row = teeth[::-1] + teeth
    ends = np.cumsum([0.0, *(tooth.width for tooth in row)])
    ends /= ends[-1]
    which = np.append(np.repeat(np.arange(len(row)), len(_ACROSS)), len(row) - 1)
    across = np.append(np.tile(_ACROSS, len(row)), 1.0)
    place = ends[which] + (across + 1) / 2 * (ends[which + 1] - ends[which])

    def of(name: str, unit: float = 1.0) -> Floats:
        values = np.array([getattr(tooth, name) for tooth in row]) * unit
        before = values[np.maximum(which - 1, 0)]
        return np.asarray(np.where(across == -1, (values[which] + before) / 2, values[which]))

    return Columns(across, place, of("crown"), of("neck", _MILLIMETRE), of("edge", _MILLIMETRE), of("point"))


@dataclass(frozen=True, eq=False)
class Jaw:
    """The band of one person's jaw, smooth, at every column."""

    gum: Floats  # (n, 3) outer edge away from the teeth
    edge: Floats  # (n, 3) biting edge
    bow: Floats  # (n, 3) how far the outside bulges from the straight line between the two, halfway
    out: Floats  # (n, 3) unit, horizontal, away from the mouth

    @classmethod
    def of(cls, band: Floats, place: Floats) -> Jaw:
        """From the band's vertices (along, 4, 3): gum, middle, biting edge, inside; places along it from 0 to 1."""
        steps = np.linalg.norm(np.diff(band[:, 2], axis=0), axis=1)
        along = np.append(0.0, np.cumsum(steps)) / steps.sum()
        gum, middle, edge = (CubicSpline(along, band[:, row])(place) for row in range(3))
        tangent = CubicSpline(along, band[:, 2])(place, 1)
        out = np.cross(tangent, [0.0, 1.0, 0.0])
        out *= np.sign((out * (edge - edge.mean(axis=0))).sum()) / np.linalg.norm(out, axis=1, keepdims=True)
        return cls(gum, edge, middle - (gum + edge) / 2, out)

    def at(self, height: Floats, out: Floats) -> Floats:
        """Points (rows, n, 3) at heights (0: gum's far edge, 1: biting edge) and outwards from the band."""
        h = height[..., None]
        band = self.gum + h * (self.edge - self.gum) + 4 * h * (1 - h) * self.bow
        return np.asarray(band + out[..., None] * self.out)


def teeth_at(jaw: Jaw, c: Columns) -> Floats:
    """Vertices (rows n, 3) of one jaw's teeth."""
    x = np.concatenate([_OUTSIDE, _INSIDE])[:, None]  # (rows, 1)
    inside = (np.arange(len(x)) >= len(_OUTSIDE))[:, None]
    taper = np.clip(x, 0, 1)
    outer = c.neck / 2 * (1 - 0.25 * taper**2)
    inner = -c.neck / 2 + (0.75 * c.neck / 2 - c.edge + c.neck / 2) * taper**1.5
    middle, half = (outer + inner) / 2, (outer - inner) / 2
    # Teeth are rounded where they meet; the outermost ones are closed.
    round_off = 1 - np.where((c.width == 0) | (c.width == 1), 0.9, 0.72) * c.across**4
    out = middle + np.where(inside, -half, half) * round_off - c.neck / 2
    short = (0.1 * c.across**4 + c.point * abs(c.across)) * np.clip(x, 0, 1) ** 2
    return jaw.at(1 - c.crown * (1 - x + short), out).reshape(-1, 3)


def gums_at(jaw: Jaw, c: Columns) -> Floats:
    """Vertices (6 n, 3) of one jaw's gum: a hose round the roots, its rim higher between two teeth."""
    rim = 1 - c.crown * (1 - 0.2 * abs(c.across) ** 2.5)
    swell, between = c.neck / 2 * 0.16, c.neck / 2 * 0.3 * c.across**4
    height = np.stack([rim, rim - 0.14, np.zeros_like(rim), np.zeros_like(rim), rim - 0.14, rim])
    half = np.stack([c.neck / 2 * 1.02 - between, c.neck / 2 + swell - between / 2, c.neck / 2 + 1.5 * swell])
    return jaw.at(height, np.concatenate([half, -half[::-1]]) - c.neck / 2).reshape(-1, 3)


def teeth_piece(c: Columns, low: tuple[float, float], high: tuple[float, float], *, upper: bool) -> Piece:
    return _piece(c, grid_quads(_index(len(_OUTSIDE) + len(_INSIDE), c)), low, high, flip=upper)


def gums_piece(c: Columns, low: tuple[float, float], high: tuple[float, float], *, upper: bool) -> Piece:
    index = _index(6, c)
    hose = grid_quads(np.vstack([index, index[:1]]))
    first, last = index[:, 0], index[:, -1]
    ends = [first[[0, 1, 4, 5]], first[[1, 2, 3, 4]], last[[5, 4, 1, 0]], last[[4, 3, 2, 1]]]
    return _piece(c, np.vstack([hose, ends]), low, high, flip=not upper)


def _index(rows: int, c: Columns) -> Ints:
    return np.arange(rows * len(c.width)).reshape(rows, -1)


def _piece(c: Columns, quads: Ints, low: tuple[float, float], high: tuple[float, float], *, flip: bool) -> Piece:
    """One rectangle of the texture; a hose's last row of faces gets coordinates of its own, beyond the others."""
    count, wide = int(quads.max()) + 1, len(c.width)
    rows = count // wide
    flat = np.stack([np.tile(c.width, rows + 1), np.repeat(np.arange(rows + 1.0), wide)], axis=1)
    first, last = quads < wide, quads >= count - wide
    closing = first.any(axis=1, keepdims=True) & last.any(axis=1, keepdims=True)
    uv_quads = np.where(closing & first, quads + count, quads)
    used, uv_quads = np.unique(uv_quads, return_inverse=True)
    quads, uv_quads = (q[:, ::-1] if flip else q for q in (quads, uv_quads.reshape(-1, 4)))
    return Piece(quads, into_box(flat, low, high)[used], uv_quads)
