"""Joining of regions to larger ones, level by level, up to the whole face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Joinable:
    """The properties of regions by which they are joined."""

    motion: Floats  # (r, s) mean motion by each shape
    masses: Floats  # (r,) sizes
    touches: np.ndarray  # (r, r) whether two regions share a border
    mirror: Ints  # (r,) mirror image of each region, or the region itself


def joining(regions: Joinable) -> list[Ints]:
    """All levels (r,) above the finest: at each, the two neighbours that move most alike have joined.

    The similarity is 2 a . b / (a . a + b . b): it is high for regions that the same shapes move equally far, so that
    regions that hardly move join last. Regions join at the same level on both sides. Regions without neighbours join
    last.
    """
    levels: list[Ints] = []
    group = np.arange(len(regions.masses))
    while len(regions.masses) > 1:
        now = _best_pair(regions)
        regions, group = _joined(regions, now), now[group]
        levels.append(group)
    return levels


def chosen(levels: list[Ints], count: int, wanted: int | None) -> list[Ints]:
    """The wanted number of levels, including the finest, which has `count` regions; counts fall in
    even ratios to one.
    """
    if wanted is None or wanted > len(levels):
        return levels
    sizes = np.array([len(np.unique(level)) for level in levels])
    goals = count ** (1 - np.arange(1, wanted) / (wanted - 1))
    picked = [int(np.abs(np.log(sizes / goal)).argmin()) for goal in goals]
    return [levels[i] for i in sorted({*picked, len(levels) - 1})]


def _best_pair(regions: Joinable) -> Ints:
    """New numbers (k,) after the two most similar regions, and their mirror images, are joined."""
    products = regions.motion @ regions.motion.T
    squares = np.diag(products)
    alike = 2 * products / np.maximum(squares[:, None] + squares, 1e-300)
    alike = (alike + alike[np.ix_(regions.mirror, regions.mirror)]) / 2
    touches = regions.touches if regions.touches.any() else ~np.eye(len(alike), dtype=bool)
    alike = np.where(np.triu(touches | touches.T, k=1), alike, -np.inf)
    a, b = np.unravel_index(alike.argmax(), alike.shape)
    pairs = ([a, regions.mirror[a]], [b, regions.mirror[b]])
    return np.asarray(connected_components(sp.coo_array((np.ones(2), pairs), alike.shape), directed=False)[1], np.int64)


def _joined(regions: Joinable, now: Ints) -> Joinable:
    count = int(now.max()) + 1
    join = np.zeros((count, len(now)))
    join[now, np.arange(len(now))] = 1.0
    masses = join @ regions.masses
    motion = join @ (regions.motion * regions.masses[:, None]) / masses[:, None]
    touches = (join @ regions.touches @ join.T > 0) & ~np.eye(count, dtype=bool)
    mirror = np.zeros(count, np.int64)
    mirror[now] = now[regions.mirror]
    return Joinable(motion, masses, touches, mirror)
