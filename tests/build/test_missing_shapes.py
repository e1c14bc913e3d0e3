"""Poses that no combination of the shapes reaches."""

import numpy as np

import facewright as fw
from facewright.build.missing_shapes import propose_shapes
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
    assert "no combination of the shapes reaches it" in str(built.errors[1])
    (proposal,) = built.proposals
    assert (proposal.pose, proposal.shape.name) == ("blow", "missing_blow")
    more = add_shape(built.rig, proposal.shape)
    weights = np.append(built.weights[1], 1.0)
    left = np.linalg.norm(fw.evaluate(more, weights) - poses[1])
    assert left < 0.5 * np.linalg.norm(built.errors[1].distances)


def test_a_proposal_is_orthogonal_to_all_shapes_and_comes_once_for_poses_that_lack_the_same() -> None:
    rng = np.random.default_rng(3)
    deltas, left = rng.normal(size=(4, 20, 3)), rng.normal(size=(20, 3))
    found = propose_shapes([("a", left), ("b", 0.5 * left), ("c", rng.normal(size=(20, 3)))], deltas, ["missing_a"])
    assert [one.pose for one in found] == ["a", "c"]
    assert found[0].shape.name == "missing_a_2"
    for one in found:
        product = np.tensordot(deltas, one.shape.dense(20), axes=2)
        np.testing.assert_allclose(product, 0, atol=0.05)  # specks are left out


def test_a_pose_out_of_reach_does_not_bend_the_shapes_it_names() -> None:
    rig = template()
    actor = fw.transfer(rig, bent(rig))
    smile, guess = fw.evaluate(actor, {rig.sliders[1]: 0.7}), {rig.sliders[1]: 0.7}
    built = fw.build_rig(rig, actor, [smile, _blown(rig, actor)], [guess, {rig.sliders[0]: 0.5}])
    np.testing.assert_allclose(built.rig.deltas(), actor.deltas(), atol=1e-3 * rig.size)
    alone = fw.build_rig(rig, actor, [_blown(rig, actor)], [{rig.sliders[0]: 0.5}])
    np.testing.assert_allclose(alone.rig.deltas(), actor.deltas(), atol=1e-9 * rig.size)
