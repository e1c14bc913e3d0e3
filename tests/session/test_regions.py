"""Regions are found, changed by hand and posed each for itself; all of it is undone, keyed and kept."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document, PlacedPin
from facewright.errors import BadValue, UnknownName
from facewright.mesh.topology import Topology, edge_lengths
from facewright.regions.bake import bake_regions
from facewright.regions.local_pose import is_local, local_name, weights_of
from facewright.regions.region_evaluator import RegionEvaluator
from facewright.rig import edit
from facewright.rig.evaluate import evaluate
from facewright.samples import mask
from facewright.session.edits import keys
from facewright.session.edits.face import change_face
from facewright.session.edits.held import hold_vertices, set_holding
from facewright.session.edits.pins import add_pin
from facewright.session.edits.pose import lock_sliders, reset_weights, set_weights
from facewright.session.edits.regions import (
    find_regions,
    merge_region,
    paint,
    remove_regions,
    rename_region,
    split_in_two,
)
from facewright.session.edits.time import choose_clip, go_to_time
from facewright.session.session import Session
from facewright.workflow.drag.drag import PinDrag, drag_pins
from facewright.workflow.drag.region_values import values_in
from facewright.workflow.solver_cache import SolverCache
from tests.some import some


@cache
def head() -> Document:
    """The embedded head with its regions, the mouth a little open."""
    rig = fw.sample()
    return find_regions(Document(rig, pose=rig.weights({"jawOpen": 0.2})), 0.75)


def shape_of(document: Document) -> np.ndarray:
    """Positions (v, 3)."""
    if document.regions is None:
        return evaluate(document.rig, document.pose)
    return RegionEvaluator(document.rig, document.regions)(weights_of(document), document.pose)


def liveliest(document: Document, region: str) -> int:
    """The vertex that the shapes together move most, among those deep in a region."""
    reach, field = np.linalg.norm(document.rig.deltas(), axis=2).sum(axis=0), some(document.regions).field(region)
    return int((reach * (field > 0.95 * field.max())).argmax())


def dragged(
    document: Document, region: str, by: tuple[float, float, float], **options: Any
) -> tuple[Document, int, np.ndarray]:
    """A drag, in a region, of its liveliest vertex by shares of the face's size: the vertex, where it should be."""
    vertex = liveliest(document, region) if region else liveliest(document, some(document.regions).names[-1])
    goal = shape_of(document)[vertex] + document.rig.size * np.array(by)
    number = 1 + max((pin.id for pin in document.pins), default=0)
    pinned = add_pin(document, PlacedPin(id=number, vertex=vertex))
    drag = PinDrag({number: tuple(goal)}, region=region, **options)
    return drag_pins(pinned, drag, SolverCache())[0], vertex, goal


REGIONS = ("left mouth and cheek", "mouth", "left brow", "mouth and nose", "jaw and tongue", "eye and brow")


@pytest.mark.parametrize("region", REGIONS)
def test_a_drag_in_a_region_moves_its_pin_and_nothing_outside(region: str) -> None:
    start = head()
    later, vertex, goal = dragged(start, region, (0.004, 0.008, 0.002))
    before, after = shape_of(start), shape_of(later)
    outside = some(start.regions).field(region) == 0
    np.testing.assert_array_equal(after[outside], before[outside])
    assert np.linalg.norm(after[vertex] - goal) < 0.7 * np.linalg.norm(before[vertex] - goal)
    np.testing.assert_array_equal(later.pose, start.pose)
    rows = weights_of(later)
    assert (rows >= start.rig.bounds[:, 0]).all()
    assert (rows <= start.rig.bounds[:, 1]).all()


@pytest.mark.parametrize("region", REGIONS)
def test_a_drag_in_a_region_leaves_no_step_at_its_border(region: str) -> None:
    start = head()
    later, _, _ = dragged(start, region, (0.004, 0.008, 0.002))
    moved = shape_of(later) - shape_of(start)
    edges = Topology(start.rig.polygons, start.rig.vertex_count).edges
    slope = np.linalg.norm(np.diff(moved[edges], axis=1)[:, 0], axis=1) / edge_lengths(start.rig.neutral, edges)
    field = some(start.regions).field(region)
    border = (field[edges].min(axis=1) < 0.5) & (field[edges].max(axis=1) >= 0.5)
    # The same values all over the face: as steep as the shapes themselves are.
    change = values_in(later, region) - values_in(start, region)
    plain = evaluate(start.rig, start.pose + change) - evaluate(start.rig, start.pose)
    steepest = np.linalg.norm(np.diff(plain[edges], axis=1)[:, 0], axis=1) / edge_lengths(start.rig.neutral, edges)
    assert slope[border].max() < 1.3 * steepest.max()


def test_a_drag_back_to_its_beginning_gives_the_beginning_back() -> None:
    start = dragged(head(), "mouth and nose", (0, 0.01, 0))[0]
    for region in ("", "mouth", "mouth and nose"):
        later = dragged(start, region, (0, 0, 0))[0]
        np.testing.assert_allclose(weights_of(later), weights_of(start), atol=1e-9)


def test_from_coarse_to_fine_each_drag_keeps_what_was_done_around_it() -> None:
    whole = dragged(head(), "", (0, -0.01, 0))[0]
    middle = dragged(whole, "mouth, jaw and tongue", (0.004, 0.006, 0))[0]
    fine, vertex, goal = dragged(middle, "mouth", (0, 0.006, 0.004))
    regions = some(fine.regions)
    np.testing.assert_array_equal(fine.pose, whole.pose)
    node = regions.node("mouth, jaw and tongue")
    np.testing.assert_array_equal(some(fine.local)[node], some(middle.local)[node])
    assert some(fine.local)[regions.node("mouth")].any()
    after = shape_of(fine)
    assert np.linalg.norm(after[vertex] - goal) < 0.6 * np.linalg.norm(shape_of(middle)[vertex] - goal)


@pytest.mark.parametrize("region", ["", "mouth, jaw and tongue"])
def test_a_coarser_drag_meets_its_pin_over_finer_work(region: str) -> None:
    """Where a finer region is at a bound already, the coarser one makes up for it as far as it can."""
    start = set_weights(head(), {"mouthSmileLeft": 0.9, "jawOpen": 0.5}, SolverCache(), "left mouth and cheek")
    solvers = SolverCache()
    vertex = liveliest(start, "left mouth and cheek")
    goal = shape_of(start)[vertex] + start.rig.size * np.array([0, -0.01, 0])
    pinned = add_pin(start, PlacedPin(id=1, vertex=vertex))
    later, found = drag_pins(pinned, PinDrag({1: tuple(goal)}, region=region), solvers)
    now = solvers.places(later).at(solvers.values(later))[0]
    np.testing.assert_allclose(now, shape_of(later)[vertex], atol=1e-9 * start.rig.size)
    assert np.linalg.norm(now - goal) == pytest.approx(found.residual[0], abs=1e-4 * start.rig.size)
    before = shape_of(start)[vertex]
    assert (now - before) @ (goal - before) > 0.8 * np.linalg.norm(goal - before) ** 2


def test_values_that_are_the_same_in_all_regions_are_the_plain_pose() -> None:
    start = head()
    for region in some(start.regions).names_at(0):
        start = set_weights(start, {"jawOpen": 0.7}, SolverCache(), region)
    plain = evaluate(start.rig, start.rig.weights({"jawOpen": 0.7}))
    np.testing.assert_allclose(shape_of(start), plain, atol=1e-12 * start.rig.size)


def test_a_slider_moved_in_a_region_moves_it_alone_and_within_its_bounds() -> None:
    start, solvers = head(), SolverCache()
    later = set_weights(start, {"browInnerUp": 7.0}, solvers, "left brow 2")
    assert values_in(later, "left brow 2")[later.rig.slider_index("browInnerUp")] == 1
    outside = some(start.regions).field("left brow 2") == 0
    np.testing.assert_array_equal(shape_of(later)[outside], shape_of(start)[outside])
    # Smaller regions inside go along; larger ones are as they were.
    assert values_in(later, "left brow")[later.rig.slider_index("browInnerUp")] == 1
    assert values_in(later, "brow")[later.rig.slider_index("browInnerUp")] == 0


def test_a_region_goes_along_with_the_whole_face_and_keeps_its_difference() -> None:
    solvers = SolverCache()
    start = set_weights(head(), {"jawOpen": 0.5}, solvers, "mouth")
    later = set_weights(start, {"jawOpen": 0.4}, solvers)
    column = later.rig.slider_index("jawOpen")
    assert values_in(later, "mouth")[column] == pytest.approx(0.7)
    full = set_weights(start, {"jawOpen": 1.0}, solvers)
    assert values_in(full, "mouth")[column] == 1
    np.testing.assert_allclose(values_in(set_weights(full, {"jawOpen": 0.2}, solvers), "mouth")[column], 0.5)


def test_the_whole_as_a_region_is_the_face() -> None:
    start = head()
    later = set_weights(start, {"jawOpen": 0.9}, SolverCache(), some(start.regions).names[-1])
    assert later.pose[later.rig.slider_index("jawOpen")] == 0.9
    assert not is_local(later)


def test_resetting_a_region_gives_it_the_values_around_it_and_resetting_the_face_clears_all() -> None:
    solvers = SolverCache()
    start = set_weights(head(), {"jawOpen": 0.5, "browInnerUp": 0.4}, solvers, "mouth and nose")
    start = set_weights(start, {"jawOpen": 0.9}, solvers, "mouth")
    one = reset_weights(start, ["jawOpen"], solvers, "mouth and nose")
    column = one.rig.slider_index("jawOpen")
    assert values_in(one, "mouth")[column] == one.pose[column] == 0.2
    assert values_in(one, "mouth")[one.rig.slider_index("browInnerUp")] == 0.4
    none = reset_weights(start, None, solvers)
    assert none.local is None
    np.testing.assert_array_equal(shape_of(none), none.rig.neutral)


def test_locked_sliders_stay_in_regions_too() -> None:
    start = lock_sliders(head(), ["jawOpen"], True)
    with pytest.raises(BadValue, match="locked"):
        set_weights(start, {"jawOpen": 0.5}, SolverCache(), "mouth")
    later = dragged(start, "mouth", (0, -0.01, 0))[0]
    assert later.local is not None
    assert not later.local[:, later.rig.slider_index("jawOpen")].any()


def test_held_points_are_spared_by_what_a_region_does() -> None:
    start = head()
    vertex = liveliest(start, "mouth")
    near = np.argsort(np.linalg.norm(start.rig.neutral - start.rig.neutral[vertex], axis=1))[200:230]
    held = set_holding(hold_vertices(start, near.tolist()), True, None)

    def motion(document: Document) -> float:
        later = set_weights(document, {"jawOpen": 0.8}, SolverCache(), "mouth")
        return float(np.linalg.norm((shape_of(later) - shape_of(document))[near]))

    assert 0 < motion(held) < 0.5 * motion(start)


def test_a_pin_outside_is_refused_in_words_and_one_that_holds_at_the_border_holds() -> None:
    start = head()
    vertex = liveliest(start, "left brow")
    pinned = add_pin(start, PlacedPin(id=4, vertex=vertex))
    with pytest.raises(BadValue, match="outside 'mouth'"):
        drag_pins(pinned, PinDrag({4: (0, 0, 0)}, region="mouth"), SolverCache())
    with pytest.raises(UnknownName, match="'nowhere'"):
        drag_pins(pinned, PinDrag({4: (0, 0, 0)}, region="nowhere"), SolverCache())
    with pytest.raises(BadValue, match="no regions yet"):
        drag_pins(remove_regions(pinned), PinDrag({4: (0, 0, 0)}, region="mouth"), SolverCache())
    field = some(start.regions).field("mouth")
    reach = np.linalg.norm(start.rig.deltas(), axis=2).sum(axis=0)
    border = int((reach * ((field > 0.3) & (field < 0.7))).argmax())
    free = add_pin(start, PlacedPin(id=7, vertex=border))
    holds = add_pin(start, PlacedPin(id=7, vertex=border, hold=True))

    def motion(document: Document) -> float:
        later = dragged(document, "mouth", (0, -0.008, 0))[0]
        return float(np.linalg.norm((shape_of(later) - shape_of(document))[border]))

    assert motion(holds) < 0.3 * motion(free)


def test_of_several_dragged_pins_those_outside_stay_with_their_own_regions() -> None:
    start = head()
    brow, mouth = liveliest(start, "left brow"), liveliest(start, "mouth")
    pinned = add_pin(add_pin(start, PlacedPin(id=1, vertex=brow)), PlacedPin(id=2, vertex=mouth))
    goals = {i: tuple(shape_of(start)[v] + 0.01 * start.rig.size) for i, v in ((1, brow), (2, mouth))}
    later, found = drag_pins(pinned, PinDrag(goals, region="mouth"), SolverCache())
    assert found.ids == (2,)
    np.testing.assert_array_equal(shape_of(later)[brow], shape_of(start)[brow])


@pytest.mark.parametrize(("region", "by"), [("left mouth and cheek", (0.006, 0.008, 0)), ("mouth", (0, -0.008, 0))])
def test_a_symmetric_drag_in_a_region_moves_its_mirror_image_alike(region: str, by: tuple[float, float, float]) -> None:
    start = head()
    later = dragged(start, region, by, symmetric=True)[0]
    sides = SolverCache().symmetry(start.rig)
    moved = shape_of(later) - shape_of(start)
    has = sides.partner >= 0
    away = np.linalg.norm(moved[sides.partner[has]] - sides.plane.mirror_vectors(moved[has]), axis=1)
    assert away.max() < 0.05 * np.linalg.norm(moved, axis=1).max()


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_a_drag_in_a_region_does_not_depend_on_the_scenes_unit(scale: float) -> None:
    start = head()
    small = replace(start, rig=edit.scale(start.rig, scale))
    one, other = (dragged(each, "mouth", (0, -0.008, 0.002))[0] for each in (start, small))
    np.testing.assert_allclose(weights_of(other), weights_of(one), atol=1e-6)


# Regions changed by hand


def posed() -> Document:
    solvers = SolverCache()
    start = set_weights(head(), {"jawOpen": 0.6}, solvers, "mouth and nose")
    return set_weights(start, {"mouthSmileLeft": 0.8, "jawOpen": 0.3}, solvers, "left mouth and cheek")


def test_every_change_of_regions_is_one_step_that_can_be_undone() -> None:
    session = Session(replace(posed(), regions=None, local=None))
    solvers = SolverCache()
    brow = np.flatnonzero(some(head().regions).labels() == some(head().regions).node("left brow"))[:5].tolist()
    steps = [
        lambda d: find_regions(d, 0.75),
        lambda d: rename_region(d, "mouth", "upper lip"),
        lambda d: merge_region(d, "left brow", "left brow and nose"),
        lambda d: split_in_two(d, "nose", solvers),
        lambda d: paint(d, "nose 2" if "nose 2" in d.regions.names else d.regions.names[0], brow),
        lambda d: paint(d, d.regions.names[0], brow, "remove"),
        remove_regions,
    ]
    seen = [session.value]
    for step in steps:
        session.do("step", step)
        seen.append(session.value)
    assert len(session.history.labels) == len(steps)
    for document in reversed(seen[:-1]):
        session.undo()
        assert session.value is document


def test_a_renamed_region_keeps_its_pose_and_its_curves() -> None:
    start = keys.set_keys(posed(), 1.0)
    later = rename_region(start, "mouth and nose", "muzzle")
    np.testing.assert_array_equal(later.local, start.local)
    assert local_name("jawOpen", "muzzle") in later.clips[0].curves
    assert local_name("jawOpen", "mouth and nose") not in later.clips[0].curves
    for bad, why in (("mouth", "already"), ("", "needs a name")):
        with pytest.raises(BadValue, match=why):
            rename_region(start, "mouth and nose", bad)
    with pytest.raises(UnknownName):
        rename_region(start, "nothing", "something")


def test_splitting_leaves_the_face_as_it_is_and_painting_moves_only_what_is_painted() -> None:
    start, solvers = posed(), SolverCache()
    split = split_in_two(start, "left mouth and cheek", solvers)
    assert some(split.regions).count == some(start.regions).count + 1
    assert "left mouth and cheek" in some(split.regions).names
    # A half fades into its neighbours as the whole did, but for how deep it is.
    away = np.linalg.norm(shape_of(split) - shape_of(start), axis=1)
    assert away.max() < 0.02 * start.rig.size
    labels = some(start.regions).labels()
    cheek = some(start.regions).node("left mouth and cheek")
    edges = Topology(start.rig.polygons, start.rig.vertex_count).edges
    a, b = labels[edges].T
    beside = np.unique(edges[(a == cheek) != (b == cheek)])
    painted = paint(start, "left mouth and cheek", beside[labels[beside] != cheek].tolist())
    assert (some(painted.regions).labels() == cheek).sum() > (labels == cheek).sum()
    np.testing.assert_array_equal(painted.local, start.local)
    far = (
        np.linalg.norm(start.rig.neutral - start.rig.neutral[labels == cheek].mean(axis=0), axis=1)
        > 0.4 * start.rig.size
    )
    np.testing.assert_array_equal(shape_of(painted)[far], shape_of(start)[far])
    back = paint(painted, "left mouth and cheek", beside[labels[beside] != cheek].tolist(), "remove")
    assert (some(back.regions).labels() == cheek).sum() <= (labels == cheek).sum()


def test_a_merged_region_has_the_pose_of_the_first_and_the_others_keep_theirs() -> None:
    start = posed()
    later = merge_region(start, "left mouth and cheek", "mouth")
    assert "mouth" not in some(later.regions).names_at(0)
    np.testing.assert_allclose(values_in(later, "left mouth and cheek"), values_in(start, "left mouth and cheek"))
    both = some(start.regions).field("left mouth and cheek") + some(start.regions).field("mouth")
    np.testing.assert_allclose(shape_of(later)[both == 0], shape_of(start)[both == 0], atol=1e-12 * start.rig.size)


def test_regions_found_anew_are_posed_as_the_old_ones_were() -> None:
    start = keys.set_keys(posed(), 0.5)
    later = find_regions(start, 0.4)
    moved = np.linalg.norm(shape_of(start) - evaluate(start.rig, start.pose), axis=1)
    away = np.linalg.norm(shape_of(later) - shape_of(start), axis=1)
    assert np.median(away[moved > 0.1 * moved.max()]) < 0.3 * np.median(moved[moved > 0.1 * moved.max()])
    at = go_to_time(later, 0.5)
    np.testing.assert_allclose(weights_of(at), weights_of(later), atol=1e-12)
    again = find_regions(posed(), 0.75)
    np.testing.assert_allclose(shape_of(again), shape_of(posed()), atol=1e-9 * start.rig.size)


def test_without_regions_the_face_has_the_pose_of_the_whole() -> None:
    start = keys.set_keys(posed(), 0.5)
    none = remove_regions(start)
    assert none.local is None
    assert set(none.clips[0].curves) == set(none.rig.sliders)
    np.testing.assert_array_equal(shape_of(none), evaluate(start.rig, start.pose))
    assert remove_regions(none) is none
    with pytest.raises(BadValue, match="no regions yet"):
        split_in_two(none, "mouth", SolverCache())


# Time


def test_what_regions_add_is_keyed_and_scrubbed() -> None:
    solvers = SolverCache()
    start = keys.set_keys(head(), 0.0)
    start = keys.set_keys(start, 2.0)
    posed_at = set_weights(go_to_time(start, 1.0), {"jawOpen": 0.9}, solvers, "mouth")
    keyed = keys.set_keys(posed_at, 1.0)
    name = local_name("jawOpen", "mouth")
    np.testing.assert_allclose(keyed.clips[0].curves[name].times, [0, 1, 2])
    column = keyed.rig.slider_index("jawOpen")
    for time, value in ((0.0, 0.2), (0.5, 0.55), (1.0, 0.9), (2.0, 0.2)):
        assert values_in(go_to_time(keyed, time), "mouth")[column] == pytest.approx(value)
    assert not is_local(go_to_time(keyed, 2.0))
    moved = keys.move_keys(keyed, {name: [1.0]}, by=0.5)
    assert values_in(go_to_time(moved, 1.5), "mouth")[column] == pytest.approx(0.9)
    gone = keys.delete_keys(go_to_time(keyed, 1.0), {name: [1.0]})
    assert values_in(gone, "mouth")[column] == pytest.approx(0.2)
    some = keys.set_keys(posed_at, 1.0, ["browInnerUp"])
    assert name not in some.clips[0].curves


def test_a_document_with_posed_regions_comes_back_from_its_file(tmp_path: Path) -> None:
    start = keys.set_keys(posed(), 0.5)
    fw.save(start, tmp_path / "face.fwface")
    back = fw.load_document(tmp_path / "face.fwface")
    np.testing.assert_array_equal(back.local, start.local)
    assert set(back.clips[0].curves) == set(start.clips[0].curves)
    np.testing.assert_array_equal(shape_of(back), shape_of(start))


def test_another_face_of_the_same_polygons_keeps_the_regions_and_their_pose() -> None:
    start = keys.set_keys(posed(), 0.5)
    other = Document(fw.sample("amara"))
    later = change_face(start, other)
    assert later.regions is start.regions
    np.testing.assert_array_equal(weights_of(later), weights_of(start))
    assert local_name("jawOpen", "mouth and nose") in later.clips[0].curves
    strange = change_face(start, Document(mask(vertices=400, shapes=6)))
    assert strange.regions is None
    assert strange.local is None


# Baking


def test_a_baked_clip_plays_the_same_without_regions() -> None:
    solvers = SolverCache()
    start = keys.set_keys(head(), 0.0)
    start = set_weights(go_to_time(start, 1.0), {"jawOpen": 0.9, "mouthSmileLeft": 0.5}, solvers, "mouth")
    start = set_weights(start, {"jawOpen": 0.6}, solvers)  # the mouth meets its bound
    start = keys.set_keys(start, 1.0)
    baked = bake_regions(go_to_time(start, 0.3))
    assert baked.added
    assert not any("@" in name and name not in baked.document.rig.sliders for name in baked.document.clips[0].curves)
    for time in (0.0, 1 / 3, 0.5, 1.0):
        wanted = shape_of(go_to_time(start, time))
        there = go_to_time(choose_clip(baked.document, baked.document.clips[0].name), time)
        np.testing.assert_allclose(evaluate(there.rig, there.pose), wanted, atol=1e-9 * start.rig.size)
    assert "jawOpen @ mouth" in str(baked)
