"""Takes and pins with which nothing can be computed: refused in words, not by an error of numpy."""

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from facewright.rig.binding import bind_vertices
from facewright.samples import mask

RIG = mask(vertices=150, shapes=5, seed=3)
VERTICES = {f"m{i}": 17 * i for i in range(8)}
REST = RIG.neutral[list(VERTICES.values())]
BINDING = bind_vertices(RIG, VERTICES)


def take(positions: np.ndarray) -> fw.Take:
    return fw.Take(tuple(VERTICES), positions, 60.0, "cm")


def test_markers_all_at_one_place_are_neither_solved_nor_bound() -> None:
    still = take(np.zeros((10, 8, 3)))
    with pytest.raises(BadValue, match="all at one place"):
        fw.solve_take(RIG, still, BINDING)
    with pytest.raises(BadValue, match="not on one line"):
        fw.bind(RIG, still, VERTICES)


def test_a_take_on_a_rig_without_shapes_is_refused() -> None:
    bare = fw.Rig(RIG.neutral, RIG.polygons)
    with pytest.raises(BadValue, match="no shapes"):
        fw.solve_take(bare, take(np.repeat(REST[None], 10, axis=0)), bind_vertices(bare, VERTICES))


def test_a_marker_too_far_away_to_compute_with_is_refused() -> None:
    positions = np.repeat(REST[None], 10, axis=0)
    positions[3, 2] = 1e200
    with pytest.raises(BadValue, match=r"1e\+200"):
        take(positions)


@pytest.mark.parametrize("strength", [1e300, 10**400, float("inf")], ids=["float", "whole", "infinite"])
def test_a_strength_beyond_all_others_is_refused(strength: float) -> None:
    with pytest.raises(BadValue, match="strength is a number from 0 up, at most"):
        fw.Pin(vertex=7, target=REST[0], strength=strength)
    with pytest.raises(BadValue, match="alpha is a number from 0 up, at most"):
        fw.solve_pose(RIG, [fw.Pin(vertex=7, target=REST[0])], held=[1], alpha=strength)


def test_the_greatest_strength_is_solved() -> None:
    pins = [fw.Pin(vertex=7, target=RIG.neutral[7] + 0.01, strength=1e30), fw.Pin(vertex=9, hold=True)]
    assert np.isfinite(fw.solve_pose(RIG, pins).weights).all()


@pytest.mark.parametrize("size", [1e100, 1e150, 1e200])
def test_a_face_too_large_to_compute_with_is_refused(size: float) -> None:
    with pytest.raises(BadValue, match="neutral has a value of"):
        fw.Rig(size * RIG.neutral, RIG.polygons)
    with pytest.raises(BadValue, match="offsets of shape 'far' has a value of"):
        fw.Shape("far", [0], [[size, 0, 0]])


@pytest.mark.parametrize("size", [1e-57, 1e57])
def test_the_largest_and_the_smallest_face_are_divided_into_regions_and_posed(size: float) -> None:
    shapes = [fw.Shape(one.name, one.vertices, size * one.offsets) for one in RIG.shapes]
    rig = fw.Rig(size * RIG.neutral, RIG.polygons, shapes)
    assert fw.segment(rig).vertex_count == rig.vertex_count
    target = rig.neutral[7] + 0.01 * rig.size
    same = fw.solve_pose(RIG, [fw.Pin(vertex=7, target=RIG.neutral[7] + 0.01 * RIG.size)]).weights
    np.testing.assert_allclose(fw.solve_pose(rig, [fw.Pin(vertex=7, target=target)]).weights, same, atol=1e-6)
