"""Shapes that a template lacks: what is left of poses that no combination reaches (Li 2010's future work)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.rig.shape import Shape

_NEW = 0.5  # of what is left of a pose: a proposal that shares more than the rest with earlier ones adds nothing
_RANK = 1e-6  # of the largest singular value: directions below are rounding
_SPECK = 1e-3  # of the largest offset: what a proposal would move less is left alone


@dataclass(frozen=True, eq=False)
class ShapeProposal:
    """A shape to add: orthogonal to all there are, at weight 1 what its pose lacks."""

    shape: Shape
    pose: str
    gain: float  # share of what is left of the pose that the shape explains


def propose_shapes(
    left: Sequence[tuple[str, Floats]], deltas: Floats, taken: Sequence[str]
) -> tuple[ShapeProposal, ...]:
    """Proposals from what is left (v, 3) of the poses named, given all shapes (s, v, 3), for names not taken."""
    basis = _basis(deltas.reshape(len(deltas), -1))  # (r, 3v)
    names, found = set(taken), []
    for pose, offsets in left:
        rest = offsets.ravel() - (basis @ offsets.ravel()) @ basis
        rest = rest - (basis @ rest) @ basis  # once more, for rounding
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
