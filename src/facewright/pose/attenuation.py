"""Selected motion attenuation (Lewis 2005): after tagging points, later slider moves leave them alone.

In print the weights count from neutral, so that switching on would pull a posed brow back to rest. Here they count from
the reference, the pose at the moment of switching on; with reference 0 it is the paper's eq. 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.pose.limits import limits_about
from facewright.pose.motion import Motion
from facewright.pose.selection import Selection
from facewright.pose.terms import Follow
from facewright.rig.rig import Rig
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Status

_RANK = 1e-12  # of the largest eigenvalue: below this no point moves


@dataclass(frozen=True, eq=False)
class Attenuated:
    """Slider values that spare the selection."""

    weights: Floats  # (n,)
    status: Status


class Attenuation:
    """Turns the weights an animator sets into weights that move the selected points as little as alpha says.

    `selection` may be vertices, a mapping from vertices to axes, or a Selection; `alpha` starts as unselected over
    selected vertices. A PoseSolver's `attenuate` gives the same without preparing the rig again. Rigs with in-betweens
    or combinations are taken as linear about the reference.
    """

    def __init__(
        self,
        rig: Rig | Motion,
        selection: Selection | ArrayLike | Mapping[int, str],
        reference: Mapping[str, float] | ArrayLike | None = None,
        alpha: float | None = None,
    ) -> None:
        motion = rig if isinstance(rig, Motion) else Motion(rig)
        self.rig = motion.rig
        self.selection = selection if isinstance(selection, Selection) else Selection.of(selection)
        self.selection.check(self.rig)
        self.reference = self.rig.weights(reference)  # (n,)
        self.alpha = default_alpha(self.rig, self.selection) if alpha is None else _checked(alpha)
        rows = motion.coordinates(self.selection.coordinates) @ motion.combine.jacobian(self.reference)  # (k, n)
        Q = rows.T @ rows
        P = _semidefinite(motion.gram(self.reference) - Q)
        still = np.zeros(len(self.reference))
        self._follow = Follow(P, Q, self.alpha, still)
        self._apply = _closed_form(self._follow.curvature(), P)  # (n, n)
        self._limits = limits_about(self.rig.bounds, self.reference)
        self._qp = ParametricQP(self._follow.curvature(), self._limits.low, self._limits.high)
        self._last = self.reference

    def solve(self, weights: Mapping[str, float] | ArrayLike) -> Attenuated:
        """The weights to use instead of those the animator set: the closed form, or the QP where a bound is met."""
        wanted = self.rig.weights(weights) - self.reference
        change, status = self._apply @ wanted, Status.SOLVED
        if (change < self._limits.low).any() or (change > self._limits.high).any():
            found = self._qp.solve(-self._follow.P @ wanted, near=wanted)
            change, status = found.x, found.status
        self._last = self.reference + change
        return Attenuated(self._last, status)

    def release(self) -> Floats:
        """The weights (n,) at which plain sliders take over: those last in use, so that nothing jumps."""
        return self._last


def default_alpha(rig: Rig, selection: Selection) -> float:
    """Unselected over selected vertices; the paper's 335 is (2016 - 6) / 6."""
    selected = len(selection.vertices)
    return max(rig.vertex_count - selected, 1) / selected if selected else 1.0


def _checked(alpha: float) -> float:
    if not (np.isfinite(alpha) and alpha >= 0):
        raise BadValue(f"alpha is a number from 0 up, not {alpha}")
    return float(alpha)


def _semidefinite(P: Floats) -> Floats:
    """P without the negative eigenvalues that rounding leaves where a shape moves only selected points."""
    values, vectors = np.linalg.eigh((P + P.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)


def _closed_form(M: Floats, P: Floats) -> Floats:
    """M^-1 P, and the identity along directions that move no point at all."""
    values, vectors = np.linalg.eigh(M)
    seen = values > _RANK * values.max(initial=0.0)
    inverse = np.where(seen, 1 / np.where(seen, values, 1.0), 0.0)
    return np.asarray((vectors * inverse) @ vectors.T @ P + (vectors * ~seen) @ vectors.T)
