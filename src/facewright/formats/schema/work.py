"""The state of work on a face: pins, held points, locked sliders, how drags are solved, the current clip and time,
the unit of the scene, and views of the camera.
"""

from __future__ import annotations

from typing import Any

import msgspec

from facewright.document import Document, HeldPoints
from facewright.formats.schema.expressions import ExpressionEntry
from facewright.formats.schema.pins import HeldEntry, PinEntry
from facewright.formats.schema.reference import BookmarkEntry
from facewright.rig.controls import CONTROLS
from facewright.rig.head_rig import HeadRig, JointRole

Triple = tuple[float, float, float]


class HeadEntry(msgspec.Struct, omit_defaults=True):
    """Where head and neck turn, the limits of the eyes in radians, and the joints of the file."""

    head: Triple
    neck: Triple
    eye_limits: Triple
    joints: dict[JointRole, str] = {}

    @classmethod
    def of(cls, rig: HeadRig) -> HeadEntry:
        head, neck, limits = ((a, b, c) for a, b, c in (one.tolist() for one in (rig.head, rig.neck, rig.eye_limits)))
        return cls(head, neck, limits, dict(rig.joints))

    def value(self) -> HeadRig:
        return HeadRig(self.head, self.neck, self.eye_limits, self.joints)


class WorkEntry(msgspec.Struct, omit_defaults=True):
    """The small fields of a document."""

    pins: list[PinEntry] = []
    held: HeldEntry | None = None
    locked: list[str] = []
    clip: str = ""
    layer: str = ""
    time: float = 0.0
    drag_sliders: str | list[str] = ""
    take_sliders: str | list[str] = ""
    slider_sets: dict[str, list[str]] = {}
    drag_method: str = "bounded"  # as files have it that say nothing of it, not as new documents do
    unit: str = ""
    bookmarks: list[BookmarkEntry] = []
    expressions: list[ExpressionEntry] = []
    controls: dict[str, float] = {}
    head: HeadEntry | None = None

    @classmethod
    def of(cls, document: Document) -> WorkEntry:
        held = HeldEntry.of(document.held)
        return cls(
            pins=[PinEntry.of(pin) for pin in document.pins],
            held=None if held == HeldEntry() else held,
            locked=list(document.locked),
            clip=document.clip,
            layer=document.layer,
            time=float(document.time),
            drag_sliders=_listed(document.drag_sliders),
            take_sliders=_listed(document.take_sliders),
            slider_sets={name: list(sliders) for name, sliders in document.slider_sets.items()},
            drag_method=document.drag_method,
            unit=document.unit,
            bookmarks=[BookmarkEntry.of(one) for one in document.bookmarks],
            expressions=[ExpressionEntry.of(one) for one in document.expressions],
            controls=dict(document.controls),
            head=None if document.head is None else HeadEntry.of(document.head),
        )

    def fields(self) -> dict[str, Any]:
        """The keyword arguments of `Document`."""
        return {
            "pins": tuple(pin.value() for pin in self.pins),
            "held": HeldPoints() if self.held is None else self.held.value(),
            "locked": tuple(self.locked),
            "clip": self.clip,
            "layer": self.layer,
            "time": self.time,
            "drag_sliders": self.drag_sliders,
            "take_sliders": self.take_sliders,
            "slider_sets": self.slider_sets,
            "drag_method": self.drag_method,
            "unit": self.unit,
            "bookmarks": tuple(one.value() for one in self.bookmarks),
            "expressions": tuple(one.value() for one in self.expressions),
            "controls": {name: value for name, value in self.controls.items() if name in CONTROLS},
            "head": None if self.head is None else self.head.value(),
        }


def _listed(chosen: str | tuple[str, ...]) -> str | list[str]:
    return chosen if isinstance(chosen, str) else list(chosen)
