"""The result of a solve: values, and whether they are the minimum."""

from dataclasses import dataclass
from enum import Enum

from facewright.arrays import Floats, frozen


class Status(Enum):
    """How a solve ended, in a sentence for the user."""

    SOLVED = "solved"
    OUT_OF_STEPS = "stopped early: inside the bounds and usable, but not the best there is"
    INFEASIBLE = "no values meet the bounds and the rows at once; the values are those to stay near"
    UNBOUNDED = "the cost falls without end, or nearly so: give each unknown finite bounds, or a term that holds it"


@dataclass(frozen=True, eq=False)
class Solution:
    """Values inside their bounds to the last bit, so `x == low` tells which bounds are met."""

    x: Floats  # (n,) always finite
    status: Status
    iterations: int  # active-set changes
    multipliers: (
        Floats  # (n,) Lagrange multiplier of each bound: above 0 at the high one, below 0 at the low one, 0 if free
    )
    row_multipliers: Floats  # (r,) the same for the rows, 0 if a row has slack

    def __post_init__(self) -> None:
        for array in (self.x, self.multipliers, self.row_multipliers):
            frozen(array)

    @property
    def solved(self) -> bool:
        return self.status is Status.SOLVED
