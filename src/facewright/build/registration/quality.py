"""How well a mesh lies on another, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.align import nearest_rotation
from facewright.mesh.normals import triangle_normals
from facewright.mesh.triangle_frames import gradients

# Above the first a fit deserves a look, above the second it is refused.
_MEAN = (0.0015, 0.004)  # mean distance, of the size
_MOST = (0.006, 0.015)  # what 95 of 100 vertices do not exceed
_FOLDED = (0.002, 0.02)  # share of the triangles
_MATCHED = (0.4, 0.2)  # share of the skin that has a place on the target; below
_PAIRS = (0.015, 0.04)  # mean distance of the pairs, of the size
_RIMS = (0.004, 0.012)  # mean distance of eyes' and mouth's borders, of the size
CRUSHED = 0.01  # of the area that most triangles keep: with less left, one is folded


@dataclass(frozen=True, eq=False)
class RegistrationQuality:
    """What became of a registration. Lengths are in scene units."""

    size: float  # of the fitted skin: what shares are of
    distances: Floats  # (v,) of each vertex of the source to the target, NaN where it has no counterpart there
    matched: float  # share of the skin's area that has a counterpart
    folded: Ints  # triangles of the source that were turned over or crushed
    triangles: int  # of the skin
    rims: float | None  # mean distance of the borders of eyes and mouth, where both meshes have them
    pairs: float | None  # mean distance of landmarks; None where they were only a start

    @property
    def mean(self) -> float:
        """Mean distance."""
        return float(np.nanmean(self.distances)) if np.isfinite(self.distances).any() else float("inf")

    @property
    def most(self) -> float:
        """What 95 of 100 vertices do not exceed."""
        known = self.distances[np.isfinite(self.distances)]
        return float(np.quantile(known, 0.95)) if len(known) else float("inf")

    @property
    def complaints(self) -> tuple[tuple[bool, str], ...]:
        """What is wrong, each with whether it is bad."""
        share = 1 / self.size
        folded = len(self.folded) / max(self.triangles, 1)
        checks = (
            (self.mean * share, _MEAN, f"the surfaces are {self.mean * share:.2%} of the face's size apart"),
            (self.most * share, _MOST, f"one vertex in 20 is more than {self.most * share:.1%} of the size away"),
            (folded, _FOLDED, f"{len(self.folded)} of {self.triangles} triangles are folded or crushed"),
            ((self.pairs or 0) * share, _PAIRS, f"the pairs are missed by {(self.pairs or 0) * share:.1%} of the size"),
            ((self.rims or 0) * share, _RIMS, f"eyes' or lips' borders are off by {(self.rims or 0) * share:.1%}"),
            (-self.matched, (-_MATCHED[0], -_MATCHED[1]), f"only {self.matched:.0%} of the skin has a counterpart"),
        )
        return tuple((value > bad, words) for value, (poor, bad), words in checks if value > poor)

    @property
    def good(self) -> bool:
        """Whether the fit can be built upon."""
        return not any(bad for bad, _ in self.complaints)

    @property
    def verdict(self) -> str:
        """All of it in a sentence."""
        if not self.complaints:
            return f"a good fit: {self._figures()}"
        told = "; ".join(words for _, words in self.complaints)
        if self.good:
            return f"a usable fit, worth a look: {told} ({self._figures()})"
        return (
            f"not a fit to build on: {told}. More pairs would help, above all where it is worst: corners of eyes and"
            " mouth, lids, lips, nostrils, chin"
        )

    def _figures(self) -> str:
        share = 100 / self.size
        return (
            f"{share * self.mean:.3f} % of the size apart in the mean, {share * self.most:.3f} % at most for 95 of 100,"
            f" {len(self.folded)} folded triangles, {self.matched:.0%} of the skin matched"
        )


def folded(rest: Floats, fitted: Floats, triangles: Ints) -> Ints:
    """Triangles (k,) that face against the way their neighbourhood was turned, or lost nearly all of their area."""
    left = (outward(rest, fitted, triangles) * triangle_normals(fitted, triangles)).sum(axis=1)
    return np.flatnonzero(left < CRUSHED * growth(rest, fitted, triangles))


def outward(rest: Floats, fitted: Floats, triangles: Ints) -> Floats:
    """Where each triangle (t, 3) should face: its normal at rest as its neighbourhood was turned, over its square.

    The product with its normal is the share of its area that it has left, seen from there; below 0 it is turned over.
    """
    change = gradients(rest, fitted, triangles)
    before = triangle_normals(rest, triangles)
    area = np.linalg.norm(before, axis=1)
    at, v = triangles.ravel(), len(rest)
    weight = np.repeat(area, 3)
    total = np.maximum(np.bincount(at, weight, minlength=v), np.finfo(float).tiny)
    flat = np.repeat((change * area[:, None, None]).reshape(-1, 9), 3, axis=0)
    mean = np.stack([np.bincount(at, flat[:, k], minlength=v) for k in range(9)], axis=1) / total[:, None]
    turns = nearest_rotation(mean[triangles].mean(axis=1).reshape(-1, 3, 3))
    return np.asarray(np.einsum("tab,tb->ta", turns, before) / (area**2)[:, None])


def growth(rest: Floats, fitted: Floats, triangles: Ints) -> float:
    """How many times its area a triangle has, in the median."""
    areas = (np.linalg.norm(triangle_normals(positions, triangles), axis=1) for positions in (fitted, rest))
    return float(np.median(np.divide(*areas)))
