"""Sliders with in-betweens are straight only from one in-between to the next."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.rig.rig import Rig

_SAME = 1e-12


class Pieces:
    """The straight pieces of the sliders of a rig. At an in-between two pieces meet, and a slider is on either."""

    def __init__(self, rig: Rig) -> None:
        knots: dict[str, set[float]] = defaultdict(lambda: {0.0})
        for shape in rig.shapes:
            if not shape.is_combination:
                knots[shape.sliders[0]].add(shape.at)
        bent = [(rig.slider_index(name), sorted(at)) for name, at in knots.items() if len(at) > 2]
        self.knots = [(slider, np.array(at[1:-1])) for slider, at in bent]  # the outer pieces go on for ever
        self._n = len(rig.sliders)

    def __len__(self) -> int:
        return len(self.knots)

    def snapped(self, weights: Floats) -> tuple[Floats, bool]:
        """The weights (n,), exactly at a knot where rounding alone keeps them from it, and whether any is at one."""
        exact, found = weights.copy(), False
        for slider, knots in self.knots:
            nearest = knots[np.abs(knots - weights[slider]).argmin()]
            if abs(nearest - weights[slider]) <= _SAME:
                exact[slider], found = nearest, True
        return exact, found

    def ends(self, weights: Floats, leftward: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Both ends (n,), (n,) of the pieces that weights (n,) are on; at a knot, the left one where said so."""
        low, high = np.full(self._n, -np.inf), np.full(self._n, np.inf)
        for slider, knots in self.knots:
            at = int(np.searchsorted(knots, weights[slider], side="left" if leftward[slider] else "right"))
            low[slider] = knots[at - 1] if at > 0 else -np.inf
            high[slider] = knots[at] if at < len(knots) else np.inf
        return low, high
