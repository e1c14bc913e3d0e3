import numpy as np

from facewright.mesh.closest import Surface, nearest_in_triangle


def soup(seed: int = 1, count: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Triangles of very different sizes, all over the place."""
    rng = np.random.default_rng(seed)
    middles = rng.normal(size=(count, 1, 3))
    corners = middles + rng.normal(size=(count, 3, 3)) * 10 ** rng.uniform(-3, 0.5, size=(count, 1, 1))
    return corners.reshape(-1, 3), np.arange(3 * count).reshape(count, 3)


def test_no_point_of_any_triangle_is_nearer() -> None:
    positions, triangles = soup()
    points = np.random.default_rng(2).normal(size=(40, 3)) * 2
    found = Surface(positions, triangles).closest(points)
    corners = positions[triangles]
    every = np.stack([nearest_in_triangle(np.repeat(p[None], len(corners), 0), corners) for p in points])
    places = np.einsum("ptc,tca->pta", every, corners)
    brute = np.linalg.norm(places - points[:, None], axis=2).min(axis=1)
    np.testing.assert_allclose(found.distances, brute, rtol=1e-9, atol=1e-12)


def test_no_mixture_of_the_corners_is_nearer_than_the_one_found() -> None:
    rng = np.random.default_rng(5)
    corners, points = rng.normal(size=(30, 3, 3)), rng.normal(size=(30, 3)) * 3
    found = np.einsum("kc,kca->ka", nearest_in_triangle(points, corners), corners)
    mixtures = rng.dirichlet((0.5, 0.5, 0.5), size=400)
    others = np.einsum("nc,kca->nka", mixtures, corners)
    assert (np.linalg.norm(others - points, axis=2) >= np.linalg.norm(found - points, axis=1) - 1e-12).all()


def test_a_point_on_the_surface_is_its_own_nearest() -> None:
    positions, triangles = soup(count=20)
    shares = np.random.default_rng(0).dirichlet((1, 1, 1), size=20)
    points = np.einsum("kc,kca->ka", shares, positions[triangles])
    found = Surface(positions, triangles).closest(points)
    assert found.distances.max() < 1e-9
    np.testing.assert_allclose(found.barycentric.sum(axis=1), 1)
    assert found.barycentric.min() >= 0


def test_triangles_without_area_still_have_a_nearest_point() -> None:
    positions = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [5, 5, 5]])
    found = Surface(positions, [[0, 1, 2], [3, 3, 3]]).closest(np.array([[1.5, 1.0, 0], [5, 5, 6]]))
    np.testing.assert_allclose(found.points, np.array([[1.5, 0, 0], [5, 5, 5]]), atol=1e-12)
