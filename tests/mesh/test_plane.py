"""The plane a surface is symmetric about."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from facewright.errors import BadValue
from facewright.mesh.plane import Plane, plane_between, symmetry_plane

RNG = np.random.default_rng(11)
HALF = RNG.normal([1.5, 0, 0], size=(200, 3))
CLOUD = np.vstack([HALF, HALF * [-1, 1, 1]])


def test_a_plane_s_normal_is_made_unit_and_its_offset_with_it() -> None:
    plane = Plane(np.array([0, 3, 4]), 10)
    np.testing.assert_allclose(plane.normal, [0, 0.6, 0.8])
    assert plane.heights(np.array([7.0, 0, 2.5])) == pytest.approx(0)
    with pytest.raises(BadValue, match="normal other than zero"):
        Plane(np.array([0, 0, 0]))


def test_mirroring_twice_gives_the_points_back_and_heights_change_sign() -> None:
    plane = Plane(np.array([1, 2, -0.5]), 0.7)
    np.testing.assert_allclose(plane.mirror(plane.mirror(CLOUD)), CLOUD, atol=1e-12)
    np.testing.assert_allclose(plane.heights(plane.mirror(CLOUD)), -plane.heights(CLOUD), atol=1e-12)


def test_offsets_mirror_as_differences_of_points_do() -> None:
    plane = Plane(np.array([1, 2, -0.5]), 0.7)
    difference = plane.mirror(CLOUD[:50]) - plane.mirror(CLOUD[50:100])
    np.testing.assert_allclose(plane.mirror_vectors(CLOUD[:50] - CLOUD[50:100]), difference, atol=1e-12)


def test_the_plane_between_pairs_is_the_one_that_mirrors_them() -> None:
    plane = Plane(np.array([1, 0.3, -0.2]), 0.4)
    found = plane_between(HALF, plane.mirror(HALF), normal=np.array([1.0, 0, 0]))
    np.testing.assert_allclose(found.normal, plane.normal, atol=1e-9)
    assert found.offset == pytest.approx(plane.offset)


def test_the_plane_between_uneven_pairs_is_the_best_one() -> None:
    partners = Plane(np.array([1, 0.1, 0]), 0.2).mirror(HALF) + 0.1 * RNG.normal(size=HALF.shape)
    found = plane_between(HALF, partners, normal=np.array([1.0, 0, 0]))
    least = np.linalg.norm(found.mirror(HALF) - partners)
    for _ in range(50):
        other = Plane(found.normal + 0.02 * RNG.normal(size=3), found.offset + 0.02 * RNG.normal())
        assert np.linalg.norm(other.mirror(HALF) - partners) >= least


@pytest.mark.parametrize("size", [0.01, 1, 100])
def test_a_symmetric_cloud_s_plane_is_found_where_it_stands(size: float) -> None:
    turn = Rotation.from_euler("yz", [8, -6], degrees=True)
    shift = np.array([0.4, 3.0, -2.0])
    found = symmetry_plane(size * (turn.apply(CLOUD) + shift))
    normal = turn.apply([1.0, 0, 0])
    np.testing.assert_allclose(found.normal, normal, atol=1e-6)
    assert found.offset == pytest.approx(size * normal @ shift, abs=1e-6 * size)


def test_a_cloud_that_is_symmetric_about_the_origin_has_exactly_that_plane() -> None:
    found = symmetry_plane(CLOUD)
    assert found.normal.tolist() == [1, 0, 0]
    assert found.offset == 0


def test_points_without_a_partner_do_not_pull_the_plane() -> None:
    lopsided = np.vstack([CLOUD + np.array([0.3, 0, 0]), RNG.normal([3, 2, 0], 0.3, size=(60, 3))])
    found = symmetry_plane(lopsided)
    np.testing.assert_allclose(found.normal, [1, 0, 0], atol=1e-6)
    assert found.offset == pytest.approx(0.3, abs=1e-6)


def test_no_points_have_the_plane_they_were_asked_about() -> None:
    assert symmetry_plane(np.zeros((0, 3)), normal=(0, 2, 0)).normal.tolist() == [0, 1, 0]
