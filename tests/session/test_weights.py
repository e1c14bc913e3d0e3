"""Sliders go where they are put, within bounds, and spare held points while those are on."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.regions.local_pose import weights_of
from facewright.rig.evaluate import evaluate
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.held import SetHolding, hold_vertices, set_hold_axes, set_holding
from facewright.session.edits.pose import SetWeights, lock_sliders, mirror_pose, reset_weights, set_weights
from facewright.session.edits.regions import find_regions
from facewright.session.views.pose import pose
from facewright.workflow.drag.region_values import values_in
from facewright.workflow.solver_cache import SolverCache
from tests.session.faces import document, lively_vertex
from tests.some import some


def test_a_slider_goes_where_it_is_put_and_no_other_moves() -> None:
    one = document()
    name = one.rig.sliders[3]
    two = set_weights(one, {name: 0.9}, SolverCache())
    assert two.pose[3] == 0.9
    np.testing.assert_array_equal(np.delete(two.pose, 3), np.delete(one.pose, 3))


@pytest.mark.parametrize(("value", "kept"), [(7.0, 1.0), (-3.0, 0.0)])
def test_a_slider_stays_within_its_bounds(value: float, kept: float) -> None:
    one = document()
    assert set_weights(one, {one.rig.sliders[0]: value}, SolverCache()).pose[0] == kept


def test_a_slider_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownName, match="nobody"):
        set_weights(document(), {"nobody": 1.0}, SolverCache())


def test_a_locked_slider_is_not_moved_and_not_reset() -> None:
    at, name = 2, document().rig.sliders[2]
    one = lock_sliders(document(), [name], True)
    with pytest.raises(BadValue, match=f"{name} is locked"):
        set_weights(one, {name: 0.0}, SolverCache())
    two = reset_weights(one, None, SolverCache())
    assert two.pose[at] == one.pose[at]
    assert not np.delete(two.pose, at).any()
    assert lock_sliders(one, [name], False).locked == ()


def test_a_slider_that_goes_on_turns_off_the_one_it_excludes() -> None:
    one = document()
    a, b = one.rig.sliders[:2]
    one = replace(one, rig=replace(one.rig, exclusive=((a, b),)))
    two = set_weights(one, {b: 0.5}, SolverCache())
    assert (two.pose[0], two.pose[1]) == (0.0, 0.5)
    assert set_weights(one, {b: 0.0}, SolverCache()).pose[0] == one.pose[0]


def test_a_reset_goes_to_the_bound_nearest_to_0() -> None:
    one = document()
    bounds = one.rig.bounds.copy()
    bounds[0] = (0.25, 0.75)
    one = replace(one, rig=replace(one.rig, bounds=bounds))
    assert reset_weights(one, None, SolverCache()).pose[0] == 0.25


def holding(one: Document) -> tuple[Document, int]:
    vertex = lively_vertex(one.rig)
    return set_holding(hold_vertices(one, [vertex]), True, 1e6), vertex


def moved(one: Document, two: Document, vertex: int) -> np.ndarray:
    return np.asarray(evaluate(two.rig, two.pose)[vertex] - evaluate(one.rig, one.pose)[vertex])


def test_switching_holding_on_and_off_moves_nothing() -> None:
    one = document()
    held, _ = holding(one)
    np.testing.assert_array_equal(held.pose, one.pose)
    slid = set_weights(held, {one.rig.sliders[0]: 0.95}, SolverCache())
    np.testing.assert_array_equal(set_holding(slid, False, None).pose, slid.pose)


def test_a_held_point_stays_while_sliders_move() -> None:
    one = document()
    held, vertex = holding(one)
    reach = [np.linalg.norm(shape.dense(one.rig.vertex_count)[vertex]) for shape in one.rig.shapes]
    name = one.rig.sliders[int(np.argmax(reach))]
    free = set_weights(one, {name: 1.0}, SolverCache())
    spared = set_weights(held, {name: 1.0}, SolverCache())
    assert np.linalg.norm(moved(one, free, vertex)) > 1e-3 * one.rig.size
    assert np.linalg.norm(moved(one, spared, vertex)) < 1e-2 * np.linalg.norm(moved(one, free, vertex))
    assert (spared.pose >= one.rig.bounds[:, 0] - 1e-9).all()
    assert (spared.pose <= one.rig.bounds[:, 1] + 1e-9).all()


def test_a_locked_slider_does_not_help_to_spare_held_points() -> None:
    one = document()
    held, vertex = holding(one)
    reach = [np.linalg.norm(shape.dense(one.rig.vertex_count)[vertex]) for shape in one.rig.shapes]
    best, second = np.argsort(reach)[::-1][:2]
    locked = lock_sliders(held, [one.rig.sliders[second]], True)
    spared = set_weights(locked, {one.rig.sliders[best]: 1.0}, SolverCache())
    assert spared.pose[second] == pytest.approx(one.pose[second], abs=1e-12)


def test_held_points_are_added_taken_away_and_chosen_anew() -> None:
    one = hold_vertices(document(), [5, 3], "xz")
    assert one.held.vertices.tolist() == [3, 5]
    assert one.held.axes.tolist() == [5, 5]
    two = hold_vertices(one, [5, 9], "y")
    assert two.held.axes.tolist() == [5, 7, 2]
    three = hold_vertices(two, [3, 5], "xz", "remove")
    assert (three.held.vertices.tolist(), three.held.axes.tolist()) == ([5, 9], [2, 2])
    assert hold_vertices(three, [1], mode="set").held.vertices.tolist() == [1]
    assert set_hold_axes(two, "x").held.axes.tolist() == [1, 1, 1]
    assert hold_vertices(one, [3], "x") is one


def test_a_vertex_that_does_not_exist_cannot_be_held() -> None:
    with pytest.raises(BadValue, match="600"):
        hold_vertices(document(), [600])


def test_a_mirrored_pose_has_left_and_right_exchanged_and_mirrored_twice_it_is_the_pose_again() -> None:
    rig = fw.sample()
    solvers = SolverCache()
    wanted = {"mouthSmileLeft": 0.8, "browDownRight": 0.3, "jawOpen": 0.4}
    before = replace(find_regions(Document(rig, pose=wanted), 0.75), locked=("browDownLeft",))
    regions = some(before.regions)
    cheek = next(name for name in regions.names if "left" in name and "cheek" in name)
    before = set_weights(before, {"cheekPuff": 0.6}, solvers, cheek)
    after = mirror_pose(before, solvers)
    values = dict(zip(rig.sliders, after.pose.tolist(), strict=True))
    assert (values["mouthSmileLeft"], values["mouthSmileRight"], values["jawOpen"]) == (0.0, 0.8, 0.4)
    assert (values["browDownLeft"], values["browDownRight"]) == (0.0, 0.3)  # one of the pair is locked
    image = regions.names[solvers.mirrors(rig, regions)[regions.node(cheek)]]
    assert image != cheek
    assert values_in(after, image)[rig.slider_index("cheekPuff")] == pytest.approx(0.6)
    assert values_in(after, cheek)[rig.slider_index("cheekPuff")] == 0.0
    again = mirror_pose(after, solvers)
    np.testing.assert_array_equal(again.pose, before.pose)
    np.testing.assert_array_equal(weights_of(again), weights_of(before))
    middle = Document(rig, pose={"jawOpen": 0.4})
    assert mirror_pose(middle, solvers) is middle


def test_what_held_points_move_along_is_told_and_what_was_set_is_no_part_of_it() -> None:
    one = document()
    vertex = lively_vertex(one.rig)
    one = set_holding(hold_vertices(one, [vertex]), on=True, alpha=None)
    context = Context(one, fresh_plan(), lambda run, newest=None: run())
    name = one.rig.sliders[int(np.argmax([np.linalg.norm(d) for d in one.rig.deltas()[:, vertex]]))]
    before = context.document.value.pose
    context.apply(SetWeights(weights={name: 1.0}))
    assert context.along is not None
    changed = context.document.value.pose - before
    changed[one.rig.slider_index(name)] = 0.0
    np.testing.assert_allclose(context.along, changed)
    told = pose(context, seq=0, gesture=0, revision=0, dragged=None)
    assert told.along == (np.abs(changed) >= 5e-4).sum() > 0
    context.apply(SetHolding(on=False))
    assert context.along is None
