"""The whole-face form and the delta form are the same rig, exactly, both ways."""

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.rig.combine import Combine
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.wholeface import from_whole_faces, from_whole_weights, to_whole_weights, whole_faces


def test_whole_faces_and_back_are_the_same_rig(face: Rig) -> None:
    faces = whole_faces(face)
    np.testing.assert_array_equal(faces[0], face.neutral)
    again = from_whole_faces(face.shape_names, faces, face.polygons)
    assert again.shape_names == face.shape_names
    np.testing.assert_allclose(again.deltas(), face.deltas(), atol=1e-15)
    np.testing.assert_array_equal(again.neutral, face.neutral)


def test_whole_weights_sum_to_one_and_mix_whole_faces_to_the_same_pose(face: Rig) -> None:
    w = np.array([0.3, 0.8, 0.0, 0.5])
    whole = to_whole_weights(w)
    assert whole.sum() == pytest.approx(1)
    np.testing.assert_allclose(whole, [-0.6, 0.3, 0.8, 0.0, 0.5])
    np.testing.assert_allclose(np.tensordot(whole, whole_faces(face), 1), evaluate(face, w), atol=1e-12)


def test_with_in_betweens_and_combinations_it_is_the_shape_values_that_convert(crowded: Rig) -> None:
    w = crowded.weights({"smile": 0.7, "jaw": 0.4, "puff": 0.9})
    whole = to_whole_weights(Combine(crowded)(w))
    np.testing.assert_allclose(np.tensordot(whole, whole_faces(crowded), 1), evaluate(crowded, w), atol=1e-12)


def test_weights_convert_both_ways_one_pose_or_many() -> None:
    frames = np.random.default_rng(9).normal(size=(5, 3))
    np.testing.assert_array_equal(from_whole_weights(to_whole_weights(frames)), frames)
    np.testing.assert_array_equal(from_whole_weights(to_whole_weights(frames[1])), frames[1])
    np.testing.assert_array_equal(from_whole_weights([1.0, 0, 0]), [0, 0])


def test_whole_weights_that_do_not_sum_to_one_are_refused() -> None:
    with pytest.raises(BadValue, match="must sum to 1"):
        from_whole_weights([0.5, 0.6])
    with pytest.raises(BadValue, match=r"faces must have shape \(3, any, 3\), not \(2, 4, 3\)"):
        from_whole_faces(["a", "b"], np.zeros((2, 4, 3)), [[0, 1, 2]])
