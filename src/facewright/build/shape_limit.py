"""A limit to how far a shape may go from the template's, relative to itself, so that no shape becomes another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats
from facewright.build.deformation_transfer import DeformationTransfer

# Of the template's motion near a vertex. People whose shapes are a third to three times the template's stay within it.
LIMIT = 2.0
_ROUNDS = 3  # rings over which that motion is averaged


class ShapeLimit:
    """How far (k,) each moved vertex of each shape may be from where transfer brings it."""

    def __init__(self, transfer: DeformationTransfer) -> None:
        self._plain = transfer.plain
        near = sp.csr_array(abs(transfer.system.stiffness) > 0).astype(np.float64)
        about = sp.csr_array(sp.diags_array(1 / np.maximum(near.sum(axis=1), 1.0)) @ near)
        self.furthest: list[Floats] = []
        for prior, plain in zip(transfer.priors, self._plain, strict=True):
            squares = np.zeros(len(transfer.target.placed))
            squares[prior.moved] = (plain**2).sum(axis=1)
            here = squares[prior.moved]
            for _ in range(_ROUNDS):
                squares = about @ squares
            self.furthest.append(LIMIT * np.sqrt(np.maximum(squares[prior.moved], here)))

    def __call__(self, offsets: Sequence[Floats]) -> list[Floats]:
        """Offsets (k, 3) of each shape, drawn back to the limit where they are beyond it."""
        found = []
        for plain, some, most in zip(self._plain, offsets, self.furthest, strict=True):
            off = some - plain
            far = np.sqrt(np.einsum("ka,ka->k", off, off))
            beyond = far > most
            if beyond.any():
                some = plain + off * np.where(beyond, most / np.where(beyond, far, 1.0), 1.0)[:, None]
            found.append(some)
        return found
