"""Setting pins on the surface."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta, Struct

from facewright.document import Document, PlacedPin
from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.pose import within
from facewright.session.fields import Axes, Count, Index, Point, Region
from facewright.workflow.drag.drag import PinDrag, drag_pins
from facewright.workflow.drag.mirrored_pin import mirrored_pin
from facewright.workflow.solver_cache import SolverCache

MOST = 1000  # pins on one face


def add_pin(document: Document, pin: PlacedPin) -> Document:
    """One more pin."""
    if any(pin.id == other.id for other in document.pins):
        raise BadValue(f"there is a pin {pin.id} already; a new one needs its own number")
    if len(document.pins) >= MOST:
        raise BadValue(f"a face has at most {MOST} pins; delete some first")
    return replace(document, pins=(*document.pins, pin))


def change_pins(document: Document, ids: Collection[int], **fields: Any) -> Document:
    """Pins with other fields: another place on the surface, `hold`, `axes`, `strength`."""
    _check_known(document, ids)
    changed = tuple(replace(pin, **fields) if pin.id in ids else pin for pin in document.pins)
    return document if changed == document.pins else replace(document, pins=changed)


def delete_pins(document: Document, ids: Collection[int]) -> Document:
    _check_known(document, ids)
    return replace(document, pins=tuple(pin for pin in document.pins if pin.id not in ids)) if ids else document


def mirror_pins(document: Document, ids: Collection[int], solvers: SolverCache) -> Document:
    """The same pins on the other side of the face too, where there is another side and no pin yet."""
    _check_known(document, ids)
    mirrored = [mirrored_pin(document.rig, pin, solvers.symmetry(document.rig)) for pin in _chosen(document, ids)]
    taken = {_place(pin) for pin in document.pins}
    new = [pin for pin in mirrored if pin is not None and _place(pin) not in taken]
    if not new:
        raise BadValue("no pin was added: these pins are in the middle, have no other side, or are there already")
    first = max(pin.id for pin in document.pins) + 1
    for number, pin in enumerate(new, first):
        document = add_pin(document, replace(pin, id=number))
    return document


def _place(pin: PlacedPin) -> tuple[Any, ...]:
    mix = pin.barycentric and tuple(round(share, 6) for share in pin.barycentric)
    return pin.vertex, pin.triangle, mix


def _chosen(document: Document, ids: Collection[int]) -> list[PlacedPin]:
    return [pin for pin in document.pins if pin.id in ids]


def _check_known(document: Document, ids: Collection[int]) -> None:
    if missing := set(ids) - {pin.id for pin in document.pins}:
        raise BadValue(f"there is no pin {min(missing)}; there are {sorted(pin.id for pin in document.pins) or 'none'}")


class AddPin(DocumentEdit, frozen=True, kw_only=True):
    """Set a pin on a vertex, or on a triangle with barycentric coordinates. The page chooses its number."""

    pin: Count
    vertex: Index | None = None
    triangle: Index | None = None
    barycentric: Point | None = None
    hold: bool = False

    def apply(self, document: Document, context: Context) -> Document:
        return add_pin(document, PlacedPin(id=self.pin, hold=self.hold, **_where(self)))


class MovePin(DocumentEdit, frozen=True, kw_only=True):
    """Set a pin elsewhere on the surface; the face stays."""

    pin: Count
    vertex: Index | None = None
    triangle: Index | None = None
    barycentric: Point | None = None

    def apply(self, document: Document, context: Context) -> Document:
        return change_pins(document, [self.pin], **_where(self))


class ChangePins(DocumentEdit, frozen=True, kw_only=True):
    """What is not given stays as it is."""

    pins: list[Count]
    hold: bool | None = None
    free: bool | None = None
    axes: Axes | None = None
    strength: Annotated[float, Meta(ge=0, le=1e6)] | None = None

    @property
    def label(self) -> str:
        if self.free:
            return f"Let go of {_pins(self.pins)}"
        return f"{_CHANGED[self.hold]} {_pins(self.pins)}"

    def apply(self, document: Document, context: Context) -> Document:
        hold, free = (False if self.free else self.hold), (False if self.hold else self.free)
        given = {"hold": hold, "free": free, "axes": self.axes, "strength": self.strength}
        return change_pins(document, self.pins, **{name: value for name, value in given.items() if value is not None})


class DeletePins(DocumentEdit, frozen=True, kw_only=True):
    """Delete pins."""

    pins: list[Count]

    @property
    def label(self) -> str:
        return f"Delete {_pins(self.pins)}"

    def apply(self, document: Document, context: Context) -> Document:
        return delete_pins(document, self.pins)


class MirrorPins(DocumentEdit, frozen=True, kw_only=True):
    """Set the same pins on the other side of the face."""

    pins: list[Count]

    @property
    def label(self) -> str:
        return f"Mirror {_pins(self.pins)}"

    def apply(self, document: Document, context: Context) -> Document:
        return mirror_pins(document, self.pins, context.solvers)


class PinTarget(Struct, forbid_unknown_fields=True):
    """Where a pin is dragged to, in scene units."""

    pin: Count
    target: Point


class DragPins(DocumentEdit, frozen=True, kw_only=True):
    """Bring pins to places; the others stay, softly unless they `hold`, if they are not `free`. Counts from the
    gesture's beginning.

    `plane` is the normal of the view plane in which the targets count (null: in space, along `axes`). `symmetric` moves
    the mirrored points alike. With a `region` only that moves, by pins inside it.
    """

    targets: Annotated[list[PinTarget], Meta(min_length=1, max_length=1000)]
    plane: Point | None = None
    axes: Axes = "xyz"
    symmetric: bool = False
    region: Region = ""

    @property
    def label(self) -> str:
        return f"Drag {_pins([each.pin for each in self.targets])}{within(self.region)}"

    def apply(self, document: Document, context: Context) -> Document:
        drag = PinDrag(
            {each.pin: each.target for each in self.targets},
            self.plane,
            self.axes,
            self.symmetric,
            context.preferences.method_for(document),
            context.preferences.damped,
            self.region,
        )
        document, context.dragged = drag_pins(document, drag, context.solvers)
        return document


_CHANGED = {None: "Change", True: "Hold", False: "Release"}  # by ChangePins.hold


def _where(edit: AddPin | MovePin) -> dict[str, Any]:
    return {"vertex": edit.vertex, "triangle": edit.triangle, "barycentric": edit.barycentric}


def _pins(ids: Collection[int]) -> str:
    return "pin" if len(ids) == 1 else f"{len(ids)} pins"
