"""A pose as notebooks show it: all sliders by name, and an array where one is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.errors import UnknownName
from facewright.rig.rig import Rig


class ViewPose(Mapping[str, float]):
    """The value of every slider of a rig, by name, in the rig's order. A changed pose is another one: `pose | {...}`.

    All functions that take weights take a pose, and `np.asarray(pose)` is the array (n,).
    """

    __slots__ = ("_column", "_rig", "weights")

    def __init__(self, rig: Rig, weights: Mapping[str, float] | ArrayLike | None = None) -> None:
        self._rig: Rig = rig
        self.weights: Floats = rig.pose(weights)  # (n,) not writable
        self._column = {name: i for i, name in enumerate(rig.sliders)}

    def __getitem__(self, name: str) -> float:
        if name not in self._column:
            raise UnknownName("slider", name, self._rig.sliders)
        return float(self.weights[self._column[name]])

    def __contains__(self, name: object) -> bool:
        return name in self._column

    def __iter__(self) -> Iterator[str]:
        return iter(self._rig.sliders)

    def __len__(self) -> int:
        return len(self._rig.sliders)

    def __or__(self, other: Mapping[str, float]) -> ViewPose:
        return ViewPose(self._rig, {**self, **other})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.weights, dtype=dtype)

    def __repr__(self) -> str:
        moved = {name: round(value, 4) for name, value in self.items() if value}
        return f"ViewPose({moved}, {len(self) - len(moved)} others at 0)"
