"""The rig: a neutral face, the shapes that move it, and the sliders that drive the shapes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats, lengths, numbers
from facewright.errors import BadValue, UnknownName
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.rules import OnlyMovedBy, Rule
from facewright.rig.shape import Shape


@dataclass(frozen=True)
class Part:
    """A named range of the vertex array: head, left eye, teeth."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Rig:
    """A neutral face, its shapes and its sliders. Sliders are what a person moves; shapes are what the mesh adds."""

    neutral: Floats  # (v, 3) scene units, y up, the face looks along +z
    polygons: Polygons
    shapes: tuple[Shape, ...] = ()
    sliders: tuple[str, ...] = ()  # n of them; empty: those that the shapes name, in that order
    bounds: Floats = None  # type: ignore[assignment]  # (n, 2) lowest and highest value; not given: 0 to 1
    groups: tuple[str, ...] = ()  # (n,) brow, eye, mouth, ...; empty: all "other"
    parts: tuple[Part, ...] = ()  # covering all vertices in order; empty: one part "face"
    uvs: Uvs | None = None
    exclusive: tuple[tuple[str, str], ...] = ()  # pairs of sliders of which at most one is on
    rules: tuple[Rule, ...] = ()  # limits on the motion of the face
    ties: tuple[tuple[str, str], ...] | None = None  # a slider and the one it goes no further than; None: by the names

    if TYPE_CHECKING:  # lists are accepted too; they are checked and copied

        def __init__(
            self,
            neutral: ArrayLike,
            polygons: Polygons | ArrayLike | Sequence[Sequence[int]],
            shapes: Sequence[Shape] = (),
            sliders: Sequence[str] = (),
            bounds: ArrayLike | None = None,
            groups: Sequence[str] = (),
            parts: Sequence[Part] = (),
            uvs: Uvs | None = None,
            exclusive: Sequence[tuple[str, str]] = (),
            rules: Sequence[Rule] = (),
            ties: Sequence[tuple[str, str]] | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        neutral = lengths("neutral", self.neutral, (None, 3))
        shapes = tuple(self.shapes)
        sliders = tuple(self.sliders) or tuple(dict.fromkeys(name for shape in shapes for name in shape.sliders))
        bounds = np.tile([0.0, 1.0], (len(sliders), 1)) if self.bounds is None else self.bounds
        derived: dict[str, Any] = {
            "neutral": neutral,
            "polygons": Polygons.of(self.polygons),
            "shapes": shapes,
            "sliders": sliders,
            "bounds": floats("bounds", bounds, (len(sliders), 2)),
            "groups": tuple(self.groups) or ("other",) * len(sliders),
            "parts": tuple(self.parts) or (Part("face", 0, len(neutral)),),
            "exclusive": tuple(tuple(pair) for pair in self.exclusive),
            "ties": None if self.ties is None else tuple(tuple(pair) for pair in self.ties),
            "rules": tuple(self.rules),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        _check(self)

    @property
    def vertex_count(self) -> int:
        """The number of vertices v."""
        return len(self.neutral)

    @property
    def size(self) -> float:
        """The diagonal of the neutral's bounding box, in scene units; relative lengths refer to it."""
        return float(np.linalg.norm(np.ptp(self.neutral, axis=0))) if self.vertex_count else 0.0

    @property
    def shape_names(self) -> tuple[str, ...]:
        """Names of the shapes, in order."""
        return tuple(shape.name for shape in self.shapes)

    @property
    def triangles(self) -> Ints:
        """Vertices (t, 3) of the triangles; quads and n-gons are fans about their first corner."""
        return self.polygons.triangles

    @property
    def is_linear(self) -> bool:
        """Whether each slider drives its shapes in proportion: no in-betweens, no combinations."""
        at: dict[str, float] = {}
        return not any(
            shape.is_combination
            or (shape.additive and (shape.at != (1.0,) or shape.spans != (None,)))
            or (not shape.additive and at.setdefault(shape.sliders[0], shape.at[0]) != shape.at[0])
            for shape in self.shapes
        )

    @property
    def full_values(self) -> Floats:
        """The full value (n,) of each slider: its bound that is further from 0; 1 where both are 0."""
        full = np.abs(self.bounds).max(axis=1, initial=0.0)
        return np.where(full > 0.0, full, 1.0)

    def deltas(self) -> Floats:
        """Offsets (s, v, 3) of all shapes, dense: for small rigs and for copies in solvers."""
        dense = np.zeros((len(self.shapes), self.vertex_count, 3))
        for row, shape in zip(dense, self.shapes, strict=True):
            row[shape.vertices] = shape.offsets
        return dense

    def shape(self, name: str) -> Shape:
        """The shape of that name; an unknown name raises `UnknownName`."""
        for shape in self.shapes:
            if shape.name == name:
                return shape
        raise UnknownName("shape", name, self.shape_names)

    def with_shape(self, new: Shape) -> Rig:
        """The rig with a shape in place of the one of the same name."""
        old = self.shape(new.name)
        return replace(self, shapes=tuple(new if shape is old else shape for shape in self.shapes))

    def part(self, name: str) -> Part:
        """The part of that name; an unknown name raises `UnknownName`."""
        for part in self.parts:
            if part.name == name:
                return part
        raise UnknownName("part", name, (part.name for part in self.parts))

    def slider_index(self, name: str) -> int:
        """The column of a slider in weights; an unknown name raises `UnknownName`."""
        try:
            return self.sliders.index(name)
        except ValueError:
            raise UnknownName("slider", name, self.sliders) from None

    def weights(self, values: Mapping[str, float] | ArrayLike | None = None) -> Floats:
        """Slider values as an array: (n,) from names to values or from None (all zero), or as given, (n,) or
        (frames, n).
        """
        if values is None:
            values = {}
        if isinstance(values, Mapping):
            row: list[Any] = [0.0] * len(self.sliders)
            column = {name: i for i, name in enumerate(self.sliders)} if values else {}
            for name, value in values.items():
                row[column[name] if name in column else self.slider_index(name)] = value
            return floats("weights", row, (len(self.sliders),))
        given = numbers("weights", values)
        shape = (None, len(self.sliders)) if given.ndim == 2 else (len(self.sliders),)
        return floats("weights", given, shape)

    def pose(self, values: Mapping[str, float] | ArrayLike | None = None) -> Floats:
        """Slider values (n,) of one pose, from names to values, from (n,), or from None (all zero)."""
        weights = self.weights(values)
        if weights.ndim != 1:
            raise BadValue(f"one pose is wanted, but the weights hold {len(weights)} frames")
        return weights

    def __repr__(self) -> str:
        counts = f"{self.vertex_count} vertices, {len(self.sliders)} sliders, {len(self.shapes)} shapes"
        return f"Rig({counts}; {', '.join(part.name for part in self.parts)})"


def _check(rig: Rig) -> None:
    _check_unique("slider", rig.sliders)
    _check_unique("shape", rig.shape_names)
    _check_unique("part", [part.name for part in rig.parts])
    _check_parts(rig)
    vertices = rig.vertex_count
    known = dict.fromkeys(rig.sliders)  # faster to search than a tuple of thousands
    corners = rig.polygons.corners
    if corners.size and corners.max() >= vertices:
        raise BadValue(f"a polygon names vertex {corners.max()}, but the rig has {vertices} vertices")
    for shape in rig.shapes:
        if shape.vertices.size and shape.vertices[-1] >= vertices:
            raise BadValue(f"shape {shape.name!r} moves vertex {shape.vertices[-1]}, but there are {vertices} vertices")
        _check_known(known, shape.sliders)
    for pair in rig.exclusive:
        _check_pair(known, pair, "exclusive", "exclude")
    for pair in rig.ties or ():
        _check_pair(known, pair, "tied", "be tied to")
    _check_unique("rule", [rule.name for rule in rig.rules])
    for rule in rig.rules:
        if rule.vertices.size and rule.vertices.max() >= vertices:
            raise BadValue(f"rule {rule.name!r} names vertex {rule.vertices.max()}, but there are {vertices} vertices")
        _check_known(known, rule.sliders if isinstance(rule, OnlyMovedBy) else ())
    if len(rig.groups) != len(rig.sliders):
        raise BadValue(f"there are {len(rig.sliders)} sliders but {len(rig.groups)} groups")
    if rig.uvs is not None and len(rig.uvs.corners) != len(corners):
        raise BadValue(f"the polygons have {len(corners)} corners but the UVs {len(rig.uvs.corners)}")
    _check_bounds(rig)


def _check_pair(known: Collection[str], pair: Sequence[str], what: str, verb: str) -> None:
    if len(pair) != 2:
        raise BadValue(f"{what} sliders come in pairs, not {', '.join(pair)}")
    _check_known(known, pair)
    if pair[0] == pair[1]:
        raise BadValue(f"slider {pair[0]!r} cannot {verb} itself")


def _check_unique(kind: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not name:
            raise BadValue(f"a {kind} needs a name, not {name!r}")
        if name in seen:
            raise BadValue(f"there are two {kind}s named {name!r}; each needs its own name")
        seen.add(name)


def _check_known(known: Collection[str], sliders: Sequence[str]) -> None:
    for name in sliders:
        if name not in known:
            raise UnknownName("slider", name, known)


def _check_parts(rig: Rig) -> None:
    at = 0
    for part in rig.parts:
        if part.start != at or part.stop < part.start:
            raise BadValue(
                f"part {part.name!r} covers vertices {part.start} to {part.stop}; parts follow each other from {at}"
            )
        at = part.stop
    if at != rig.vertex_count:
        raise BadValue(f"the parts cover {at} vertices, but the rig has {rig.vertex_count}")


def _check_bounds(rig: Rig) -> None:
    for name, (low, high) in zip(rig.sliders, rig.bounds, strict=True):
        if low > high:
            raise BadValue(f"slider {name!r}: the lowest value {low} is above the highest, {high}")
