"""A drag within one region, or on the whole face: pins that are led, and a solver that sees only the region."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.pose.drag import Drag
from facewright.pose.solution import PoseSolution
from facewright.regions.local_pose import weights_of
from facewright.workflow.drag.pin_places import PinPlaces
from facewright.workflow.drag.region_values import WHOLE, regions_of, values_in, with_values
from facewright.workflow.solvers import Solvers

_TRIES = 4
_MET = 1e-6  # of the rig's size


@dataclass(frozen=True, eq=False)
class Led:
    """The pins of a drag: the first k move, each as a leader does, perhaps mirrored; the others hold."""

    ids: tuple[int, ...]  # (d,) -1 for an opposite that is no pin of the document
    leaders: tuple[int, ...]  # (k,) numbers of pins
    turns: Floats  # (k, 3, 3) of a leader's motion
    from_places: Floats  # (k, 3) where the leaders were


@dataclass(frozen=True, eq=False)
class ConfinedDrag:
    """The solver sees the region's work on a face at rest; where pins really are differs by what others do there."""

    drag: Drag
    document: Document  # at the beginning
    region: str
    led: Led
    solvers: Solvers
    places: PinPlaces  # of the face as it is
    seen: PinPlaces  # as the solver sees it
    even: bool  # the region has the same values all over, so that the solver sees its motion as it is
    near: float  # scene units that make no difference

    @classmethod
    def of(cls, drag: Drag, document: Document, region: str, led: Led, solvers: Solvers) -> ConfinedDrag:
        points = drag.pinned.points
        places = PinPlaces.of(solvers.pose(document.rig).motion, points, document.regions)
        seen = PinPlaces.of(solvers.within(document, region).motion, points, None)
        even, near = _is_even(document, region), _MET * document.rig.size
        return cls(drag, document, region, led, solvers, places, seen, even, near)

    def targets(self, given: Mapping[int, Floats]) -> Floats:
        """Where all pins (d, 3) should be, from the leaders' targets."""
        found = self._true(self.document)
        goals = np.array([given[leader] for leader in self.led.leaders]).reshape(-1, 3)
        found[: len(goals)] += np.einsum("ka,kab->kb", goals - self.led.from_places, self.led.turns)
        return found

    def to(self, given: Mapping[int, Floats]) -> PoseSolution:
        """The slider values of the region for leaders at their targets."""
        goals = self.targets(given)
        off = self._off(values_in(self.document, self.region))
        found = self.drag.to(goals - off)
        # Parts of the region that differ from it may meet a bound sooner, which the solver does not see.
        for _ in range(0 if self.even else _TRIES):
            last, off = off, self._off(found.weights)
            if np.abs(off - last).max(initial=0.0) <= self.near:
                break
            found = self.drag.to(goals - off)
        return found

    def moved(self, document: Document, found: PoseSolution) -> Document:
        return with_values(document, self.region, found.weights)

    def _true(self, document: Document) -> Floats:
        return self.places.at(self.solvers.values(document))

    def _off(self, values: Floats) -> Floats:
        """How far (d, 3) pins are from where the solver sees them, with the region at slider values (n,)."""
        now = with_values(self.document, self.region, values)
        return self._true(now) - self.seen.at(self.solvers.combine(self.document.rig)(values))


def _is_even(document: Document, region: str) -> bool:
    if document.local is None:
        return True
    rows = weights_of(document)
    own = rows if region == WHOLE else rows[regions_of(document).members(region)]
    return bool((own == own[0]).all())
