"""Whether a Hessian is definite, and the ridge that makes it so."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack

from facewright.arrays import Floats, floats, frozen
from facewright.errors import BadValue

_DEFINITE = 1e-11  # reciprocal condition below which the solution would depend on rounding
_RIDGE = 1e-8  # of a Hessian whose largest diagonal element is 1; rounding changes x by about 1e-16 over this
_DEAD = 1e-14  # of the largest diagonal element: the cost does not depend on an unknown with less
_ROUNDING = 1e-10  # how far from symmetric and semidefinite a product in double precision may be


def symmetric(H: ArrayLike) -> Floats:
    """H (n, n), checked, made exactly symmetric."""
    checked = floats("H", H, (None, None))
    if checked.shape[0] != checked.shape[1]:
        raise BadValue(f"H must be square, not {checked.shape}")
    if np.abs(checked - checked.T).max(initial=0.0) > _ROUNDING * np.abs(checked).max(initial=0.0):
        raise BadValue("H must be symmetric; (H + H.T) / 2 gives the same cost")
    return frozen((checked + checked.T) / 2)


def ridge_for(H: Floats) -> Floats:
    """What to add to the diagonal (n,) of a unit-sized H (n, n) to factorise it safely: 0 where it is definite."""
    diagonal = H.diagonal()
    is_dead = diagonal <= _DEAD * diagonal.max(initial=0.0)
    if _is_definite(H[np.ix_(~is_dead, ~is_dead)]) and not H[is_dead].any():
        return np.where(is_dead, _RIDGE, 0.0)
    lowest, highest = np.linalg.eigvalsh(H)[[0, -1]]
    if lowest < -_ROUNDING * max(highest, 0.0):
        raise BadValue(
            f"H is not convex: its lowest eigenvalue is {lowest:.2g} of its largest diagonal element; "
            "sums of B.T @ B, formed in double precision, are convex"
        )
    return np.full(len(H), _RIDGE + 2.0 * max(0.0, -float(lowest)))


def _is_definite(H: Floats) -> bool:
    if not H.size:
        return True
    size = 1.0 / np.sqrt(H.diagonal())  # scale the diagonal to 1: an unknown with a small one is no defect
    scaled = size[:, None] * H * size
    factor, failed = lapack.dpotrf(scaled, lower=1)
    if failed:
        return False
    reciprocal_condition, _ = lapack.dpocon(factor, np.abs(scaled).sum(axis=0).max(), uplo="L")
    return bool(reciprocal_condition > _DEFINITE)
