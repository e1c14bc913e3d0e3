"""Rigs built from examples, as a session works on them: plans, what they become, what is refused in words."""

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

import facewright as fw
from facewright.build.builder import BuildIteration
from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.session.context import Context
from facewright.session.edits.build import GuessPosesBy, LayUpright
from facewright.session.edits.prior import UseLearnedPrior
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.plan import PlanCodec
from facewright.workflow.build import plan as plans
from facewright.workflow.build.names import guess_by_name
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose
from facewright.workflow.build.register import register_template
from facewright.workflow.build.run import BuildRunner
from tests.build.faces import bent, template
from tests.session.memory_store import Memory
from tests.some import some

TEMPLATE = template()
ACTOR = fw.transfer(TEMPLATE, bent(TEMPLATE))
FIRST, SECOND, THIRD = TEMPLATE.sliders[:3]


def bare(positions: np.ndarray) -> fw.Rig:
    return fw.Rig(positions, TEMPLATE.polygons)


def pose(name: str, weights: dict[str, float], guess: dict[str, float] | None = None, factor: float = 1.0) -> GivenPose:
    return GivenPose(name, bare(factor * fw.evaluate(ACTOR, weights)), weights if guess is None else guess)


def planned(*poses: GivenPose) -> BuildPlan:
    plan = plans.with_neutral(BuildPlan(GivenFace("mask", TEMPLATE)), GivenFace("actor", bare(ACTOR.neutral)))
    return plans.with_poses(plan, poses)


def unheard(_: BuildIteration) -> None:
    return None


def blown() -> GivenPose:
    """A pose with a bulge that no shape has."""
    middle = ACTOR.neutral[len(ACTOR.neutral) // 2]
    bulge = np.exp(-((ACTOR.neutral - middle) ** 2).sum(axis=1) / (0.12 * ACTOR.size) ** 2)
    moved = fw.evaluate(ACTOR, {FIRST: 0.5}) + 0.15 * ACTOR.size * bulge[:, None] * np.array([0.2, 0, 1])
    return GivenPose("blow", bare(moved), {FIRST: 0.5})


def test_a_plan_becomes_the_rig_that_the_builder_makes_of_it() -> None:
    plan = planned(pose("a", {FIRST: 0.8, SECOND: 0.4}), pose("b", {THIRD: 0.9}))
    run = BuildRunner()
    found = run.solve(run.check(plan), unheard)
    direct = fw.RigBuilder(TEMPLATE, ACTOR.neutral)
    for one in plan.poses:
        direct.add_pose(one.face, one.guess or {}, name=one.name)
    np.testing.assert_allclose(found.rig.deltas(), direct.solve().rig.deltas(), atol=1e-9)
    assert set(found.fits) == {"a", "b"}
    fit = found.fits["a"]
    np.testing.assert_allclose(np.linalg.norm(fit.example - fit.version, axis=1), fit.distances, atol=1e-9)
    assert fit.relative < 0.05
    assert fit.worst >= fit.typical > 0


def test_what_changes_is_solved_warm_and_what_does_not_is_not_looked_at_again() -> None:
    run = BuildRunner()
    heard: list[Any] = []
    plan = planned(pose("a", {FIRST: 0.8}))
    first = run.solve(run.check(plan), unheard)
    plan = plans.with_poses(plan, [pose("b", {SECOND: 0.9})])
    second = run.solve(run.check(plan), heard.append)
    assert len(first.built.history) == 10
    assert [step.iteration for step in heard] == [1, 2, 3]
    assert set(second.fits) == {"a", "b"}
    gone = run.solve(run.check(plans.without_poses(plan, ["a"])), unheard)
    assert set(gone.fits) == {"b"}


def test_a_solve_that_is_stopped_keeps_the_last_whole_iteration_and_the_next_begins_anew() -> None:
    run = BuildRunner()
    checked = run.check(planned(pose("a", {FIRST: 0.8}), pose("b", {SECOND: 0.9})))
    stopped = run.solve(checked, lambda step: step.iteration < 2)
    assert not stopped.built.finished
    assert len(stopped.built.history) == 2
    assert len(run.solve(checked, unheard).built.history) == 10


def test_more_trust_in_the_examples_leaves_less_of_them() -> None:
    other = replace(ACTOR, shapes=tuple(replace(one, offsets=1.4 * one.offsets) for one in ACTOR.shapes))
    plan = planned(*(GivenPose(name, bare(fw.evaluate(other, {name: 0.7})), {name: 0.7}) for name in (FIRST, SECOND)))
    left = {}
    for trust in (0.0, 1.0):
        run = BuildRunner()
        found = run.solve(run.check(plans.trusting(plan, trust)), unheard)
        left[trust] = sum(fit.relative for fit in found.fits.values())
    assert left[1.0] < left[0.0]


def test_a_pose_without_a_guess_gets_one() -> None:
    run = BuildRunner()
    plan = planned(GivenPose("a", bare(fw.evaluate(ACTOR, {FIRST: 0.8})), None))
    checked = run.check(plan)
    assert checked.guesses["a"] == pytest.approx({FIRST: 0.8}, abs=0.05)
    assert run.check(plans.guess_pose(plan, "a", checked.guesses["a"])).guesses == {}
    assert run.solve(checked, unheard).fits["a"].relative < 0.05


def test_bad_poses_are_told_in_words_and_the_others_are_built() -> None:
    small = fw.Rig(np.eye(3), [[0, 1, 2]])
    inverted = fw.Rig(fw.evaluate(ACTOR, {FIRST: 0.5}), TEMPLATE.polygons.triangles[:, ::-1])
    mirrored = bare(fw.evaluate(ACTOR, {FIRST: 0.5}) * [-1, 1, 1])
    plan = planned(
        pose("good", {FIRST: 0.8}),
        pose("large", {FIRST: 0.8}, factor=100.0),
        GivenPose("small", small, {}),
        GivenPose("inside out", inverted, {}),
        GivenPose("mirrored", mirrored, {}),
    )
    run = BuildRunner()
    checked = run.check(plan)
    words = {name: obstacle.reason for name, obstacle in checked.obstacles.items()}
    assert words["large"] == "pose 'large' is 100 times as large as the neutral"
    assert "3 vertices" in words["small"]
    assert "same order" in words["small"]
    assert "inside out" in words["inside out"] or "other polygons" in words["inside out"]
    assert "mirror image" in words["mirrored"]
    assert [name for name, obstacle in checked.obstacles.items() if obstacle.can_be_aligned] == ["large"]
    assert set(run.solve(checked, unheard).fits) == {"good"}
    fitted = run.check(plans.change_pose(plan, "large", aligned=True))
    assert "large" not in fitted.obstacles
    assert run.solve(fitted, unheard).fits["large"].relative < 0.1


def test_a_neutral_that_cannot_be_used_is_told_in_words_and_another_topology_apart() -> None:
    run = BuildRunner()
    assert "load a neutral" in run.check(BuildPlan(GivenFace("mask", TEMPLATE))).reason
    mirrored = run.check(plans.with_neutral(planned(), GivenFace("m", bare(ACTOR.neutral * [-1, 1, 1]))))
    assert "mirror image" in mirrored.reason
    assert not mirrored.other_topology
    other = run.check(plans.with_neutral(planned(), GivenFace("o", fw.Rig(np.eye(3), [[0, 1, 2]]))))
    assert other.other_topology
    with pytest.raises(BadValue, match="topology"):
        run.solve(other, unheard)


def test_a_pose_out_of_reach_comes_with_the_shape_it_lacks_and_the_rig_gets_it_where_that_is_wanted() -> None:
    run, plan = BuildRunner(), planned(pose("a", {SECOND: 0.7}), blown())
    without = run.solve(run.check(plan), unheard)
    lacking = without.fits["blow"]
    assert not lacking.reached
    assert lacking.proposal is not None
    assert lacking.proposal.shape.name == "blow"
    assert "blow" not in without.rig.sliders
    found = run.solve(run.check(plans.change_pose(plan, "blow", add_missing=True)), unheard)
    assert found.rig.sliders == (*TEMPLATE.sliders, "blow")
    assert found.fits["blow"].weights["blow"] == 1.0
    assert found.fits["blow"].relative < 0.5 * lacking.relative


def lopsided() -> fw.Prior:
    """Learned from poses in which the second slider always goes with the first."""
    poses = np.zeros((200, len(TEMPLATE.sliders)))
    poses[:, 0] = poses[:, 1] = np.abs(np.sin(np.arange(200)))
    return fw.Prior.learn(TEMPLATE, poses)


def test_poses_are_guessed_by_what_was_learned_and_again_when_that_changes() -> None:
    run, prior = BuildRunner(), lopsided()
    face = blown().face  # no weights make it exactly
    by_names = plans.with_poses(planned(), [GivenPose("a", face, None)])
    learned = plans.guessing_by(by_names, prior)
    first = run.check(by_names).guesses["a"]
    assert run.check(by_names).guesses["a"] == first  # it is not made twice, and not forgotten
    second = run.check(learned).guesses["a"]
    transferred = fw.transfer(TEMPLATE, ACTOR.neutral)
    direct = fw.guess_weights(transferred, face.neutral - ACTOR.neutral, prior=prior)
    assert second == pytest.approx(direct, abs=1e-6)
    assert second != first
    told = plans.guess_pose(learned, "a", {FIRST: 0.1})
    assert run.check(told).guesses == {}
    assert run.check(plans.guess_anew(told)).guesses["a"] == second


def test_the_prior_of_guesses_is_learned_knows_the_template_and_goes_with_it() -> None:
    plan = planned()
    strange = fw.Prior(("alpha", "beta"), np.zeros(2), np.eye(2), 10)
    with pytest.raises(BadValue):
        plans.guessing_by(plan, strange)
    with pytest.raises(BadValue, match="not learned"):
        plans.guessing_by(plan, fw.Prior.from_names(TEMPLATE))
    with pytest.raises(BadValue, match="no poses"):
        plans.guess_anew(plan)
    learned = plans.guessing_by(plan, lopsided())
    assert plans.guessing_by(learned, learned.prior) is learned
    other = GivenFace("head", fw.edit.rename(TEMPLATE, {name: f"other{i}" for i, name in enumerate(TEMPLATE.sliders)}))
    assert plans.with_template(learned, other).prior is None
    assert plans.guessing_by(learned, None).prior is None


def test_a_session_guesses_by_what_was_learned_for_the_open_face_and_keeps_it() -> None:
    context = Context(Document(TEMPLATE), planned(), lambda run, newest=None: run())
    with pytest.raises(BadValue, match="nothing was learned for the open face"):
        context.apply(GuessPosesBy(source="learned"))
    context.apply(UseLearnedPrior(prior=lopsided()))
    context.apply(GuessPosesBy(source="learned"))
    plan = context.plan.value
    assert plan.prior is context.document.value.prior
    folder = Memory()
    data = PlanCodec().encode(None, plan, Blobs(folder))
    kept = PlanCodec().decode(None, data, Blobs(folder))
    assert some(kept.prior).sliders == some(plan.prior).sliders
    np.testing.assert_allclose(some(kept.prior).covariance, some(plan.prior).covariance)
    context.apply(GuessPosesBy(source="names"))
    assert context.plan.value.prior is None


def test_a_plan_of_an_earlier_version_lacks_what_it_did_not_have_and_keeps_the_rest() -> None:
    plan, folder = planned(pose("a", {FIRST: 0.8})), Memory()
    told = msgspec.msgpack.decode(PlanCodec().encode(None, plan, Blobs(folder)))
    earlier = {name: told[name] for name in ("template", "neutral", "pairs", "proposed", "mesh", "poses", "trust")}
    kept = PlanCodec().decode(None, msgspec.msgpack.encode({**earlier, "laid": None, "trust": 0.25}), Blobs(folder))
    assert (kept.template.name, kept.trust, kept.registered) == ("mask", 0.25, None)
    assert [one.name for one in kept.poses] == ["a"]


def test_guesses_have_sliders_that_exist_inside_their_bounds() -> None:
    plan = planned(pose("a", {FIRST: 0.8}))
    with pytest.raises(UnknownName, match="no slider named 'nope'"):
        plans.guess_pose(plan, "a", {"nope": 1})
    with pytest.raises(BadValue, match="goes from 0 to 1"):
        plans.guess_pose(plan, "a", {FIRST: 1.5})
    more = plans.guess_pose(plan, "a", {SECOND: 0.3})
    assert more.pose("a").guess == {FIRST: 0.8, SECOND: 0.3}
    assert plans.guess_pose(more, "a", {FIRST: None}).pose("a").guess == {SECOND: 0.3}
    assert plans.guess_pose(more, "a", None).pose("a").guess is None
    with pytest.raises(UnknownName, match="no pose named 'b'"):
        plans.guess_pose(plan, "b", {})
    with pytest.raises(BadValue, match="no shapes"):
        plans.with_template(plan, GivenFace("bare", bare(ACTOR.neutral)))


def test_poses_of_one_name_are_numbered_and_another_template_keeps_the_guesses_it_knows() -> None:
    plan = planned(pose("a", {FIRST: 0.8}), pose("a", {SECOND: 0.8}), pose("a", {THIRD: 0.8}))
    assert [one.name for one in plan.poses] == ["a", "a 2", "a 3"]
    fewer = fw.Rig(TEMPLATE.neutral, TEMPLATE.polygons, TEMPLATE.shapes[:1])
    assert [one.guess for one in plans.with_template(plan, GivenFace("one", fewer)).poses] == [{FIRST: 0.8}, None, None]


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("jawOpen", {"jawOpen": 1.0}),
        ("jaw_open", {"jawOpen": 1.0}),
        ("mouthSmile", {"mouthSmileLeft": 1.0, "mouthSmileRight": 1.0}),
        ("jawOpen + mouthSmile_L", {"jawOpen": 1.0, "mouthSmileLeft": 1.0}),
        ("shout", None),
        ("jawOpen + shout", None),
        ("", None),
    ],
)
def test_a_name_made_of_sliders_is_a_guess(name: str, guess: dict[str, float] | None) -> None:
    assert guess_by_name(name, fw.sample().sliders) == guess


def shuffled(rig: fw.Rig, positions: np.ndarray, seed: int) -> fw.Rig:
    """The same surface, its vertices in another order."""
    order = np.random.default_rng(seed).permutation(rig.vertex_count)
    return fw.Rig(positions[order], np.argsort(order)[rig.triangles])


@pytest.mark.parametrize("mesh", ["own", "template"])
def test_a_face_of_another_topology_is_rigged_on_its_own_mesh_or_on_the_templates(mesh: plans.Mesh) -> None:
    rig = template(vertices=900)
    person = fw.transfer(rig, bent(rig))
    there = np.argsort(np.random.default_rng(1).permutation(rig.vertex_count))
    plan = BuildPlan(GivenFace("mask", rig), GivenFace("scan", shuffled(rig, person.neutral, 1)), mesh=mesh)
    run = BuildRunner()
    assert run.check(plan).other_topology
    with pytest.raises(BadValue, match="at least 3 are needed"):
        register_template(plan, lambda _: None)
    spots = [int(i) for i in np.linspace(0, rig.vertex_count - 1, 12)]
    plan = plans.with_pairs(plan, [plans.Pair(i, int(there[i])) for i in spots])
    registered = register_template(plan, lambda _: None)
    assert registered.good, registered.verdict
    slider = rig.sliders[0]
    posed = shuffled(rig, fw.evaluate(person, {slider: 0.9}), 1)
    plan = plans.with_poses(plans.with_registered(plan, registered), [GivenPose("a", posed, {slider: 0.9})])
    found = run.solve(run.check(plan), unheard)
    assert np.array_equal(found.rig.triangles, posed.triangles) == (mesh == "own")
    assert found.rig.sliders == rig.sliders
    assert found.fits["a"].relative < 0.2


def test_a_scan_of_a_pose_with_a_topology_of_its_own_is_laid_onto_and_one_that_lies_elsewhere_is_refused() -> None:
    rig = template(vertices=900)
    person = fw.transfer(rig, bent(rig))
    slider = rig.sliders[0]
    posed = fw.evaluate(person, {slider: 0.9})
    plan = BuildPlan(GivenFace("mask", rig), GivenFace("person", fw.Rig(person.neutral, rig.polygons)))
    scan, away = shuffled(rig, posed, 1), shuffled(rig, posed + 10 * rig.size, 2)
    plan = plans.with_poses(plan, [GivenPose("scan", scan, {slider: 0.8}), GivenPose("away", away, {slider: 0.8})])
    run = BuildRunner()
    checked = run.check(plan)
    assert set(checked.positions) == {"scan"}
    assert "must lie where its neutral lies" in checked.obstacles["away"].reason
    near = np.linalg.norm(checked.positions["scan"] - posed, axis=1)
    assert np.median(near) < 0.01 * rig.size
    assert run.check(plans.guess_pose(plan, "scan", {slider: 0.9})).positions["scan"] is not None


def test_a_neutral_with_z_up_is_laid_upright_with_its_poses_as_a_step_and_kept() -> None:
    z_up = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    context = Context(Document(TEMPLATE), planned(pose("a", {FIRST: 0.8})), lambda run, newest=None: run())
    before = context.plan.value
    assert before.neutral is not None
    context.apply(LayUpright(up="z"))
    plan = context.plan.value
    assert plan.neutral is not None
    np.testing.assert_array_equal(plan.neutral.rig.neutral, before.neutral.rig.neutral @ z_up)
    np.testing.assert_array_equal(plan.poses[0].face.neutral, before.poses[0].face.neutral @ z_up)
    folder = Memory()
    kept = PlanCodec().decode(None, PlanCodec().encode(None, plan, Blobs(folder)), Blobs(folder))
    assert (kept.upright.up, kept.upright.words) == ("z", plan.upright.words)
    np.testing.assert_array_equal(kept.upright.turn, plan.upright.turn)
    context.apply(LayUpright(up="auto"))
    assert context.plan.value.upright.words == ""
    np.testing.assert_array_equal(some(context.plan.value.neutral).rig.neutral, before.neutral.rig.neutral)
    context.go_to("build", 0)
    assert context.plan.value is before
