"""Which way a surface faces."""

import numpy as np

from facewright.mesh.normals import triangle_normals, vertex_normals

# A roof: one slope twice as large as the other, meeting in the edge 0-1.
ROOF = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, -1], [1, -2, -2]])
SLOPES = np.array([[0, 1, 2], [1, 0, 3]])


def test_a_triangle_s_normal_is_as_long_as_twice_its_area() -> None:
    normals = triangle_normals(ROOF, SLOPES)
    np.testing.assert_allclose(normals, [[0, 1, 1], [0, -2, 2]])


def test_a_vertex_normal_is_the_area_weighted_mean() -> None:
    normals = vertex_normals(ROOF, SLOPES)
    np.testing.assert_allclose(normals[0], np.array([0, -1, 3]) / np.sqrt(10))
    np.testing.assert_allclose(normals[2], np.array([0, 1, 1]) / np.sqrt(2))


def test_a_sphere_s_normals_point_away_from_its_middle() -> None:
    angle = np.linspace(0.2, np.pi - 0.2, 12)
    round_ = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    points = np.array([[np.sin(a) * np.cos(b), np.cos(a), -np.sin(a) * np.sin(b)] for a in angle for b in round_])
    quads = [[i * 16 + j, (i + 1) * 16 + j, (i + 1) * 16 + (j + 1) % 16, i * 16 + (j + 1) % 16]
             for i in range(11) for j in range(16)]  # fmt: skip
    triangles = np.array([[q[0], q[1], q[2]] for q in quads] + [[q[0], q[2], q[3]] for q in quads])
    inner = slice(16, -16)
    assert ((vertex_normals(points, triangles) * points).sum(axis=1)[inner] > 0.99).all()


def test_a_vertex_without_area_has_no_normal() -> None:
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [5, 5, 5]])
    assert (vertex_normals(flat, np.array([[0, 1, 2]])) == 0).all()


def test_normals_do_not_depend_on_the_unit() -> None:
    np.testing.assert_allclose(vertex_normals(ROOF * 1e-3, SLOPES), vertex_normals(ROOF, SLOPES), atol=1e-12)
