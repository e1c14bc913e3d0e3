"""The weight updates of Cetinaslan 2017 as printed, for reproducing the paper.

Equations 4, 6 and 8 add or equate weights and lengths, so their results change with the rig's unit: use the paper's
unit. Posing uses the filters of `filters.py`.
"""

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue


def equation_3(B: ArrayLike, m: ArrayLike) -> Floats:
    """The pseudo-inverse: w = B+ m."""
    B, m = _checked(B, m)
    return np.linalg.pinv(B) @ m


def equation_4(B: ArrayLike, m: ArrayLike, w0: ArrayLike, alpha: float) -> Floats:
    """Tikhonov: w = (B'B + alpha I)^-1 (B'm + alpha w0); the paper takes alpha 0.001 or 0.0001."""
    B, m = _checked(B, m)
    if not 0.0 < alpha < np.inf:
        raise BadValue(f"alpha must be above 0, not {alpha}; alpha 0 is equation 3")
    n = B.shape[1]
    return np.asarray(np.linalg.solve(B.T @ B + alpha * np.eye(n), B.T @ m + alpha * floats("w0", w0, (n,))))


def equation_6(B: ArrayLike, m: ArrayLike) -> Floats:
    """The transpose: w = B' m, a step of 1 in whatever unit the rig is."""
    B, m = _checked(B, m)
    return B.T @ m


def equation_8(B: ArrayLike, m: ArrayLike, gamma: float | None = None) -> Floats:
    """The hybrid: w = (gamma B+ + (1 - gamma) B') m; gamma None takes B's smallest singular value, as in section 4."""
    B, m = _checked(B, m)
    if gamma is None:
        gamma = float(np.linalg.svd(B, compute_uv=False).min(initial=np.inf)) if B.size else 0.0
    return gamma * equation_3(B, m) + (1.0 - gamma) * equation_6(B, m)


def _checked(B: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats]:
    matrix = floats("B", B, (None, None))
    return matrix, floats("m", m, (len(matrix),))
