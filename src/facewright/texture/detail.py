"""Which map gives the detail over time: the one with the largest weight, changed rarely and
gradually, or the neutral.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.errors import BadValue

CHOICES = ("dominant", "neutral")


@dataclass(frozen=True)
class DetailChoice:
    """How the map that gives the detail is chosen."""

    by: str = "dominant"  # the map with the largest weight; or "neutral": always the neutral
    margin: float = 0.1  # another map must exceed the weight of the present one by this much
    fade: float = 0.25  # seconds of the change from one detail to another

    def __post_init__(self) -> None:
        if self.by not in CHOICES:
            raise BadValue(f"detail is taken from the {' or the '.join(CHOICES)} map, not from {self.by!r}")
        if not (0 <= self.margin < 1 and np.isfinite(self.fade) and self.fade >= 0):
            raise BadValue(f"the margin is from 0 to below 1 and the fade 0 or more, not {self.margin} and {self.fade}")


@dataclass(frozen=True)
class Detail:
    """The map whose detail is shown, 0 for the neutral, and during a change also the previous one."""

    map: int = 0
    former: int = 0
    share: float = 1.0  # of the new map

    @classmethod
    def at(cls, weights: ArrayLike, choice: DetailChoice | None = None, relevance: ArrayLike | None = None) -> Detail:
        """The detail of a single pose, for weights (k,) of the maps; the neutral has the rest of 1.

        relevance (k,): of the maps in a region of the face, as in `DetailRegions`.
        """
        if (choice or DetailChoice()).by == "neutral":
            return cls()
        return cls(int(np.argmax(shares(weights, relevance))))

    def after(
        self,
        seconds: float,
        weights: ArrayLike,
        choice: DetailChoice | None = None,
        relevance: ArrayLike | None = None,
    ) -> Detail:
        """The detail so many seconds later, at new weights. A change that has begun is completed or reversed, never
        cut.
        """
        choice = choice or DetailChoice()
        if choice.by == "neutral":
            return Detail()
        standing = shares(weights, relevance)
        now = replace(self, share=min(1.0, self.share + seconds / choice.fade)) if choice.fade > 0 else Detail(self.map)
        wanted = int(np.argmax(standing))
        if wanted == now.map or standing[wanted] <= standing[now.map] + choice.margin:
            return now
        if now.share < 1:
            return Detail(now.former, now.map, 1 - now.share) if wanted == now.former else now
        return Detail(wanted, now.map, 0.0 if choice.fade > 0 else 1.0)


def shares(weights: ArrayLike, relevance: ArrayLike | None = None) -> Floats:
    """Weights (1 + k,) with that of the neutral first, which is what the maps (k,) leave of 1.

    In a region maps count by their relevance (k,) there, and the weights sum to 1, so that one map alone is shown
    everywhere.
    """
    maps = np.maximum(np.asarray(weights, np.float64), 0)
    rest = max(0.0, 1 - maps.sum())
    if relevance is None:
        return np.concatenate([[rest], maps])
    found = np.concatenate([[rest], maps * np.asarray(relevance)])
    return np.asarray(found / found.sum())


def over_time(
    weights: Iterable[ArrayLike],
    step: float,
    choice: DetailChoice | None = None,
    relevance: ArrayLike | None = None,
) -> list[Detail]:
    """The detail of each frame; step: seconds between frames."""
    found: list[Detail] = []
    for row in weights:
        found.append(found[-1].after(step, row, choice, relevance) if found else Detail.at(row, choice, relevance))
    return found
