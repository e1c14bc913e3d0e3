"""What is likely of the poses of one take: how its sliders go together, how far they go, and how fast they change.

Motions m of the markers are taken as drawn from N(0, s^2 B S B' + v I). S is what was learned, what the names tell, a
mix of both, or that every slider moves by itself. s^2 follows from how far the markers go, and v from their noise and
from what no pose of the rig explains. The candidates are added up by their likelihoods (MacKay 1992, "Bayesian
interpolation"), so that the habits of another actor count for nothing where the markers speak against them. How fast
poses change, and the time in which a pose is forgotten, follow from how far markers are from where they were a little
earlier.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import lambertw

from facewright.arrays import Floats, Ints
from facewright.capture.gaps import interpolated
from facewright.capture.head import HeadStep
from facewright.capture.markers import BoundRig
from facewright.rig.prior import Prior
from facewright.terms.prior_evidence import PosePrior

_FRAMES = 300  # of a take, evenly spread, that are compared with the prior
_UNEXPLAINED = np.array([0.0, 0.05, 0.1, 0.2, 0.4])  # of the markers' typical motion, beside their noise
_SIZES = (1.0, 4.0)  # least and largest s^2: a calm take does not make large weights less likely
_EARLIER = 0.2  # seconds
_SMOOTHER = 2.0  # times longer is the memory of a motion than that of one without inertia, which changes alike
_MEMORIES = (0.5, 10.0)  # seconds, the shortest and the longest
_USUAL_KEPT = 0.92  # where a take shows nothing: what is left after that time of where markers were
_MANY = 400  # sliders; of more, those that move the markers most are compared, and the others move by themselves
_DIGITS = 4  # of what is measured, so that rounding of a take in another unit changes nothing
_FITTING = 0.1  # the largest unexplained share of a rig that fits the actor
# Without gaze in the recording the evidence for it is 0.06 at most, with it from -0.08 to 37 (docs/capture.md says on
# which faces); solving a gaze that is not there costs less than leaving out one that is.
_BORNE_OUT = 0.3  # the least difference of the evidence
_INDEPENDENT = 1 / 3  # of the rows: neighbouring markers move alike


@dataclass(frozen=True, eq=False)
class LikelyPoses:
    """Poses are likely by the precision (n, n) of the sliders, and resemble earlier ones.

    After a time t the correlation of a slider is (1 + pace t) exp(-pace t); in the time `memory` a pose is forgotten.
    """

    precision: Floats
    memory: float  # seconds
    pace: float  # per second
    evidence: float = 0.0  # logarithm of the likelihood of the markers' motions
    unexplained: float = 0.0  # of the markers' typical motion, beside their noise, at best


def bear_out(more: LikelyPoses, less: LikelyPoses) -> bool:
    """Whether markers speak for the sliders that `more` poses have beside those of `less`.

    Where a rig does not fit its actor, any slider explains a part of what is left, so that nothing follows from it.
    """
    return more.unexplained <= _FITTING and more.evidence > less.evidence + _BORNE_OUT


class TakePrior:
    """A prior for the sliders (k,) of a bound rig that may move."""

    def __init__(self, bound: BoundRig, prior: Prior | None, free: Ints) -> None:
        likely = PosePrior(bound.rig, prior)
        self._usual = likely.pairs.usual  # (n,)
        rows = bound.rows.reshape(3 * len(bound), -1)  # (3m, n)
        if len(free) > _MANY:
            reach = np.linalg.norm(rows[:, free] * bound.rig.full_values[free], axis=0)
            free = np.sort(free[np.argsort(-reach, kind="stable")[:_MANY]])
        moments = likely.moments(free)
        self._free, self._moments = free, [np.diag(np.diag(moments[0])), *moments]
        # The head's motion is not known well yet, so what it could do is left aside.
        head = HeadStep(bound.rest).rows.reshape(3 * len(bound), -1)
        self._head = np.linalg.svd(head, full_matrices=False)[0][:, : np.linalg.matrix_rank(head)]  # (3m, h)
        self._dims = len(rows) - self._head.shape[1]  # of all that markers can do besides
        # Poses move the markers in a few of these dimensions only; in all others there is noise alone.
        self._within, R = np.linalg.qr(self._without_head(rows[:, free].T).T)  # (3m, q), (q, k)
        seen = np.array([R @ moment @ R.T for moment in self._moments])  # (p, q, q)
        spread, self._axes = np.linalg.eigh(seen)
        self._spread = np.maximum(spread, 0.0)  # (p, q)
        self._sees = bool(self._spread.any(axis=1).all())

    def of_take(self, wanted: Floats, noise: float, rate: float) -> LikelyPoses:
        """For motions of the markers (frames, k, 3), NaN in gaps, with noise of a coordinate in scene units."""
        moving = self._without_head(interpolated(wanted).reshape(len(wanted), -1))  # (frames, 3m)
        memory, pace = _memory_and_pace(_kept(moving, self._dims, noise, rate))
        moment, evidence, unexplained = self._moments[1], 0.0, 0.0
        if self._sees and moving.any():
            independent = max(len(moving) / rate / memory, 1.0)
            some = moving[:: max(1, len(moving) // _FRAMES)]
            moment, evidence, unexplained = self._explaining(some, noise, independent)
        precision = np.diag(1 / self._usual**2)
        precision[np.ix_(self._free, self._free)] = np.linalg.inv(moment)
        return LikelyPoses(precision, memory, pace, evidence, unexplained)

    def _without_head(self, motions: Floats) -> Floats:
        """Motions of the markers (frames, 3m) without what the head could have done."""
        return np.asarray(motions - (motions @ self._head) @ self._head.T)

    def _explaining(self, moving: Floats, noise: float, independent: float) -> tuple[Floats, float, float]:
        """The moment (k, k) that explains motions (f, 3m), of which so many are independent.

        With it, the logarithm of how likely the motions are, and which share of them is left unexplained at best.
        """
        inside = moving @ self._within  # (f, q)
        along = np.array([((inside @ axes) ** 2).mean(axis=0) for axes in self._axes])  # (p, q)
        squares = float((moving**2).sum()) / len(moving)
        outside, others_of = max(squares - float(along[0].sum()), 0.0), self._dims - inside.shape[1]
        whole = squares / self._dims
        sizes = np.clip(max(whole - noise**2, 0.0) * self._dims / self._spread.sum(axis=1), *_SIZES)  # (p,) s^2
        others = noise**2 + _UNEXPLAINED**2 * whole  # (r,)
        variances = (sizes[:, None] * self._spread)[:, None] + others[:, None]  # (p, r, q)
        costs = (along[:, None] / variances + np.log(variances)).sum(axis=2)  # (p, r)
        costs += outside / others + others_of * np.log(others)
        logs = -_INDEPENDENT * independent / 2 * costs
        shares = np.exp(logs - logs.max()).sum(axis=1)
        evidence = float(logs.max() + np.log(shares.sum()))
        unexplained = float(_UNEXPLAINED[logs.max(axis=0).argmax()])
        moment = np.tensordot(np.round(shares / shares.sum() * sizes, _DIGITS), self._moments, axes=1)
        return moment, evidence, unexplained


def _kept(moving: Floats, dims: int, noise: float, rate: float) -> tuple[float, float]:
    """A time in seconds, and how much of motions (frames, 3m), in so many dimensions, is left after it: 0 to 1."""
    step = max(1, round(_EARLIER * rate))
    if len(moving) < 4 * step:
        return _EARLIER, _USUAL_KEPT
    size = float((moving**2).sum()) / len(moving) / dims - noise**2
    changes = moving[step:] - moving[:-step]
    change = float((changes**2).sum()) / len(changes) / dims / 2 - noise**2
    return step / rate, 1 - change / size if size > 0 else _USUAL_KEPT


def _memory_and_pace(kept: tuple[float, float]) -> tuple[float, float]:
    """In seconds and per second, from what is left after a time."""
    time, left = kept
    shortest, longest = (np.exp(-_SMOOTHER * time / memory) for memory in _MEMORIES)
    left = float(np.clip(left, shortest, longest))
    pace = -(lambertw(-left / np.e, -1).real + 1) / time  # (1 + pace t) exp(-pace t) = left
    return round(-_SMOOTHER * time / np.log(left), _DIGITS), round(float(pace), _DIGITS)
