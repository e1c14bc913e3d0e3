"""Weights of poses that nobody has named."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.build.builder import RigBuilder, build_rig
from facewright.build.schedule import Schedule
from facewright.build.weight_guess import guess_weights
from facewright.errors import OutOfPlace
from facewright.rig.evaluate import evaluate
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.samples.head import sample
from tests.capture.acting import bent_rig


@pytest.fixture(scope="module")
def builder() -> RigBuilder:
    return RigBuilder(sample(shapes="units"), sample("kenji", shapes="units").neutral)


@pytest.mark.parametrize("named", [{"mouth-open": 0.7, "eyebrows-left-up": 0.5}, {"eye-left-closure": 1.0}])
def test_the_sliders_that_made_a_pose_of_another_person_are_found(builder: RigBuilder, named: dict[str, float]) -> None:
    person = sample("kenji", shapes="units")
    found = builder.guess(evaluate(person, person.weights(named)))
    # the lids of this person close by three quarters of what transfer brings
    near = 0.45 if "eye-left-closure" in named else 0.3
    assert {name: found.get(name, 0.0) for name in named} == pytest.approx(named, abs=near)
    assert max(found, key=lambda name: found[name]) in named
    assert sum(found.values()) < sum(named.values()) + 0.3


def test_the_neutral_needs_no_weights(builder: RigBuilder) -> None:
    assert builder.guess(sample("kenji", shapes="units").neutral) == {}


def test_no_exclusive_pair_is_guessed_though_both_together_look_like_a_third_slider() -> None:
    rig = sample()  # the jaw to both sides at once goes forward, too
    found = guess_weights(rig, evaluate(rig, rig.weights({"jawForward": 0.8})) - rig.neutral)
    assert found == pytest.approx({"jawForward": 0.8}, abs=0.02)


def test_one_pose_of_another_size_is_refused_and_fitted_where_that_is_asked_for(builder: RigBuilder) -> None:
    person = sample("kenji", shapes="units")
    pose = evaluate(person, person.weights({"mouth-open": 0.7}))
    with pytest.raises(OutOfPlace) as refused:
        builder.add_pose(100 * pose, {"mouth-open": 0.7}, name="open")
    assert refused.value.finding == "pose 'open' is 100 times as large as the neutral"
    assert builder.poses == ()
    builder.add_pose(100 * pose, {"mouth-open": 0.7}, name="open", align=True)
    np.testing.assert_allclose(builder.positions[0], pose, atol=1e-3 * person.size)
    assert builder.guess(100 * pose, align=True)["mouth-open"] == pytest.approx(0.7, abs=0.1)
    builder.remove_pose("open")


def acted(rig: Rig, frames: int, seed: int) -> np.ndarray:
    """Poses (frames, n) of an actor whose few habits move many sliders at once, and who never moves some."""
    habits = np.random.default_rng(8).gamma(0.5, size=(6, len(rig.sliders)))
    together = np.random.default_rng(seed).random((frames, 6)) ** 2 @ habits / 5
    one_of_each = [rig.slider_index(one) for one, _ in rig.exclusive]
    together[:, one_of_each] = 0
    return np.clip(together, *rig.bounds.T)


def test_poses_of_many_sliders_are_guessed_nearer_to_the_truth_with_a_prior() -> None:
    person = sample("kenji")
    plain = RigBuilder(sample(), person.neutral)
    prior = Prior.learn(person, acted(person, 200, 0))
    poses = acted(person, 5, 1)
    faces = evaluate(person, poses)

    def far(guesses: list[dict[str, float]]) -> float:
        found = np.array([person.weights(guess) for guess in guesses])
        return float(np.linalg.norm(found - poses) / np.linalg.norm(poses))

    rig = plain.transferred
    without = far([plain.guess(face) for face in faces])
    by_prior = far([guess_weights(rig, face - rig.neutral, prior=prior) for face in faces])
    assert by_prior < 0.25
    assert by_prior < 0.5 * without


def test_a_prior_that_says_nothing_of_poses_leaves_the_guess_as_it_was() -> None:
    rig = sample()
    motion = evaluate(rig, acted(rig, 1, 2)[0]) - rig.neutral
    expected = guess_weights(rig, motion)
    learned = Prior.learn(rig, acted(rig, 50, 3), strength=0.0)
    assert (
        guess_weights(rig, motion, prior=learned) == guess_weights(rig, motion, prior=Prior.from_names(rig)) == expected
    )


def test_a_pose_without_habits_is_found_in_spite_of_the_prior() -> None:
    rig = sample()
    prior = Prior.learn(rig, acted(rig, 200, 0))
    found = guess_weights(rig, evaluate(rig, rig.weights({"jawForward": 0.8})) - rig.neutral, prior=prior)
    assert found["jawForward"] == pytest.approx(0.8, abs=0.1)
    for one, other in rig.exclusive:
        assert not (found.get(one) and found.get(other))


def test_a_guess_by_a_prior_does_not_depend_on_the_unit() -> None:
    rig = sample()
    small = Rig(0.01 * rig.neutral, rig.polygons, [scaled(shape) for shape in rig.shapes])
    prior, pose = Prior.learn(rig, acted(rig, 100, 0)), acted(rig, 1, 4)[0]
    motion = evaluate(rig, pose) - rig.neutral
    large = guess_weights(Rig(rig.neutral, rig.polygons, rig.shapes), motion, prior=prior)
    assert guess_weights(small, 0.01 * motion, prior=prior) == pytest.approx(large, abs=0.011)


def scaled(shape: Shape) -> Shape:
    return replace(shape, offsets=0.01 * shape.offsets)


def test_a_builder_guesses_poses_without_weights_by_its_prior() -> None:
    template, person = sample(shapes="units"), sample("kenji", shapes="units")
    prior = Prior.learn(template, acted(template, 100, 0))
    face = evaluate(person, acted(person, 1, 5)[0])
    guess = RigBuilder(template, person.neutral, prior=prior).guess(face)
    assert guess != RigBuilder(template, person.neutral).guess(face)
    short = Schedule(iterations=1)
    built = build_rig(template, person.neutral, [face], [None], prior=prior, schedule=short)
    given = build_rig(template, person.neutral, [face], [guess], schedule=short)
    np.testing.assert_array_equal(built.weights, given.weights)


def test_in_betweens_and_combinations_are_seen_in_a_pose() -> None:
    rig = bent_rig()
    named = {rig.sliders[0]: 0.4, rig.sliders[1]: 0.8, rig.sliders[4]: 0.6}
    motion = evaluate(rig, rig.weights(named)) - rig.neutral
    assert guess_weights(rig, motion) == pytest.approx(named, abs=0.02)
    learned = Prior.learn(rig, np.random.default_rng(2).uniform(0, 1, (60, len(rig.sliders))))
    found = rig.weights(guess_weights(rig, motion, prior=learned))
    left = np.linalg.norm(evaluate(rig, found) - rig.neutral - motion) / np.linalg.norm(motion)
    assert left < 0.05
    own = tuple(shape for shape in rig.shapes if shape.name in rig.sliders)
    ignoring = Rig(rig.neutral, rig.polygons, own, sliders=rig.sliders, bounds=rig.bounds)
    others = rig.weights(guess_weights(ignoring, motion))
    assert np.linalg.norm(evaluate(rig, others) - rig.neutral - motion) / np.linalg.norm(motion) > 0.05
