"""A rig in numbers: parts, sliders, and the reach and support of each shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.mesh.polygons import Polygons
from facewright.report.lint import Finding, lint
from facewright.report.order import groups_of
from facewright.rig.names import Recognised, convention_of
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

# of a shape's reach: smaller offsets do not count as support; scanned shapes have small offsets everywhere
_COUNTS = 0.01


@dataclass(frozen=True)
class PartSummary:
    """One part and its size."""

    name: str
    vertices: int
    polygons: int


@dataclass(frozen=True)
class ShapeSummary:
    """The numbers of one shape at full value."""

    name: str
    kind: str  # plain, in-between, combination
    sliders: tuple[str, ...]
    at: tuple[float, ...]  # one for each slider
    additive: bool
    reach: float  # largest displacement of a vertex, scene units
    relative_reach: float  # the same, as a share of the rig's size
    moved: int  # number of vertices with an offset
    support: float  # share of all vertices that it moves by at least a hundredth of its reach

    @property
    def drivers(self) -> tuple[tuple[str, str], ...]:
        """Each slider, and in words at which value it drives the shape fully, where that does not go without saying."""
        usual = {"plain": self.at, "combination": (1.0,) * len(self.at), "in-between": ()}[self.kind]
        said = [f" at {at:g}" if at not in usual else "" for at in self.at]
        return tuple(zip(self.sliders, said, strict=True))


@dataclass(frozen=True)
class SliderSummary:
    """One slider, its bounds and its group."""

    name: str
    low: float
    high: float
    group: str


@dataclass(frozen=True)
class Summary:
    """All numbers that `inspect` shows."""

    size: float  # diagonal of the neutral's bounding box, scene units
    vertices: int
    triangles: int
    polygons: dict[str, int]  # triangles, quads, n-gons
    has_uvs: bool
    parts: tuple[PartSummary, ...]
    sliders: tuple[SliderSummary, ...]
    shapes: tuple[ShapeSummary, ...]
    exclusive: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]  # names of the modeller's rules
    names: Recognised  # the conventions that slider names follow
    findings: tuple[Finding, ...]


def summarise(rig: Rig) -> Summary:
    """The numbers of a rig."""
    counts = rig.polygons.counts
    kinds = {"triangles": counts == 3, "quads": counts == 4, "n-gons": counts > 4}
    sliders = zip(rig.sliders, rig.bounds.tolist(), groups_of(rig), strict=True)
    ends, size = _ends(rig), rig.size
    return Summary(
        size=size,
        vertices=rig.vertex_count,
        triangles=len(rig.triangles),
        polygons={kind: int(found.sum()) for kind, found in kinds.items()},
        has_uvs=rig.uvs is not None,
        parts=tuple(PartSummary(part.name, part.stop - part.start, _within(rig.polygons, part)) for part in rig.parts),
        sliders=tuple(SliderSummary(name, low, high, group) for name, (low, high), group in sliders),
        shapes=tuple(_summarise_shape(shape, rig.vertex_count, size, ends.get(shape.sliders)) for shape in rig.shapes),
        exclusive=rig.exclusive,
        rules=tuple(rule.name for rule in rig.rules),
        names=convention_of(rig.sliders),
        findings=lint(rig),
    )


def _within(polygons: Polygons, part: Part) -> int:
    first = polygons.corners[polygons.starts[:-1]]
    return int(((first >= part.start) & (first < part.stop)).sum())


def _ends(rig: Rig) -> dict[tuple[str, ...], float]:
    """For each slider (as a tuple), the value furthest from 0 at which it has a target."""
    ends: dict[tuple[str, ...], float] = {}
    for shape in rig.shapes:
        if not shape.additive:
            ends[shape.sliders] = max(ends.get(shape.sliders, 0.0), shape.at[0], key=abs)
    return ends


def _summarise_shape(shape: Shape, vertices: int, size: float, end: float | None) -> ShapeSummary:
    lengths = np.linalg.norm(shape.offsets, axis=1)
    reach = float(lengths.max(initial=0.0))
    moved = int((lengths > 0).sum())
    alone = "plain" if not shape.additive and shape.at == (end,) else "in-between"
    kind = "combination" if shape.is_combination else alone
    return ShapeSummary(
        shape.name,
        kind,
        shape.sliders,
        shape.at,
        shape.additive,
        reach,
        reach / (size or 1.0),
        moved,
        float((lengths > _COUNTS * reach).sum()) / max(vertices, 1),
    )
