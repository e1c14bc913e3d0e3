"""Regions joined to larger ones, step by step, until the whole face is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Joinable:
    """Regions as far as joining them goes."""

    motion: Floats  # (r, s) how far each shape moves it, on average
    masses: Floats  # (r,) how large it is
    touches: np.ndarray  # (r, r) whether two have a common border
    mirror: Ints  # (r,) its image on the other side, or itself


def joining(regions: Joinable) -> list[Ints]:
    """All levels (r,) above the finest: at each, two neighbours have joined, those that moved most alike.

    Two are alike by 2 a . b / (a . a + b . b): moved by the same shapes, and as far, so that what hardly moves joins
    last. What joins on one side joins on the other at the same level; what touches nothing joins at the end.
    """
    levels: list[Ints] = []
    group = np.arange(len(regions.masses))
    while len(regions.masses) > 1:
        now = _best_pair(regions)
        regions, group = _joined(regions, now), now[group]
        levels.append(group)
    return levels


def chosen(levels: list[Ints], count: int, wanted: int | None) -> list[Ints]:
    """As many levels as wanted with the finest, which has `count` regions: the numbers of regions fall evenly, in
    proportion, from the finest to one.
    """
    if wanted is None or wanted > len(levels):
        return levels
    sizes = np.array([len(np.unique(level)) for level in levels])
    goals = count ** (1 - np.arange(1, wanted) / (wanted - 1))
    picked = [int(np.abs(np.log(sizes / goal)).argmin()) for goal in goals]
    return [levels[i] for i in sorted({*picked, len(levels) - 1})]


def _best_pair(regions: Joinable) -> Ints:
    """New numbers (k,) after the two most alike, and their images, are one."""
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
