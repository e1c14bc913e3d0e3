"""Bindings of markers to a rig's surface."""

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
    """A marker: three vertices, its barycentric coordinates between them, and its position on the actor at rest."""

    vertices: tuple[int, int, int]
    shares: _Three
    rest: _Three


class BindingEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A binding."""

    markers: dict[str, MarkerEntry]
    rotation: tuple[_Three, _Three, _Three]
    offset: _Three
    scale: float
    unit: str
    mirrored: bool = False
    notes: list[str] = []
    facewright_binding: int = _VERSION

    @classmethod
    def of(cls, binding: Binding) -> BindingEntry:
        columns = (array.tolist() for array in (binding.vertices, binding.barycentric, binding.rest))
        markers = {
            name: MarkerEntry(tuple(vertices), tuple(shares), tuple(rest))
            for name, vertices, shares, rest in zip(binding.markers, *columns, strict=True)
        }
        to_rig = binding.to_rig
        rows = tuple(tuple(row) for row in to_rig.rotation.tolist())
        return cls(
            markers,
            rows,  # type: ignore[arg-type]
            tuple(to_rig.offset.tolist()),
            to_rig.scale,
            binding.unit,
            binding.mirrored,
            list(binding.notes),
        )

    def value(self) -> Binding:
        if self.facewright_binding != _VERSION:
            raise BadFile(f"this is version {self.facewright_binding} of a binding; version {_VERSION} is known")
        if self.unit not in METRES:
            raise UnknownName("unit", self.unit, METRES)
        rotation = np.array(self.rotation)
        if np.abs(rotation @ rotation.T - np.eye(3)).max() > 1e-6 or np.linalg.det(rotation) < 0:
            raise BadFile("the rotation is none: its rows must be orthonormal and right-handed")
        markers = self.markers.values()
        return Binding(
            tuple(self.markers),
            np.array([marker.vertices for marker in markers]).reshape(-1, 3),
            np.array([marker.shares for marker in markers]).reshape(-1, 3),
            np.array([marker.rest for marker in markers]).reshape(-1, 3),
            Similarity(rotation, np.array(self.offset), self.scale),
            self.unit,
            self.mirrored,
            tuple(self.notes),
        )
