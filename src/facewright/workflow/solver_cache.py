"""Solvers and other things that take time to prepare, kept for as long as their rig, pose and options stay the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document, PlacedPin
from facewright.pose.attenuation import Attenuation
from facewright.pose.solver import PoseSolver
from facewright.regions.local_pose import is_local, weights_of
from facewright.regions.region_evaluator import masked_rig
from facewright.regions.sides import mirror_of
from facewright.rig.combine import Combine
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.symmetry import Symmetry, symmetry
from facewright.terms.pin import Pin, points_of
from facewright.terms.selection import Selection
from facewright.workflow.drag.pin_places import PinPlaces
from facewright.workflow.drag.region_values import WHOLE, values_in

T = TypeVar("T")
_REGIONS = 8  # solvers of regions that are kept


class SolverCache:
    """The last one of each kind. For one thread at a time."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[Any, ...], Any]] = {}

    def kept(self, kind: str, source: tuple[Any, ...], make: Callable[[], T]) -> T:
        """The last one of this kind if it was made from the very same objects, else a new one."""
        known = self._kept.get(kind)
        if known is None or not all(map(is_same, known[0], source)):
            known = self._kept[kind] = (source, make())
        made: T = known[1]
        return made

    def pose(self, rig: Rig) -> PoseSolver:
        return self.kept("pose", (rig,), lambda: PoseSolver(rig))

    def combine(self, rig: Rig) -> Combine:
        return self.kept("combine", (rig,), lambda: Combine(rig))

    def symmetry(self, rig: Rig) -> Symmetry:
        """The symmetry of a rig, and of every rig with the same neutral and polygons."""
        known = self._kept.get("symmetry")
        if known is None or not _is_same_at_rest(known[0][0], rig):
            known = self._kept["symmetry"] = ((rig,), symmetry(rig))
        made: Symmetry = known[1]
        return made

    def within(self, document: Document, region: str) -> PoseSolver:
        """A solver whose sliders move only a region, with the document's prior."""
        rig, regions, prior = document.rig, document.regions, document.prior
        if region == WHOLE or regions is None:
            return self.kept("whole", (rig, prior), lambda: self.pose(rig).with_prior(document.usable_prior))
        known = self.kept("within", (rig, regions, prior), dict[str, PoseSolver])
        solver = known.pop(region, None)
        solver = solver or PoseSolver(masked_rig(rig, regions, region), prior=document.usable_prior)
        known[region] = solver  # as the last one
        while len(known) > _REGIONS:
            del known[next(iter(known))]
        return solver

    def mirrors(self, rig: Rig, regions: Regions) -> Ints:
        """For each region (m,) the one that is its mirror image, perhaps itself, or -1."""
        return self.kept("mirrors", (rig, regions), lambda: _mirrors(regions, self.symmetry(rig)))

    def values(self, document: Document) -> Floats:
        """The shapes' values (s,), or (r, s) where regions are posed each for itself."""
        return self.combine(document.rig)(weights_of(document) if is_local(document) else document.pose)

    def attenuation(self, document: Document, region: str = WHOLE) -> Attenuation:
        """Slider moves from the pose of a region that spare the document's held points."""
        held, rig, locked = document.held, document.rig, document.locked

        def make() -> Attenuation:
            solver, start = self.within(document, region), values_in(document, region)
            return solver.attenuate(Selection(held.coordinates), start, held.alpha, locked=locked)

        return self.kept("attenuation", (rig, document.prior, *_posed(document), held, locked, region), make)

    def places(self, document: Document) -> PinPlaces:
        """Where the document's pins are."""
        rig, pins = document.rig, document.pins

        def make() -> PinPlaces:
            if not pins:  # then a rig that changes many times in a moment needs no solver
                return PinPlaces.none(rig, document.regions)
            points = points_of(rig, [surface_pin(pin) for pin in pins])
            return PinPlaces.of(self.pose(rig).deltas, points, document.regions)

        return self.kept("places", (rig, pins, document.regions), make)


def _is_same_at_rest(one: Rig, other: Rig) -> bool:
    return one is other or (one.polygons is other.polygons and np.array_equal(one.neutral, other.neutral))


def _posed(document: Document) -> tuple[Any, ...]:
    return document.pose, document.regions, document.local


def _mirrors(regions: Regions, sides: Symmetry) -> Ints:
    image = mirror_of(regions.labels(), sides)
    known = {tuple(regions.members(node)): node for node in range(len(regions.names))}
    return np.array([known.get(tuple(sorted(image[list(members)])), -1) for members in known], np.int64)


def surface_pin(
    pin: PlacedPin,
    *,
    hold: bool | Literal["softly"] = True,
    axes: str | None = None,
    plane: Floats | None = None,
    target: Floats | None = None,
) -> Pin:
    """A placed pin as the solver's; it holds unless it is given a target. axes: instead of its own."""
    return Pin(
        vertex=pin.vertex,
        triangle=pin.triangle,
        barycentric=None if pin.barycentric is None else np.array(pin.barycentric),
        target=target,
        axes=axes or pin.axes,
        plane=plane,
        strength=pin.strength,
        hold=hold,
    )


def is_same(one: Any, other: Any) -> bool:
    """The same object, or equal plain values; arrays and rigs are never compared number by number."""
    return one is other or (isinstance(one, tuple | str | bool) and one == other)
