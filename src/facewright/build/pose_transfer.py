"""Transfer of poses of a face to a mesh that is registered onto the face's neutral.

The skin moves with the surface under it. Pieces that are not skin (teeth, eyes, lashes) keep their form: each moves by
the best rigid motion of its counterpart in the neutral, or with the skin around it where it has none.
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

_SURE = 1e-6  # smallest matching weight of a vertex that is moved by the surface under it
# of the size: measured from inside a lip, its own side is nearer than the other lip, even where they touch
_UNDER = 0.003
_NEAR = 0.015  # of the size: a piece whose mean distance is below this has a counterpart
_ROUNDS = 6


class PoseTransfer:
    """A mesh prepared for any pose of the neutral that it lies on."""

    def __init__(self, mesh: Rig, matched: Floats, neutral: Rig) -> None:
        """mesh: a rig whose neutral lies on the face. matched: weights (v,) from 0 to 1, how sure each vertex's match
        is.
        """
        self._mesh, self._neutral = mesh, neutral.neutral
        self._skin: Ints = np.flatnonzero(matched > _SURE)
        inwards = -_UNDER * mesh.size * vertex_normals(mesh.neutral, mesh.triangles)
        places = Surface(neutral.neutral, neutral.triangles).closest(mesh.neutral + inwards)
        self._corners, self._shares = neutral.triangles[places.triangles], places.barycentric
        self._pieces = [piece for piece in self._apart() if places.distances[piece].mean() < _NEAR * mesh.size]

    def __call__(self, pose: Floats) -> Floats:
        """Positions (v, 3) of the mesh for a pose (u, 3) of the neutral's vertices."""
        motion = np.einsum("vc,vcd->vd", self._shares, (pose - self._neutral)[self._corners])
        rest = self._mesh.neutral
        moved = follow_skin(rest, self._mesh.triangles, self._skin, (rest + motion)[self._skin])
        for piece in self._pieces:
            moved[piece] = _rigid(rest[piece], (rest + motion)[piece], 1e-6 * self._mesh.size)
        return frozen(moved)

    def _apart(self) -> list[Ints]:
        """Connected pieces without skin."""
        piece = pieces_of(self._mesh.triangles, self._mesh.vertex_count)
        apart = np.setdiff1d(piece, piece[self._skin])
        return [np.flatnonzero(piece == one) for one in apart]


def _rigid(rest: Floats, moved: Floats, least: float) -> Floats:
    """Points at rest (k, 3) after the rigid motion of most of them (weights of Geman and McClure)."""
    weights = np.ones(len(rest))
    for _ in range(_ROUNDS):
        rotations, offsets = align_many(rest[None], moved[None], weights[None])
        placed = rest @ rotations[0].T + offsets[0]
        off = np.linalg.norm(placed - moved, axis=1)
        weights = 1 / (1 + (off / max(3 * float(np.median(off)), least)) ** 2) ** 2
    return np.asarray(placed)
