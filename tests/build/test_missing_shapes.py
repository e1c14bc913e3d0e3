"""Poses that the template cannot express."""

from functools import cache

import numpy as np
import pytest

import facewright as fw
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.missing_shapes import propose_shapes
from facewright.build.reach import TemplateReach
from facewright.build.shape_strength import TemplateDoubt, shown, strengths
from facewright.rig.edit import add_shape
from tests.build.faces import bent, template


def _blown(rig: fw.Rig, actor: fw.Rig) -> np.ndarray:
    """A pose of the actor with a bulge that none of the template's shapes has."""
    still = np.setdiff1d(np.arange(rig.vertex_count), rig.shapes[0].vertices)
    middle = actor.neutral[still[len(still) // 2]]
    bulge = np.exp(-((actor.neutral - middle) ** 2).sum(axis=1) / (0.12 * rig.size) ** 2)
    pushed = 0.1 * rig.size * bulge[:, None] * np.array([0.2, 0, 1])
    return np.asarray(fw.evaluate(actor, {rig.sliders[0]: 0.5}) + pushed)


def test_a_pose_out_of_reach_is_told_and_a_shape_proposed_with_which_it_is_reached() -> None:
    rig = template()
    actor = fw.transfer(rig, bent(rig))
    poses = [fw.evaluate(actor, {rig.sliders[1]: 0.7, rig.sliders[2]: 0.4}), _blown(rig, actor)]
    guesses = [{rig.sliders[1]: 0.8, rig.sliders[2]: 0.4}, {rig.sliders[0]: 0.5}]
    built = fw.build_rig(rig, actor, poses, guesses, names=["smile", "blow"])
    assert [fit.reached for fit in built.errors] == [True, False]
    assert "cannot express it" in str(built.reach[1])
    (proposal,) = built.proposals
    assert (proposal.pose, proposal.shape.name, dict(proposal.weights)) == ("blow", "blow", {"blow": 1.0})
    more = add_shape(built.rig, proposal.shape)
    weights = np.append(built.weights[1], 1.0)
    left = np.linalg.norm(fw.evaluate(more, weights) - poses[1])
    assert left < 0.3 * np.linalg.norm(built.errors[1].distances)


def test_a_pose_out_of_reach_does_not_bend_the_shapes_it_names() -> None:
    rig = template()
    actor = fw.transfer(rig, bent(rig))
    smile, guess = fw.evaluate(actor, {rig.sliders[1]: 0.7}), {rig.sliders[1]: 0.7}
    built = fw.build_rig(rig, actor, [smile, _blown(rig, actor)], [guess, {rig.sliders[0]: 0.5}])
    np.testing.assert_allclose(built.rig.deltas(), actor.deltas(), atol=5e-3 * rig.size)


@cache
def _on_kenji(*left_out: str) -> tuple[fw.Rig, fw.Rig, TemplateReach]:
    whole, kenji = fw.sample(), fw.sample("kenji")
    kept = tuple(shape for shape in whole.shapes if shape.name not in left_out)
    rig = fw.Rig(whole.neutral, whole.polygons, kept, parts=whole.parts)
    transfer = DeformationTransfer(rig, kenji)
    return rig, kenji, TemplateReach(rig, transfer.dense(transfer.plain))


@pytest.mark.parametrize("lacking", ["cheekPuff", "mouthFunnel", "browInnerUp"])
def test_a_shape_that_the_template_lacks_is_told_and_found(lacking: str) -> None:
    rig, kenji, reach = _on_kenji("cheekPuff", "mouthFunnel", "browInnerUp")
    motion = fw.evaluate(kenji, {lacking: 1, "jawOpen": 0.2}) - kenji.neutral
    found = reach(lacking, motion, rig.weights({"jawOpen": 0.2}))
    assert found.verdict == "not expressible"
    true = kenji.shapes[kenji.shape_names.index(lacking)].dense(kenji.vertex_count)
    assert (true * found.lacking).sum() > 0.9 * np.linalg.norm(true) * np.linalg.norm(found.lacking)
    where = np.linalg.norm(true[found.where])
    assert where > 0.5 * np.linalg.norm(true, axis=1).max()
    (proposal,) = propose_shapes([found], [motion], [lacking])
    assert (proposal.shape.name, proposal.own) == (f"missing_{lacking}", found.own)
    assert found.own > 0.3


@pytest.mark.parametrize("unnamed", ["mouthFunnel", "eyeBlinkLeft", "browDownRight", "cheekPuff"])
def test_a_slider_that_was_not_named_is_told_and_nothing_is_lacking(unnamed: str) -> None:
    rig, kenji, reach = _on_kenji()
    motion = fw.evaluate(kenji, {unnamed: 0.6, "jawOpen": 0.5, "mouthSmileLeft": 0.4}) - kenji.neutral
    found = reach("pose", motion, rig.weights({"jawOpen": 0.6, "mouthSmileLeft": 0.3}))
    assert found.verdict == "with more sliders"
    assert found.more == pytest.approx({unnamed: 0.6}, abs=0.1)
    assert not found.lacking.any()
    assert found.left < found.named
    named = reach("pose", motion, rig.weights({"jawOpen": 0.6, "mouthSmileLeft": 0.3, unnamed: 0.5}))
    assert (named.verdict, named.more) == ("expressible", {})
    np.testing.assert_allclose(found.weights, named.weights, atol=0.05)


def test_sliders_are_said_to_imitate_a_pose_only_where_they_make_most_of_what_the_named_ones_leave() -> None:
    rig, kenji, reach = _on_kenji("cheekPuff", "mouthFunnel", "browInnerUp")
    motion = fw.evaluate(kenji, {"browInnerUp": 1, "jawOpen": 0.2}) - kenji.neutral
    assert "imitate" not in reach("brows", motion, rig.weights({"jawOpen": 0.2})).words
    names = ("mouthFrownLeft", "mouthRollLower", "mouthShrugUpper", "mouthPressLeft", "noseSneerRight", "browDownLeft")
    more = ("mouthDimpleRight", "mouthStretchLeft", "mouthUpperUpRight", "cheekSquintLeft", "browOuterUpRight")
    both = ("eyeBlink", "eyeSquint", "mouthSmile", "mouthLowerDown")
    many = {*names, *more, *(f"{name}{side}" for name in both for side in ("Left", "Right"))}
    motion = fw.evaluate(kenji, dict.fromkeys(many, 0.6) | {"jawOpen": 0.3}) - kenji.neutral
    found = reach("many", motion, rig.weights({"jawOpen": 0.3}))
    assert f"Unnamed sliders would imitate it, {found.imitated:.0%} left: " in found.words
    assert {*names, *more} <= set(found.imitating)
    named = {name: float(found.weights[rig.slider_index(name)]) for name in rig.sliders} | found.imitating
    made = np.tensordot(rig.weights(named), reach.deltas, axes=1)
    assert np.linalg.norm(made - motion) < 1.2 * found.imitated * np.linalg.norm(motion) < 0.3 * np.linalg.norm(motion)


def test_poses_that_lack_the_same_share_a_proposal() -> None:
    rig, kenji, reach = _on_kenji("cheekPuff", "mouthFunnel", "browInnerUp")
    poses = {"some": {"cheekPuff": 0.5}, "all": {"cheekPuff": 1.0}, "brows": {"browInnerUp": 1.0}}
    motions = [fw.evaluate(kenji, pose | {"jawOpen": 0.2}) - kenji.neutral for pose in poses.values()]
    guess = rig.weights({"jawOpen": 0.2})
    found = propose_shapes([reach(n, m, guess) for n, m in zip(poses, motions, strict=True)], motions, rig.sliders)
    assert {one.pose: set(one.weights) for one in found} == {"all": {"all", "some"}, "brows": {"brows"}}
    assert next(one for one in found if one.pose == "all").weights["some"] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_the_scene_s_unit_changes_no_verdict(factor: float) -> None:
    rig, kenji, reach = _on_kenji("cheekPuff", "mouthFunnel", "browInnerUp")
    motion = fw.evaluate(kenji, {"cheekPuff": 1, "jawOpen": 0.2, "mouthSmileLeft": 0.6}) - kenji.neutral
    guess = rig.weights({"jawOpen": 0.2})
    here = reach("pose", motion, guess)
    shapes = tuple(fw.Shape(one.name, one.vertices, factor * one.offsets) for one in rig.shapes)
    large = fw.Rig(factor * rig.neutral, rig.polygons, shapes, parts=rig.parts)
    there = TemplateReach(large, factor * reach.deltas)("pose", factor * motion, guess)
    assert (there.verdict, there.more) == (here.verdict, here.more)
    np.testing.assert_allclose(there.weights, here.weights, atol=1e-6)
    np.testing.assert_allclose(there.lacking, factor * here.lacking, atol=1e-6 * factor * rig.size)


def test_a_pose_tells_as_much_of_a_shape_s_strength_as_it_shows_of_its_motion() -> None:
    moved, offsets = [np.array([0, 1]), np.array([2])], [np.array([[3.0, 0, 0], [0, 4, 0]]), np.ones((1, 3))]
    known = np.array([[1.0, 1, 1], [1, 0, 0]])
    np.testing.assert_allclose(shown(known, moved, offsets), [[1.0, 1.0], [9 / 25, 0.0]])
    weights, guesses = np.full((1, 1), 0.1), np.full((1, 1), 0.2)  # the guess has the shape half as strong
    whole, faint = (
        strengths(by * weights, by * guesses, np.ones(1), TemplateDoubt(0.5, 0.03))[0] for by in (1.0, 0.05)
    )
    assert whole > 1.05
    assert faint == pytest.approx(1, abs=0.01)
