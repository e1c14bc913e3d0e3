"""Priors of poses: learned from recordings, told by names, carried from rig to rig."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import facewright as fw
from tests.laws.things import random_rig

NAMES = ("jawOpen", "mouthClose", "mouthSmileLeft", "mouthSmileRight", "jawLeft", "jawRight", "eyeLookInLeft",
         "eyeLookOutRight", "browInnerUp")  # fmt: skip


def rig_of(*names: str, **options: object) -> fw.Rig:
    """A small rig with sliders of these names."""
    rig = random_rig(0, shapes=len(names))
    shapes = [replace(shape, name=name, sliders=(name,)) for shape, name in zip(rig.shapes, names, strict=True)]
    return fw.Rig(rig.neutral, rig.polygons, shapes, **options)  # type: ignore[arg-type]


def poses(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(size=(200, 3)) @ rng.normal(size=(3, n)) / 3, 0, 1)


def between(prior: fw.Prior, a: str, b: str) -> float:
    """The correlation of two sliders."""
    i, j = prior.sliders.index(a), prior.sliders.index(b)
    return float(prior.covariance[i, j] / np.sqrt(prior.covariance[i, i] * prior.covariance[j, j]))


def test_what_is_learned_is_the_mean_and_the_covariance_of_the_poses() -> None:
    rig, recorded = rig_of(*NAMES), poses(len(NAMES))
    prior = fw.Prior.learn(rig, recorded)
    np.testing.assert_allclose(prior.mean, recorded.mean(axis=0))
    np.testing.assert_allclose(prior.covariance, np.cov(recorded.T, bias=True), atol=1e-12)
    np.testing.assert_allclose(prior.moment, recorded.T @ recorded / len(recorded), atol=1e-12)
    assert prior.frames == len(recorded)


def test_clips_takes_and_arrays_teach_the_same() -> None:
    rig, recorded = rig_of(*NAMES), poses(len(NAMES))
    clip = fw.Clip.from_table("smiles", NAMES, np.arange(len(recorded)) / 30, recorded)

    class Solved:
        """Something with a clip, as a solved take is."""

        def __init__(self) -> None:
            self.clip = clip

    by_array = fw.Prior.learn(rig, recorded)
    given: list[Any] = [clip, Solved(), [clip, Solved()], [recorded[:120], recorded[120:]], recorded.tolist()]
    for data in given:
        prior = fw.Prior.learn(rig, data)
        np.testing.assert_allclose(prior.moment, by_array.moment, atol=1e-9)
    assert fw.Prior.learn(rig, clip).sources == ("smiles",)
    assert str(fw.Prior.learn(rig, clip)) == "learned from smiles (200 poses)"
    other = replace(clip, name="frowns")
    assert str(fw.Prior.learn(rig, [clip, other])) == "learned from 2 clips (400 poses)"


def test_a_clip_of_another_spelling_teaches_by_names() -> None:
    recorded = poses(4)
    clip = fw.Clip.from_table("phone", ["JawOpen", "MouthSmile_L", "MouthSmile_R", "unknown"], np.arange(200), recorded)
    prior = fw.Prior.learn(rig_of("jawOpen", "mouthSmileLeft", "mouthSmileRight"), clip)
    np.testing.assert_allclose(prior.moment, recorded[:, :3].T @ recorded[:, :3] / 200, atol=1e-9)


def test_names_tell_what_goes_together() -> None:
    prior = fw.Prior.from_names(rig_of(*NAMES, exclusive=[("jawLeft", "jawRight")]))
    assert between(prior, "mouthSmileLeft", "mouthSmileRight") == pytest.approx(0.9)
    assert between(prior, "eyeLookInLeft", "eyeLookOutRight") == pytest.approx(0.9)
    assert between(prior, "mouthClose", "jawOpen") == pytest.approx(0.5)
    assert between(prior, "jawLeft", "jawRight") == 0
    assert between(prior, "browInnerUp", "jawOpen") == 0
    assert str(prior) == "from names alone"


def test_exclusive_sliders_do_not_go_together_whatever_their_names() -> None:
    pair = ("mouthSmileLeft", "mouthSmileRight")
    assert between(fw.Prior.from_names(rig_of(*pair, exclusive=[pair])), *pair) == 0


def test_a_prior_of_names_of_no_strength_says_nothing() -> None:
    prior = fw.Prior.from_names(rig_of(*NAMES), strength=0.0)
    np.testing.assert_array_equal(prior.covariance, np.diag(np.diag(prior.covariance)))


def test_a_prior_carried_by_names_to_the_same_rig_is_the_same() -> None:
    rig = rig_of(*NAMES)
    prior = fw.Prior.learn(rig, poses(len(NAMES)))
    assert prior.on(rig) is prior
    turned = NAMES[::-1]
    carried = prior.on(rig_of(*turned))
    np.testing.assert_array_equal(carried.mean, prior.mean[::-1])
    np.testing.assert_array_equal(carried.covariance, prior.covariance[::-1, ::-1])
    back = carried.on(rig)
    np.testing.assert_array_equal(back.covariance, prior.covariance)


def test_halves_of_a_slider_get_its_motion_and_unknown_sliders_move_as_usual() -> None:
    prior = fw.Prior.learn(rig_of("jawOpen", "mouthSmile"), poses(2))
    carried = prior.on(rig_of("jawOpen", "mouthSmileLeft", "mouthSmileRight", "noseSneerLeft", "noseSneerRight"))
    np.testing.assert_allclose(np.diag(carried.moment)[:3], np.diag(prior.moment)[[0, 1, 1]])
    assert between(carried, "mouthSmileLeft", "mouthSmileRight") == pytest.approx(1.0)
    known = np.diag(carried.moment)[:3].mean()
    np.testing.assert_allclose(np.diag(carried.covariance)[3:], known)
    assert between(carried, "noseSneerLeft", "noseSneerRight") == pytest.approx(0.9)
    assert between(carried, "noseSneerLeft", "jawOpen") == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.zeros((5, 9)), "nothing moves"),
        (np.zeros((0, 9)), "nothing moves"),
        (np.ones((5, 4)), "shape"),
        (fw.Clip.from_table("other", ["zz"], [0.0, 1.0], [[0.0], [1.0]]), "no curve has the name of a slider"),
    ],
)
def test_what_teaches_nothing_is_refused_in_words(data: object, words: str) -> None:
    with pytest.raises(fw.BadValue, match=words):
        fw.Prior.learn(rig_of(*NAMES), data)  # type: ignore[arg-type]


def test_a_prior_for_quite_another_rig_is_refused_in_words() -> None:
    prior = fw.Prior.learn(rig_of("jawOpen"), [[0.5], [0.2]])
    with pytest.raises(fw.BadValue, match="learned for jawOpen, the rig has zz"):
        prior.on(rig_of("zz"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"strength": 1.5}, "from 0 to 1"),
        ({"covariance": [[1.0, 2.0], [2.0, 1.0]]}, "no negative eigenvalues"),
        ({"covariance": [[1.0, 0.5], [0.2, 1.0]]}, "symmetric"),
        ({"mean": [0.0]}, "mean"),
        ({"sliders": ("a", "a")}, "each slider once"),
        ({"frames": -1}, "number of poses"),
    ],
)
def test_numbers_that_are_no_prior_are_refused(change: dict[str, object], words: str) -> None:
    good = {"sliders": ("a", "b"), "mean": [0.0, 0.0], "covariance": np.eye(2)}
    with pytest.raises(fw.BadValue, match=words):
        fw.Prior(**(good | change))  # type: ignore[arg-type]
