"""Inner products of long rows, such as all coordinates of a mesh, in pieces on several threads."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.solve.threads import on_threads

_COLUMNS = 1 << 13  # in a piece, so that some dozen rows of it stay in the cache


def pieces(columns: int) -> list[slice]:
    """So many columns, in successive pieces."""
    return [slice(start, min(start + _COLUMNS, columns)) for start in range(0, columns, _COLUMNS)]


def inner_products(one: Floats, other: Floats) -> Floats:
    """Products (p, q) of rows (p, n) with rows (q, n)."""
    parts = on_threads(lambda at: one[:, at] @ other[:, at].T, pieces(one.shape[1]))
    return np.asarray(sum(parts, np.zeros((len(one), len(other)))))
