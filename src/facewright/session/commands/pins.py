"""Setting pins on the surface."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from facewright.document import Document, PlacedPin
from facewright.errors import BadValue
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
