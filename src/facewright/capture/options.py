"""How a take is solved. No option has a unit: weights, seconds, shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from facewright.arrays import Ints
from facewright.errors import BadValue, UnknownName
from facewright.rig.names import canonical_name
from facewright.rig.rig import Rig
from facewright.terms.rules import forbidden_sliders, vertex_offsets

Method = Literal["bounded", "convex"]
Head = Literal["solved", "markers", "still"]
_UNSEEN = ("eyeLook", "tongue")  # ARKit's names of sliders that markers on the skin do not see


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """The defaults were chosen on takes with known weights (docs/capture.md)."""

    method: Method = "bounded"  # convex: as in Joshi 2003, weights from 0 that sum to 1 with the neutral's
    steady: float = 1.0  # how much steadiness in time counts; 0: every frame by itself
    sparse: float = 1.0  # how much few and small weights count; 0: not at all
    head: Head = "solved"  # fitted with the face; markers: from the still markers alone; still: it does not move
    gaze: bool = False  # whether sliders of gaze and tongue, which markers on the skin hardly see, are solved too
    locked: tuple[str, ...] = ()  # sliders that stay at 0

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise UnknownName("method", str(self.method), get_args(Method))
        if self.head not in get_args(Head):
            raise UnknownName("head", str(self.head), get_args(Head))
        for name in ("steady", "sparse"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise BadValue(f"{name} is a number from 0 up, not {getattr(self, name)}")

    def fixed_sliders(self, rig: Rig) -> Ints:
        """Sliders (k,) that stay at 0: the locked ones, gaze and tongue unless wanted, and those that rules forbid."""
        fixed = {rig.slider_index(name) for name in self.locked}
        if not self.gaze:
            fixed |= {i for i, name in enumerate(rig.sliders) if canonical_name(name).startswith(_UNSEEN)}
        fixed.update(forbidden_sliders(rig, vertex_offsets(rig)).tolist())
        return np.array(sorted(fixed), np.int64)
