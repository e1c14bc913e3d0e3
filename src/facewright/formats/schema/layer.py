"""Layers of clips."""

from __future__ import annotations

import msgspec

from facewright.errors import BadFile
from facewright.formats.schema.clip import CurveEntry
from facewright.motion.curve import Curve
from facewright.motion.layer import Layer, LayerKind

WEIGHT = ""  # the name of the curve of a layer's weight, which is that of no slider


class LayerEntry(msgspec.Struct, omit_defaults=True):
    """A layer with the keys of its curves."""

    name: str
    kind: LayerKind = "additive"
    weight: float = 1.0
    weights: CurveEntry | None = None  # where the weight is keyed
    muted: bool = False
    solo: bool = False
    curves: list[CurveEntry] = []

    @classmethod
    def of(cls, layer: Layer) -> LayerEntry:
        weight = layer.weight
        return cls(
            layer.name,
            layer.kind,
            1.0 if isinstance(weight, Curve) else float(weight),
            CurveEntry.of(WEIGHT, weight) if isinstance(weight, Curve) else None,
            layer.muted,
            layer.solo,
            [CurveEntry.of(name, curve) for name, curve in layer.curves.items()],
        )

    def value(self) -> Layer:
        found = {entry.slider: entry.value() for entry in self.curves}
        if len(found) != len(self.curves):
            raise BadFile(f"layer {self.name!r} has two curves for one slider")
        weight = self.weight if self.weights is None else self.weights.value()
        return Layer(self.name, self.kind, found, weight, self.muted, self.solo)
