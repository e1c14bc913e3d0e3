"""How much the shapes of a rig deform the surface at each vertex; rigid motion does not count."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats
from facewright.mesh.topology import Topology
from facewright.options import suggests_options
from facewright.regions.rotation import rotated
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig

_SHORTEST = 1e-3  # of the mean edge: shorter edges count as this long
_NOTHING = 1e-9  # smaller bends are rounding errors


class Bending:
    """Measures how much displacements bend and stretch a surface.

    Debunne's discrete Laplacian, 2 / (sum of l_ij) * sum of (x_j - x_i) / l_ij with the lengths at rest, of the moved
    surface is compared with that of the rest, rotated by the rotation of each vertex's one-ring: |L(x + d) - R L(x)|.
    So
    every rigid motion gives 0, while the Laplacian of the displacements alone (Joshi 2003, sec. 2) would count the
    rotation of the jaw as deformation. The result is the change of a curvature, times the rig's size; it has no unit.
    """

    def __init__(self, rig: Rig, topology: Topology | None = None) -> None:
        self.size = rig.size
        self._rows = _ring_sums(rig, topology or Topology(rig.polygons, rig.vertex_count))
        self._rest, self._spread = self._of(rig.neutral)
        self._rounding = _NOTHING * (1 + self.size * np.linalg.norm(self._rest, axis=0))

    def __call__(self, displacements: Floats) -> Floats:
        """Bend (v,) of each vertex for displacements (v, 3)."""
        bends = np.linalg.norm(self.vectors(displacements), axis=1)
        bends[bends < self._rounding] = 0.0
        return np.asarray(bends)

    def vectors(self, displacements: Floats) -> Floats:
        """The same as vectors (v, 3), whose lengths are the bends."""
        laplacian, spread = self._of(displacements)
        touched = np.flatnonzero(laplacian.any(axis=0) | spread.any(axis=(0, 1)))
        rest = self._rest[:, touched]
        bent = rest + laplacian[:, touched] - rotated(rest, self._spread[..., touched] + spread[..., touched])
        vectors = np.zeros((len(displacements), 3))
        vectors[touched] = self.size * bent.T
        return vectors

    def printed(self, displacements: Floats) -> Floats:
        """The Laplacian (v, 3) of the displacements alone, as in the paper, which counts rotations; times the size."""
        return np.asarray(self.size * self._of(displacements)[0].T)

    def _of(self, positions: Floats) -> tuple[Floats, Floats]:
        """The Laplacian (3, v), and the sum of x_j - x_i times the ring's edges at rest (3, 3, v); both are linear."""
        sums = np.asarray(self._rows @ positions).reshape(4, -1, 3)
        turned_about = np.ascontiguousarray(sums.transpose(2, 0, 1))  # (3, 4, v)
        return turned_about[:, 0], turned_about[:, 1:]


def expressions(rig: Rig) -> Iterator[Floats]:
    """Displacements (v, 3) for each shape: of the face with the shape's sliders at the values where it is fully on."""
    column = {name: i for i, name in enumerate(rig.sliders)}
    combine = Combine(rig)
    for shape in rig.shapes:
        pose = np.zeros(len(rig.sliders))
        pose[[column[name] for name in shape.sliders]] = shape.at
        moved = np.zeros((rig.vertex_count, 3))
        for active, value in ((rig.shapes[i], value) for i, value in enumerate(combine(pose)) if value):
            moved[active.vertices] += value * active.offsets
        yield moved


def deformation(rig: Rig) -> Floats:
    """The largest bend (v,) of each vertex over all shapes; it has no unit and is 0 where all motion is rigid."""
    bending = Bending(rig)
    largest = np.zeros(rig.vertex_count)
    for moved in expressions(rig):
        np.maximum(largest, bending(moved), out=largest)
    return largest


@suggests_options
def deformation_vectors(rig: Rig, *, printed: bool = False) -> Floats:
    """The deformation (v, 3) of each vertex by the shape that deforms it most (Joshi 2003, fig. 3a).

    printed: the Laplacian of the displacements alone, as in the paper; otherwise its lengths are those of
    `deformation`.
    """
    bending = Bending(rig)
    found, most = np.zeros((rig.vertex_count, 3)), np.zeros(rig.vertex_count)
    for moved in expressions(rig):
        vectors = bending.printed(moved) if printed else bending.vectors(moved)
        lengths = np.linalg.norm(vectors, axis=1)
        more = lengths > most
        found[more], most[more] = vectors[more], lengths[more]
    return found


def _ring_sums(rig: Rig, topology: Topology) -> sp.csr_array:
    """A matrix (4v, v) for sums of x_j - x_i over each ring: times w_ij, and times w_ij e_ij."""
    count = rig.vertex_count
    a, b = topology.edges.T
    i, j = np.concatenate([a, b]), np.concatenate([b, a])
    edges = rig.neutral[j] - rig.neutral[i]
    lengths = np.linalg.norm(edges, axis=1)
    lengths = np.maximum(lengths, _SHORTEST * (lengths.mean() if len(lengths) else 0.0))
    lengths[lengths == 0] = 1.0
    weights = 2 / (np.bincount(i, lengths, minlength=count)[i] * lengths)
    values = np.concatenate([weights[None], weights * edges.T])  # (4, e)
    rows = (i + count * np.arange(4)[:, None]).ravel()
    at = (np.concatenate([rows, rows]), np.concatenate([np.tile(j, 4), np.tile(i, 4)]))
    both = np.concatenate([values.ravel(), -values.ravel()])
    return sp.csr_array(sp.coo_array((both, at), shape=(4 * count, count)))
