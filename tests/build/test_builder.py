"""Whole rigs from examples."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.samples.actor import actor, guessed
from tests.build.faces import bent, combining, template, turn, turned


def _scene(rig: fw.Rig, count: int = 5, seed: int = 1) -> tuple[fw.Rig, np.ndarray, np.ndarray]:
    """An actor whose shapes are the template's, made stronger, and poses of him with guesses."""
    rng = np.random.default_rng(seed)
    plain = fw.transfer(rig, bent(rig))
    stronger = tuple(replace(shape, offsets=shape.offsets * rng.uniform(0.7, 1.4)) for shape in plain.shapes)
    actor = replace(plain, shapes=stronger)
    weights = rng.uniform(0.2, 1, (count, len(rig.sliders))) * (rng.uniform(size=(count, len(rig.sliders))) < 0.6)
    return actor, fw.evaluate(actor, weights), guessed(weights, 0.1, rng)


def test_no_examples_give_what_transfer_gives() -> None:
    rig = template()
    built = fw.RigBuilder(rig, bent(rig)).solve()
    np.testing.assert_allclose(built.rig.deltas(), fw.transfer(rig, bent(rig)).deltas(), atol=1e-12)
    assert (built.weights.shape, built.errors, built.finished) == ((0, 6), (), True)


@pytest.mark.parametrize("factor", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("rig", [template(), combining()], ids=["linear", "combining"])
def test_where_how_large_and_how_turned_neutral_and_poses_are_changes_nothing_else(rig: fw.Rig, factor: float) -> None:
    actor, poses, guesses = _scene(rig)
    here = fw.build_rig(rig, actor, poses, guesses)
    there = fw.build_rig(rig, turned(actor.neutral, factor), turned(poses, factor), guesses)
    np.testing.assert_allclose(there.weights, here.weights, atol=1e-6)
    np.testing.assert_allclose(there.rig.deltas() / factor, here.rig.deltas() @ turn().T, atol=1e-6 * rig.size)
    np.testing.assert_allclose(there.errors[0].relative, here.errors[0].relative, atol=1e-6)


def test_weights_stay_inside_the_bounds_and_exclusive_sliders_apart() -> None:
    plain = template()
    rig = replace(plain, exclusive=((plain.sliders[0], plain.sliders[1]),))
    actor, poses, guesses = _scene(rig, 6)
    built = fw.build_rig(rig, actor, poses, guesses)
    assert ((built.weights >= 0) & (built.weights <= 1)).all()
    assert (built.weights[:, :2].min(axis=1) <= 1e-9).all()


def test_vertices_that_a_shape_leaves_alone_stay_exactly_whatever_the_examples_do() -> None:
    rig = template()
    actor, poses, guesses = _scene(rig)
    built = fw.build_rig(rig, actor, poses + 0.1 * np.random.default_rng(2).normal(size=poses.shape), guesses)
    for before, after in zip(rig.shapes, built.rig.shapes, strict=True):
        assert np.isin(after.vertices, before.vertices).all()


@pytest.mark.parametrize("rig", [template(), combining()], ids=["linear", "combining"])
def test_examples_are_met_better_than_by_transfer_and_better_with_every_iteration_to_speak_of(rig: fw.Rig) -> None:
    actor, poses, guesses = _scene(rig)
    built = fw.build_rig(rig, actor, poses, guesses)
    plain = fw.evaluate(fw.transfer(rig, actor), guesses)
    motion = np.linalg.norm(poses - actor.neutral, axis=(1, 2))
    before = np.linalg.norm(plain - poses, axis=(1, 2)) / motion
    assert all(fit.relative < 0.5 * old for fit, old in zip(built.errors, before, strict=True))
    errors = [step.error for step in built.history]
    assert errors[-1] < 0.5 * errors[0]


def test_reported_errors_are_those_of_the_rig_at_the_reported_weights() -> None:
    rig = combining()
    actor, poses, guesses = _scene(rig)
    built = fw.build_rig(rig, 3 * actor.neutral, 3 * poses, guesses)
    versions = fw.evaluate(built.rig, built.weights)
    for fit, version, pose in zip(built.errors, versions, 3 * poses, strict=True):
        np.testing.assert_allclose(fit.distances, np.linalg.norm(version - pose, axis=1), atol=1e-9 * rig.size)
        wanted = np.linalg.norm(version - pose) / np.linalg.norm(pose - 3 * actor.neutral)
        assert fit.relative == pytest.approx(wanted, rel=1e-6)


def test_stopping_keeps_the_last_whole_iteration() -> None:
    rig = template()
    actor, poses, guesses = _scene(rig)
    seen: list[int] = []

    def stop(step: object) -> bool:
        seen.append(1)
        return len(seen) < 3

    stopped = fw.build_rig(rig, actor, poses, guesses, progress=stop)
    assert (len(seen), len(stopped.history), stopped.finished) == (3, 3, False)
    assert stopped.history[-1].iteration == 3
    np.testing.assert_allclose(stopped.errors[0].distances.max(), 0, atol=0.1 * rig.size)
    assert fw.build_rig(rig, actor, poses, guesses, progress=lambda step: None).finished


def test_neutral_and_poses_may_be_rigs_and_weights_names() -> None:
    rig = template()
    actor, poses, guesses = _scene(rig, 2)
    meshes = [fw.Rig(pose, rig.polygons) for pose in poses]
    named = [dict(zip(rig.sliders, row, strict=True)) for row in guesses.tolist()]
    one = fw.build_rig(rig, actor, poses, guesses)
    other = fw.build_rig(rig, fw.Rig(actor.neutral, rig.polygons), meshes, named, names=["smile", "frown"])
    assert np.array_equal(one.weights, other.weights)
    assert [fit.name for fit in other.errors] == ["smile", "frown"]


def test_a_pose_added_to_a_solved_builder_gives_about_what_all_poses_at_once_give() -> None:
    known = actor("edith", 2)
    rng = np.random.default_rng(3)
    weights = known.poses(rng, 9)
    poses, guesses = fw.evaluate(known.rig, weights), guessed(weights, 0.15, rng)
    held_out = known.poses(np.random.default_rng(5), 30)
    builder = fw.RigBuilder(known.template, known.rig, closing={})
    for pose, guess in zip(poses[:8], guesses[:8], strict=True):
        builder.add_pose(pose, guess)
    before = known.error(builder.solve().rig, held_out)
    builder.add_pose(poses[8], guesses[8])
    warm = builder.solve()
    cold = known.error(builder.solve(warm=False).rig, held_out)
    assert len(warm.history) <= 3
    assert known.error(warm.rig, held_out) < before
    assert known.error(warm.rig, held_out) < 1.05 * cold


def test_poses_can_be_changed_and_taken_away() -> None:
    rig = template()
    actor, poses, guesses = _scene(rig, 3)
    builder = fw.RigBuilder(rig, actor)
    names = [builder.add_pose(pose, guess) for pose, guess in zip(poses, guesses, strict=True)]
    assert names == ["pose 1", "pose 2", "pose 3"] == list(builder.poses)
    builder.solve()
    builder.add_pose(poses[0], guesses[0], name="pose 3")
    builder.remove_pose("pose 2")
    assert builder.poses == ("pose 1", "pose 3")
    again = builder.solve(warm=False)
    same = fw.build_rig(rig, actor, poses[[0, 0]], guesses[[0, 0]])
    np.testing.assert_allclose(again.rig.deltas(), same.rig.deltas(), atol=1e-9 * rig.size)


def test_what_is_left_of_each_pose_after_the_last_iteration_is_measured_on_the_rig_at_its_weights() -> None:
    rig = template()
    actor, poses, guesses = _scene(rig)
    built = fw.build_rig(rig, actor, poses, guesses, schedule=fw.Schedule.paper())
    assert [step.beta for step in built.history][::9] == pytest.approx([0.5, 0.1])
    assert all(len(step.poses) == len(poses) for step in built.history)
    last, whole = built.history[-1], np.linalg.norm(poses - actor.neutral, axis=(1, 2))
    left = np.linalg.norm(poses - fw.evaluate(built.rig, built.weights), axis=(1, 2))
    np.testing.assert_allclose(last.poses, left / whole, atol=1e-3)
    assert last.error == pytest.approx(np.linalg.norm(last.poses * whole) / np.linalg.norm(whole))
