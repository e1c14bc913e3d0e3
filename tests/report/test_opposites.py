"""Sliders that are proposed to exclude each other."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.report.opposites import missing_ties, motion_cosines, opposites
from facewright.rig.edit import scale
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

DOWN, UP, SIDE = ([0.0, -1.0, 0.0], [0.0, 0.9, 0.1], [1.0, 0.0, 0.0])


def rig_of(**offsets: list[float]) -> Rig:
    shapes = [Shape(name, [1, 2], [offset, offset]) for name, offset in offsets.items()]
    return Rig(np.eye(4, 3), [[0, 1, 2], [1, 2, 3]], shapes)


def pairs(rig: Rig) -> set[tuple[str, str]]:
    return {(each.first, each.second) for each in opposites(rig)}


def test_names_that_differ_in_the_direction_are_proposed_and_sides_of_the_face_are_not() -> None:
    names = (
        "jawLeft", "jawRight", "Mouth_L", "Mouth_R", "mouthSmileLeft", "mouthSmileRight", "mouthFrownLeft",
        "eyeLookIn_L", "eyeLookOut_L", "eyeLookOut_R", "browDown", "brow_up", "eyeBlink", "eyeWide", "upperLipUp",
        "eyesLookLeft_L", "eyesLookRight_L", "eyesLookRight_R",
    )  # fmt: skip
    still = Rig(np.eye(3), [[0, 1, 2]], [Shape(name, [], np.zeros((0, 3))) for name in names])
    assert pairs(still) == {
        ("jawLeft", "jawRight"), ("Mouth_L", "Mouth_R"), ("mouthSmileLeft", "mouthFrownLeft"),
        ("eyeLookIn_L", "eyeLookOut_L"), ("browDown", "brow_up"), ("eyeBlink", "eyeWide"),
        ("eyesLookLeft_L", "eyesLookRight_L"),
    }  # fmt: skip
    assert all(each.by_name and each.reason == "by their names" for each in opposites(still))


@pytest.mark.parametrize("factor", [0.01, 1.0, 100.0])
def test_opposite_motions_are_proposed_in_any_unit(factor: float) -> None:
    found = opposites(scale(rig_of(a=DOWN, b=UP, c=SIDE), factor))
    assert [(each.first, each.second, each.by_name) for each in found] == [("a", "b", False)]
    assert found[0].reason == "by their motions (-0.99)"


def test_what_both_sides_move_alike_is_no_direction() -> None:
    assert pairs(rig_of(jawLeft=UP, jawRight=UP)) == set()
    assert pairs(rig_of(jawLeft=SIDE, jawRight=[-1.0, 0, 0])) == {("jawLeft", "jawRight")}


def test_sliders_with_a_combination_are_meant_to_be_on_together() -> None:
    rig = rig_of(a=DOWN, b=UP, c=UP)
    assert pairs(rig) == {("a", "b"), ("a", "c")}
    assert pairs(replace(rig, shapes=(*rig.shapes, Shape("a_b", [1], [[0, 0, 1.0]], ("a", "b"))))) == {("a", "c")}


def test_sliders_that_a_clip_has_on_together_are_not_proposed() -> None:
    rig = rig_of(a=DOWN, b=UP, c=UP)
    faint = fw.Curve([0.0, 1.0], [0.0, 0.05])
    clip = fw.Clip("talk", {"a": fw.Curve([0.0, 2.0], [0.0, 0.8]), "b": fw.Curve([1.0], [0.3]), "c": faint})
    assert {(each.first, each.second) for each in opposites(rig, [clip])} == {("a", "c")}


def test_pairs_that_there_are_and_tied_sliders_are_not_proposed() -> None:
    rig = rig_of(jawOpen=DOWN, mouthClose=UP, browUp=UP, browDown=DOWN)
    assert ("jawOpen", "mouthClose") not in pairs(rig)
    assert ("browUp", "browDown") in pairs(rig)
    assert ("browUp", "browDown") not in pairs(replace(rig, exclusive=(("browDown", "browUp"),)))
    assert missing_ties(rig) == ()
    assert missing_ties(replace(rig, ties=())) == (("mouthClose", "jawOpen"),)


def test_cosines_are_those_of_the_evaluated_motions() -> None:
    rig = fw.sample()
    rig = replace(rig, bounds=np.tile([-2.0, 1.0], (len(rig.sliders), 1)))
    chosen = [3, 14, 17, 23]
    motions = np.stack([(evaluate(rig, {rig.sliders[i]: -2.0}) - rig.neutral).ravel() for i in chosen])
    motions /= np.linalg.norm(motions, axis=1)[:, None]
    np.testing.assert_allclose(motion_cosines(rig)[np.ix_(chosen, chosen)], motions @ motions.T, atol=1e-9)


def test_the_embedded_head_gets_its_own_pairs_back() -> None:
    rig = fw.sample()
    found = {frozenset(pair) for pair in pairs(replace(rig, exclusive=()))}
    assert {frozenset(pair) for pair in rig.exclusive} <= found
