"""Poses of a face on a mesh that was laid onto its neutral: the skin does what lies under it, the rest goes along.

Pieces that are not skin (teeth, eyes, lashes) keep their form: each moves by the best rigid motion of what is near it
in the neutral, or with the skin about it where nothing is.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints, frozen
from facewright.build.registration.follow_skin import follow_skin
from facewright.build.registration.skin import pieces_of
from facewright.mesh.align import align_many
from facewright.mesh.closest import Surface
from facewright.mesh.normals import vertex_normals
from facewright.rig.rig import Rig

_SURE = 1e-6  # how surely a vertex must lie where it belongs to be moved by what is there
_UNDER = 0.003  # of the size: from inside a lip its own side is nearer than the other lip, though they touch
_NEAR = 0.015  # of the size: a piece in the mean no further away than this has a counterpart
_ROUNDS = 6


class PoseTransfer:
    """What is needed for any pose: where each vertex lies on the neutral."""

    def __init__(self, mesh: Rig, matched: Floats, neutral: Rig) -> None:
        """For a mesh where it lies on the neutral, and how surely each vertex (v,) lies where it belongs."""
        self._mesh, self._neutral = mesh, neutral.neutral
        self._skin: Ints = np.flatnonzero(matched > _SURE)
        inwards = -_UNDER * mesh.size * vertex_normals(mesh.neutral, mesh.triangles)
        places = Surface(neutral.neutral, neutral.triangles).closest(mesh.neutral + inwards)
        self._corners, self._shares = neutral.triangles[places.triangles], places.barycentric
        self._pieces = [piece for piece in self._apart() if places.distances[piece].mean() < _NEAR * mesh.size]

    def __call__(self, pose: Floats) -> Floats:
        """The mesh (v, 3) in a pose (u, 3) of the neutral's vertices."""
        motion = np.einsum("vc,vcd->vd", self._shares, (pose - self._neutral)[self._corners])
        rest = self._mesh.neutral
        moved = follow_skin(rest, self._mesh.triangles, self._skin, (rest + motion)[self._skin])
        for piece in self._pieces:
            moved[piece] = _rigid(rest[piece], (rest + motion)[piece], 1e-6 * self._mesh.size)
        return frozen(moved)

    def _apart(self) -> list[Ints]:
        """Pieces without skin."""
        piece = pieces_of(self._mesh.triangles, self._mesh.vertex_count)
        apart = np.setdiff1d(piece, piece[self._skin])
        return [np.flatnonzero(piece == one) for one in apart]


def _rigid(rest: Floats, moved: Floats, least: float) -> Floats:
    """Points at rest (k, 3), moved as a whole like most of them are (Geman and McClure's weights)."""
    weights = np.ones(len(rest))
    for _ in range(_ROUNDS):
        rotations, offsets = align_many(rest[None], moved[None], weights[None])
        placed = rest @ rotations[0].T + offsets[0]
        off = np.linalg.norm(placed - moved, axis=1)
        weights = 1 / (1 + (off / max(3 * float(np.median(off)), least)) ** 2) ** 2
    return np.asarray(placed)
