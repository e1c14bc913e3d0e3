"""Sliders that nobody named, found by how likely they make a pose."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import facewright as fw
from facewright.build.assumed_weights import AssumedWeights
from facewright.build.slider_evidence import NAMED, UNUSUAL, USUAL, SliderEvidence, _Choice
from facewright.samples.actor import Actor, guessed, personal
from tests.build.faces import template


def test_choices_are_compared_by_the_density_of_a_normal_distribution() -> None:
    rig = template()
    deltas, rng = rig.deltas(), np.random.default_rng(3)
    evidence = SliderEvidence(rig, deltas)
    motion = (np.tensordot([0.8, 0.5], deltas[:2], axes=1) + 0.02 * rng.normal(size=deltas[0].shape))[evidence.at]
    guess = np.zeros(len(deltas))
    guess[0] = 0.6
    choice = _Choice(evidence, motion, guess)
    counts = choice._counts

    def density(sliders: list[int]) -> float:
        mean, spread = np.zeros_like(motion), np.diag(np.repeat(1 / counts, 3))
        for i in sliders:
            value, error = (guess[i], NAMED) if guess[i] else (USUAL, UNUSUAL)
            mean += value * evidence.motions[i]
            rows = evidence.fields.T[:, :, None] * evidence.motions[i]
            rows[0] *= error
            rows[1:] *= value
            flat = rows.reshape(len(rows), -1)
            spread += flat.T @ flat
        return float(multivariate_normal(mean.ravel(), spread).logpdf(motion.ravel()))

    alone, both = frozenset({0}), frozenset({0, 1})
    odds = choice._unlikely(1, both)
    gain = choice._evidence(both)[0] - choice._evidence(alone)[0] + odds
    assert gain == pytest.approx(density([0, 1]) - density([0]), rel=1e-6)


@pytest.fixture(scope="module")
def kenji() -> tuple[Actor, fw.Rig]:
    """A person with smooth amplitudes, and the template's shapes on him."""
    person = personal(fw.sample("kenji"), np.random.default_rng(2))
    return Actor(fw.sample(), person), fw.transfer(fw.sample(), person, closing={})


def test_the_sliders_of_a_person_with_shapes_of_his_own_are_found_with_some_or_none_named(
    kenji: tuple[Actor, fw.Rig],
) -> None:
    known, carried = kenji
    rng = np.random.default_rng(4)
    weights = known.poses(rng, 12)
    evidence, guesses = SliderEvidence(carried, carried.deltas()), guessed(weights, 0.15, rng)
    for row in guesses:
        row[rng.choice(np.flatnonzero(row))] = 0.0
    for given, most in ((guesses, 4), (np.zeros_like(guesses), 8)):
        motions = fw.evaluate(known.rig, weights) - known.rig.neutral
        found = np.array([evidence(one, row).values for one, row in zip(motions, given, strict=True)])
        assert ((found != 0) != (weights != 0)).sum() <= most  # of about 42 that are on, and 580 that are off
        assert (found[given != 0] != 0).all()


@pytest.fixture(scope="module")
def edith() -> tuple[Actor, fw.Rig]:
    person = personal(fw.sample("edith"), np.random.default_rng([13, 3]))
    return Actor(fw.sample(), person), fw.transfer(fw.sample(), person, closing={})


def test_a_slider_without_which_much_is_left_is_found_beside_named_ones(edith: tuple[Actor, fw.Rig]) -> None:
    known, _ = edith
    builder, on = fw.RigBuilder(fw.sample(), known.rig, closing={}), {"eyeLookDownLeft": 0.34, "mouthLeft": 0.64}
    builder.add_pose(fw.evaluate(known.rig, on | {"mouthFunnel": 0.89}), on)
    (found,) = builder._reached(tuple(builder._examples.values()))
    assert found.verdict == "with more sliders"
    assert list(found.more) == ["mouthFunnel"]


def test_a_slider_whose_motion_is_mostly_that_of_its_field_is_found(edith: tuple[Actor, fw.Rig]) -> None:
    known, carried = edith
    weights = known.poses(np.random.default_rng([3, 20, 2]), 20)[15]
    jaw = carried.slider_index("jawOpen")
    assert weights[jaw] > 0
    motion = fw.evaluate(known.rig, weights) - known.rig.neutral
    found = SliderEvidence(carried, carried.deltas())(motion, np.zeros_like(weights)).values
    assert found[jaw] > 0.3


def test_the_scene_s_unit_and_negative_sliders_change_no_choice() -> None:
    rig = fw.sample()
    motion = fw.evaluate(rig, {"jawOpen": 0.5, "mouthSmileLeft": 0.7, "mouthSmileRight": 0.6}) - rig.neutral
    nothing = np.zeros(len(rig.sliders))
    found = SliderEvidence(rig, rig.deltas())(motion, nothing).values
    assert {rig.sliders[i] for i in np.flatnonzero(found)} == {"jawOpen", "mouthSmileLeft", "mouthSmileRight"}
    shapes = tuple(replace(one, offsets=0.01 * one.offsets) for one in rig.shapes)
    small = replace(rig, neutral=0.01 * rig.neutral, shapes=shapes)
    np.testing.assert_allclose(SliderEvidence(small, small.deltas())(0.01 * motion, nothing).values, found, atol=1e-6)
    at = rig.slider_index("jawOpen")
    turned = replace(rig, bounds=np.where((np.arange(len(nothing)) == at)[:, None], [-1.0, 0.0], rig.bounds))
    deltas = rig.deltas()
    deltas[at] *= -1
    other = SliderEvidence(turned, deltas)(motion, nothing).values
    np.testing.assert_allclose(other, np.where(np.arange(len(nothing)) == at, -found, found), atol=1e-9)


def test_what_nobody_named_is_assumed_to_be_usual_and_what_was_named_is_kept() -> None:
    rig, person = fw.sample(), fw.sample("kenji")
    builder = fw.RigBuilder(rig, person)
    pose = fw.evaluate(person, {"jawOpen": 0.5, "cheekPuff": 0.8})
    builder.add_pose(pose, {"jawOpen": 0.4}, name="named")
    builder.add_pose(pose, name="unnamed")
    examples = tuple(builder._examples.values())
    found = AssumedWeights.of(rig, examples, builder._reached(examples))
    jaw, puff = rig.slider_index("jawOpen"), rig.slider_index("cheekPuff")
    assert found.values[0, [jaw, puff]].tolist() == [0.4, USUAL]
    assert found.named[0, [jaw, puff]].tolist() == [True, False]
    assert found.values[1, [jaw, puff]].tolist() == [USUAL, USUAL]
    assert (found.doubt[~found.named] > 1).all()
    assert builder.guesses[0] == {"jawOpen": 0.4}
    assert {"jawOpen", "cheekPuff"} <= set(builder.guesses[1])
