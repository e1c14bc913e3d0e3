"""A binding as JSON that a person can read and correct."""

from __future__ import annotations

import msgspec
import numpy as np

from facewright.errors import BadFile, UnknownName
from facewright.mesh.align import Similarity
from facewright.motion.take import METRES
from facewright.rig.binding import Binding

_VERSION = 1
_Three = tuple[float, float, float]


class MarkerEntry(msgspec.Struct, forbid_unknown_fields=True):
    """One marker: the vertices it lies between, in which shares, and where it is on the actor at rest."""

    vertices: tuple[int, int, int]
    shares: _Three
    rest: _Three


class BindingFile(msgspec.Struct, forbid_unknown_fields=True):
    """A binding as plain values."""

    markers: dict[str, MarkerEntry]
    rotation: tuple[_Three, _Three, _Three]
    offset: _Three
    scale: float
    unit: str
    mirrored: bool = False
    notes: list[str] = []
    facewright_binding: int = _VERSION


def describe_binding(binding: Binding) -> BindingFile:
    """A binding as plain values."""
    columns = (array.tolist() for array in (binding.vertices, binding.barycentric, binding.rest))
    entries = {
        name: MarkerEntry(tuple(vertices), tuple(shares), tuple(rest))
        for name, vertices, shares, rest in zip(binding.markers, *columns, strict=True)
    }
    to_rig = binding.to_rig
    rows = tuple(tuple(row) for row in to_rig.rotation.tolist())
    return BindingFile(
        entries,
        rows,  # type: ignore[arg-type]
        tuple(to_rig.offset.tolist()),
        to_rig.scale,
        binding.unit,
        binding.mirrored,
        list(binding.notes),
    )


def binding_from(stored: BindingFile) -> Binding:
    """A binding from plain values."""
    if stored.facewright_binding != _VERSION:
        raise BadFile(f"this is version {stored.facewright_binding} of a binding; version {_VERSION} is known")
    if stored.unit not in METRES:
        raise UnknownName("unit", stored.unit, METRES)
    entries = stored.markers.values()
    rotation = np.array(stored.rotation)
    if np.abs(rotation @ rotation.T - np.eye(3)).max() > 1e-6 or np.linalg.det(rotation) < 0:
        raise BadFile("the rotation is none: its rows must be orthonormal and right-handed")
    return Binding(
        tuple(stored.markers),
        np.array([entry.vertices for entry in entries], np.int64).reshape(-1, 3),
        np.array([entry.shares for entry in entries]).reshape(-1, 3),
        np.array([entry.rest for entry in entries]).reshape(-1, 3),
        Similarity(rotation, np.array(stored.offset), stored.scale),
        stored.unit,
        stored.mirrored,
        tuple(stored.notes),
    )
