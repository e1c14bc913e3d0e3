"""The largest numbers in the rows of sparse matrices."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Ints


def largest_in_rows(matrix: sp.csr_array) -> Ints:
    """The column (n,) of the largest stored number of each row, the first of equals; -1 for an empty row."""
    matrix = matrix if matrix.has_sorted_indices else matrix.sorted_indices()
    counts = np.diff(matrix.indptr)
    found = np.full(len(counts), -1)
    if matrix.nnz:
        full = np.flatnonzero(counts)
        highest = np.maximum.reduceat(matrix.data, matrix.indptr[full])
        at = np.flatnonzero(matrix.data == np.repeat(highest, counts[full]))
        rows = np.repeat(full, counts[full])[at]
        first = np.concatenate([[True], rows[1:] != rows[:-1]])
        found[rows[first]] = matrix.indices[at[first]]
    return found
