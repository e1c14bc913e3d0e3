"""What takes time to prepare, kept warm beside the document for as long as it fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document, PlacedPin
from facewright.pose.attenuation import Attenuation
from facewright.pose.pin import Pin, points_of
from facewright.pose.selection import Selection
from facewright.pose.solver import PoseSolver
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.rig.symmetry import Symmetry, symmetry

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class PinPlaces:
    """Where pins are in any pose."""

    rest: Floats  # (k, 3)
    rows: Floats  # (k, 3, s) offset per shape value

    def at(self, values: Floats) -> Floats:
        """Places (k, 3) for shape values (s,)."""
        return np.asarray(self.rest + self.rows @ values)


class Solvers:
    """Of each kind the last one made; another rig, pose or choice makes another."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[Any, ...], Any]] = {}

    def kept(self, kind: str, source: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What was last made of this kind if it was made from the very same things, else a new one."""
        known = self._kept.get(kind)
        if known is None or not all(map(_is_same, known[0], source)):
            known = self._kept[kind] = (source, make())
        made: T = known[1]
        return made

    def pose(self, rig: Rig) -> PoseSolver:
        return self.kept("pose", (rig,), lambda: PoseSolver(rig))

    def combine(self, rig: Rig) -> Combine:
        return self.pose(rig).motion.combine

    def symmetry(self, rig: Rig) -> Symmetry:
        return self.kept("symmetry", (rig,), lambda: symmetry(rig))

    def attenuation(self, document: Document) -> Attenuation:
        """Slider moves from the document's pose that spare its held points."""
        held, rig, locked = document.held, document.rig, document.locked

        def make() -> Attenuation:
            chosen = Selection(held.coordinates)
            return Attenuation(self.pose(rig).motion, chosen, document.pose, held.alpha, locked=locked)

        return self.kept("attenuation", (rig, document.pose, held, locked), make)

    def places(self, document: Document) -> PinPlaces:
        """Where the document's pins are."""
        rig, pins = document.rig, document.pins

        def make() -> PinPlaces:
            points = points_of(rig, [surface_pin(pin) for pin in pins])
            return PinPlaces(points.of(rig.neutral), self.pose(rig).motion.rows(points))

        return self.kept("places", (rig, pins), make)


def surface_pin(pin: PlacedPin, **wish: Any) -> Pin:
    """A placed pin as the solver's: one that stays, unless the wish says otherwise."""
    where = {"vertex": pin.vertex, "triangle": pin.triangle, "barycentric": pin.barycentric}
    return Pin(**where, strength=pin.strength, **({"hold": True, "axes": pin.axes} | wish))  # type: ignore[arg-type]


def _is_same(one: Any, other: Any) -> bool:
    """The same object, or equal plain values; arrays and rigs are never compared number by number."""
    return one is other or (isinstance(one, tuple | str | bool) and one == other)
