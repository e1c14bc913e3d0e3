"""Step A for loose pieces such as eyes and teeth, which no fixed vertex holds: where their centres move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.shape_prior import firmness
from facewright.build.shape_step import ridge

_OWN = 0.1  # of a typical shape's square: poses that move a piece less tell little about its size


class LoosePieces:
    """Pieces that some shape moves as a whole, and how the poses move their centres."""

    def __init__(self, transfer: DeformationTransfer, motions: Floats) -> None:
        self._transfer = transfer
        loose = [surface.loose for surface in transfer.surfaces]
        self._pieces = np.unique(np.concatenate(loose)) if loose else np.zeros(0, np.int64)
        members = [np.flatnonzero(transfer.system.pieces == piece) for piece in self._pieces]
        means = [motions[:, rows].mean(axis=1) for rows in members]
        self._motions = np.array(means).reshape(-1, len(motions), 3)  # (p, m, 3)
        self._wanted = np.zeros((len(self._pieces), len(loose), 3))
        self._softness = np.zeros((len(self._pieces), len(loose)))
        size = transfer.template.size or 1.0
        means_of = sp.csr_array((len(members), len(transfer.system.pieces)))
        if members:
            shares, at = (
                np.concatenate([np.full(len(rows), 1 / len(rows)) for rows in members]),
                np.concatenate(members),
            )
            ends = np.concatenate([[0], np.cumsum([len(rows) for rows in members])])
            means_of = sp.csr_array((shares, at, ends), shape=means_of.shape)
        # (p, k) of each shape: from its offsets to the mean offset of each piece
        self._means = [sp.csr_array(means_of)[:, prior.moved] for prior in transfer.priors]
        for shape, pieces in enumerate(loose):
            at = np.searchsorted(self._pieces, pieces)
            self._wanted[at, shape] = transfer.middles[shape]
            self._softness[at, shape] = 1 / firmness(np.linalg.norm(transfer.middles[shape], axis=1) / (0.1 * size))

    def scaled(self, values: Floats) -> list[Floats]:
        """Offsets (p_i, 3) of the centres in the template's shapes, each piece as large as all poses tell.

        values: shape values (m, s) of the poses.
        """
        made = values @ self._wanted  # (p, m, 3)
        own = (self._wanted**2).sum(axis=(1, 2)) / np.maximum((self._softness > 0).sum(axis=1), 1)
        along, square = (made * (self._motions - made)).sum(axis=(1, 2)), (made**2).sum(axis=(1, 2)) + _OWN * own
        by = 1 + np.divide(along, square, out=np.zeros_like(square), where=square > 0)
        return self._of_shapes(by[:, None, None] * self._wanted)

    def middles(self, values: Floats, offsets: Sequence[Floats], wanted: Sequence[Floats], beta: float) -> list[Floats]:
        """Offsets (p_i, 3) of the centres of each shape's loose pieces.

        values: shape values (m, s) of the poses. offsets, wanted: those (k, 3) of the present shapes, and of those
        that are to be expected.
        """
        if not len(self._pieces) or not len(values):
            return self._transfer.middles
        now, prior = (
            np.stack([np.asarray(means @ some) for means, some in zip(self._means, one, strict=True)], axis=1)
            for one in (offsets, wanted)
        )  # (p, s, 3)
        known = np.where(self._softness[:, :, None] > 0, prior, now)
        found = known + ridge(values, self._softness, self._motions - values @ known, beta)
        return self._of_shapes(found)

    def _of_shapes(self, centres: Floats) -> list[Floats]:
        """Rows (p_i, 3) of each shape, of centres (p, s, 3)."""
        rows = (np.searchsorted(self._pieces, surface.loose) for surface in self._transfer.surfaces)
        return [centres[at, shape] for shape, at in enumerate(rows)]
