"""The paper's own rule for regions, and its deformation map, against definitions vertex by vertex."""

from itertools import pairwise

import numpy as np
import pytest

import facewright as fw
from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.mesh.topology import Topology
from facewright.regions.deformation import deformation, deformation_vectors
from facewright.regions.segment import segment
from facewright.regions.threshold_rule import one_ring_weights, sorted_threshold
from tests.laws.things import head
from tests.regions.surfaces import sheet


def two_bumps() -> fw.Rig:
    return sheet(40, 16, left=(8, 8, 7), right=(31, 8, 7))


def laplacian_by_definition(rig: fw.Rig, moved: Floats) -> Floats:
    """Debunne's Laplacian of displacements, one vertex after the other, times the rig's size."""
    topology = Topology(rig.polygons, rig.vertex_count)
    found = np.zeros((rig.vertex_count, 3))
    for i in range(rig.vertex_count):
        ring = topology.neighbours(i)
        lengths = np.linalg.norm(rig.neutral[ring] - rig.neutral[i], axis=1)
        found[i] = 2 / lengths.sum() * ((moved[ring] - moved[i]) / lengths[:, None]).sum(axis=0)
    return rig.size * found


def test_the_printed_map_has_the_laplacian_of_the_shape_that_deforms_a_vertex_most() -> None:
    rig = two_bumps()
    every = np.array([laplacian_by_definition(rig, shape.dense(rig.vertex_count)) for shape in rig.shapes])
    most = np.linalg.norm(every, axis=2).argmax(axis=0)
    expected = every[most, np.arange(rig.vertex_count)]
    assert np.abs(expected).max() > 0.1
    np.testing.assert_allclose(deformation_vectors(rig, printed=True), expected, atol=1e-9)


def test_the_lengths_of_the_vector_map_are_the_scalar_map() -> None:
    rig = head()
    np.testing.assert_allclose(np.linalg.norm(deformation_vectors(rig), axis=1), deformation(rig), atol=1e-6)


def test_the_printed_map_counts_a_turn_as_deformation_and_ours_does_not() -> None:
    still = two_bumps()
    turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    turned = fw.Rig(
        still.neutral, still.polygons, (fw.Shape.from_dense("turn", still.neutral @ turn.T - still.neutral),)
    )
    inner = np.abs(still.neutral[:, :2] - [20, 8]).max(axis=1) < 6
    assert np.linalg.norm(deformation_vectors(turned), axis=1).max() < 1e-6
    assert np.linalg.norm(deformation_vectors(turned, printed=True), axis=1)[inner].min() > 0.1


@pytest.mark.parametrize("t", [0.0, 0.25, 0.75, 1.0])
def test_the_threshold_leaves_the_share_t_of_the_vertices_at_or_below_it(t: float) -> None:
    values = np.random.default_rng(3).permutation(np.arange(200.0))
    assert (values <= sorted_threshold(values, t)).sum() == min(int(200 * t) + 1, 200)


def test_what_deforms_apart_becomes_regions_apart_on_one_background() -> None:
    rig = two_bumps()
    regions = segment(rig, threshold=0.6, method="threshold")
    labels = regions.labels().reshape(16, 40)
    assert regions.count == 3
    assert len({labels[8, 8], labels[8, 31], labels[8, 20]}) == 3
    assert labels[0, 0] == labels[8, 20] == labels[15, 39]


def test_a_higher_threshold_gives_a_larger_background() -> None:
    rig = head()
    values = np.linalg.norm(deformation_vectors(rig, printed=True), axis=1)
    high = [values > sorted_threshold(values, t) for t in (0.25, 0.5, 0.75)]
    assert all((fine <= coarse).all() and fine.sum() < coarse.sum() for coarse, fine in pairwise(high))


def test_every_region_reaches_exactly_one_ring_into_its_neighbours() -> None:
    rig = two_bumps()
    topology = Topology(rig.polygons, rig.vertex_count)
    labels = segment(rig, threshold=0.6, method="threshold").labels()
    weights = one_ring_weights(labels, topology).toarray()
    np.testing.assert_allclose(weights.sum(axis=0), 1)
    for vertex in range(rig.vertex_count):
        near = {int(labels[vertex]), *labels[topology.neighbours(vertex)].tolist()}
        assert set(np.flatnonzero(weights[:, vertex]).tolist()) == near
        assert weights[:, vertex].argmax() == labels[vertex]


def test_the_rule_has_a_tree_and_names_as_ours_has() -> None:
    regions = segment(head(), method="threshold")
    assert len(regions.nodes(regions.levels - 1)) == 1
    assert len(set(regions.names)) == len(regions.names)


def test_other_methods_are_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownName, match="likeness, threshold"):
        segment(two_bumps(), method="water")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="does not make regions symmetric"):
        segment(two_bumps(), method="threshold", symmetric=True)
