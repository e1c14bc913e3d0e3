"""Small definite systems, thousands at once: one step of the elimination is a few operations on all of them.

LAPACK takes longer to be called than to solve a system of four unknowns. The libraries that numpy uses also take turns
at each of their calls, so that two threads with small systems wait for each other.
"""

from __future__ import annotations

from facewright.arrays import Floats

SMALL = 10  # unknowns; larger systems are solved as quickly by `numpy.linalg.solve`


def eliminate(A: Floats, b: Floats) -> Floats:
    """Unknowns (n, k, t) of t systems A (n, n, t), each definite, with right-hand sides b (n, k, t).

    Both arrays are written over; the unknowns take the place of b.
    """
    n = len(A)
    for i in range(n - 1):
        factors = A[i + 1 :, i] / A[i, i]
        A[i + 1 :, i + 1 :] -= factors[:, None] * A[i, i + 1 :]
        b[i + 1 :] -= factors[:, None] * b[i]
    for i in reversed(range(n)):
        b[i] /= A[i, i]
        b[:i] -= A[:i, i, None] * b[i]
    return b
