"""A rig without its arrays: sliders, shapes, parts, exclusive pairs, ties, rules, and a pose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.formats import limits
from facewright.rig.rig import Part, Rig
from facewright.rig.rules import OnlyMovedBy, Rule, StaysWithin
from facewright.rig.shape import Shape


class SliderEntry(msgspec.Struct):
    """A slider: its bounds and its group."""

    name: str
    low: float = 0.0
    high: float = 1.0
    group: str = "other"


class ShapeEntry(msgspec.Struct, omit_defaults=True):
    """A shape without its offsets."""

    name: str
    sliders: list[str] = []  # empty: the slider named like the shape
    at: float | list[float] = 1.0  # a list for combinations in which a slider is at another value than 1
    file: str = ""  # only beside OBJ files
    spans: list[tuple[float | None, float | None] | None] = []  # None at an end: it is nowhere
    additive: bool = False  # only where one slider drives the shape

    @classmethod
    def of(cls, shape: Shape, file: str = "") -> ShapeEntry:
        """Describe a shape."""
        return cls(
            shape.name,
            [] if shape.sliders == (shape.name,) else list(shape.sliders),
            shape.at[0] if len(set(shape.at)) == 1 and (shape.at[0] == 1 or len(shape.at) == 1) else list(shape.at),
            file,
            [ends and (_finite(ends[0]), _finite(ends[1])) for ends in shape.spans] if any(shape.spans) else [],
            shape.additive and not shape.is_combination,
        )

    def driving(self) -> dict[str, Any]:
        """The keyword arguments of `Shape` that say what drives it."""
        spans = [ends and (_or(ends[0], -np.inf), _or(ends[1], np.inf)) for ends in self.spans]
        return {"sliders": tuple(self.sliders), "at": self.at, "spans": spans, "additive": self.additive}


class PartEntry(msgspec.Struct):
    """A named range of vertices."""

    name: str
    start: int
    stop: int


class OnlyMovedByEntry(msgspec.Struct, tag="only moved by", tag_field="rule"):
    """Some vertices may be moved by these sliders alone."""

    name: str
    vertices: list[int]
    sliders: list[str]
    tolerance: float


class StaysWithinEntry(msgspec.Struct, tag="stays within", tag_field="rule"):
    """Some vertices stay within a distance of where they are at rest."""

    name: str
    vertices: list[int]
    distance: float


class RigEntry(msgspec.Struct):
    """A rig without its arrays."""

    sliders: list[SliderEntry] = []
    shapes: list[ShapeEntry] = []
    parts: list[PartEntry] = []
    exclusive: list[tuple[str, str]] = []
    ties: list[tuple[str, str]] | None = None
    rules: list[OnlyMovedByEntry | StaysWithinEntry] = []
    pose: dict[str, float] = {}  # sliders that are not at 0

    def __post_init__(self) -> None:
        if len(self.shapes) > limits.SHAPES or len(self.sliders) > limits.SHAPES:
            raise BadValue(f"a rig that is kept in a file has at most {limits.SHAPES} shapes and sliders")

    @classmethod
    def of(cls, rig: Rig, pose: Floats | None = None, *, files: Sequence[str] = ()) -> RigEntry:
        """Describe a rig and a pose; `files` are the OBJ files of the shapes."""
        sliders = [
            SliderEntry(name, float(low), float(high), group)
            for name, (low, high), group in zip(rig.sliders, rig.bounds, rig.groups, strict=True)
        ]
        shapes = [
            ShapeEntry.of(shape, file) for shape, file in zip(rig.shapes, files or [""] * len(rig.shapes), strict=True)
        ]
        parts = [PartEntry(part.name, int(part.start), int(part.stop)) for part in rig.parts]
        values = {} if pose is None else {name: float(x) for name, x in zip(rig.sliders, pose, strict=True) if x != 0}
        ties = None if rig.ties is None else list(rig.ties)
        rules = [_rule_entry(rule) for rule in rig.rules]
        return cls(sliders, shapes, parts, list(rig.exclusive), ties, rules, values)

    def rig_fields(self) -> dict[str, Any]:
        """The keyword arguments of `Rig` that are no arrays."""
        bounds = np.array([(slider.low, slider.high) for slider in self.sliders]).reshape(-1, 2)
        return {
            "sliders": tuple(slider.name for slider in self.sliders),
            "bounds": bounds if self.sliders else None,
            "groups": tuple(slider.group for slider in self.sliders),
            "parts": tuple(Part(part.name, part.start, part.stop) for part in self.parts),
            "exclusive": tuple(self.exclusive),
            "ties": None if self.ties is None else tuple(self.ties),
            "rules": tuple(_rule(entry) for entry in self.rules),
        }


def _finite(end: float) -> float | None:
    return end if np.isfinite(end) else None


def _or(end: float | None, infinite: float) -> float:
    return infinite if end is None else end


def _rule(entry: OnlyMovedByEntry | StaysWithinEntry) -> Rule:
    vertices = np.array(entry.vertices)
    if isinstance(entry, OnlyMovedByEntry):
        return OnlyMovedBy(entry.name, vertices, tuple(entry.sliders), entry.tolerance)
    return StaysWithin(entry.name, vertices, entry.distance)


def _rule_entry(rule: Rule) -> OnlyMovedByEntry | StaysWithinEntry:
    if isinstance(rule, OnlyMovedBy):
        return OnlyMovedByEntry(rule.name, rule.vertices.tolist(), list(rule.sliders), float(rule.tolerance))
    return StaysWithinEntry(rule.name, rule.vertices.tolist(), float(rule.distance))
