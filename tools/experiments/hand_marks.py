"""Lips and brows of the embedded head, marked by hand, and how well regions follow them."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

import facewright as fw
from facewright.arrays import Floats, Ints

# Outlines seen from the front, in centimetres, drawn over a picture of the default head; x is the distance from the
# middle. All people have the same topology, so the marks are carried over by it.
LIPS = ((0.0, -5.72), (0.45, -5.47), (0.8, -5.6), (1.5, -5.82), (2.0, -5.98), (2.18, -6.15), (2.0, -6.42),
        (1.5, -6.58), (1.0, -6.85), (0.5, -6.92), (0.0, -6.9))  # fmt: skip
BROW = ((1.0, 2.05), (1.15, 2.45), (1.6, 2.7), (2.3, 2.87), (3.0, 2.8), (3.7, 2.62), (4.3, 2.35), (4.8, 2.05),
        (5.35, 1.65), (5.3, 1.5), (4.9, 1.58), (4.4, 1.83), (3.9, 1.98), (3.2, 2.03), (2.5, 2.03), (2.0, 1.98),
        (1.6, 1.85), (1.2, 1.72))  # fmt: skip
_FINE = 6  # samples along an edge of a triangle
_IN_FRONT = 1.0  # centimetres: what lies further back between the lips is the inside of the mouth


def samples() -> Floats:
    """Barycentric coordinates (b, 3) of samples that are spread evenly over a triangle."""
    steps = [(i, j, _FINE - 1 - i - j) for i in range(_FINE) for j in range(_FINE - i)]
    return (np.array(steps) + 1 / 3) / _FINE


@cache
def skin() -> tuple[Ints, dict[str, NDArray[np.bool_]]]:
    """Triangles (t, 3) of the skin seen from the front, and which samples (t, b) of them each mark covers."""
    rig = fw.sample()
    triangles = rig.triangles[rig.triangles[:, 0] < rig.parts[0].stop]
    a, b, c = rig.neutral[triangles].swapaxes(0, 1)
    triangles = triangles[(np.cross(b - a, c - a)[:, 2] > 0) & (a[:, 2] > 0)]
    places = np.einsum("bk,tkc->tbc", samples(), rig.neutral[triangles])
    flat = np.stack([np.abs(places[..., 0]), places[..., 1]], axis=-1)
    brows = inside(flat, BROW)
    marks = {
        "lips": inside(flat, LIPS) & (places[..., 2] > _IN_FRONT),
        "left brow": brows & (places[..., 0] > 0),
        "right brow": brows & (places[..., 0] < 0),
    }
    return triangles, marks


def inside(points: Floats, outline: Sequence[tuple[float, float]]) -> NDArray[np.bool_]:
    """Which points (..., 2) lie inside a closed outline: those from which a ray crosses it an odd number of times."""
    x, y = points[..., 0], points[..., 1]
    found = np.zeros(x.shape, bool)
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if y0 != y1:
            found ^= ((y0 > y) != (y1 > y)) & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return found


def agreement(rig: fw.Rig, regions: fw.Regions) -> dict[str, float]:
    """For each mark the largest share (intersection over union, by area) that a union of regions has with it."""
    triangles, marks = skin()
    a, b, c = rig.neutral[triangles].swapaxes(0, 1)
    area = np.repeat(np.linalg.norm(np.cross(b - a, c - a), axis=1)[:, None], len(samples()), axis=1)
    weights = regions.weights.toarray()[:, triangles]  # (r, t, 3)
    labels = np.einsum("bk,rtk->rtb", samples(), weights).argmax(axis=0)
    return {name: _best_union(labels, area, mark) for name, mark in marks.items()}


def _best_union(labels: Ints, area: Floats, mark: NDArray[np.bool_]) -> float:
    count = int(labels.max()) + 1
    common, whole = (np.bincount(labels.ravel(), values.ravel(), minlength=count) for values in (area * mark, area))
    order = np.argsort(-common / np.maximum(whole, 1e-300))  # regions that are most of the mark come first
    both, either = np.cumsum(common[order]), np.cumsum(whole[order])
    return float((both / (common.sum() + either - both)).max())
