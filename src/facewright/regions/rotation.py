"""Vectors rotated by the rotation nearest to a 3 x 3 matrix, for many matrices at once."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats

_STEPS = 60
_FLAT = 1e-6  # of the cubed norm: below, the closed form is not accurate


def rotated(vectors: Floats, matrices: Floats) -> Floats:
    """Vectors (3, n), each rotated by the R with the largest trace of R^T B, for matrices B (3, 3, n).

    Markley's closed form (FOAM, 1993) from the sum of the singular values, the last with the sign of the determinant;
    it
    needs rank 2. Matrices of lower rank use a singular value decomposition. Equal elements of all matrices are adjacent
    in
    memory, which makes this fast.
    """
    norms = np.sqrt(np.einsum("ijn,ijn->n", matrices, matrices))
    B = matrices / np.where(norms > 0, norms, 1.0)
    cofactors = np.stack([_cross(B[1], B[2]), _cross(B[2], B[0]), _cross(B[0], B[1])])
    determinants = (B[0] * cofactors[0]).sum(axis=0)
    sums = _largest_root(np.einsum("ijn,ijn->n", cofactors, cofactors), determinants)
    kappa = (sums * sums - 1) / 2
    zeta = kappa * sums - determinants
    flat = np.flatnonzero((zeta < _FLAT) | (norms == 0))
    zeta[flat] = 1.0
    once = _apply(B, vectors)
    thrice = _apply(B, _apply(B.transpose(1, 0, 2), once))
    found = ((kappa + 1) * once + sums * _apply(cofactors, vectors) - thrice) / zeta
    if len(flat):
        found[:, flat] = _apply(_by_decomposition(B[..., flat]), vectors[:, flat])
    return np.asarray(found)


def _largest_root(squares: Floats, determinants: Floats) -> Floats:
    """The largest root (n,) of x^4 - 2 x^2 - 8 det x + 1 - 4 |cofactors|^2, for matrices of norm 1.

    Newton's steps start above the root, where the quartic is convex and rises, and approach it from above.
    """
    x = np.full(len(squares), np.sqrt(3.0))
    rest, linear = 1 - 4 * squares, 8 * determinants
    for _ in range(_STEPS):
        square = x * x
        slope = 4 * (square - 1) * x - linear
        step = (((square - 2) * x - linear) * x + rest) / np.where(slope > 0, slope, np.inf)
        x -= step
        if np.abs(step).max(initial=0.0) < 1e-15:
            break
    return x


def _cross(a: Floats, b: Floats) -> Floats:
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _apply(matrices: Floats, vectors: Floats) -> Floats:
    x, y, z = vectors
    return np.stack([row[0] * x + row[1] * y + row[2] * z for row in matrices])


def _by_decomposition(B: Floats) -> Floats:
    """Rotations (3, 3, n)."""
    U, _, Vt = np.linalg.svd(B.transpose(2, 0, 1))
    U[:, :, 2] *= np.sign(np.linalg.det(U @ Vt))[:, None]
    return np.asarray((U @ Vt).transpose(1, 2, 0))
