"""Choosing points that stay still. Switching on or off moves nothing: what is held is held from the pose there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from facewright.arrays import Ints, indices
from facewright.document import Document, HeldPoints, X, Y, Z
from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Axes, Index

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


class HoldVertices(DocumentEdit, frozen=True, kw_only=True):
    """Choose points that stay still, along some axes: add to them, remove from them, or choose these instead."""

    vertices: list[Index]
    axes: Axes = "xyz"
    mode: Mode = "add"

    @property
    def label(self) -> str:
        return "Release points" if self.mode == "remove" else "Hold points"

    def apply(self, document: Document, context: Context) -> Document:
        return hold_vertices(document, self.vertices, self.axes, self.mode)


class SetHoldAxes(DocumentEdit, frozen=True, kw_only=True):
    """The axes along which all chosen points stay still."""

    axes: Axes

    @property
    def label(self) -> str:
        return f"Hold along {self.axes}"

    def apply(self, document: Document, context: Context) -> Document:
        return set_hold_axes(document, self.axes)


class SetHolding(DocumentEdit, frozen=True, kw_only=True):
    """Whether chosen points are held, and how much that counts (null: unchosen over chosen points)."""

    on: bool
    alpha: Annotated[float, Meta(ge=0, le=1e12)] | None = None

    @property
    def label(self) -> str:
        return "Hold points still" if self.on else "Let held points move"

    def apply(self, document: Document, context: Context) -> Document:
        return set_holding(document, self.on, self.alpha)
