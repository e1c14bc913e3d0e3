"""Sparse tables: the rows that are not zero, such as the offsets of the vertices that a target moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Part
from facewright.rig.shape import Shape


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a table that are not zero."""

    rows: Ints  # (k,) increasing
    values: Floats  # (k, n)


def spread(rows: Rows, points: Ints, count: int) -> Rows:
    """Offsets of points as offsets of render vertices, whose points are given."""
    place = np.full(count, -1)
    place[rows.rows] = np.arange(len(rows.rows))
    found = np.flatnonzero(place[points] >= 0)
    return Rows(found, rows.values[place[points[found]]])


def on_part(shape: Shape, part: Part) -> Rows:
    """Offsets of the part's vertices, numbered from its first."""
    low, high = np.searchsorted(shape.vertices, [part.start, part.stop])
    return Rows(shape.vertices[low:high] - part.start, shape.offsets[low:high])


def same_rows(a: Rows, b: Rows) -> bool:
    return np.array_equal(a.rows, b.rows) and np.array_equal(a.values, b.values)
