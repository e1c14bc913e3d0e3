"""Only what is touched, or a natural face: chosen by how many sliders it takes to bring the pins to their targets.

Poses that somebody makes slider by slider have few sliders on, recorded ones have many: the sparse answer of the
bounded method tells which it is. Its sliders are counted by how much of the face each moves, so that the count changes
smoothly, and between two counts the answers of both methods are mixed: a drag does not jump where the choice changes.
One or two dragged points ask for few sliders.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.pose.natural import NaturalUpdate
from facewright.pose.update import BoundedUpdate
from facewright.solve.solution import Status
from facewright.terms.exclusive import ExclusivePairs
from facewright.terms.limits import Limits

# Chosen on the embedded head and Face Cap, on made-up poses and on the first third of a recording: docs/posing.md.
_FEW, _MANY = 2.5, 4.0  # sliders


class AutomaticUpdate:
    """The bounded answer where it uses few sliders, the natural one where it uses many, and a mix in between."""

    def __init__(
        self,
        bounded: BoundedUpdate,
        natural: NaturalUpdate,
        exclusive: ExclusivePairs,
        amount: Floats,
        limits: Limits,
    ) -> None:
        self._bounded, self._natural, self._exclusive = bounded, natural, exclusive
        self._amount, self._limits = amount, limits  # (n,)

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.solve(self._limits, lambda within: self._within(wanted, within))

    def _within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        sparse, status = self._bounded.within(wanted, limits)
        share = self._natural_share(sparse)
        if share == 0.0:
            return sparse, status
        natural, other = self._natural.within(wanted, limits)
        return (1 - share) * sparse + share * natural, status if other is Status.SOLVED else other

    def _natural_share(self, change: Floats) -> float:
        """Of the natural answer, for a sparse one (n,)."""
        moved = np.abs(change) * self._amount
        squares = float(moved @ moved)
        count = float(moved.sum()) ** 2 / squares if squares > 0 else 0.0
        share = min(max((count - _FEW) / (_MANY - _FEW), 0.0), 1.0)
        return share * share * (3 - 2 * share)
