"""How a take is solved. Every number is free of units: weights, seconds, shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from facewright.errors import BadValue, UnknownName

Method = Literal["bounded", "convex"]


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """Defaults were chosen on takes whose truth is known (docs/capture.md)."""

    method: Method = "bounded"  # convex: the form of Joshi 2003, weights from 0 that sum to 1 with the neutral's
    steady: float = 1.0  # how much steadiness in time counts; 0: every frame alone
    sparse: float = 1.0  # how much few and small weights count; 0: not at all
    head: bool = (
        True  # whether the head's motion is found together with the face's, from the still markers' estimate on
    )
    gaze: bool = False  # whether sliders of gaze and tongue are solved, too, which markers on skin see only by chance
    locked: tuple[str, ...] = ()  # sliders that stay at 0

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise UnknownName("method", str(self.method), get_args(Method))
        for name in ("steady", "sparse"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise BadValue(f"{name} is a number from 0 up, not {getattr(self, name)}")
