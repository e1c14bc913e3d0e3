"""A prior over poses, mixed and weighed as what is asked of the face tells.

A pose x is drawn from N(0, s^2 S), and pins or markers show B x with noise of the variance s^2 r^2 v, where v is the
mean variance of what they would show. How large the pose is, s, says nothing about what is likely, so it takes its best
value. S is what was learned, what the names tell, or a mix of both; r is how exactly the hand or the markers show the
pose. Each pair of the two explains the wanted motion m with the likelihood

    log p(m) = -q/2 log(m' K^-1 m) - 1/2 log|K|,    K = B S B' + r^2 v I

(MacKay 1992, "Bayesian interpolation", with the scale in closed form). The precisions r^2 v S^-1 are added up by
their likelihoods: the sum depends smoothly on m, so that a drag does not jump, and not on its length.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.rig.prior import NamePairs, Prior
from facewright.rig.rig import Rig

# Chosen on the embedded head and Face Cap, on the first third of a recording: docs/posing.md.
_LEARNED = (0.0, 0.5, 0.98)  # shares of what was learned; the rest is what the names tell
_NOISE = np.array([0.02, 0.05, 0.1, 0.2])  # of the pins' typical motion
_MANY = 400  # sliders
_FLOOR = 1e-3  # of the sliders' mean variance: so much is possible for every slider
_INDEPENDENT = 1 / 3  # of the rows: one point has three, and neighbouring points move alike
_TINY = float(np.finfo(np.float64).tiny)


class PosePrior:
    """What may be believed of a rig's poses, from what the names of its sliders tell to what was learned."""

    def __init__(self, rig: Rig, prior: Prior | None) -> None:
        self.pairs = NamePairs(rig)
        self._full = rig.full_values
        self._told = prior.on(rig).moment if prior is not None and not prior.frames else None  # (n, n)
        self._learned = None
        self._shares: tuple[float, ...] = (0.0,)
        if prior is not None and prior.learned:
            self._learned = prior.on(rig).moment
            self._shares = tuple(prior.strength * share for share in _LEARNED)

    def moments(self, sliders: Ints) -> list[Floats]:
        """Mean products (k, k) of some sliders, the more learned the later."""
        chosen, full = np.ix_(sliders, sliders), self._full[sliders]
        scale = np.outer(full, full)  # moments are compared in shares of the sliders' full values
        names = (self.pairs.moment(sliders) if self._told is None else self._told[chosen]) / scale
        if self._learned is None:
            return [_possible(names) * scale]
        learned = self._learned[chosen] / scale
        names = names * (np.trace(learned) / (np.trace(names) or 1.0))
        return [_possible(share * learned + (1 - share) * names) * scale for share in self._shares]

    def cautious(self, sliders: Ints) -> Floats:
        """The moment (k, k) for where nothing tells how far the prior fits: half learned, half by names."""
        found = self.moments(sliders)
        return found[len(found) // 2]

    def about(self, rows: Floats, free: Ints) -> PriorEvidence:
        """For rows (q, n) of pins or markers, and the sliders (k,) that may move.

        Of very many sliders those that move the rows most take part.
        """
        if len(free) > _MANY:
            reach = np.linalg.norm(rows[:, free], axis=0) * self._full[free]
            free = np.sort(free[np.argsort(-reach, kind="stable")[:_MANY]])
        return PriorEvidence(rows[:, free], free, self.moments(free))


class PriorEvidence:
    """Some second moments (k, k) as rows (q, k) see them, ready to be weighed by what is asked."""

    def __init__(self, rows: Floats, sliders: Ints, moments: list[Floats]) -> None:
        self.sliders = sliders  # (k,) that take part
        self._shape = moments[0].shape
        self._precisions = np.array([np.linalg.inv(moment).ravel() for moment in moments])  # (p, k * k)
        seen = np.array([rows @ moment @ rows.T for moment in moments])  # (p, q, q)
        spread, self._axes = np.linalg.eigh(seen)  # (p, q), (p, q, q)
        mean = np.maximum(spread, 0.0).sum(axis=1) / max(len(rows), 1)  # (p,)
        self._scale = np.where(mean > 0, mean, 1.0)  # (p,)
        noise = self._scale[:, None] * _NOISE**2  # (p, r)
        variances = np.maximum(spread, 0.0)[:, None] + noise[:, :, None]  # (p, r, q)
        self._weights, self._logs = 1 / variances, np.log(variances).sum(axis=2) / 2

    def precision(self, m: Floats) -> Floats:
        """(k, k), to be added to B'B, for wanted motion m (q,)."""
        return self.precision_of(self.stiffness(m))

    def precision_of(self, stiffness: Floats) -> Floats:
        """The precisions of all moments (k, k), each with its stiffness (p,)."""
        return np.asarray((stiffness @ self._precisions).reshape(self._shape))

    def stiffness(self, m: Floats) -> Floats:
        """How much the precision of each moment (p,) counts, for wanted motion m (q,)."""
        return np.asarray(self._scale * (self.shares(m) @ _NOISE**2))

    def shares(self, m: Floats) -> Floats:
        """How likely each moment with each noise (p, r) is; they sum to 1."""
        along = (m @ self._axes) ** 2  # (p, q)
        misfit = np.maximum((self._weights @ along[:, :, None])[:, :, 0], _TINY)
        logs = _INDEPENDENT * (-len(m) / 2 * np.log(misfit) - self._logs)
        likely = np.exp(logs - logs.max())
        return np.asarray(likely / likely.sum())


def _possible(moment: Floats) -> Floats:
    """A moment (n, n) by which every slider may move a little."""
    return moment + _FLOOR * (np.trace(moment) / max(len(moment), 1) or 1.0) * np.eye(len(moment))
