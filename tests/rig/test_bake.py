"""Poses made permanent, and a rig in another unit."""

from typing import Any

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.rig.edit import bake_pose, combine_shapes, prune, scale
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import StaysWithin
from facewright.rig.shape import Shape

POSE = {"smile": 0.3, "jaw": 0.9, "blink": 0.2, "puff": 0.4}


def test_a_combined_shape_does_at_one_what_its_weights_do(crowded: Rig) -> None:
    new = combine_shapes(crowded, "grin", POSE, bounds=(0, 2), group="mouth")
    np.testing.assert_allclose(evaluate(new, {"grin": 1}), evaluate(crowded, POSE), atol=1e-12)
    assert new.bounds[-1].tolist() == [0, 2]
    assert new.sliders[-1] == "grin"


def test_a_combined_shape_moves_only_what_its_weights_move(face: Rig) -> None:
    new = combine_shapes(face, "both", {"smileLeft": 1, "smileRight": 0.5})
    wanted = np.union1d(face.shape("smileLeft").vertices, face.shape("smileRight").vertices)
    assert new.shape("both").vertices.tolist() == wanted.tolist()


def test_a_linear_rig_baked_at_a_pose_gives_at_w_what_it_gave_at_pose_plus_w(face: Rig) -> None:
    rng = np.random.default_rng(1)
    pose, w = rng.random(4), rng.random(4)
    new = bake_pose(face, pose)
    np.testing.assert_allclose(evaluate(new, w), evaluate(face, pose + w), atol=1e-12)
    np.testing.assert_array_equal(new.bounds, face.bounds)


def test_any_rig_baked_at_a_pose_adds_to_it_what_weights_added_to_the_neutral(crowded: Rig) -> None:
    new = bake_pose(crowded, POSE)
    other = {"smile": -0.4, "jaw": 0.5, "puff": 1.0}
    np.testing.assert_allclose(new.neutral, evaluate(crowded, POSE), atol=1e-12)
    added = evaluate(crowded, other) - crowded.neutral
    np.testing.assert_allclose(evaluate(new, other) - new.neutral, added, atol=1e-12)


def test_shifted_bounds_reach_what_the_old_ones_reached(face: Rig) -> None:
    pose = np.array([0.2, 0.0, 1.0, 0.5])
    new = bake_pose(face, pose, shift_bounds=True)
    np.testing.assert_allclose(evaluate(new, new.bounds[:, 1]), evaluate(face, face.bounds[:, 1]), atol=1e-12)
    np.testing.assert_allclose(evaluate(new, new.bounds[:, 0]), face.neutral, atol=1e-12)


def test_frames_are_not_one_pose(face: Rig) -> None:
    with pytest.raises(BadValue, match="2 frames"):
        bake_pose(face, np.zeros((2, 4)))


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_a_scaled_rig_is_the_same_in_another_unit(crowded: Rig, factor: float) -> None:
    ruled = Rig(
        crowded.neutral,
        crowded.polygons,
        crowded.shapes,
        bounds=crowded.bounds,
        rules=(StaysWithin("tip", np.array([3]), 2.0),),
    )
    new = scale(ruled, factor)
    np.testing.assert_allclose(evaluate(new, POSE), factor * evaluate(crowded, POSE), rtol=1e-12)
    assert new.size == pytest.approx(factor * crowded.size)
    rule = new.rules[0]
    assert isinstance(rule, StaysWithin)
    assert rule.distance == pytest.approx(2 * factor)
    np.testing.assert_array_equal(new.bounds, crowded.bounds)
    for bad in (0, -1, np.nan, np.inf):
        with pytest.raises(BadValue, match="positive number"):
            scale(crowded, bad)


def test_pruning_moves_no_vertex_further_than_its_tolerance_per_unit_of_shape_value(face: Rig) -> None:
    result = prune(face, tolerance=0.01)
    assert result.dropped > 0
    assert result.dropped + result.kept == sum(len(shape.vertices) for shape in face.shapes)
    assert result.worst <= 0.01 * face.size
    w = np.array([0.3, 1.0, 0.7, 0.9])
    off = np.linalg.norm(evaluate(result.rig, w) - evaluate(face, w), axis=1).max()
    assert 0 < off <= w.sum() * result.worst
    assert result.rig.sliders == face.sliders


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_what_is_pruned_does_not_depend_on_the_unit(face: Rig, factor: float) -> None:
    assert prune(scale(face, factor), tolerance=0.01).dropped == prune(face, tolerance=0.01).dropped


def test_pruning_by_nothing_keeps_everything(face: Rig) -> None:
    result = prune(face, tolerance=0)
    assert result.dropped == 0
    assert all(a is b for a, b in zip(result.rig.shapes, face.shapes, strict=True))
    with pytest.raises(BadValue, match="tolerance"):
        prune(face, tolerance=-1)


def test_empty_shapes_are_dropped_on_request_unless_something_needs_them() -> None:
    some: tuple[Any, Any] = ([0], [[1.0, 0, 0]])
    none: tuple[Any, Any] = ([], np.zeros((0, 3)))
    shapes = (
        Shape("a", *some), Shape("dead", *none), Shape("b", *none), Shape("c", *none),
        Shape("a_b", *some, ("a", "b")), Shape("a_c", *none, ("a", "c")), Shape("a_half", *none, ("a",), 0.5),
    )  # fmt: skip
    rig = Rig(np.eye(3), [[0, 1, 2]], shapes)
    result = prune(rig, tolerance=0, drop_empty=True)
    assert result.shapes == ("dead", "c", "a_c")
    assert result.rig.sliders == ("a", "b")
    w = {"a": 0.7, "b": 0.5}
    np.testing.assert_array_equal(evaluate(result.rig, w), evaluate(rig, w))
    assert prune(rig).shapes == ()
