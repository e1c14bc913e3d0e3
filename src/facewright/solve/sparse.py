"""Symmetric positive definite sparse systems: factorise once, solve often, with some unknowns fixed."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csc_array, diags_array, sparray, spmatrix
from scipy.sparse.linalg import SuperLU, splu

from facewright.arrays import Floats, Ints, floats, indices
from facewright.errors import BadValue

_EPSILON = float(np.finfo(np.float64).eps)
_ASYMMETRY = 1e-9  # of the largest element


class SparseSolver:
    """A x = b for many b, A (n, n) symmetric, the unknowns in `fixed` (f,) given instead of solved for.

    The equations of the fixed unknowns are left out: x is the minimum of 1/2 x'Ax - b'x over the others, on which alone
    A must be positive definite.
    """

    def __init__(self, A: "sparray[Any, Any] | spmatrix[Any]", *, fixed: ArrayLike = ()) -> None:
        matrix = _symmetric(A)
        self.size: int = matrix.shape[0]
        self.fixed: Ints = indices("fixed", fixed, (None,), below=self.size)  # (f,)
        self.free: Ints = np.setdiff1d(np.arange(self.size), self.fixed)  # (n - f,)
        if len(self.free) + len(self.fixed) != self.size:
            raise BadValue("fixed names an unknown twice; give each one value")
        self._coupling: csc_array[np.float64] | None = None  # (n - f, f)
        if len(self.fixed):
            rows = matrix[self.free]
            self._coupling, matrix = rows[:, self.fixed], csc_array(rows[:, self.free])
        self._factor = _factorised(matrix, self.free)

    def solve(self, b: ArrayLike, values: ArrayLike | None = None) -> Floats:
        """Unknowns for right-hand sides b (n,) or (n, k), the fixed ones at values (f,) or (f, k), 0 if not given."""
        columns = np.shape(b)[1:2]
        b = floats("b", b, (self.size, *columns))
        if self._coupling is None:
            return b if self._factor is None else np.asarray(self._factor.solve(b), order="C")
        x = np.zeros_like(b)
        if values is not None:
            x[self.fixed] = floats("values", values, (len(self.fixed), *columns))
        if self._factor is not None:
            x[self.free] = self._factor.solve(b[self.free] - self._coupling @ x[self.fixed])
        return x


def _symmetric(A: "sparray[Any, Any] | spmatrix[Any]") -> "csc_array[np.float64]":
    matrix = csc_array(A, dtype=np.float64)
    if matrix.shape[0] != matrix.shape[1]:
        raise BadValue(f"A must be square, not {matrix.shape}")
    if not np.isfinite(matrix.data).all():
        raise BadValue("A has an element that is not finite")
    if _asymmetry(matrix) > _ASYMMETRY * abs(matrix.data).max(initial=0.0):
        raise BadValue("A must be symmetric; for least squares |B x - d| give B.T @ B and B.T @ d")
    return matrix


def _asymmetry(A: "csc_array[np.float64]") -> float:
    """The largest difference of two elements that mirror each other."""
    turned = csc_array(A.T)  # its rows are in order; so are those of A, unless it was put together otherwise
    if np.array_equal(A.indptr, turned.indptr) and np.array_equal(A.indices, turned.indices):
        return float(np.abs(A.data - turned.data).max(initial=0.0))
    return float(abs(A - turned).max()) if A.nnz else 0.0


def _factorised(A: "csc_array[np.float64]", names: Ints) -> SuperLU | None:
    """The factor of a definite A (n, n), None for no unknowns; an error names an unknown if A is singular."""
    if not len(names):
        return None
    diagonal = A.diagonal()
    if diagonal.min() <= 0.0:
        raise _not_held(names[diagonal.argmin()])
    try:
        factor = _lu(A)
    except RuntimeError:  # a pivot is exactly 0; SuperLU does not say which: factorise with a slightly larger diagonal
        nearly = _lu(csc_array(A + diags_array(1e-12 * diagonal)))
        raise _not_held(names[(_pivots(nearly) / diagonal).argmin()]) from None
    left = _pivots(factor) / diagonal  # pivots relative to the diagonal: 0 where an unknown is not determined
    if left.min() <= max(len(names), 100) * _EPSILON:
        raise _not_held(names[left.argmin()])
    return factor


def _lu(A: "csc_array[np.float64]") -> SuperLU:
    """LU with pivots on the diagonal, which for a definite A is Cholesky."""
    return splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})


def _pivots(factor: SuperLU) -> Floats:
    pivots: Floats = factor.U.diagonal()[factor.perm_r]
    return pivots


def _not_held(name: int) -> BadValue:
    return BadValue(
        f"A is not positive definite: nothing holds unknown {name}; "
        "fix it or another one connected to it, or add a term that holds it"
    )
