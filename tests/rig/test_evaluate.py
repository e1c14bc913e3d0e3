"""A pose is the neutral plus the shapes at their values, in every form it is asked for; its derivative agrees."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.rig import evaluate as module
from facewright.rig.combine import Combine
from facewright.rig.edit import scale
from facewright.rig.evaluate import Evaluator, delta_rows, evaluate, jacobian
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape


@pytest.fixture
def linear() -> Rig:
    rng = np.random.default_rng(7)
    deltas = rng.normal(size=(6, 15, 3)) * (rng.random((6, 15, 1)) < 0.4)
    shapes = tuple(Shape.from_dense(f"s{i}", delta) for i, delta in enumerate(deltas))
    return Rig(rng.normal(size=(15, 3)), [[0, 1, 2]], shapes, bounds=np.tile([-1.0, 2.0], (6, 1)))


def test_one_pose_names_and_frames_give_the_neutral_plus_weighted_deltas(linear: Rig) -> None:
    frames = np.random.default_rng(1).normal(size=(4, 6))
    wanted = linear.neutral + np.tensordot(frames, linear.deltas(), axes=1)
    np.testing.assert_allclose(evaluate(linear, frames), wanted, atol=1e-12)
    np.testing.assert_allclose(evaluate(linear, frames[2]), wanted[2], atol=1e-12)
    names = dict(zip(linear.sliders, frames[2], strict=True))
    np.testing.assert_allclose(evaluate(linear, names), wanted[2], atol=1e-12)


def test_no_weights_give_the_neutral_exactly(linear: Rig) -> None:
    nothing: list[Any] = [None, {}, np.zeros(6)]
    for weights in nothing:
        np.testing.assert_array_equal(evaluate(linear, weights), linear.neutral)
    np.testing.assert_array_equal(evaluate(linear, np.zeros((2, 6)))[1], linear.neutral)


@pytest.mark.parametrize("rig_name", ["linear", "crowded"])
@pytest.mark.parametrize("active", [1, 3, None])
def test_dense_and_sparse_storage_give_the_same_faces(
    rig_name: str, active: int | None, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = request.getfixturevalue(rig_name)
    frames = np.random.default_rng(2).normal(size=(5, len(rig.sliders)))
    frames[:, active:] = 0
    found = []
    for is_dense in (True, False):
        monkeypatch.setattr(module, "_is_dense", lambda *_, answer=is_dense: answer)
        evaluator = Evaluator(rig)
        found.append((evaluator(frames), evaluator(frames[0])))
    np.testing.assert_allclose(found[1][0], found[0][0], atol=1e-12)
    np.testing.assert_allclose(found[1][1], found[0][1], atol=1e-12)
    np.testing.assert_allclose(found[0][1], found[0][0][0], atol=1e-12)


@pytest.mark.parametrize("is_dense", [True, False])
def test_one_evaluator_gives_each_pose_whatever_came_before(
    linear: Rig, is_dense: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_is_dense", lambda *_: is_dense)
    evaluator = Evaluator(linear)
    poses: list[dict[str, float]] = [
        {"s1": 1},
        {"s1": 0.5},
        {"s4": 1},
        {},
        {"s1": 1, "s4": 2},
        dict.fromkeys(linear.sliders, 0.3),
        {"s4": 1},
    ]
    for pose in poses:
        wanted = linear.neutral + np.tensordot(linear.weights(pose), linear.deltas(), axes=1)
        np.testing.assert_allclose(evaluator(pose), wanted, atol=1e-12)


def test_large_sparse_rigs_are_stored_sparsely_and_small_ones_densely() -> None:
    def rig(vertices: int, moved: int) -> Rig:
        shape = Shape("s", np.arange(moved), np.ones((moved, 3)))
        return Rig(np.zeros((vertices, 3)), [], (shape,))

    assert module._is_dense(rig(1_000_000, 900_000), 8)
    assert not module._is_dense(rig(1_000_000, 100_000), 8)
    assert module._is_dense(rig(1_000, 10), 8)


def test_single_precision_deltas_are_off_by_single_precision(linear: Rig) -> None:
    w = np.random.default_rng(4).normal(size=6)
    off = np.abs(Evaluator(linear, dtype=np.float32)(w) - evaluate(linear, w)).max()
    assert 0 < off < 1e-5


def test_in_between_targets_are_met_at_their_values_and_joined_by_straight_lines(crowded: Rig) -> None:
    targets = {0.0: np.zeros((20, 3))} | {
        shape.at[0]: shape.dense(20) for shape in crowded.shapes if shape.sliders == ("smile",)
    }
    for at, delta in targets.items():
        np.testing.assert_allclose(evaluate(crowded, {"smile": at}), crowded.neutral + delta, atol=1e-12)
    for a, b in pairwise(sorted(targets)):
        middle = evaluate(crowded, {"smile": (a + b) / 2}) - crowded.neutral
        np.testing.assert_allclose(middle, (targets[a] + targets[b]) / 2, atol=1e-12)


def test_beyond_the_outer_targets_the_last_line_goes_on(crowded: Rig) -> None:
    a, b, c = (evaluate(crowded, {"smile": value}) for value in (0.6, 0.9, 1.2))
    np.testing.assert_allclose(c - b, b - a, atol=1e-12)
    a, b, c = (evaluate(crowded, {"smile": value}) for value in (-0.5, -0.75, -1.0))
    np.testing.assert_allclose(c - b, b - a, atol=1e-12)


def test_a_single_target_at_another_value_is_reached_there(crowded: Rig) -> None:
    np.testing.assert_allclose(
        evaluate(crowded, {"blink": 0.7}), crowded.neutral + crowded.shape("blink").dense(20), atol=1e-12
    )


def test_a_combination_comes_in_as_the_product_of_its_sliders(crowded: Rig) -> None:
    pose = {"smile": 0.9, "jaw": 0.6, "puff": 0.5}
    values = dict(zip(crowded.shape_names, Combine(crowded)(crowded.weights(pose)), strict=True))
    assert values["smile_jaw"] == pytest.approx(0.54)
    assert values["smile_jaw_puff"] == pytest.approx(0.27)
    assert values["smile"] == pytest.approx(0.8)
    assert values["smile_half"] == pytest.approx(0.2)
    assert values["smile_back"] == 0
    assert values["blink"] == 0


def test_frames_are_evaluated_one_like_another(crowded: Rig) -> None:
    frames = np.random.default_rng(5).uniform(-1.2, 1.4, (7, 4))
    together = evaluate(crowded, frames)
    for frame, face in zip(frames, together, strict=True):
        np.testing.assert_allclose(evaluate(crowded, frame), face, atol=1e-12)


@pytest.mark.parametrize("rig_name", ["linear", "crowded"])
def test_the_jacobian_is_the_slope_of_finite_differences(rig_name: str, request: pytest.FixtureRequest) -> None:
    rig = request.getfixturevalue(rig_name)
    rng = np.random.default_rng(6)
    n, step = len(rig.sliders), 1e-6
    for _ in range(10):
        w = rng.uniform(-1.5, 1.7, n)  # beyond all bounds, too
        near = np.abs(w[:, None] - [-0.8, 0, 0.5, 1]).min(axis=1) < 1e-3
        w[near] += 0.01  # away from the knots, where there is no slope
        found = jacobian(rig, w)
        assert found.shape == (rig.vertex_count, 3, n)
        for slider in range(n):
            nudge = step * np.eye(n)[slider]
            wanted = (evaluate(rig, w + nudge) - evaluate(rig, w - nudge)) / (2 * step)
            np.testing.assert_allclose(found[:, :, slider], wanted, atol=1e-8)


def test_at_a_knot_the_jacobian_is_the_slope_to_its_right(crowded: Rig) -> None:
    w = crowded.weights({"smile": 0.5, "jaw": 0.3})
    step = 1e-6 * np.eye(4)[0]
    wanted = (evaluate(crowded, w + step) - evaluate(crowded, w)) / 1e-6
    np.testing.assert_allclose(jacobian(crowded, w)[:, :, 0], wanted, atol=1e-7)


def test_the_jacobian_of_some_vertices_is_a_part_of_the_whole(crowded: Rig) -> None:
    w = {"smile": 0.2, "jaw": 0.7, "puff": 0.4}
    chosen = [17, 0, 3]
    np.testing.assert_array_equal(jacobian(crowded, w, chosen), jacobian(crowded, w)[chosen])
    np.testing.assert_array_equal(delta_rows(crowded, np.array(chosen)), crowded.deltas()[:, chosen])
    with pytest.raises(BadValue, match="vertices has index 20; indices go from 0 to 19"):
        jacobian(crowded, w, [20])


def test_a_jacobian_is_of_one_pose(crowded: Rig) -> None:
    with pytest.raises(BadValue, match="one pose"):
        jacobian(crowded, np.zeros((4, 4)))


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_a_pose_does_not_depend_on_the_unit(crowded: Rig, factor: float) -> None:
    w = {"smile": 0.2, "jaw": 0.7, "puff": 0.4}
    np.testing.assert_allclose(evaluate(scale(crowded, factor), w), factor * evaluate(crowded, w), rtol=1e-12)


def test_rigs_without_shapes_or_vertices_and_clips_without_frames_evaluate(linear: Rig) -> None:
    bare = Rig(linear.neutral, linear.polygons)
    np.testing.assert_array_equal(evaluate(bare), linear.neutral)
    assert evaluate(bare, np.zeros((3, 0))).shape == (3, 15, 3)
    assert jacobian(bare).shape == (15, 3, 0)
    assert evaluate(linear, np.zeros((0, 6))).shape == (0, 15, 3)
    empty = Rig(np.zeros((0, 3)), [], (Shape("s", [], np.zeros((0, 3))),))
    assert evaluate(empty, {"s": 1}).shape == (0, 3)
    assert evaluate(empty, np.ones((2, 1))).shape == (2, 0, 3)
    moved = len(linear.shape("s1").vertices)  # offsets of one shape, then the neutral and the result
    assert Evaluator(linear).bytes_touched({"s1": 1}) == (moved + 2 * 15) * 3 * 8


def test_an_evaluator_gives_the_same_whatever_was_asked_before(linear: Rig) -> None:
    run = Evaluator(linear)
    poses = [{"s0": 0.5}, {"s0": 0.2}, {"s1": 1.0}, {}, dict.fromkeys(linear.sliders, 0.3), {"s0": 0.5}]
    for pose in poses:
        np.testing.assert_allclose(run(pose), evaluate(linear, pose), rtol=0, atol=1e-15)
