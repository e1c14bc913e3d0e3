"""Polygons of any size, their triangles, and texture coordinates per corner."""

from typing import Any

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons, Uvs

MIXED = [[0, 1, 2], [2, 1, 3, 4], [4, 3, 5, 6, 7]]


def test_polygons_of_any_size_come_back_as_they_were() -> None:
    polygons = Polygons.of(MIXED)
    assert [row.tolist() for row in polygons.rows()] == MIXED
    assert polygons.counts.tolist() == [3, 4, 5]
    assert polygons.starts.tolist() == [0, 3, 7, 12]
    assert len(polygons) == 3
    assert polygons.uniform() is None


def test_triangles_are_fans_about_the_first_corner() -> None:
    polygons = Polygons.of(MIXED)
    assert polygons.triangles.tolist() == [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5], [4, 5, 6], [4, 6, 7]]
    assert polygons.polygon_of_triangle.tolist() == [0, 1, 1, 2, 2, 2]
    np.testing.assert_array_equal(polygons.corners[polygons.triangle_corners], polygons.triangles)


def test_triangles_cover_a_convex_polygon_once_and_face_the_same_way() -> None:
    angle = np.linspace(0, 2 * np.pi, 7, endpoint=False)
    x, y = np.cos(angle), np.sin(angle)
    a, b, c = Polygons.of([list(range(7))]).triangles.T
    areas = ((x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])) / 2
    assert (areas > 0).all()
    assert areas.sum() == pytest.approx(7 / 2 * np.sin(2 * np.pi / 7))


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint8])
def test_an_array_of_faces_stays_that_array(dtype: type[np.generic]) -> None:
    quads = np.array([[0, 1, 2, 3], [3, 2, 4, 5]], dtype)
    polygons = Polygons.of(quads)
    np.testing.assert_array_equal(polygons.uniform(), quads)
    assert polygons.corners.dtype == np.int64
    assert Polygons.of(polygons) is polygons


@pytest.mark.parametrize("nothing", [[], np.zeros((0, 3), np.int32), np.zeros((0, 4))])
def test_no_polygons_are_polygons(nothing: Any) -> None:
    polygons = Polygons.of(nothing)
    assert len(polygons) == 0
    assert polygons.triangles.shape == (0, 3)
    uniform = polygons.uniform()
    assert uniform is not None
    assert uniform.shape == (0, 3)
    assert polygons.rows() == []


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        ([[0, 1]], "polygon 0 has 2 corners; a polygon has at least 3"),
        ([[0, 1, 2], [0, 1]], "polygon 1 has 2 corners"),
        ([[0, 1, -2]], "polygon corners has index -2"),
        ([[0, 1, 2.5]], "must hold whole numbers, not float64"),
        ([0, 1, 2], "each polygon is a row of vertices"),
        (np.arange(3), "each polygon is a row of vertices"),
        (np.zeros((1, 2, 3), int), "each polygon is a row of vertices"),
    ],
)
def test_what_is_no_polygon_is_refused(faces: Any, message: str) -> None:
    with pytest.raises(BadValue, match=message):
        Polygons.of(faces)


def test_counts_must_add_up_to_the_corners() -> None:
    with pytest.raises(BadValue, match="counts add up to 7 corners, but there are 6"):
        Polygons(np.arange(6), np.array([3, 4]))


def test_texture_coordinates_are_chosen_per_corner_and_may_be_missing() -> None:
    uvs = Uvs(np.array([[0, 0], [1, 0.5]]), np.array([0, 1, -1]))
    assert uvs.corners.tolist() == [0, 1, -1]
    for array in (uvs.coordinates, uvs.corners):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("coordinates", "corners", "message"),
    [
        ([[0, 0]], [0, 1], "texture corners has index 1; indices go from -1 to 0"),
        ([[0, 0]], [-2], "texture corners has index -2; indices go from -1"),
        ([[0, 0, 0]], [0], r"texture coordinates must have shape \(any, 2\)"),
        ([[0, np.nan]], [0], "not finite"),
        ([[0, 0]], [0.5], "must hold whole numbers"),
        ([[0, 0]], ["a"], "must hold whole numbers"),
    ],
)
def test_wrong_texture_coordinates_are_refused(
    coordinates: list[list[float]], corners: list[Any], message: str
) -> None:
    with pytest.raises(BadValue, match=message):
        Uvs(np.array(coordinates), np.array(corners))


def test_polygons_are_the_same_by_corners_and_by_where_each_ends() -> None:
    quads = Polygons.of([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])
    assert quads.same_as(Polygons.of([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]))
    assert not quads.same_as(Polygons.of([[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]))
    assert not quads.same_as(Polygons.of([[1, 2, 3, 0], [4, 5, 6, 7], [8, 9, 10, 11]]))
