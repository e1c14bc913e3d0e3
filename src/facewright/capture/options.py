"""How a take is solved. No option has a unit: weights, seconds, shares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from facewright.arrays import Ints
from facewright.capture.markers import BoundRig
from facewright.errors import BadValue, UnknownName
from facewright.rig.roles import role_of
from facewright.rig.slider_sets import sliders_in
from facewright.terms.rules import forbidden_sliders, vertex_offsets
from facewright.terms.unasked import off_skin, unasked_sliders

Method = Literal["bounded", "convex"]
Head = Literal["solved", "markers", "still"]
_UNSEEN = ("gaze", "tongue")  # roles of the sliders that `gaze` adds
_FAINT = 0.05  # of the largest motion of a marker by any slider: a marker that a slider moves less does not ask for it


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """The defaults were chosen on takes with known weights (docs/capture.md)."""

    method: Method = "bounded"  # convex: as in Joshi 2003, weights from 0 that sum to 1 with the neutral's
    steady: float = 1.0  # how much steadiness in time counts; 0: every frame by itself
    sparse: float = 1.0  # how much few and small weights count; 0: not at all
    head: Head = "solved"  # fitted with the face; markers: from the still markers alone; still: it does not move
    sliders: str | tuple[str, ...] | None = None  # that are solved: see `sliders_in`; None: what the markers ask for
    gaze: bool | None = None  # whether those of gaze and tongue are solved too; None: gaze, where the markers tell it
    locked: tuple[str, ...] = ()  # sliders that stay at 0

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise UnknownName("method", str(self.method), get_args(Method))
        if self.head not in get_args(Head):
            raise UnknownName("head", str(self.head), get_args(Head))
        for name in ("steady", "sparse"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise BadValue(f"{name} is a number from 0 up, not {getattr(self, name)}")

    def fixed_sliders(self, bound: BoundRig) -> Ints:
        """Sliders (k,) that stay at 0: those that are not used, the locked ones, and those that rules forbid."""
        rig = bound.rig
        locked = np.array([rig.slider_index(name) for name in self.locked], np.int64)
        forbidden = forbidden_sliders(rig, vertex_offsets(rig))
        return np.unique(np.concatenate([self._unused(bound), locked, forbidden]))

    def undecided_sliders(self, bound: BoundRig) -> Ints:
        """Sliders of gaze (k,) that stay at 0 unless the markers of a take bear them out."""
        if self.gaze is not None or self.sliders is not None or self.method == "convex":
            return np.zeros(0, np.int64)
        told = np.flatnonzero([role_of(name) == "gaze" for name in bound.rig.sliders])
        asked = replace(self, sliders=tuple(bound.rig.sliders))  # leaves out only what is locked or forbidden
        return np.setdiff1d(np.intersect1d(told, self.fixed_sliders(bound)), asked.fixed_sliders(bound))

    def _unused(self, bound: BoundRig) -> Ints:
        """Sliders (k,) outside the set; gaze and tongue are in it if they are asked for."""
        rig = bound.rig
        if self.sliders is None:
            speed = np.linalg.norm(bound.rows, axis=1)  # (k, n)
            unused = unasked_sliders(off_skin(rig), np.where(speed < _FAINT * speed.max(initial=0.0), 0.0, speed))
        else:
            used = [rig.slider_index(name) for name in sliders_in(rig, self.sliders)]
            unused = np.setdiff1d(np.arange(len(rig.sliders)), used)
        wanted = [i for i, name in enumerate(rig.sliders) if self.gaze and role_of(name) in _UNSEEN]
        return np.setdiff1d(unused, wanted)
