"""Poses under a name: values of some sliders, to be applied in part, on some sliders, mirrored or added."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig.names import mirror_name
from facewright.rig.rig import Rig
from facewright.rig.spelling import spelling

_LONGEST = 200  # characters of a name or a tag
_MOST_TAGS = 50
_LARGEST = 1e9


@dataclass(frozen=True, eq=False)
class LibraryPose:
    """A pose of a library. Sliders that it does not name stay as they are when it is applied."""

    name: str
    weights: Mapping[str, float] = field(default_factory=dict)  # slider to value
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > _LONGEST:
            raise BadValue(f"a pose needs a name of at most {_LONGEST} characters, not {self.name[:40]!r}")
        weights = {str(slider): float(value) for slider, value in self.weights.items()}
        for slider, value in weights.items():
            if not abs(value) <= _LARGEST:
                raise BadValue(f"pose {self.name!r}: the value of {slider[:40]!r} is a finite number, not {value}")
        tags = tuple(dict.fromkeys(tag.strip() for tag in self.tags if tag.strip()))
        if len(tags) > _MOST_TAGS or any(len(tag) > _LONGEST for tag in tags):
            raise BadValue(f"pose {self.name!r} has at most {_MOST_TAGS} tags of {_LONGEST} characters")
        object.__setattr__(self, "weights", MappingProxyType(weights))
        object.__setattr__(self, "tags", tags)

    def __repr__(self) -> str:
        return f"LibraryPose({self.name!r}, {len(self.weights)} sliders)"

    @classmethod
    def of(cls, name: str, rig: Rig, values: ArrayLike, sliders: Iterable[str] | None = None) -> LibraryPose:
        """A pose of slider values (n,): of all sliders, or of some."""
        given = floats("pose", values, (len(rig.sliders),))
        chosen = rig.sliders if sliders is None else tuple(sliders)
        return cls(name, {slider: float(given[rig.slider_index(slider)]) for slider in chosen})

    def mirrored(self, sliders: Collection[str]) -> LibraryPose:
        """The pose with left and right exchanged; a slider whose other side is none of the given ones stays."""
        other = {name: _other(name, sliders) for name in self.weights}
        return replace(self, weights={other[name]: value for name, value in self.weights.items()})

    @suggests_options
    def on(
        self,
        rig: Rig,
        start: ArrayLike,
        *,
        blend: float = 1.0,
        sliders: Collection[str] | None = None,
        mirrored: bool = False,
        additive: bool = False,
    ) -> Floats:
        """Slider values (n,) of a rig with the pose applied to others, within the sliders' bounds.

        blend: 0 leaves the values as they are, 1 is the pose, 2 goes as far again, -1 away from it. sliders: only these
        change. additive: the pose is added instead. Sliders that the rig does not have are left out.
        """
        if not np.isfinite(blend):
            raise BadValue(f"the share of a pose is a finite number, not {blend}")
        pose = self.mirrored(rig.sliders) if mirrored else self
        values = floats("pose", start, (len(rig.sliders),)).copy()
        index = {name: i for i, name in enumerate(rig.sliders)}
        chosen = [name for name in pose.weights if name in index and (sliders is None or name in sliders)]
        at = np.array([index[name] for name in chosen], np.int64)
        own = np.array([pose.weights[name] for name in chosen], np.float64)
        moved = values[at] + blend * (own if additive else own - values[at])
        low, high = rig.bounds[at].T
        # A value outside of the bounds goes no further, and is not brought back by a pose that leaves it.
        values[at] = np.clip(moved, np.minimum(low, values[at]), np.maximum(high, values[at])) if blend else values[at]
        return values

    def unknown(self, rig: Rig) -> tuple[str, ...]:
        """The sliders of the pose that a rig does not have."""
        return tuple(name for name in self.weights if name not in set(rig.sliders))


def mirrored_side(rig: Rig, values: ArrayLike, side: str) -> Floats:
    """Slider values (n,) with those of one side, left or right, copied to the other; both within their bounds."""
    if side not in ("left", "right"):
        raise BadValue(f"a side is left or right, not {side!r}")
    found = floats("pose", values, (len(rig.sliders),)).copy()
    for i, name in enumerate(rig.sliders):
        other = _other(name, rig.sliders)
        if other != name and (spelling(name).side or "").lower() == side:
            j = rig.slider_index(other)
            found[j] = np.clip(found[i], *rig.bounds[j])
    return found


def _other(name: str, sliders: Collection[str]) -> str:
    """The name of the other side; the name itself where there is none."""
    other = mirror_name(name)
    return other if other is not None and other in sliders else name
