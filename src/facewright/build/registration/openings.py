"""Borders of eyes and mouth: closed curves of a face that are matched to closed curves of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints

_NEAR = 0.35  # of a curve's length: largest distance between the centres of matching curves
_ALIKE = (0.6, 1.7)  # ratio of the lengths of matching curves
_SLIT = 0.08  # height over width: flatter curves are lips that touch
_ALONG = 0.05  # of the size: largest distance between borders that match
_SHARE = 0.15  # weight of a point of a rim relative to a pair of landmarks
_MOST = 24  # number of holes that are considered as eyes and mouth


@dataclass(frozen=True, eq=False)
class Rim:
    """Vertices of a surface that lie on a curve of the target."""

    vertices: Ints  # (k,)
    curve: Floats  # (n, 3) closed
    share: float = _SHARE

    def rows(self, count: int) -> sp.csr_array:
        """A matrix (k, v) that picks the vertices."""
        rows = np.arange(len(self.vertices))
        return sp.csr_array((np.ones(len(rows)), (rows, self.vertices)), shape=(len(rows), count))

    def nearest(self, positions: Floats) -> Floats:
        """Nearest points (k, 3) of the curve to the vertices, for positions (v, 3)."""
        points, along = positions[self.vertices][:, None], np.roll(self.curve, -1, axis=0) - self.curve
        lengths = np.maximum((along**2).sum(axis=1), np.finfo(float).tiny)
        shares = np.clip(((points - self.curve) * along).sum(axis=2) / lengths, 0, 1)
        places = self.curve + shares[..., None] * along  # (k, n, 3)
        best = ((places - points) ** 2).sum(axis=2).argmin(axis=1)
        return np.asarray(places[np.arange(len(best)), best])


@dataclass(frozen=True, eq=False)
class Borders:
    """Closed chains of a surface's vertices, and closed curves of its target."""

    openings: Mapping[str, Ints]  # of eyes and mouth
    chains: Sequence[Ints]  # borders of the mesh
    curves: Sequence[Floats]  # (n, 3) borders of the target

    def rims(self, positions: Floats) -> list[Rim]:
        """Pairs of chains and curves that match, for a surface at positions (v, 3).

        Eyes match the nearest curve of about their size. Mouths match only if both are closed, because open meshes end
        at
        different places inside the lips. Other borders match if they run along each other; scans and masks are cut
        anywhere.
        """
        found = []
        for name, chain in self.openings.items():
            own = positions[chain]
            fitting = [
                one for one in self.curves if _fits(own, one) and (name != "mouth" or (_shut(own) and _shut(one)))
            ]
            if fitting:
                found.append(Rim(chain, min(fitting, key=lambda one, own=own: _apart(own, one))))  # type: ignore[misc]
        for chain in self.chains:
            along = [Rim(chain, curve) for curve in self.curves if _fits(positions[chain], curve)]
            found += [rim for rim in along if _runs_along(rim, positions)][:1]
        return found


def perimeter(curve: Floats) -> float:
    """Length of a closed curve (n, 3)."""
    return float(np.linalg.norm(curve - np.roll(curve, 1, axis=0), axis=1).sum())


def _fits(own: Floats, loop: Floats) -> bool:
    length, other = perimeter(own), perimeter(loop)
    return bool(_ALIKE[0] < other / length < _ALIKE[1] and _apart(own, loop) < _NEAR * length / 2)


def _apart(one: Floats, other: Floats) -> float:
    return float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))


def _runs_along(rim: Rim, positions: Floats) -> bool:
    """Whether a chain and a curve are near each other along their whole length."""
    own = positions[rim.vertices]
    back = Rim(np.arange(len(rim.curve)), own)
    there, here = (
        np.linalg.norm(nearest - points, axis=1)
        for nearest, points in ((rim.nearest(positions), own), (back.nearest(rim.curve), rim.curve))
    )
    return bool(max(there.max(), here.max()) < _ALONG)


def _shut(curve: Floats) -> bool:
    """Whether a curve encloses almost no area."""
    middle = curve - curve.mean(axis=0)
    area = float(np.linalg.norm(np.cross(middle, np.roll(middle, -1, axis=0)).sum(axis=0))) / 2
    return area < _SLIT * (perimeter(curve) / 2) ** 2


def holes(positions: Floats, triangles: Ints, loops: Sequence[Ints]) -> dict[str, Ints]:
    """The borders `left eye`, `right eye` and `mouth` among closed chains of vertices; empty if they are not found.

    These are two chains of about the same size, and a third at equal distances from both.
    """
    loops = [loop for loop in loops if len(loop) > 5][:_MOST]
    best: dict[str, Ints] = {}
    least = np.inf
    for left, right, mouth in permutations(loops, 3):
        curves = [positions[loop] for loop in (left, right, mouth)]
        cost = _unlikeness(*curves)
        if cost < least and _is_left(positions, triangles, [curve.mean(axis=0) for curve in curves]):
            best, least = {"left eye": left, "right eye": right, "mouth": mouth}, cost
    return best


def _unlikeness(left: Floats, right: Floats, mouth: Floats) -> float:
    """How much three curves differ from two eyes and a mouth; infinite if they cannot be that."""
    one, other, below = (curve.mean(axis=0) for curve in (left, right, mouth))
    apart = float(np.linalg.norm(one - other))
    lengths = [perimeter(curve) / (apart or 1.0) for curve in (left, right, mouth)]
    down = float(np.linalg.norm((one + other) / 2 - below)) / (apart or 1.0)
    skew = abs(np.log(np.linalg.norm(one - below) / max(float(np.linalg.norm(other - below)), 1e-300)))
    uneven = abs(np.log(lengths[0] / lengths[1]))
    likely = 0.3 < lengths[0] < 1.7 and 0.5 < lengths[2] < 4 and 0.6 < down < 1.8 and skew < 0.2 and uneven < 0.4
    return float(skew + uneven + abs(down - 1.1)) if likely else np.inf


def _is_left(positions: Floats, triangles: Ints, middles: Sequence[Floats]) -> bool:
    """Whether the first of two eyes is the face's left one, by the direction in which the skin around them faces."""
    one, other, below = middles
    middle, apart = (one + other) / 2, one - other
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    near = np.linalg.norm((a + b + c) / 3 - middle, axis=1) < np.linalg.norm(apart)
    forward = np.cross(b - a, c - a)[near].sum(axis=0)
    return bool(np.cross(middle - below, forward) @ apart > 0)
