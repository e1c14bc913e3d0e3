"""A channel of a mesh: one or more targets, and the values at which each is fully on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class ChannelTarget:
    """Offsets of some points of a mesh, and the value of its channel at which they are reached."""

    name: str
    at: float
    rows: Ints  # (k,) increasing
    offsets: Floats  # (k, 3)


@dataclass(frozen=True, eq=False)
class Channel:
    """What one slider does to a mesh: nothing at 0, each target at its value, straight between and beyond."""

    name: str
    id: Any  # of the channel's object in FBX; in version 6 that of the model
    targets: tuple[ChannelTarget, ...]  # by their values
    value: float  # at rest

    def at(self, value: float) -> dict[int, float]:
        """Shares of the targets, by their numbers, for a value of the channel."""
        return shares_at([target.at for target in self.targets], value)


def shares_at(targets: Sequence[float], value: float) -> dict[int, float]:
    """Shares of targets at some values, by their numbers, that reach what is between two of them, or beyond."""
    knots = sorted({0.0, *targets})
    place = int(np.clip(np.searchsorted(knots, value), 1, len(knots) - 1))
    low, high = knots[place - 1], knots[place]
    share = (value - low) / (high - low)
    ends = {low: 1 - share, high: share}
    return {n: ends[at] for n, at in enumerate(targets) if ends.get(at)}


def shape_names(channel: str, targets: Sequence[tuple[str, float]]) -> list[str]:
    """Names of the shapes of a channel, whose targets have names and values.

    The outermost is named like the channel; others have names of their own where these differ.
    """
    outer = max(range(len(targets)), key=lambda number: (targets[number][1] > 0, abs(targets[number][1])))
    return [
        channel if number == outer else name if name not in ("", channel) else f"{channel} {at:g}"
        for number, (name, at) in enumerate(targets)
    ]
