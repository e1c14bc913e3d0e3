"""Closing what almost touches, by a small change near to it: lids and lips of shapes that examples tell."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.build.contact import Contacts
from facewright.build.edge_system import CLOSED, EdgeSystem
from facewright.solve.sparse import SparseSolver

_REACH = 0.02  # of the size: how far from a contact vertices move with it


class ContactClosing:
    """Closes the contacts of one shape, which moves some vertices (k,); factorised once.

    The change has the smallest gradients and offsets. Without the offsets, a lid would be drawn along as a whole.
    """

    def __init__(self, system: EdgeSystem, held: Contacts, moved: Ints, size: float) -> None:
        stiffness = system.stiffness[moved][:, moved]
        still = sp.diags_array(system.areas[moved] / (_REACH * size) ** 2)
        self._near = sp.csr_array(held.difference[:, moved])  # (c, k)
        self._strength = CLOSED * float(stiffness.diagonal().mean())
        self._solver = SparseSolver(stiffness + still + self._strength * (self._near.T @ self._near))

    def __call__(self, travelled: Floats, needed: Floats) -> Floats:
        """Offsets (k, 3) to add, where the contacts go so far (c, 3) and have to go so far to be closed.

        A contact is closed along its opening alone: examples tell where two lids meet, aside of that.
        """
        squares = (needed**2).sum(axis=1, keepdims=True)
        along = np.divide((travelled * needed).sum(axis=1, keepdims=True), squares, out=squares * 0, where=squares > 0)
        left = np.where(squares > 0, (1 - along) * needed, 0.0)
        return np.asarray(self._solver.solve(self._strength * (self._near.T @ left)))
