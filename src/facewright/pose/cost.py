"""What a change of the sliders costs where they bend or combine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.pose.terms import Problem
from facewright.rig.combine import Combine


@dataclass(frozen=True, eq=False)
class Cost:
    """1/2 |rows v|^2 + c'v + 1/2 ridge'x^2 + price'|x|, v being how much the shapes' values change with x."""

    combine: Combine
    problem: Problem
    start: Floats  # (n,) weights at x = 0
    values: Floats  # (s,) of the shapes there
    c: Floats  # (s,)
    price: Floats  # (n,)

    def __call__(self, changes: Floats) -> Floats:
        """Of changes x (..., n)."""
        v = self.shapes(changes)
        sliders = changes**2 @ self.problem.ridge / 2 + np.abs(changes) @ self.price
        return np.asarray(((v @ self.problem.rows.T) ** 2).sum(axis=-1) / 2 + v @ self.c + sliders)

    def shapes(self, changes: Floats) -> Floats:
        """Changes v (..., s) of the shapes' values."""
        return self.combine(self.start + changes) - self.values

    def slope(self, weights: Floats) -> Floats:
        """By the shapes' values (s,) at weights (n,), without what sliders cost."""
        rows = self.problem.rows
        return np.asarray(rows.T @ (rows @ (self.combine(weights) - self.values)) + self.c)
