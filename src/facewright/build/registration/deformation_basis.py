"""Smooth deformations of a surface with few unknowns: affine maps at nodes, blended between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

from facewright.arrays import Floats, Ints
from facewright.build.edge_system import EdgeSystem

_REACH = 1.8  # of the nodes' spacing: the reach of a node's map
_COUPLED = 2.0  # of the nodes' spacing: nodes nearer to each other than this are coupled
_SPAN = 0.4  # of the size: the distance over which a deformation fades where no data ask for it


@dataclass(frozen=True, eq=False)
class DeformationBasis:
    """Positions (v, 3) of a surface as base + matrix @ unknowns, and the cost of bending it.

    For unknowns u (p, 3) the cost is (u - rest)' stiffness (u - rest): about the integral of squared second derivatives
    of
    the displacement, plus a small part of its squared first derivatives. Multiplied by the fourth power of a length, it
    suppresses deformations smaller than that length.
    """

    base: Floats  # (v, 3)
    matrix: sp.csr_array  # (v, p)
    stiffness: sp.csr_array  # (p, p)
    rest: Floats  # (p, 3) unknowns of the undeformed surface
    coarse: bool  # whether many vertices share an unknown

    def __call__(self, unknowns: Floats) -> Floats:
        return np.asarray(self.base + self.matrix @ unknowns)


def vertex_basis(positions: Floats, triangles: Ints, areas: Floats) -> DeformationBasis:
    """A basis of one displacement for each vertex, from positions (v, 3) with areas (v,) at the vertices."""
    v = len(positions)
    slopes = EdgeSystem(positions, triangles).stiffness  # squared gradients of the displacements
    bending = slopes @ sp.diags_array(1 / areas) @ slopes
    stiffness = sp.csr_array(bending + slopes / _SPAN**2)
    return DeformationBasis(positions, sp.csr_array(sp.eye_array(v)), stiffness, np.zeros((v, 3)), False)


def node_basis(positions: Floats, graph: sp.csr_array, areas: Floats, spacing: float) -> DeformationBasis:
    """A basis of affine maps at nodes about `spacing` apart along the edges; graph (v, v) holds the edges' lengths."""
    nodes = _cover(graph, spacing)
    along = dijkstra(graph, indices=nodes, limit=max(_REACH, _COUPLED) * spacing)  # (m, v)
    felt = np.maximum(1 - (np.minimum(along, 1e3) / (_REACH * spacing)) ** 2, 0.0) ** 3
    weights = sp.csr_array((felt / felt.sum(axis=0)).T)  # (v, m), rows sum to 1
    places = positions[nodes]
    rest = np.zeros((4 * len(nodes), 3))
    rest.reshape(-1, 4, 3)[:, :3] = np.eye(3)
    rest[3::4] = places
    stiffness = _stiffness(places, along[:, nodes], float(areas.sum()), spacing)
    return DeformationBasis(np.zeros_like(positions), _blend(positions, places, weights), stiffness, rest, True)


def _cover(graph: sp.csr_array, spacing: float) -> Ints:
    """Vertices such that every vertex has one of them within the spacing, and none of them has another."""
    uncovered, nodes = np.ones(graph.shape[0], bool), []
    for vertex in range(graph.shape[0]):
        if uncovered[vertex]:
            nodes.append(vertex)
            uncovered &= ~np.isfinite(dijkstra(graph, indices=[vertex], limit=spacing)[0])
    return np.array(nodes)


def _blend(positions: Floats, places: Floats, weights: sp.csr_array) -> sp.csr_array:
    """A matrix (v, 4m) from maps to positions; a map is three rows of a linear map and one of its node's position."""
    found = weights.tocoo()
    vertex, node = found.coords
    offsets = positions[vertex] - places[node]
    values = found.data[:, None] * np.column_stack([offsets, np.ones(len(offsets))])  # (k, 4)
    columns = 4 * node[:, None] + np.arange(4)
    shape = (len(positions), 4 * len(places))
    return sp.csr_array((values.ravel(), (np.repeat(vertex, 4), columns.ravel())), shape=shape)


def _stiffness(places: Floats, along: Floats, area: float, spacing: float) -> sp.csr_array:
    """The cost (4m, 4m) of differences between neighbouring maps: each map predicts where the nodes of its neighbours
    go.
    """
    one, other = np.nonzero(along < _COUPLED * spacing)
    one, other = one[one != other], other[one != other]
    count, width = len(one), 4 * len(places)
    each = np.sqrt(area / max(count, 1))
    far = along[one, other]
    rows = np.arange(count)
    ends, signs = np.concatenate([4 * one, 4 * other]), np.concatenate([each / far, -each / far])
    linear = [sp.csr_array((signs, (np.tile(rows, 2), ends + k)), shape=(count, width)) for k in range(3)]
    steps = (places[other] - places[one]) * (each / far**2)[:, None]
    values = np.column_stack([steps, each / far**2, -each / far**2])
    columns = np.column_stack([*(4 * one + k for k in range(4)), 4 * other + 3])
    predicted = sp.csr_array((values.ravel(), (np.repeat(rows, 5), columns.ravel())), shape=(count, width))
    fading = sp.diags_array(np.tile([1.0, 1, 1, 0], len(places)) * area / len(places) / _SPAN**2)
    return sp.csr_array(sum(part.T @ part for part in (*linear, predicted)) + fading)
