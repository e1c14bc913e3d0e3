"""Weights of poses that nobody has named."""

import numpy as np
import pytest

from facewright.build.builder import RigBuilder
from facewright.build.weight_guess import guess_weights
from facewright.errors import OutOfPlace
from facewright.rig.evaluate import evaluate
from facewright.samples.head import sample


@pytest.fixture(scope="module")
def builder() -> RigBuilder:
    return RigBuilder(sample(shapes="units"), sample("kenji", shapes="units").neutral)


@pytest.mark.parametrize("named", [{"mouth-open": 0.7, "eyebrows-left-up": 0.5}, {"eye-left-closure": 1.0}])
def test_the_sliders_that_made_a_pose_of_another_person_are_found(builder: RigBuilder, named: dict[str, float]) -> None:
    person = sample("kenji", shapes="units")
    found = builder.guess(evaluate(person, person.weights(named)))
    assert {name: found.get(name, 0.0) for name in named} == pytest.approx(named, abs=0.3)
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
