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
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig

# Chosen on the embedded head and Face Cap, on the first third of a recording: docs/posing.md.
_LEARNED = (0.0, 0.5, 0.98)  # shares of what was learned; the rest is what the names tell
_NOISE = np.array([0.02, 0.05, 0.1, 0.2])  # of the pins' typical motion
_FLOOR = 1e-3  # of the sliders' mean variance: so much is possible for every slider
_INDEPENDENT = 1 / 3  # of the rows: one point has three, and neighbouring points move alike
_TINY = float(np.finfo(np.float64).tiny)


class PosePrior:
    """What may be believed of a rig's poses: second moments (n, n) of its sliders, from names alone to learned."""

    def __init__(self, rig: Rig, prior: Prior | None) -> None:
        by_names = prior if prior is not None and not prior.frames else Prior.from_names(rig)
        shares = np.outer(
            rig.full_values, rig.full_values
        )  # moments are compared in shares of the sliders' full values
        names = by_names.on(rig).moment / shares
        found = [names]
        if prior is not None and prior.learned:
            learned = prior.on(rig).moment / shares
            names = names * (np.trace(learned) / (np.trace(names) or 1.0))
            found = [share * learned + (1 - share) * names for share in prior.strength * np.array(_LEARNED)]
        self.moments = [_possible(moment) * shares for moment in found]

    @property
    def cautious(self) -> Floats:
        """The moment (n, n) for where nothing tells how far the prior fits: half learned, half by names."""
        return self.moments[len(self.moments) // 2]

    def about(self, rows: Floats, free: Ints) -> PriorEvidence:
        """For rows (q, n) of pins or markers, and the sliders (k,) that may move."""
        return PriorEvidence(rows[:, free], [moment[np.ix_(free, free)] for moment in self.moments])


class PriorEvidence:
    """Some second moments (k, k) as rows (q, k) see them, ready to be weighed by what is asked."""

    def __init__(self, rows: Floats, moments: list[Floats]) -> None:
        self._shape = moments[0].shape
        self._precisions = np.array([np.linalg.inv(moment).ravel() for moment in moments])  # (p, k * k)
        seen = np.array([rows @ moment @ rows.T for moment in moments])  # (p, q, q)
        spread, self._axes = np.linalg.eigh(seen)  # (p, q), (p, q, q)
        mean = np.maximum(spread, 0.0).sum(axis=1) / max(len(rows), 1)  # (p,)
        self._noise = np.where(mean > 0, mean, 1.0)[:, None] * _NOISE**2  # (p, r)
        variances = np.maximum(spread, 0.0)[:, None] + self._noise[:, :, None]  # (p, r, q)
        self._weights, self._logs = 1 / variances, np.log(variances).sum(axis=2) / 2

    def precision(self, m: Floats) -> Floats:
        """(k, k), to be added to B'B, for wanted motion m (q,)."""
        stiffness = (self.shares(m) * self._noise).sum(axis=1)
        return np.asarray((stiffness @ self._precisions).reshape(self._shape))

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
