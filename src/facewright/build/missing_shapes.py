"""Shapes that a template lacks, from the residuals of poses that no combination reaches (future work in Li 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.rig.shape import Shape

_NEW = 0.5  # of the residual of a pose: a proposal that adds less to the earlier ones is left out
_RANK = 1e-6  # of the largest singular value: directions below are rounding errors
_SPECK = 1e-3  # of the largest offset: smaller offsets of a proposal are set to 0


@dataclass(frozen=True, eq=False)
class ShapeProposal:
    """A shape to add. It is orthogonal to all existing shapes; at weight 1 it adds what its pose lacks."""

    shape: Shape
    pose: str
    gain: float  # share of the pose's residual that the shape explains

    def __repr__(self) -> str:
        return f"ShapeProposal({self.shape!r} for {self.pose!r}, gain {self.gain:.0%})"


def propose_shapes(
    left: Sequence[tuple[str, Floats]], deltas: Floats, taken: Sequence[str]
) -> tuple[ShapeProposal, ...]:
    """Propose shapes from residuals (v, 3) of poses, by name, given all shapes (s, v, 3); `taken` are names in use."""
    basis = _basis(deltas.reshape(len(deltas), -1))  # (r, 3v)
    names, found = set(taken), []
    for pose, offsets in left:
        rest = offsets.ravel() - (basis @ offsets.ravel()) @ basis
        rest = rest - (basis @ rest) @ basis  # a second time, for rounding
        length = float(np.linalg.norm(rest))
        if length <= _NEW * float(np.linalg.norm(offsets)):
            continue
        basis = np.vstack([basis, rest / length])
        name = _free_name(f"missing_{pose}", names)
        names.add(name)
        found.append(
            ShapeProposal(_shape(name, rest.reshape(-1, 3)), pose, (length / float(np.linalg.norm(offsets))) ** 2)
        )
    return tuple(found)


def _basis(rows: Floats) -> Floats:
    """Orthonormal rows (r, k) that span the rows (s, k)."""
    values, vectors = np.linalg.eigh(rows @ rows.T)
    kept = values > _RANK**2 * values.max(initial=0.0)
    return np.asarray((vectors[:, kept] / np.sqrt(values[kept])).T @ rows)


def _shape(name: str, offsets: Floats) -> Shape:
    lengths = np.linalg.norm(offsets, axis=1)
    return Shape.from_dense(name, np.where((lengths > _SPECK * lengths.max(initial=0.0))[:, None], offsets, 0.0))


def _free_name(name: str, taken: set[str]) -> str:
    tries = (name if i == 1 else f"{name}_{i}" for i in range(1, len(taken) + 2))
    return next(one for one in tries if one not in taken)
