"""Clips and their curves."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from facewright.errors import BadFile
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve, Interpolation, Outside
from facewright.motion.tangents import TANGENTS, Tangent


class CurveEntry(msgspec.Struct, omit_defaults=True):
    """A slider's curve: with its keys, or with their number where an array beside the JSON holds them."""

    slider: str
    keys: int = 0  # 0: they are in `times`, `values` and `slopes`
    interpolation: Interpolation = "linear"
    times: list[float] = []
    values: list[float] = []
    slopes: list[tuple[float, float]] | None = None
    tangents: list[Tangent] | None = None  # kinds of the keys; empty where an array beside the JSON holds them
    outside: Outside = "hold"

    @classmethod
    def of(cls, slider: str, curve: Curve) -> CurveEntry:
        slopes = None if curve.slopes is None else [(arriving, leaving) for arriving, leaving in curve.slopes.tolist()]
        codes = None if curve.tangents is None else [TANGENTS[code] for code in curve.tangents.tolist()]
        times, values = curve.times.tolist(), curve.values.tolist()
        return cls(slider, 0, curve.interpolation, times, values, slopes, codes, curve.outside)

    @classmethod
    def without_keys(cls, slider: str, curve: Curve) -> CurveEntry:
        tangents: list[Tangent] | None = None if curve.tangents is None else []
        return cls(slider, len(curve.times), curve.interpolation, tangents=tangents, outside=curve.outside)

    def value(self) -> Curve:
        slopes = None if self.slopes is None else np.array(self.slopes, np.float64).reshape(-1, 2)
        times, values = np.array(self.times), np.array(self.values)
        return Curve(times, values, self.interpolation, slopes, self.tangents, self.outside)


class ClipEntry(msgspec.Struct):
    """A clip."""

    name: str
    rate: float
    curves: list[CurveEntry] = []

    @classmethod
    def of(cls, clip: Clip) -> ClipEntry:
        return cls(clip.name, float(clip.rate), [CurveEntry.of(name, curve) for name, curve in clip.curves.items()])

    @classmethod
    def without_keys(cls, clip: Clip) -> ClipEntry:
        curves = [CurveEntry.without_keys(name, curve) for name, curve in clip.curves.items()]
        return cls(clip.name, float(clip.rate), curves)

    def value(self, curves: Mapping[str, Curve] | None = None) -> Clip:
        """The clip; `curves` are given where the entry has no keys."""
        found = {entry.slider: entry.value() for entry in self.curves} if curves is None else curves
        if len(found) != len(self.curves):
            raise BadFile(f"clip {self.name!r} has two curves for one slider")
        return Clip(self.name, found, self.rate)
