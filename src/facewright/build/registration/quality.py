"""How well a mesh lies on another, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.align import nearest_rotation
from facewright.mesh.normals import triangle_normals
from facewright.mesh.triangle_frames import gradients

# Above the first value a fit needs a look; above the second it is refused.
_MEAN = (0.0015, 0.004)  # mean distance, as a share of the size
_MOST = (0.006, 0.015)  # 95 % quantile of the distances, as a share of the size
_FOLDED = (0.002, 0.02)  # share of the triangles
_MATCHED = (0.4, 0.2)  # share of the skin that is matched; bad if below
_PAIRS = (0.015, 0.04)  # mean distance of the pairs, as a share of the size
_RIMS = (0.004, 0.012)  # mean distance of the borders of eyes and mouth, as a share of the size
CRUSHED = 0.01  # share of the usual area; a triangle that keeps less is folded


@dataclass(frozen=True, eq=False)
class RegistrationQuality:
    """The quality of a registration. Lengths are in scene units."""

    size: float  # of the fitted skin; shares refer to it
    distances: Floats  # (v,) of each vertex of the source to the target, NaN without a counterpart
    matched: float  # share of the skin's area that has a counterpart
    folded: Ints  # triangles of the source that were turned over or crushed
    triangles: int  # number of triangles of the skin
    rims: float | None  # mean distance of the borders of eyes and mouth, if both meshes have them
    pairs: float | None  # mean distance of the landmarks; None if they were only a rough start

    @property
    def mean(self) -> float:
        """Mean distance in scene units."""
        return float(np.nanmean(self.distances)) if np.isfinite(self.distances).any() else float("inf")

    @property
    def most(self) -> float:
        """The 95 % quantile of the distances, in scene units."""
        known = self.distances[np.isfinite(self.distances)]
        return float(np.quantile(known, 0.95)) if len(known) else float("inf")

    @property
    def complaints(self) -> tuple[tuple[bool, str], ...]:
        """What is wrong: for each defect whether the fit must be refused, and a sentence."""
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
        """Whether the fit is good enough to build on."""
        return not any(bad for bad, _ in self.complaints)

    @property
    def verdict(self) -> str:
        """A sentence with the result and its reasons."""
        if not self.complaints:
            return f"a good fit: {self._figures()}"
        reasons = "; ".join(words for _, words in self.complaints)
        if self.good:
            return f"a usable fit, worth a look: {reasons} ({self._figures()})"
        return (
            f"not a fit to build on: {reasons}. More pairs would help, above all where it is worst: corners of eyes and"
            " mouth, lids, lips, nostrils, chin"
        )

    def _figures(self) -> str:
        share = 100 / self.size
        return (
            f"{share * self.mean:.3f} % of the size apart in the mean, {share * self.most:.3f} % at most for 95 of 100,"
            f" {len(self.folded)} folded triangles, {self.matched:.0%} of the skin matched"
        )

    def __repr__(self) -> str:
        return f"RegistrationQuality({self.verdict})"


def folded(rest: Floats, fitted: Floats, triangles: Ints) -> Ints:
    """Triangles (k,) that face against the rotation of their neighbourhood, or lost nearly all of their area."""
    left = (outward(rest, fitted, triangles) * triangle_normals(fitted, triangles)).sum(axis=1)
    return np.flatnonzero(left < CRUSHED * growth(rest, fitted, triangles))


def outward(rest: Floats, fitted: Floats, triangles: Ints) -> Floats:
    """The direction (t, 3) that each triangle should face: its normal at rest, rotated as its neighbourhood, over its
    square.

    The product with the triangle's normal is the share of its area that is left, seen from there; below 0 it is folded.
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
    """The median ratio of the triangles' areas after and before."""
    areas = (np.linalg.norm(triangle_normals(positions, triangles), axis=1) for positions in (fitted, rest))
    return float(np.median(np.divide(*areas)))
