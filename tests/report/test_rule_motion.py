"""Rules in a pose: what a rule counts equals the rig evaluated with those shapes alone."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.report.rule_motion import RuleMotions, rule_motions
from facewright.rig import edit
from facewright.rig.combine import Combine
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Shape
from tests.report.report_rigs import random_rig

VERTICES = np.array([0, 3, 4, 9])


def ruled() -> Rig:
    """A rig with a combination, and rules that some poses break."""
    rig = random_rig(4, vertices=14, shapes=5)
    both = Shape.from_dense("both", np.random.default_rng(5).normal(size=(14, 3)), sliders=("s0", "s1"))
    rules = (OnlyMovedBy("own", VERTICES, ("s0", "s2"), 0.05), StaysWithin("near", VERTICES, 0.4))
    return replace(rig, shapes=(*rig.shapes, both), rules=rules)


def test_a_distance_is_that_of_the_posed_face_from_its_rest() -> None:
    rig, rng = ruled(), np.random.default_rng(6)
    for pose in rng.uniform(0, 1, (5, 5)):
        found = rule_motions(rig, pose)[1]
        moved = np.linalg.norm(evaluate(rig, pose) - rig.neutral, axis=1)[VERTICES]
        np.testing.assert_allclose(found.distances, moved)
        np.testing.assert_array_equal(found.broken, moved > 0.4)
        assert found.allowed == 0.4


def test_only_shapes_of_other_sliders_count_where_some_may_move_a_vertex() -> None:
    rig = ruled()
    assert not rule_motions(rig, {"s0": 1.0, "s2": 0.7})[0].distances.any()
    pose = rig.weights({"s0": 1.0, "s1": 0.5, "s4": 0.3})
    alone = []
    for name in ("s1", "s4", "both"):  # each by a rig that has no other shape
        one = Rig(rig.neutral, rig.polygons, (rig.shape(name),), rig.sliders, rig.bounds)
        alone.append(np.linalg.norm(evaluate(one, pose) - rig.neutral, axis=1)[VERTICES])
    found = rule_motions(rig, pose)[0]
    np.testing.assert_allclose(found.distances, np.max(alone, axis=0))
    np.testing.assert_array_equal(found.broken, np.max(alone, axis=0) > 0.05 * rig.size)


def test_another_unit_changes_nothing_but_the_lengths() -> None:
    rig, pose = ruled(), np.random.default_rng(7).uniform(0, 1, 5)
    for one, other in zip(rule_motions(rig, pose), rule_motions(edit.scale(rig, 0.01), pose), strict=True):
        np.testing.assert_allclose(other.distances, 0.01 * one.distances)
        assert other.allowed == pytest.approx(0.01 * one.allowed)
        np.testing.assert_array_equal(other.broken, one.broken)


def test_rules_are_added_replaced_and_dropped() -> None:
    rig = ruled()
    more = edit.add_rule(rig, StaysWithin("lid", [4, 2, 4], 0.1))  # type: ignore[arg-type]
    assert more.rules[:2] == rig.rules
    assert more.rules[2].vertices.tolist() == [2, 4]
    other = edit.replace_rule(more, "own", StaysWithin("brow", np.array([1]), 0.2))
    assert [rule.name for rule in other.rules] == ["brow", "near", "lid"]
    assert edit.drop_rule(more, "lid").rules == rig.rules
    with pytest.raises(BadValue, match="about no vertices: name at least one, or drop the rule"):
        edit.add_rule(rig, StaysWithin("lid", np.zeros(0, np.int64), 0.1))
    with pytest.raises(BadValue, match="a rule named 'near' already"):
        edit.replace_rule(rig, "own", StaysWithin("near", np.array([1]), 0.1))
    with pytest.raises(UnknownName, match="own, near"):
        edit.drop_rule(rig, "lid")


def test_rules_prepared_from_those_before_are_as_if_prepared_anew() -> None:
    rig, pose = ruled(), np.random.default_rng(8).uniform(0, 1, 5)
    values = Combine(rig)(pose)
    before = RuleMotions(rig)
    wider = edit.replace_rule(rig, "near", StaysWithin("near", np.arange(12), 0.3))
    other = replace(wider, shapes=(*wider.shapes[:-1], edit.scale(wider, 2.0).shapes[-1]))
    for changed in (wider, other, edit.drop_rule(rig, "own")):
        for one, two in zip(RuleMotions(changed, before)(values), RuleMotions(changed)(values), strict=True):
            np.testing.assert_array_equal(one.distances, two.distances)
            np.testing.assert_array_equal(one.broken, two.broken)
    assert not np.array_equal(RuleMotions(other, before)(values)[1].distances, before(values)[1].distances)
