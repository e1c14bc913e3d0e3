import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from facewright.errors import BadValue
from facewright.mesh.align import Similarity, align, align_many


def cloud(seed: int = 3, count: int = 9) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 3)) * (3, 2, 1)


def a_similarity() -> Similarity:
    return Similarity(Rotation.from_rotvec((0.4, -1.1, 0.7)).as_matrix(), np.array([4.0, -2.0, 9.0]), 0.37)


def test_a_similarity_is_found_again_from_points_and_where_it_takes_them() -> None:
    true = a_similarity()
    found = align(cloud(), true(cloud()), scaled=True)
    np.testing.assert_allclose(found(cloud(8)), true(cloud(8)), atol=1e-12)
    assert found.scale == pytest.approx(true.scale)


def test_the_way_there_and_back_is_no_way() -> None:
    true = a_similarity()
    np.testing.assert_allclose(true.inverse()(true(cloud())), cloud(), atol=1e-12)
    np.testing.assert_allclose(true.inverse().after(true)(cloud()), cloud(), atol=1e-12)


def test_no_rotation_nearby_serves_better() -> None:
    rng = np.random.default_rng(0)
    points, targets, weights = cloud(), cloud(5), rng.uniform(0.1, 2, 9)
    found = align(points, targets, weights)
    best = (weights * ((found(points) - targets) ** 2).sum(axis=1)).sum()
    for turn in rng.normal(size=(50, 3)) * 1e-3:
        near = Similarity(Rotation.from_rotvec(turn).as_matrix() @ found.rotation, found.offset)
        assert (weights * ((near(points) - targets) ** 2).sum(axis=1)).sum() > best


def test_a_mirror_image_is_not_taken_for_a_rotation() -> None:
    found = align(cloud(), cloud() * (-1, 1, 1))
    assert np.linalg.det(found.rotation) == pytest.approx(1)


def test_points_without_weight_do_not_count_even_if_they_are_not_numbers() -> None:
    true = a_similarity()
    points = np.stack([cloud()] * 2)
    targets = np.stack([true.rotation @ point for point in cloud()])[None].repeat(2, axis=0)
    targets[1, 4] = np.nan
    weights = np.ones((2, 9))
    weights[1, 4] = 0
    rotations, offsets = align_many(points, targets, weights)
    np.testing.assert_allclose(rotations, np.stack([true.rotation] * 2), atol=1e-12)
    np.testing.assert_allclose(offsets, 0, atol=1e-12)


def test_points_on_a_line_are_refused_in_words() -> None:
    with pytest.raises(BadValue, match="three points that are not on one line"):
        align(np.outer(np.arange(5), (1, 2, 3)), cloud(count=5))
