"""Dragging pins: the pose follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document, PlacedPin
from facewright.errors import BadValue
from facewright.pose.drag import Drag
from facewright.pose.pin import Pin
from facewright.pose.selection import Selection
from facewright.pose.solution import PoseSolution
from facewright.session.opposite import opposite
from facewright.session.solvers import Solvers, surface_pin

Point = tuple[float, float, float]


@dataclass(frozen=True)
class PinDrag:
    """Where pins are dragged to, and how that counts."""

    targets: Mapping[int, Point]  # by the pin's number, scene units
    plane: Point | None = None  # normal of the plane in which they count
    axes: str = "xyz"  # otherwise, along with the pin's own
    symmetric: bool = False  # the mirrored points move alike
    method: str = "bounded"
    damped: bool = False

    @property
    def setting(self) -> tuple[Any, ...]:
        """All but the places: what stays the same while pins move."""
        return tuple(self.targets), self.plane, self.axes, self.symmetric, self.method, self.damped


@dataclass(frozen=True, eq=False)
class Dragged:
    """What a drag came to, for d pins: those dragged, their opposites, and those that hold."""

    solution: PoseSolution
    ids: tuple[int, ...]  # (d,) -1 for an opposite that is no pin of the document
    targets: Floats  # (d, 3)


def drag_pins(document: Document, drag: PinDrag, solvers: Solvers) -> tuple[Document, Dragged]:
    """The document in the pose that brings the pins to their targets, counted from its own pose."""
    source = (document.rig, document.pose, document.pins, document.held, document.locked, drag.setting)
    ready = solvers.kept("drag", source, lambda: _prepared(document, drag, solvers))
    targets = ready.targets(np.array(list(drag.targets.values()), np.float64))
    found = ready.drag.to(targets)
    return replace(document, pose=found.weights), Dragged(found, ready.ids, targets)


@dataclass(frozen=True, eq=False)
class _Prepared:
    drag: Drag
    ids: tuple[int, ...]  # (d,)
    mirrored: tuple[int, ...]  # which of the moving pins have an opposite; those come next in the drag
    mirror: Floats  # (3, 3) of vectors

    def targets(self, given: Floats) -> Floats:
        """Places (d, 3) for all pins of the drag, from those of the moving ones."""
        targets = self.drag.places.copy()
        targets[: len(given)] = given
        motion = (given - self.drag.places[: len(given)])[list(self.mirrored)]
        targets[len(given) : len(given) + len(motion)] += motion @ self.mirror
        return targets


def _prepared(document: Document, drag: PinDrag, solvers: Solvers) -> _Prepared:
    moving = _moving(document, drag)
    sides: list[PlacedPin | None] = [None] * len(moving)
    mirror = np.eye(3)
    if drag.symmetric:
        symmetry = solvers.symmetry(document.rig)
        sides = [opposite(document.rig, pin, symmetry) for pin in moving]
        mirror = symmetry.plane.mirror_vectors(mirror)
    plane = None if drag.plane is None else np.array(drag.plane)
    others = [pin for pin in sides if pin is not None]
    holding = [pin for pin in document.pins if pin.hold and pin.id not in drag.targets]
    pins = [_wish(pin, drag.axes, plane) for pin in moving]
    pins += [_wish(pin, drag.axes, None if plane is None else plane @ mirror) for pin in others]
    pins += [surface_pin(pin) for pin in holding]
    held = document.held
    ready = solvers.pose(document.rig).drag(
        pins,
        document.pose,
        drag.method,
        locked=document.locked,
        held=Selection(held.coordinates) if held.on and len(held) else None,
        alpha=held.alpha,
        damped=drag.damped,
    )
    ids = (*(pin.id for pin in moving), *(-1 for _ in others), *(pin.id for pin in holding))
    return _Prepared(ready, ids, tuple(i for i, pin in enumerate(sides) if pin is not None), mirror)


def _moving(document: Document, drag: PinDrag) -> list[PlacedPin]:
    known = {pin.id: pin for pin in document.pins}
    if missing := set(drag.targets) - set(known):
        raise BadValue(f"there is no pin {min(missing)}; there are {sorted(known) or 'none'}")
    return [known[id] for id in drag.targets]


def _wish(pin: PlacedPin, axes: str, plane: Floats | None) -> Pin:
    shared = "".join(axis for axis in pin.axes if axis in axes) or axes
    return surface_pin(pin, hold=False, axes=shared, plane=plane, target=np.zeros(3))
