"""How strongly examples and template count in each iteration. Both numbers have no unit.

beta: the cost of a shape's difference from the template, relative to the cost of a pose's residual. gamma: the cost of
a weight's difference from its guess, relative to its own element of the diagonal of D^T D. The defaults were chosen on
faces whose true shapes are known, by the error in poses that were not examples (docs/building.md); the beta of the
paper, 0.5 to 0.1, uses too little of the examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facewright.errors import BadValue


@dataclass(frozen=True)
class Schedule:
    """Values of beta and gamma that change from the first to the last iteration in even ratios."""

    beta: tuple[float, float] = (0.1, 0.003)
    gamma: tuple[float, float] = (10.0, 0.01)
    iterations: int = 10

    def __post_init__(self) -> None:
        if not all(np.isfinite(value) and value > 0 for value in (*self.beta, *self.gamma)):
            raise BadValue(f"beta and gamma are numbers above 0, not {self.beta} and {self.gamma}")
        if self.iterations < 1:
            raise BadValue(f"there is at least one iteration, not {self.iterations}")

    def __iter__(self) -> Iterator[tuple[float, float]]:
        """Beta and gamma of each iteration."""
        betas, gammas = (np.geomspace(*ends, self.iterations).tolist() for ends in (self.beta, self.gamma))
        return iter(zip(betas, gammas, strict=True))

    def last(self, iterations: int) -> Schedule:
        """The last iterations of the schedule, for a start from an earlier result."""
        return Schedule((self.beta[1],) * 2, (self.gamma[1],) * 2, iterations)

    @classmethod
    def paper(cls) -> Schedule:
        """The schedule of Li 2010, sec. 4: ten iterations, beta 0.5 to 0.1, gamma 1000 to 100 square millimetres.

        The paper's gamma counts the same for every shape and depends on unit and number of vertices. Beside the
        element of the diagonal of D^T D of a shape of median motion it is 0.1 to 0.01 (10,000 on the ICT face, 6,800 on
        the embedded head, in square millimetres), which is what is used here.
        """
        return cls(beta=(0.5, 0.1), gamma=(0.1, 0.01), iterations=10)

    @classmethod
    def trusting(cls, examples: float) -> Schedule:
        """A schedule between 0, which trusts the template, and 1, which trusts the examples; 0.5 is the default."""
        if not 0 <= examples <= 1:
            raise BadValue(f"trust in the examples goes from 0 to 1, not {examples}")
        factor = 100.0 ** (1 - 2 * examples)
        first, last = cls.beta
        return cls(beta=(first * factor, last * factor))
