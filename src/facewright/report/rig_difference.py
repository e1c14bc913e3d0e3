"""Two rigs of one topology, shape by shape: how far they differ, and what only one of them has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from facewright.arrays import Floats
from facewright.errors import OtherTopology
from facewright.rig.names import match_names
from facewright.rig.rig import Rig
from facewright.rig.shape import Factor, Shape


@dataclass(frozen=True)
class ShapeDifference:
    """A shape that both rigs have, perhaps in other spellings."""

    name: str
    other: str  # its name in the second rig
    distance: float  # length of the difference of all offsets, as a share of the longer of the two shapes: 0 .. 2
    furthest: float  # the largest difference at a vertex, as a share of the first rig's size
    vertex: int  # where that is; -1 where the shapes are the same
    driven_alike: bool  # both are driven by sliders of the same names, in the same way


@dataclass(frozen=True)
class RigDifference:
    """What is different between two rigs."""

    neutral: float  # root mean square distance of the neutrals' vertices, as a share of the first rig's size
    furthest: float  # the largest distance between the neutrals, as a share of the same
    scale: float  # size of the second rig, as a multiple of the first
    same_polygons: bool
    shapes: tuple[ShapeDifference, ...]  # that both have, in the first rig's order
    missing: tuple[str, ...]  # shapes that only the first rig has
    extra: tuple[str, ...]  # shapes that only the second rig has
    missing_sliders: tuple[str, ...]
    extra_sliders: tuple[str, ...]
    other_bounds: tuple[str, ...]  # sliders of both whose bounds differ


class RigComparison:
    """One rig, prepared to be compared with many versions of another; shapes that stay are compared once."""

    def __init__(self, other: Rig) -> None:
        self.other = other
        self._by_name = {shape.name: shape for shape in other.shapes}
        self._known: WeakKeyDictionary[Shape, tuple[Shape, _Distance]] = WeakKeyDictionary()

    def __call__(self, rig: Rig) -> RigDifference:
        """The difference of the prepared rig, the second one, from a rig of the same vertices, the first one."""
        other = self.other
        if rig.vertex_count != other.vertex_count:
            raise OtherTopology(
                f"rigs are compared vertex by vertex, but one has {rig.vertex_count:,} vertices, the other "
                f"{other.vertex_count:,}; register one to the other first (`facewright register`)"
            )
        size = rig.size or 1.0
        matched = _paired_names(rig.shape_names, other.shape_names)
        apart = np.linalg.norm(rig.neutral - other.neutral, axis=1)
        theirs = set(matched.values())
        sliders = self.paired_sliders(rig)
        return RigDifference(
            neutral=float(np.sqrt((apart**2).mean())) / size if len(apart) else 0.0,
            furthest=float(apart.max(initial=0.0)) / size,
            scale=other.size / size,
            same_polygons=_has_same_polygons(rig, other),
            shapes=tuple(
                self._compared(shape, self._by_name[matched[shape.name]], size, sliders)
                for shape in rig.shapes
                if shape.name in matched
            ),
            missing=tuple(name for name in rig.shape_names if name not in matched),
            extra=tuple(name for name in other.shape_names if name not in theirs),
            missing_sliders=tuple(name for name in rig.sliders if name not in sliders),
            extra_sliders=tuple(name for name in other.sliders if name not in set(sliders.values())),
            other_bounds=tuple(
                name
                for name, its in sliders.items()
                if not np.array_equal(rig.bounds[rig.slider_index(name)], other.bounds[other.slider_index(its)])
            ),
        )

    def paired_sliders(self, rig: Rig) -> dict[str, str]:
        """Sliders of a rig to those of the prepared one that have the same name, in any spelling."""
        return _paired_names(rig.sliders, self.other.sliders)

    def _compared(self, shape: Shape, other: Shape, size: float, sliders: dict[str, str]) -> ShapeDifference:
        known = self._known.get(shape)
        if known is None or known[0] is not other:
            known = self._known[shape] = (other, _distance(shape, other))
        found = known[1]
        alike = _is_driven_alike(shape, other, sliders)
        return ShapeDifference(shape.name, other.name, found.share, found.furthest / size, found.vertex, alike)


class _Distance(NamedTuple):
    """How far two shapes differ."""

    share: float  # of the longer one
    furthest: float  # scene units
    vertex: int


def compare_rigs(rig: Rig, other: Rig) -> RigDifference:
    """What is different between two rigs of the same vertices. Shapes and sliders are paired by their names."""
    return RigComparison(other)(rig)


def _paired_names(ones: tuple[str, ...], others: tuple[str, ...]) -> dict[str, str]:
    """Names to those of the same meaning: equal ones first, then the rest in any spelling."""
    same = {name: name for name in ones if name in set(others)}
    left, right = [name for name in ones if name not in same], [name for name in others if name not in same]
    return {**same, **(match_names(left, right).pairs if left and right else {})}


def _distance(shape: Shape, other: Shape) -> _Distance:
    moved = np.union1d(shape.vertices, other.vertices)
    one, two = _on(moved, shape), _on(moved, other)
    apart = np.linalg.norm(one - two, axis=1)
    longer = max(float(np.linalg.norm(one)), float(np.linalg.norm(two)))
    share = float(np.linalg.norm(apart)) / longer if longer else 0.0
    at = int(moved[apart.argmax()]) if apart.any() else -1
    return _Distance(share, float(apart.max(initial=0.0)), at)


def _is_driven_alike(shape: Shape, other: Shape, sliders: dict[str, str]) -> bool:
    """Whether a shape is driven as another is, by the sliders of the second rig that are paired with its own."""
    own = tuple(Factor(sliders.get(one.slider, ""), one.at, one.span) for one in shape.factors)
    return (own, shape.additive) == (other.factors, other.additive)


def _on(vertices: np.ndarray, shape: Shape) -> Floats:
    """Offsets (k, 3) on increasing vertices (k,), which are all that the shape moves and perhaps more."""
    found = np.zeros((len(vertices), 3))
    found[np.searchsorted(vertices, shape.vertices)] = shape.offsets
    return found


def _has_same_polygons(one: Rig, other: Rig) -> bool:
    a, b = one.polygons, other.polygons
    return a is b or (np.array_equal(a.starts, b.starts) and np.array_equal(a.corners, b.corners))
