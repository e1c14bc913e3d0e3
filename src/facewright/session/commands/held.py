"""Choosing points that stay still. Switching on or off moves nothing: what is held is held from the pose there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from facewright.arrays import Ints, indices
from facewright.document import Document, HeldPoints, X, Y, Z
from facewright.errors import BadValue

Mode = Literal["add", "remove", "set"]
_BITS = {"x": X, "y": Y, "z": Z}


def hold_vertices(document: Document, vertices: Sequence[int], axes: str = "xyz", mode: Mode = "add") -> Document:
    """More held vertices along these axes, fewer, or these and no others."""
    count = document.rig.vertex_count
    chosen = indices("held vertices", np.asarray(vertices, np.int64), (None,), below=count)
    now = np.zeros(count, np.int64)
    if mode != "set":
        now[document.held.vertices] = document.held.axes
    now[chosen] = now[chosen] & ~bits(axes) if mode == "remove" else now[chosen] | bits(axes)
    return _with(document, now)


def set_hold_axes(document: Document, axes: str) -> Document:
    """The same held vertices, along other axes."""
    now = np.zeros(document.rig.vertex_count, np.int64)
    now[document.held.vertices] = bits(axes)
    return _with(document, now)


def set_holding(document: Document, on: bool, alpha: float | None) -> Document:
    """Whether the held points count, and how much."""
    held = document.held
    if (held.on, held.alpha) == (on, alpha):
        return document
    return replace(document, held=HeldPoints(held.vertices, held.axes, on, alpha))


def bits(axes: str) -> int:
    """Axes such as "xz" as bits."""
    if not axes or set(axes) - set(_BITS):
        raise BadValue(f"axes are some of x, y and z, such as 'xy', not {axes!r}")
    return sum(_BITS[axis] for axis in set(axes))


def _with(document: Document, axes: Ints) -> Document:
    """The document with these axes (v,) held, 0 for vertices that are not."""
    held = document.held
    vertices = np.flatnonzero(axes)
    if np.array_equal(vertices, held.vertices) and np.array_equal(axes[vertices], held.axes):
        return document
    return replace(document, held=HeldPoints(vertices, axes[vertices], held.on, held.alpha))
