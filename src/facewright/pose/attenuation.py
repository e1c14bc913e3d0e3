"""Selected motion attenuation (Lewis 2005): selected points hardly move with later changes of the sliders.

In the paper weights count from neutral, so that switching on would pull a posed brow back to rest. Here they count from
the reference, the pose at the moment of switching on; with reference 0 this is the paper's eq. 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, frozen
from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.pose.bent_follow import BentFollow
from facewright.pose.follow import Follow, FollowSolver
from facewright.rig.point_motion import ShapeMotion
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.exclusive import ExclusivePairs
from facewright.terms.limits import Limits, limits_about
from facewright.terms.prior_evidence import PosePrior
from facewright.terms.rules import DistanceRules, forbidden_sliders, solve_within
from facewright.terms.selection import Selection

_UNLIKELY = 0.1  # of the usual motion of a slider
_FREEZES = 1e7  # times the motion of the rest of the face: a larger alpha gains nothing but rounding errors


@dataclass(frozen=True, eq=False)
class Attenuated:
    """Slider values that hardly move the selected points, and how they were found."""

    weights: Floats  # (n,)
    status: Status


class Attenuation:
    """Turns the weights an animator sets into weights that move the selected points less, the more with a larger alpha.

    `selection` may be vertices, a mapping from vertices to axes, or a Selection; `alpha` is by default unselected over
    selected vertices. `locked` sliders, and those that a rule forbids, have the values that the animator sets. With a
    `prior` the sliders that make up for the motion of the selected points are those that go together in it. A
    PoseSolver's `attenuate` gives the same without preparing the rig again. On rigs with in-betweens or combinations
    the answer of the rig linearised about the reference is corrected by what the sliders really do.
    """

    @suggests_options
    def __init__(
        self,
        rig: Rig | DeltaMatrix,
        selection: Selection | ArrayLike | Mapping[int, str],
        reference: Mapping[str, float] | ArrayLike | None = None,
        alpha: float | None = None,
        *,
        locked: Sequence[str] = (),
        prior: Prior | None = None,
    ) -> None:
        deltas = rig if isinstance(rig, DeltaMatrix) else DeltaMatrix(rig)
        self.rig = deltas.rig
        self.selection = Selection.of(selection)
        self.selection.check(self.rig)
        self.reference = self.rig.pose(reference)  # (n,)
        self.alpha = default_alpha(self.rig, self.selection) if alpha is None else _checked(alpha)
        moves = deltas.coordinates(self.selection.coordinates)  # (k, s)
        rows = np.asarray(moves @ deltas.combine.slopes(self.reference))  # (k, n)
        gram, Q = deltas.gram(self.reference), rows.T @ rows
        lengths = np.sqrt(gram.diagonal())
        names = np.array([self.rig.slider_index(name) for name in locked], np.int64)
        fixed = np.union1d(names, forbidden_sliders(self.rig, deltas.at_vertices))
        free = np.setdiff1d(np.arange(len(self.reference)), fixed)
        self._limits = limits_about(self.rig.bounds, self.reference)
        unlikely = None if prior is None else _unlikely(self.rig, prior, gram)
        follow = Follow(gram - Q if unlikely is None else gram - Q + unlikely, Q, min(self.alpha, _frozen(Q, lengths)))
        self._follower = FollowSolver(follow, lengths, free, self._limits)
        self._bent = None
        if not deltas.is_linear:
            held = moves.T @ moves
            motion, others = ShapeMotion(deltas.combine), deltas.shape_gram - held
            slopes = deltas.combine.jacobian(self.reference)
            self._bent = BentFollow(motion, self.reference, slopes, others, held, follow, unlikely)
        self._rules = DistanceRules(self.rig, deltas.combine, deltas.at_vertices)
        self._exclusive = ExclusivePairs(deltas, self.reference)
        self._last = self.reference

    def solve(self, weights: Mapping[str, float] | ArrayLike) -> Attenuated:
        """The weights to use instead of those the animator set: the closed form, or the QP where a bound is met."""
        wanted = self.rig.pose(weights) - self.reference

        def within_rules(limits: Limits) -> tuple[Floats, Status]:
            return solve_within(self._rules, self.reference, limits, partial(self._followed, wanted))

        change, status = self._exclusive.solve(self._limits, within_rules)
        self._last = frozen(self.reference + change)
        return Attenuated(self._last, status)

    def _followed(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        if self._bent is None:
            return self._follower.solve(wanted, limits)
        return self._bent.solve(self._follower, wanted, limits)

    def release(self) -> Floats:
        """The last weights (n,), for going on without attenuation from the same pose."""
        return self._last


def default_alpha(rig: Rig, selection: Selection) -> float:
    """Unselected over selected vertices; the paper's 335 is (2016 - 6) / 6."""
    selected = len(selection.vertices)
    return max(rig.vertex_count - selected, 1) / selected if selected else 1.0


def _unlikely(rig: Rig, prior: Prior, gram: Floats) -> Floats:
    """The cost (n, n) of an unlikely change from what the animator set, as a share of the face's motion."""
    moment = PosePrior(rig, prior).cautious(np.arange(len(gram)))
    usual = float(np.sum(gram * moment)) / len(gram) if len(gram) else 0.0  # of one slider
    return np.asarray(_UNLIKELY * prior.strength * usual * np.linalg.inv(moment))


def _frozen(Q: Floats, lengths: Floats) -> float:
    """The alpha above which the selection is frozen up to rounding."""
    unit = 1 / np.where(lengths > 0, lengths, 1.0)
    largest = float(np.linalg.norm(unit[:, None] * Q * unit))
    return _FREEZES / largest if largest else np.inf


def _checked(alpha: float) -> float:
    """The alpha, if it can be used."""
    if not (np.isfinite(alpha) and alpha >= 0):
        raise BadValue(f"alpha is a number from 0 up, not {alpha}")
    return float(alpha)
