"""Step A for loose pieces such as eyes and teeth, which no fixed vertex holds: where their centres move."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.shape_prior import firmness
from facewright.build.shape_step import ridge


class LoosePieces:
    """Pieces that some shape moves as a whole, and how the poses move their centres."""

    def __init__(self, transfer: DeformationTransfer, motions: Floats) -> None:
        self._transfer = transfer
        loose = [surface.loose for surface in transfer.surfaces]
        self._pieces = np.unique(np.concatenate(loose)) if loose else np.zeros(0, np.int64)
        self._members = [np.flatnonzero(transfer.system.pieces == piece) for piece in self._pieces]
        self._motions = np.array([motions[:, rows].mean(axis=1) for rows in self._members])  # (p, m, 3)
        self._wanted = np.zeros((len(self._pieces), len(loose), 3))
        self._softness = np.zeros((len(self._pieces), len(loose)))
        size = transfer.template.size or 1.0
        for shape, pieces in enumerate(loose):
            at = np.searchsorted(self._pieces, pieces)
            self._wanted[at, shape] = transfer.middles[shape]
            self._softness[at, shape] = 1 / firmness(np.linalg.norm(transfer.middles[shape], axis=1) / (0.1 * size))

    def middles(self, values: Floats, deltas: Floats, beta: float) -> list[Floats]:
        """Offsets (p_i, 3) of the centres of each shape's loose pieces.

        values: shape values (m, s) of the poses. deltas: offsets (s, v, 3) of the present shapes.
        """
        if not len(self._pieces) or not len(values):
            return self._transfer.middles
        now = np.array([deltas[:, rows].mean(axis=1) for rows in self._members])  # (p, s, 3)
        known = np.where(self._softness[:, :, None] > 0, self._wanted, now)
        found = known + ridge(values, self._softness, self._motions - values @ known, beta)
        rows = (np.searchsorted(self._pieces, surface.loose) for surface in self._transfer.surfaces)
        return [found[at, shape] for shape, at in enumerate(rows)]
