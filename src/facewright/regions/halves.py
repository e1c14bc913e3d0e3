"""Where to cut a region in two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.plane import Plane
from facewright.regions.edit import finest_named
from facewright.regions.region_names import unused
from facewright.regions.vertex_statistics import vertex_areas
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

_BOTH = 0.2  # of a region's area: with this much on each side, it crosses the middle of the face


@dataclass(frozen=True, eq=False)
class Halves:
    """The two parts of a region that was cut."""

    names: tuple[str, str]
    second: Ints  # vertices of the second part


def halves_of(rig: Rig, regions: Regions, name: str, middle: Plane) -> Halves:
    """Cut one of the finest regions across its longest extent into two parts of equal area.

    A region that crosses the middle of the face, and is longest in that direction, is cut at the middle.
    """
    own = np.flatnonzero(regions.labels() == finest_named(regions, name))
    if len(own) < 2:
        raise BadValue(f"{name!r} has {len(own)} vertices of its own; there is nothing to split")
    areas = np.maximum(vertex_areas(rig)[own], 1e-300)
    axis = _longest(rig.neutral[own], areas)
    left, up = middle.normal, np.array([0.0, 1.0, 0.0])
    sideways, upwards = abs(axis @ left), abs(axis @ up)
    beside = middle.heights(rig.neutral[own])
    if sideways >= upwards and sideways >= np.sqrt(0.5) and _is_astride(beside, areas):
        return _named(regions, name, ("left", "right"), own[beside <= 0])
    if sideways >= upwards and sideways >= np.sqrt(0.5):
        return _named(regions, name, ("inner", "outer"), own[_upper_half(np.abs(beside), areas)])
    words, along = (("upper", "lower"), -up) if upwards >= np.sqrt(0.5) else (("front", "back"), _backwards(axis))
    return _named(regions, name, words, own[_upper_half(rig.neutral[own] @ along, areas)])


def _longest(points: Floats, areas: Floats) -> Floats:
    away = points - areas @ points / areas.sum()
    return np.asarray(np.linalg.eigh(away.T @ (areas[:, None] * away))[1][:, -1])


def _backwards(axis: Floats) -> Floats:
    return np.asarray(-axis * (np.sign(axis[2]) or 1.0))


def _is_astride(beside: Floats, areas: Floats) -> bool:
    share = areas[beside > 0].sum() / areas.sum()
    return bool(_BOTH <= share <= 1 - _BOTH)


def _upper_half(values: Floats, areas: Floats) -> np.ndarray:
    """The points with the highest values that make up half of the area; at least one, and not all."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(areas[order]) <= 0.5 * areas.sum()
    below[0], below[-1] = True, False
    upper = np.ones(len(values), bool)
    upper[order[below]] = False
    return upper


def _named(regions: Regions, name: str, words: tuple[str, str], second: Ints) -> Halves:
    first, other = (unused(f"{word} {name}", set(regions.names)) for word in words)
    return Halves((first, other), second)
