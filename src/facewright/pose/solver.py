"""Posing by dragging points: `PoseSolver(rig)` prepares, `solve_pose` does it once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints
from facewright.pose.attenuation import Attenuation, default_alpha
from facewright.pose.damping import Damping
from facewright.pose.drag import Drag, Update
from facewright.pose.filtered import FilteredUpdate
from facewright.pose.limits import Limits, limits_about, whole_face
from facewright.pose.method import CONVEX, filter_of
from facewright.pose.motion import Motion
from facewright.pose.pin import Pin
from facewright.pose.pinned import Pinned
from facewright.pose.rules import forbidden_sliders
from facewright.pose.selection import Selection
from facewright.pose.solution import PoseSolution
from facewright.pose.update import BoundedUpdate, Held
from facewright.rig.rig import Rig


class PoseSolver:
    """A rig prepared for posing. What is kept here never changes; a changed rig needs a new solver."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.motion = Motion(rig)

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
        held: Selection | None = None,
        alpha: float | None = None,
        damped: bool = False,
    ) -> Drag:
        """Pins set on the pose `start`, ready to be moved.

        `locked` sliders stay. `held` coordinates stay as still as they can, `alpha` says how much that counts (default:
        unselected over selected vertices). `damped` asks less of points that the model can hardly move.
        """
        at = self.rig.weights(start)
        filter = filter_of(method)
        pinned = Pinned(self.motion, pins, at)
        slopes = self.motion.combine.jacobian(at)
        fixed = self._fixed(locked, at)
        limits = limits_about(self.rig.bounds, at).locked(fixed)
        if filter is not None:
            free = np.setdiff1d(np.arange(len(at)), fixed)
            update: Update = FilteredUpdate(pinned, slopes, filter, free)
        else:
            update = self._bounded(pinned, at, whole_face(limits, at) if method == CONVEX else limits, held, alpha)
        factors = self._damping.factors(pinned.points) if damped else np.ones(len(pins))
        return Drag(self.rig, pinned, at, slopes, limits, fixed, factors, update)

    def attenuate(
        self, selection: Selection, reference: Mapping[str, float] | ArrayLike, alpha: float | None = None
    ) -> Attenuation:
        """Later slider moves spare the selected points: see Attenuation."""
        return Attenuation(self.motion, selection, reference, alpha)

    @cached_property
    def _damping(self) -> Damping:
        return Damping(self.motion)

    def _fixed(self, locked: Sequence[str], at: Floats) -> Ints:
        names = np.array([self.rig.slider_index(name) for name in locked], np.int64)
        return np.union1d(names, forbidden_sliders(self.motion, at))

    def _bounded(
        self, pinned: Pinned, at: Floats, limits: Limits, held: Selection | None, alpha: float | None
    ) -> BoundedUpdate:
        if held is None or not len(held):
            return BoundedUpdate(self.motion, pinned, at, limits)
        held.check(self.rig)
        share = default_alpha(self.rig, held) if alpha is None else alpha
        return BoundedUpdate(self.motion, pinned, at, limits, held=Held(held, share))


def solve_pose(
    rig: Rig,
    pins: Sequence[Pin],
    start: Mapping[str, float] | ArrayLike | None = None,
    method: str = "bounded",
    **options: Any,
) -> PoseSolution:
    """The weights that bring the pins to their targets, once: see PoseSolver."""
    return PoseSolver(rig).solve(pins, start, method, **options)
