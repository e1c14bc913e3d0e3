"""A rig as the meshes of a file: parts that polygons join are one, and polygons are ordered by part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Ints
from facewright.document import Document, PlacedPin
from facewright.rig.rig import Part, Rig


def joined_parts(rig: Rig) -> list[Part]:
    """The rig's parts; those that a polygon connects are one range."""
    stops = np.array([part.stop for part in rig.parts])
    of_corner = np.searchsorted(stops, rig.polygons.corners, side="right")
    starts = rig.polygons.starts[:-1]
    low = np.minimum.reduceat(of_corner, starts) if len(starts) else np.zeros(0, np.int64)
    high = np.maximum.reduceat(of_corner, starts) if len(starts) else low
    bridged = np.zeros(len(stops) + 1, np.int64)
    np.add.at(bridged, low, 1)
    np.add.at(bridged, high, -1)
    open_after = np.cumsum(bridged)[:-1] > 0  # (parts,) whether a polygon connects it to the next part
    found: list[Part] = []
    for part, before in zip(rig.parts, [False, *open_after[:-1]], strict=True):
        if before:
            part = Part(found[-1].name, found.pop().start, part.stop)
        found.append(part)
    return [part for part in found if part.stop > part.start] or found[:1]


def home_parts(rig: Rig, parts: list[Part]) -> Ints:
    """The part (f,) that each polygon of a rig is on."""
    stops = np.array([part.stop for part in parts])
    return np.searchsorted(stops, rig.polygons.corners[rig.polygons.starts[:-1]], side="right")


def moved_pins(document: Document, order: Ints) -> tuple[PlacedPin, ...]:
    """The pins, with the triangles that they are on when the polygons are in the file's order."""
    polygons = document.rig.polygons
    if np.array_equal(order, np.arange(len(polygons))):
        return document.pins
    fans = np.cumsum([0, *(polygons.counts - 2)])  # first triangle of each polygon
    moved = np.concatenate([np.zeros(0, np.int64), *(np.arange(fans[row], fans[row + 1]) for row in order)])
    place = np.argsort(moved)
    return tuple(
        pin if pin.triangle is None else replace(pin, triangle=int(place[pin.triangle])) for pin in document.pins
    )
