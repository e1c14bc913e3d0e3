"""What the poses tell about all shapes of a person together, before any single triangle is changed.

Two things are learned from all poses: which edges the template's shapes act on (`reference_edges`), and where each
shape is stronger or weaker (`amplitude`). Shapes so made are the prior of step A in place of the transferred ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats
from facewright.build.amplitude import Amplitudes
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.loose_pieces import LoosePieces
from facewright.build.reference_edges import learned_edges
from facewright.build.shape_step import Entries, pose_edges
from facewright.solve.threads import on_threads


@dataclass(frozen=True, eq=False)
class PersonalShapes:
    """The shapes that are expected of a person."""

    entries: Entries  # for step A
    carried: Floats  # (s, v, 3) the template's shapes on the edges that were learned
    expected: Sequence[Floats]  # (k, 3) the same, stronger here and weaker there, where each shape moves vertices

    @classmethod
    def of(cls, transfer: DeformationTransfer, entries: Entries, offsets: Sequence[Floats]) -> PersonalShapes:
        """Shapes of such offsets (k, 3), before anything is learned."""
        return cls(entries, transfer.dense(offsets), offsets)


class PersonalPrior:
    """Prepared for the template's shapes on a face, as entries and offsets (k, 3), and for one set of poses: motions
    (m, v, 3), edge changes (t, m, 6), and how much these count. What is learned goes on from what was learned before.
    """

    def __init__(
        self,
        transfer: DeformationTransfer,
        entries: Entries,
        offsets: Sequence[Floats],
        motions: Floats,
        edges: Floats,
        known: Floats,
        present: Floats | None,
    ) -> None:
        self._transfer, self._entries, self._motions, self._edges = transfer, entries, motions, edges
        self._known, self._present = known, present
        self.loose = LoosePieces(transfer, motions)
        self._triangles = transfer.triangles[entries.triangles]
        rest = transfer.target.placed
        moved = np.unique(np.concatenate([prior.moved for prior in transfer.priors]))
        self._amplitudes = Amplitudes(rest, moved, transfer.template.size)
        self._carried = transfer.dense(offsets)
        self._square = float((edges**2).sum())
        self._added = np.zeros((len(entries.triangles), 2, 3))  # to the face's edges

    def carried(self, values: Floats) -> Floats:
        """The template's shapes as offsets (s, v, 3) on the edges that poses with shape values (m, s) tell.

        The array is used again: the next call writes over it.
        """
        made = (values @ self._carried.reshape(len(self._carried), -1)).reshape(self._motions.shape)
        left = self._edges - pose_edges(made, self._triangles)
        left_over = float((left**2).sum()) / self._square if self._square > 0 else 0.0
        wanted, self._added = learned_edges(self._entries, values, left, self._added, left_over, self._present)
        return self._transfer.dense(self._transfer.offsets(wanted, self.loose.scaled(values)), self._carried)

    def __call__(self, values: Floats) -> PersonalShapes:
        """The shapes to be expected, for shape values (m, s) of the poses."""
        transfer, carried = self._transfer, self.carried(values)
        amplitudes = self._amplitudes(values, carried, self._motions, self._known)
        wanted = np.empty_like(self._entries.wanted)

        def expect(i: int) -> Floats:
            prior, rows = transfer.priors[i], transfer.entries.of_shape[i]
            offsets: Floats = carried[i, prior.moved] * amplitudes[i, prior.moved, None]
            wanted[rows] = prior.edges_of(offsets).reshape(-1, 6)
            return offsets

        expected = on_threads(expect, range(len(transfer.priors)))
        return PersonalShapes(replace(self._entries, wanted=wanted), carried, expected)
