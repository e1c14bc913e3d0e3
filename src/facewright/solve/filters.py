"""Wanted motions to weights through one singular value decomposition: w = start + V phi(S) U' (m - B start).

The published updates of direct manipulation (Cetinaslan 2017, Lewis and Anjyo 2010) differ only in the filter phi.
B and m are lengths; the filters here do not depend on their unit, so that a rig in metres gets the weights of the same
rig in centimetres. The filters whose names begin with Printed are the paper's equations, which do depend on it;
`printed.py` has the same as matrices.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue


class Spectrum:
    """B = U S V', decomposed once; directions whose singular value is 0 up to rounding are left out."""

    def __init__(self, B: ArrayLike) -> None:
        self.B = floats("B", B, (None, None))  # (k, n)
        U, s, Vt = np.linalg.svd(self.B, full_matrices=False)
        rank = int(np.sum(s > max(self.B.shape) * np.finfo(np.float64).eps * s.max(initial=0.0)))
        self.U, self.s, self.Vt = U[:, :rank], s[:rank], Vt[:rank]  # (k, rank), (rank,) in falling order, (rank, n)
        self.largest = float(self.s.max(initial=0.0))
        self.independence = float(s[-1] / s[0]) if rank and rank == len(s) else 0.0  # of the pins, from 0 to 1

    def apply(self, filter: "Filter", m: ArrayLike, *, start: ArrayLike | None = None) -> Floats:
        """Weights (n,) that move the pins by m (k,) from where they are at weights 0."""
        k, n = self.B.shape
        w0 = np.zeros(n) if start is None else floats("start", start, (n,))
        wanted = self.U.T @ (floats("m", m, (k,)) - self.B @ w0)  # (rank,)
        return w0 + self.Vt.T @ (filter(self, wanted) * wanted)


Filter = Callable[[Spectrum, Floats], Floats]  # the spectrum and the wanted motion in it (rank,) -> phi (rank,)


@dataclass(frozen=True)
class PseudoInverse:
    """1/s, and 0 for directions weaker than `rcond` of the strongest: the least weights that meet the pins."""

    rcond: float = 1e-10

    def __post_init__(self) -> None:
        _check("rcond", self.rcond, high=1.0)

    def __call__(self, spectrum: Spectrum, wanted: Floats) -> Floats:
        return np.where(spectrum.s > self.rcond * spectrum.largest, 1.0 / spectrum.s, 0.0)


@dataclass(frozen=True)
class Tikhonov:
    """s / (s^2 + a), a = `strength` times the largest s^2: weak directions stay near the start."""

    strength: float = 1e-4

    def __post_init__(self) -> None:
        _check("strength", self.strength)

    def __call__(self, spectrum: Spectrum, wanted: Floats) -> Floats:
        return spectrum.s / (spectrum.s**2 + self.strength * spectrum.largest**2)


@dataclass(frozen=True)
class Transpose:
    """eta s: each slider moves by how much it helps.

    eta is `step` over the largest s^2; None takes the step that brings the pins nearest, |g|^2 / |B g|^2 with g = B'm,
    which the paper leaves as future work.
    """

    step: float | None = None

    def __post_init__(self) -> None:
        _check("step", 0.0 if self.step is None else self.step)

    def __call__(self, spectrum: Spectrum, wanted: Floats) -> Floats:
        unit = spectrum.s / spectrum.largest
        step = _line_search(unit, wanted) if self.step is None else self.step
        return step * unit / spectrum.largest


@dataclass(frozen=True)
class Hybrid:
    """gamma / s + (1 - gamma) eta s: pseudo-inverse and transpose mixed.

    gamma None takes the smallest s over the largest: near 1, the pseudo-inverse, for few independent pins, and near 0,
    the transpose, for many or dependent ones.
    """

    gamma: float | None = None

    def __post_init__(self) -> None:
        _check("gamma", 0.0 if self.gamma is None else self.gamma, high=1.0)

    def __call__(self, spectrum: Spectrum, wanted: Floats) -> Floats:
        gamma = spectrum.independence if self.gamma is None else self.gamma
        return gamma * PseudoInverse()(spectrum, wanted) + (1.0 - gamma) * Transpose()(spectrum, wanted)


@dataclass(frozen=True)
class Landweber:
    """(1 - (1 - eta s^2)^k) / s: k transpose steps of eta = `step` over the largest s^2, any real k from 0 up.

    One step is Transpose(step); for more and more steps it converges to the pseudo-inverse.
    """

    steps: float = 10.0
    step: float = 1.0

    def __post_init__(self) -> None:
        _check("steps", self.steps)
        _check("step", self.step, high=1.0)

    def __call__(self, spectrum: Spectrum, wanted: Floats) -> Floats:
        unit = spectrum.s / spectrum.largest
        from scipy.special import xlog1py  # takes a while to load, and is rarely needed

        phi: Floats = -np.expm1(xlog1py(self.steps, -self.step * unit**2)) / spectrum.s
        return phi


@dataclass(frozen=True)
class PrintedTikhonov:
    """s / (s^2 + alpha) with an alpha in the rig's unit (Cetinaslan 2017, eq. 4), about the start of the drag."""

    alpha: float = 1e-3

    def __post_init__(self) -> None:
        _check("alpha", self.alpha)

    def __call__(self, spectrum: Spectrum, wanted: Floats) -> Floats:
        return spectrum.s / (spectrum.s**2 + self.alpha)


@dataclass(frozen=True)
class PrintedTranspose:
    """s itself (Cetinaslan 2017, eq. 6): a step of 1 in the rig's unit, which goes too far or not far enough."""

    def __call__(self, spectrum: Spectrum, wanted: Floats) -> Floats:
        return np.asarray(spectrum.s)


@dataclass(frozen=True)
class PrintedHybrid:
    """gamma / s + (1 - gamma) s (Cetinaslan 2017, eq. 8), gamma being the smallest singular value in the rig's unit.

    It may be above 1, where the transpose counts against the drag.
    """

    gamma: float | None = None

    def __post_init__(self) -> None:
        _check("gamma", 0.0 if self.gamma is None else self.gamma)

    def __call__(self, spectrum: Spectrum, wanted: Floats) -> Floats:
        gamma = spectrum.independence * spectrum.largest if self.gamma is None else self.gamma
        return gamma / spectrum.s + (1.0 - gamma) * spectrum.s


def _line_search(unit: Floats, wanted: Floats) -> float:
    """|g|^2 / |B g|^2 with g = B'm, in units where the largest singular value is 1."""
    helped = float(np.sum((unit**2 * wanted) ** 2))
    return float(np.sum((unit * wanted) ** 2)) / helped if helped > 0.0 else 0.0


def _check(name: str, value: float, *, high: float = math.inf) -> None:
    if not (0.0 <= value <= high and math.isfinite(value)):
        raise BadValue(f"{name} must be a number from 0 {'up' if high == math.inf else f'to {high:g}'}, not {value}")
