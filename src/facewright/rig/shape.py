"""A shape: the offsets of some vertices, and the sliders that drive it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats, indices, lengths
from facewright.errors import BadValue
from facewright.options import suggests_options

Span = tuple[float, float] | None
_CLOSEST = 1e-6  # of two slider values: what changes faster than that is a mistake, and would overflow


class Factor(NamedTuple):
    """What one slider gives to the value of a shape."""

    slider: str
    at: float  # the slider's value where the factor is 1
    span: Span  # where it falls to 0 on both sides of that, an infinite end where it does not; None: as usual


@dataclass(frozen=True, eq=False)
class Shape:
    """Offsets of some vertices at full value, stored sparsely.

    Plain: one slider of the same name. In-between: one slider; `at` is the value where this target is fully on. With
    `additive` it is added to whatever else the slider does, instead of being the target there.
    Combination: two or more sliders, each with its own `at`; the product of the factors is the shape's value. A factor
    at 1 is the slider's value itself; at another value it is 1 there and 0 at 0 and at the slider's end, straight
    between. `spans` gives a factor other ends.
    """

    name: str
    vertices: Ints  # (k,) increasing
    offsets: Floats  # (k, 3) scene units
    sliders: tuple[str, ...] = ()  # empty: the slider of the shape's name
    at: tuple[float, ...] = ()  # one for each slider; empty: 1 each
    spans: tuple[Span, ...] = ()  # one for each slider; empty: as usual
    additive: bool = False  # a combination always is

    if TYPE_CHECKING:  # lists and a single number are accepted too; they are checked and copied

        def __init__(
            self,
            name: str,
            vertices: ArrayLike,
            offsets: ArrayLike,
            sliders: Sequence[str] = (),
            at: float | Sequence[float] = (),
            spans: Sequence[Sequence[float] | None] = (),
            additive: bool = False,
        ) -> None: ...

    def __post_init__(self) -> None:
        vertices = indices(f"vertices of shape {self.name!r}", self.vertices, (None,), below=2**31)
        offsets = lengths(f"offsets of shape {self.name!r}", self.offsets, (len(vertices), 3))
        if (vertices[1:] <= vertices[:-1]).any():
            raise BadValue(f"shape {self.name!r}: vertices must increase, without repeats")
        if isinstance(self.sliders, str):
            raise BadValue(f"shape {self.name!r}: sliders are given as a tuple of names, not as {self.sliders!r}")
        sliders = tuple(self.sliders) or (self.name,)
        if len(set(sliders)) != len(sliders):
            raise BadValue(f"shape {self.name!r}: a combination names each slider once, not {', '.join(sliders)}")
        at = _values(self.name, self.at, len(sliders))
        additive = bool(self.additive) or len(sliders) > 1
        spans = _spans(self.name, self.spans, at)
        if any(spans) and not additive:
            raise BadValue(
                f"shape {self.name!r}: an in-between that is a target ends at its neighbours; spans are for "
                "combinations and for additive=True"
            )
        derived = {
            "vertices": vertices,
            "offsets": offsets,
            "sliders": sliders,
            "at": at,
            "spans": spans,
            "additive": additive,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @classmethod
    @suggests_options
    def from_dense(
        cls,
        name: str,
        delta: ArrayLike,
        *,
        sliders: Sequence[str] = (),
        at: float | Sequence[float] = (),
        spans: Sequence[Sequence[float] | None] = (),
        additive: bool = False,
    ) -> Shape:
        """A shape from offsets of all vertices (v, 3); offsets that are exactly zero are not stored."""
        dense = floats(f"delta of shape {name!r}", delta, (None, 3))
        moved = np.flatnonzero(dense.any(axis=1))
        return cls(name, moved, dense[moved], sliders, at, spans, additive)

    def dense(self, vertices: int) -> Floats:
        """Offsets (v, 3) of all vertices."""
        delta = np.zeros((vertices, 3))
        delta[self.vertices] = self.offsets
        return delta

    def driven_as(self, other: Shape) -> Shape:
        """The same offsets, driven by the sliders of another shape as that is."""
        return replace(self, sliders=other.sliders, at=other.at, spans=other.spans, additive=other.additive)

    def is_driven_as(self, other: Shape) -> bool:
        """Whether the shape has the same value as another in every pose of every rig."""
        return (self.factors, self.additive) == (other.factors, other.additive)

    def __repr__(self) -> str:
        driven = "" if self.sliders == (self.name,) else f", by {' x '.join(self.sliders)}"
        at = "" if set(self.at) == {1.0} else f", at {' x '.join(f'{value:g}' for value in self.at)}"
        return f"Shape({self.name!r}, {len(self.vertices)} vertices{driven}{at})"

    @property
    def is_combination(self) -> bool:
        """Whether two or more sliders together drive the shape."""
        return len(self.sliders) > 1

    @property
    def factors(self) -> tuple[Factor, ...]:
        """What each slider gives to the value, in the order of `sliders`."""
        return tuple(map(Factor, self.sliders, self.at, self.spans))


def _values(shape: str, at: object, count: int) -> tuple[float, ...]:
    """Where each of some sliders drives the shape fully."""
    if not isinstance(at, Sequence):
        values = (float(at),) if count == 1 else (float(at),) * (count if at == 1 else 1)  # type: ignore[arg-type]
    else:
        values = tuple(float(value) for value in at)
        # What was filled in for one number of sliders serves for another one: `replace(shape, sliders=...)`.
        values = (1.0,) * count if set(values) <= {1.0} else values
    if len(values) != count:
        raise BadValue(f"shape {shape!r}: `at` has one value for each of {count} sliders, not {len(values)}")
    for value in values:
        if not np.isfinite(value) or value == 0:
            raise BadValue(f"shape {shape!r}: `at` is a slider value other than 0, not {value}")
        if not _CLOSEST <= abs(value) <= 1 / _CLOSEST:
            raise BadValue(
                f"shape {shape!r}: `at` is a slider value from {_CLOSEST:g} to {1 / _CLOSEST:g}, not {value:g}"
            )
    return values


def _spans(shape: str, spans: Sequence[Sequence[float] | None], at: tuple[float, ...]) -> tuple[Span, ...]:
    """The ends of each factor."""
    given = tuple(spans) if any(ends is not None for ends in spans) else (None,) * len(at)
    if len(given) != len(at):
        raise BadValue(f"shape {shape!r}: `spans` has one entry for each of {len(at)} sliders, not {len(given)}")
    return tuple(None if ends is None else _span(shape, ends, value) for ends, value in zip(given, at, strict=True))


def _span(shape: str, ends: Sequence[float], at: float) -> tuple[float, float]:
    if len(ends) != 2:
        raise BadValue(f"shape {shape!r}: a span has two ends, not {len(ends)}")
    low, high = float(ends[0]), float(ends[1])
    if not low < at < high:
        raise BadValue(f"shape {shape!r}: the knots {low:g}, {at:g}, {high:g} are out of order; each is above the last")
    if min(at - low, high - at) < _CLOSEST:
        raise BadValue(f"shape {shape!r}: the knots {low:g}, {at:g}, {high:g} are closer than {_CLOSEST:g}")
    if np.isinf(low) and np.isinf(high):
        raise BadValue(f"shape {shape!r}: a span needs an end on one side of {at:g} at least")
    return low, high
