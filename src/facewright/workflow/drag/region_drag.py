"""A drag on the whole face or within one region, by a solver of the region's own rig."""

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
from facewright.workflow.solver_cache import SolverCache

_TRIES = 4
_MET = 1e-6  # of the rig's size


@dataclass(frozen=True, eq=False)
class DraggedPins:
    """The d pins of a drag: the first k follow a pin of the document, perhaps mirrored; the others stay."""

    ids: tuple[int, ...]  # (d,) -1 for a mirror image that is no pin of the document
    followed: tuple[int, ...]  # (k,) ids of the pins that they follow; a pin that is dragged follows itself
    turns: Floats  # (k, 3, 3) applied to the motion of the followed pin
    from_places: Floats  # (k, 3) where the followed pins were


@dataclass(frozen=True, eq=False)
class RegionDrag:
    """The solver's rig has only what the region adds to a face at rest. The rest of the pose offsets the targets."""

    drag: Drag
    document: Document  # at the beginning
    region: str
    pins: DraggedPins
    solvers: SolverCache
    places: PinPlaces  # of the whole face
    seen: PinPlaces  # of the solver's rig
    start: Floats  # (d, 3) places of the pins at the beginning
    offsets: Floats  # (d, 3) from where the solver's rig has them, at the beginning
    even: bool  # all parts of the region have the same slider values, so that the solver's motion is exact
    near: float  # scene units; smaller corrections are not worth another solve

    @classmethod
    def of(cls, drag: Drag, document: Document, region: str, pins: DraggedPins, solvers: SolverCache) -> RegionDrag:
        points = drag.pins.points
        places = PinPlaces.of(solvers.pose(document.rig).deltas, points, document.regions)
        seen = PinPlaces.of(solvers.within(document, region).deltas, points, None)
        even, near = _is_even(document, region), _MET * document.rig.size
        start = places.at(solvers.values(document))
        offsets = start - seen.at(solvers.combine(document.rig)(values_in(document, region)))
        return cls(drag, document, region, pins, solvers, places, seen, start, offsets, even, near)

    def targets(self, given: Mapping[int, Floats]) -> Floats:
        """Targets (d, 3) of all pins, from the targets of the followed pins."""
        found = self.start.copy()
        goals = np.array([given[id] for id in self.pins.followed]).reshape(-1, 3)
        found[: len(goals)] += np.einsum("ka,kab->kb", goals - self.pins.from_places, self.pins.turns)
        return found

    def to(self, goals: Floats) -> PoseSolution:
        """Solve the slider values of the region for targets (d, 3) of its pins."""
        off = self.offsets
        found = self.drag.to(goals - off)
        # Parts of the region that differ from it may meet a bound sooner, which the solver does not see.
        for _ in range(0 if self.even else _TRIES):
            last, off = off, self._offsets(found.weights)
            if np.abs(off - last).max(initial=0.0) <= self.near:
                break
            found = self.drag.to(goals - off)
        return found

    def moved(self, document: Document, found: PoseSolution) -> Document:
        return with_values(document, self.region, found.weights)

    def _offsets(self, values: Floats) -> Floats:
        """Offsets (d, 3) of the pins from where the solver's rig has them, with the region at slider values (n,)."""
        now = with_values(self.document, self.region, values)
        return self.places.at(self.solvers.values(now)) - self.seen.at(self.solvers.combine(self.document.rig)(values))


def _is_even(document: Document, region: str) -> bool:
    if document.local is None:
        return True
    rows = weights_of(document)
    own = rows if region == WHOLE else rows[regions_of(document).members(region)]
    return bool((own == own[0]).all())
