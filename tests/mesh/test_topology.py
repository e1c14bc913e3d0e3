"""How polygons hang together."""

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons
from facewright.mesh.topology import Topology, edge_lengths

# A quad and a triangle that share the edge 1-2, a triangle apart, and vertex 9 in no polygon.
MIXED = Topology(Polygons.of([[0, 1, 2, 3], [2, 1, 4], [5, 6, 7]]), 10)


def cube() -> Topology:
    faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    return Topology(Polygons.of(faces), 8)


def test_every_edge_is_there_once_and_a_quad_has_no_diagonal() -> None:
    assert MIXED.edges.tolist() == [[0, 1], [0, 3], [1, 2], [1, 4], [2, 3], [2, 4], [5, 6], [5, 7], [6, 7]]


def test_opposite_half_edges_run_back_along_each_other_and_a_border_has_none() -> None:
    back = MIXED.opposite
    has = np.flatnonzero(back >= 0)
    assert MIXED.half_edges[has].tolist() == [[1, 2], [2, 1]]
    assert (MIXED.half_edges[back[has]] == MIXED.half_edges[has][:, ::-1]).all()
    assert (back[back[has]] == has).all()


def test_an_edge_of_three_polygons_has_no_opposite() -> None:
    fan = Topology(Polygons.of([[0, 1, 2], [1, 0, 3], [1, 0, 4]]), 5)
    assert (fan.opposite == -1).all()


def test_neighbours_are_the_other_ends_of_a_vertex_s_edges() -> None:
    assert MIXED.neighbours(1).tolist() == [0, 2, 4]
    assert MIXED.neighbours(9).tolist() == []
    assert (MIXED.adjacency - MIXED.adjacency.T).count_nonzero() == 0
    assert MIXED.adjacency.sum() == 2 * len(MIXED.edges)


def test_a_closed_surface_has_no_boundary_and_euler_number_two() -> None:
    box = cube()
    assert len(box.boundary) == 0
    assert box.boundary_loops == ()
    assert 8 - len(box.edges) + len(box.polygons) == 2


def test_boundary_loops_go_round_each_hole_along_the_polygons() -> None:
    loops = [loop.tolist() for loop in MIXED.boundary_loops]
    assert [len(loop) for loop in loops] == [5, 3]
    for loop in loops:
        for step in zip(loop, loop[1:] + loop[:1], strict=True):
            assert step in {tuple(edge) for edge in MIXED.boundary.tolist()}


def test_holes_that_touch_in_a_vertex_are_two_loops() -> None:
    bow_tie = Topology(Polygons.of([[0, 1, 2], [2, 3, 4]]), 5)
    assert sorted(sorted(loop.tolist()) for loop in bow_tie.boundary_loops) == [[0, 1, 2], [2, 3, 4]]


def test_pieces_are_numbered_by_their_lowest_vertex() -> None:
    assert MIXED.pieces.tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 2, 3]
    assert MIXED.polygon_pieces.tolist() == [0, 0, 1]


def test_polygons_that_share_only_a_vertex_are_two_pieces() -> None:
    bow_tie = Topology(Polygons.of([[0, 1, 2], [2, 3, 4]]), 5)
    assert bow_tie.pieces.max() == 0
    assert bow_tie.polygon_pieces.tolist() == [0, 1]


def test_no_polygons_have_no_edges_and_every_vertex_is_its_own_piece() -> None:
    empty = Topology(Polygons.of([]), 3)
    assert len(empty.edges) == len(empty.boundary) == len(empty.opposite) == len(empty.polygon_pieces) == 0
    assert empty.pieces.tolist() == [0, 1, 2]
    assert len(Topology(Polygons.of([]), 0).pieces) == 0


def test_a_polygon_beyond_the_vertices_is_refused() -> None:
    with pytest.raises(BadValue, match="vertex 4, but there are 4"):
        Topology(Polygons.of([[0, 1, 4]]), 4)


def test_edge_lengths_are_distances() -> None:
    positions = np.array([[0.0, 0, 0], [3, 4, 0], [3, 4, 12]])
    assert edge_lengths(positions, np.array([[0, 1], [1, 2], [0, 2]])).tolist() == [5, 12, 13]
