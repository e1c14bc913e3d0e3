"""Dragging pins on the whole face or inside a region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document, PlacedPin
from facewright.errors import BadValue
from facewright.pose.solution import PoseSolution
from facewright.solve.solution import Status
from facewright.terms.pin import Pin, points_of
from facewright.terms.selection import Selection
from facewright.workflow.drag.mirrored_pin import mirrored_pin
from facewright.workflow.drag.pin_places import PinPlaces
from facewright.workflow.drag.region_drag import DraggedPins, RegionDrag
from facewright.workflow.drag.region_values import WHOLE, region_named, regions_of, values_in
from facewright.workflow.solver_cache import SolverCache, surface_pin

Point = tuple[float, float, float]
_INSIDE = 0.02  # of a pin's surroundings: so much must belong to a region for it to move the pin


@dataclass(frozen=True)
class PinDrag:
    """Targets of pins, and in which directions they count."""

    targets: Mapping[int, Point]  # by the pin's number, scene units
    plane: Point | None = None  # normal of the plane in which they count
    axes: str = "xyz"  # otherwise, along with the pin's own
    symmetric: bool = False  # the mirror images of the pins move alike
    method: str | None = None  # None: the document's
    damped: bool = False
    region: str = WHOLE  # only this region moves

    @property
    def setting(self) -> tuple[Any, ...]:
        """Everything except the targets: it stays the same while pins move."""
        return tuple(self.targets), self.plane, self.axes, self.symmetric, self.method, self.damped, self.region


@dataclass(frozen=True, eq=False)
class DragResult:
    """The result of a drag for d pins: those dragged, their mirror images, and those that stay."""

    solutions: tuple[PoseSolution, ...]  # of the region, and perhaps of its mirror image
    ids: tuple[int, ...]  # (d,) -1 for a mirror image that is no pin of the document
    targets: Floats  # (d, 3)

    @property
    def solution(self) -> PoseSolution:
        """The solution of the region itself."""
        return self.solutions[0]

    @property
    def residual(self) -> Floats:  # (d,)
        return np.concatenate([one.residual for one in self.solutions])

    @property
    def reasons(self) -> tuple[str, ...]:  # (d,)
        return tuple(reason for one in self.solutions for reason in one.reasons)

    @property
    def status(self) -> Status:
        return next((one.status for one in self.solutions if one.status is not Status.SOLVED), self.solution.status)


def drag_pins(document: Document, drag: PinDrag, solvers: SolverCache) -> tuple[Document, DragResult]:
    """The document in the pose that brings its pins to their targets, solved from its own pose."""
    face = (document.rig, document.pose, document.regions, document.local, document.prior)
    kept = (document.pins, document.held, document.locked, document.drag_sliders, document.drag_method)
    parts = solvers.kept("drag", (*face, *kept, drag.setting), lambda: _prepared(document, drag, solvers))
    given = {id: np.array(place, np.float64) for id, place in drag.targets.items()}
    solutions, targets = [], []
    for part in parts:
        goals = part.targets(given)
        found = part.to(goals)
        document = part.moved(document, found)
        solutions.append(found)
        targets.append(goals)
    ids = tuple(id for part in parts for id in part.pins.ids)
    return document, DragResult(tuple(solutions), ids, np.concatenate(targets))


def move_pins(
    document: Document,
    pins: Sequence[Pin],
    solvers: SolverCache,
    *,
    region: str = WHOLE,
    method: str | None = None,
    damped: bool = False,
    locked: Sequence[str] = (),
    sliders: str | Sequence[str] | None = None,
    held: Selection | None = None,
) -> tuple[Document, DragResult]:
    """The document in the pose that brings any points of its face to their targets.

    The pins, locked sliders and held points of the document do not count, only those that are given.
    region: only this region moves; a pin that it cannot move is an error. method, sliders: as in `PoseSolver.drag`; not
    given, those that drags of the document use.
    """
    region = region_named(document, region)
    points = points_of(document.rig, pins)
    if region != WHOLE:
        shares = points.of(regions_of(document).field(region))
        outside = [i for i, pin in enumerate(pins) if not pin.hold and shares[i] <= _INSIDE]
        if outside:
            raise BadValue(f"pin {outside[0]} is outside {region!r}; choose the region that it is in, or none")
    places = PinPlaces.of(solvers.pose(document.rig).deltas, points, document.regions).at(solvers.values(document))
    solver, start = solvers.within(document, region), values_in(document, region)
    used = document.drag_sliders or None if sliders is None else sliders
    method = method or document.drag_method
    ready = solver.drag(pins, start, method, locked=locked, sliders=used, held=held, damped=damped)
    ids = tuple(range(len(pins)))
    dragged = DraggedPins(ids, ids, np.tile(np.eye(3), (len(pins), 1, 1)), places)
    part = RegionDrag.of(ready, document, region, dragged, solvers)
    targets = [
        pin.target if pin.target is not None and not pin.hold else place
        for pin, place in zip(pins, places, strict=True)
    ]
    goals = part.targets(dict(enumerate(targets)))
    found = part.to(goals)
    return part.moved(document, found), DragResult((found,), ids, goals)


def _prepared(document: Document, drag: PinDrag, solvers: SolverCache) -> tuple[RegionDrag, ...]:
    """One drag, or two in regions that are mirror images of each other."""
    region = region_named(document, drag.region)
    moving = _inside(document, region, _moving(document, drag))
    if not moving:
        raise BadValue(f"this point is outside {region!r}; choose the region that it is in, or none")
    sides: list[PlacedPin | None] = [None] * len(moving)
    if drag.symmetric:
        sides = [mirrored_pin(document.rig, pin, solvers.symmetry(document.rig)) for pin in moving]
    image = _image(document, region, solvers) if drag.symmetric else None
    images = [(pin.id, other) for pin, other in zip(moving, sides, strict=True) if other is not None]
    own = [(pin.id, pin) for pin in moving]
    make = _DragBuilder(document, drag, solvers)
    if image == region:
        return (make(region, own, images),)
    parts = [make(region, own, [])]
    if image is not None and (beyond := _inside(document, image, [pin for _, pin in images])):
        parts.append(make(image, [], [pair for pair in images if pair[1] in beyond]))
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class _DragBuilder:
    document: Document
    drag: PinDrag
    solvers: SolverCache

    def __call__(
        self, region: str, moving: Sequence[tuple[int, PlacedPin]], mirrored: Sequence[tuple[int, PlacedPin]]
    ) -> RegionDrag:
        """A drag of pins and of mirror images; each comes with the id of the pin that it follows."""
        document, drag, held = self.document, self.drag, self.document.held
        mirror = self.solvers.symmetry(document.rig).plane.mirror_vectors(np.eye(3)) if mirrored else np.eye(3)
        plane = None if drag.plane is None else np.array(drag.plane)
        rest = [pin for pin in document.pins if not pin.free and pin.id not in drag.targets]
        holding = _inside(document, region, rest)
        pins = [_wish(pin, drag.axes, plane) for _, pin in moving]
        pins += [_wish(pin, drag.axes, None if plane is None else plane @ mirror) for _, pin in mirrored]
        pins += [surface_pin(pin, hold=pin.hold or "softly") for pin in holding]
        ready = self.solvers.within(document, region).drag(
            pins,
            values_in(document, region),
            drag.method or document.drag_method,
            locked=document.locked,
            sliders=document.drag_sliders or None,
            held=Selection(held.coordinates) if held.on and len(held) else None,
            alpha=held.alpha,
            damped=drag.damped,
        )
        ids = (*(id for id, _ in moving), *(-1 for _ in mirrored), *(pin.id for pin in holding))
        followed = tuple(id for id, _ in (*moving, *mirrored))
        turns = np.stack([np.eye(3)] * len(moving) + [mirror] * len(mirrored))
        dragged = DraggedPins(ids, followed, turns, self._places(followed))
        return RegionDrag.of(ready, document, region, dragged, self.solvers)

    def _places(self, ids: Sequence[int]) -> Floats:
        """Where pins (k, 3) are."""
        places = self.solvers.places(self.document).at(self.solvers.values(self.document))
        at = {pin.id: i for i, pin in enumerate(self.document.pins)}
        return np.asarray(places[[at[id] for id in ids]])


def _moving(document: Document, drag: PinDrag) -> list[PlacedPin]:
    known = {pin.id: pin for pin in document.pins}
    if missing := set(drag.targets) - set(known):
        raise BadValue(f"there is no pin {min(missing)}; there are {sorted(known) or 'none'}")
    return [known[id] for id in drag.targets]


def _inside(document: Document, region: str, pins: Sequence[PlacedPin]) -> list[PlacedPin]:
    """Those of the pins that a region moves."""
    if region == WHOLE or not pins:
        return list(pins)
    field = regions_of(document).field(region)
    shares = points_of(document.rig, [surface_pin(pin) for pin in pins]).of(field)
    return [pin for pin, share in zip(pins, shares, strict=True) if share > _INSIDE]


def _image(document: Document, region: str, solvers: SolverCache) -> str | None:
    """The mirror image of a region; the whole face is its own."""
    if region == WHOLE:
        return WHOLE
    regions = regions_of(document)
    node = int(solvers.mirrors(document.rig, regions)[regions.node(region)])
    return None if node < 0 else regions.names[node]


def _wish(pin: PlacedPin, axes: str, plane: Floats | None) -> Pin:
    shared = "".join(axis for axis in pin.axes if axis in axes) or axes
    return surface_pin(pin, hold=False, axes=shared, plane=plane, target=np.zeros(3))
