"""How a face is followed. Lengths are shares of the distance between the eyes, so that no option has a unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.errors import BadValue


@dataclass(frozen=True, kw_only=True)
class TrackOptions:
    """The defaults were chosen on depth of the embedded head with known weights (docs/tracking.md)."""

    samples: int = 12000  # points on the skin that are compared; about a third faces the camera
    memory: float = 0.8  # seconds after which little is left of a pose
    independent: float = 0.25  # of the samples, at most: neighbours share their errors; how many is measured
    floor: float = 0.004  # least noise of what is measured
    sliders: str | tuple[str, ...] | None = None  # that are solved: see `sliders_in`; None: what the skin shows
    locked: tuple[str, ...] = ()  # sliders that stay at 0

    def __post_init__(self) -> None:
        if self.samples < 100:
            raise BadValue(f"a face is compared at 100 points or more, not at {self.samples}")
        for name in ("memory", "independent", "floor"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise BadValue(f"{name} is a number above 0, not {getattr(self, name)}")
