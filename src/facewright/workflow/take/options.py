"""How a take is solved, and how its clip is finished."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.capture.finish import EURO, cutoff_of, finish_clip
from facewright.capture.options import FitOptions, Head, Method
from facewright.errors import BadValue
from facewright.motion.clip import Clip


@dataclass(frozen=True, kw_only=True)
class TakeOptions:
    """What a person chooses; the first five are those of `TakeSolver`."""

    method: Method = "bounded"
    steady: float = 1.0
    sparse: float = 1.0
    gaze: bool | None = None
    head: Head = "solved"
    residual: bool = False  # add shapes, so that the markers are met
    smooth: str = ""  # euro, or a cutoff in Hz such as 6
    keys: float | None = 0.005  # tolerance of key reduction; None: a key on every frame

    def __post_init__(self) -> None:
        FitOptions(method=self.method, steady=self.steady, sparse=self.sparse, head=self.head)
        if self.smooth and self.smooth != EURO:
            cutoff_of(self.smooth)
        if self.keys is not None and not (np.isfinite(self.keys) and self.keys >= 0):
            raise BadValue(f"the tolerance of keys is a number from 0 up, not {self.keys}")

    def finish(self, clip: Clip) -> Clip:
        """The clip smoothed, and without the keys that it does not need."""
        return finish_clip(clip, self.smooth, self.keys)
