"""Posing by dragging points: `PoseSolver(rig)` prepares, `solve_pose` does it once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Ints
from facewright.errors import BadValue
from facewright.pose.attenuation import Attenuation, checked_alpha, default_alpha
from facewright.pose.damping import Damping
from facewright.pose.drag import Drag, Update
from facewright.pose.filtered import FilteredUpdate
from facewright.pose.method import CONVEX, filter_of
from facewright.pose.pin_rows import PinRows
from facewright.pose.reasons import DragSetup
from facewright.pose.solution import PoseSolution
from facewright.pose.update import BoundedUpdate, Held
from facewright.rig.rig import Rig
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.limits import limits_about, whole_face
from facewright.terms.pin import Pin
from facewright.terms.rules import forbidden_sliders
from facewright.terms.selection import Selection


class PoseSolver:
    """A rig prepared for posing. What is kept here never changes; a changed rig needs a new solver."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.motion = DeltaMatrix(rig)

    def solve(
        self,
        pins: Sequence[Pin],
        start: Mapping[str, float] | ArrayLike | None = None,
        method: str = "bounded",
        **options: Any,
    ) -> PoseSolution:
        """The weights that bring the pins to their targets, from the pose `start`; the options are those of `drag`."""
        drag = self.drag(pins, start, method, **options)
        return drag.to(drag.pinned.targets())

    def drag(
        self,
        pins: Sequence[Pin],
        start: Mapping[str, float] | ArrayLike | None = None,
        method: str = "bounded",
        *,
        locked: Sequence[str] = (),
        held: Selection | ArrayLike | Mapping[int, str] | None = None,
        alpha: float | None = None,
        damped: bool = False,
    ) -> Drag:
        """Pins set on the pose `start`, ready to be moved.

        `locked` sliders stay. `held` coordinates stay as still as they can, `alpha` says how much that counts (default:
        unselected over selected vertices). `damped` asks less of points that the model can hardly move.
        """
        at = self.rig.pose(start)
        kept = self._held(held, alpha)
        filter = filter_of(method)
        pinned = PinRows(self.motion, pins, at)
        fixed = self._fixed(locked)
        limits = limits_about(self.rig.bounds, at).locked(fixed)
        if filter is None:
            within = whole_face(limits, at) if method == CONVEX else limits
            update: Update = BoundedUpdate(self.motion, pinned, at, within, held=kept)
        elif kept is not None:
            raise BadValue(f"the method {method} knows no held points; use bounded or convex, or hold pins")
        else:
            update = FilteredUpdate(self.motion, pinned, at, filter, np.setdiff1d(np.arange(len(at)), fixed))
        factors = self._damping.factors(pinned.points) if damped else np.ones(len(pins))
        setting = DragSetup(self.rig.sliders, pinned.pin, pinned.by_slider, limits, fixed)
        return Drag(pinned, at, setting, factors[pinned.pin], update)

    def attenuate(
        self,
        selection: Selection | ArrayLike | Mapping[int, str],
        reference: Mapping[str, float] | ArrayLike | None = None,
        alpha: float | None = None,
        *,
        locked: Sequence[str] = (),
    ) -> Attenuation:
        """Later slider moves spare the selected points: see Attenuation."""
        return Attenuation(self.motion, selection, reference, alpha, locked=locked)

    @cached_property
    def _damping(self) -> Damping:
        return Damping(self.motion)

    def _fixed(self, locked: Sequence[str]) -> Ints:
        if isinstance(locked, str):
            raise BadValue(f"locked sliders are a list of names, such as [{locked!r}], not one name")
        names = np.array([self.rig.slider_index(name) for name in locked], np.int64)
        return np.union1d(names, forbidden_sliders(self.motion))

    def _held(self, chosen: Selection | ArrayLike | Mapping[int, str] | None, alpha: float | None) -> Held | None:
        selection = Selection.of([] if chosen is None else chosen)
        selection.check(self.rig)
        if not len(selection):
            return None
        return Held(selection, default_alpha(self.rig, selection) if alpha is None else checked_alpha(alpha))


def solve_pose(
    rig: Rig,
    pins: Sequence[Pin],
    start: Mapping[str, float] | ArrayLike | None = None,
    method: str = "bounded",
    **options: Any,
) -> PoseSolution:
    """The weights that bring the pins to their targets, once: see PoseSolver."""
    return PoseSolver(rig).solve(pins, start, method, **options)
