"""Regions changed by hand."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.mesh.plane import Plane
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.regions.edit import erase_region, merge_regions, paint_region, split_region
from facewright.regions.halves import halves_of
from facewright.regions.local_pose import weights_of
from facewright.regions.replace import with_regions
from facewright.regions.soft_borders import soft_weights
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.tree import tree_of
from tests.regions.surfaces import sheet

RIG = sheet(24, 8)
LEVELS = [[0, 0, 1, 2], [0, 0, 1, 1]]


def strips() -> Regions:
    """Four strips a to d side by side; a and b join first, then c and d."""
    labels = (RIG.neutral[:, 0] // 6).astype(int)
    names = {members: "+".join("abcd"[i] for i in members) for members in tree_of(4, LEVELS)[2]}
    return Regions.of(soft_weights(RIG, labels), LEVELS, names)


def test_merged_regions_are_one_and_the_rest_is_as_before() -> None:
    before = strips()
    after = merge_regions(before, ["b", "c"], "middle")
    assert after.names_at(0) == ("a", "middle", "d")
    np.testing.assert_allclose(after.field("middle"), before.field("b") + before.field("c"), atol=1e-12)
    np.testing.assert_array_equal(after.field("d"), before.field("d"))
    # a and b were one at level 1, so a and the middle are.
    assert set(after.members(after.names_at(1)[-1])) == {0, 1}
    assert after.names[-1] == "a+b+c+d"


def test_a_region_of_any_level_may_be_merged() -> None:
    after = merge_regions(strips(), ["a+b", "c"], "most")
    assert after.names_at(0) == ("most", "d")
    assert after.levels == 2
    assert merge_regions(strips(), ["a+b+c+d"], "all").names == ("all",)


def test_a_split_region_is_still_there_at_the_next_level() -> None:
    before = strips()
    low = np.flatnonzero((before.labels() == 1) & (RIG.neutral[:, 1] < 4))
    after = split_region(before, RIG, "b", low, ("b up", "b low"))
    assert after.names_at(0) == ("a", "b up", "c", "d", "b low")
    assert set(after.names_at(1)) == {"a", "c", "d", "b"}
    assert [set(after.names_at(level + 1)) for level in range(before.levels)] == [
        set(before.names_at(level)) for level in range(before.levels)
    ]
    np.testing.assert_array_equal(after.labels()[low], 4)
    np.testing.assert_allclose(after.weights.sum(axis=0), 1)
    far = RIG.neutral[:, 0] > 16
    np.testing.assert_array_equal(after.field("d")[far], before.field("d")[far])


def test_painted_vertices_change_sides_and_weights_only_near_them() -> None:
    before = strips()
    painted = np.flatnonzero((RIG.neutral[:, 0] == 6) & (RIG.neutral[:, 1] < 3))
    after = paint_region(before, RIG, "a", painted)
    np.testing.assert_array_equal(after.labels()[painted], 0)
    assert after.names == before.names
    np.testing.assert_allclose(after.weights.sum(axis=0), 1)
    changed = np.asarray(abs(after.weights - before.weights).sum(axis=0)) > 0
    assert (RIG.neutral[changed, 0] < 13).all()
    assert changed[painted].all()


def test_painting_what_is_already_so_changes_nothing() -> None:
    before = strips()
    after = paint_region(before, RIG, "c", np.flatnonzero(before.labels() == 2))
    assert (after.weights - before.weights).count_nonzero() == 0


def test_mistakes_are_told() -> None:
    regions = strips()
    with pytest.raises(BadValue, match="at least two"):
        merge_regions(regions, ["a"], "x")
    with pytest.raises(UnknownName):
        merge_regions(regions, ["a", "x"], "y")
    with pytest.raises(BadValue, match="made of a, b"):
        paint_region(regions, RIG, "a+b", [0])
    with pytest.raises(BadValue, match="merge the two"):
        paint_region(regions, RIG, "a", np.flatnonzero(regions.labels() == 1))
    with pytest.raises(BadValue, match="its own vertices"):
        split_region(regions, RIG, "a", [23], ("x", "y"))
    with pytest.raises(BadValue, match="index 999"):
        paint_region(regions, RIG, "a", [999])
    with pytest.raises(BadValue, match="for 192 vertices"):
        paint_region(regions, sheet(4, 4), "a", [0])


def test_erased_vertices_go_to_the_region_beside_them() -> None:
    before = strips()
    own = before.labels() == 1
    right = np.flatnonzero(own & (RIG.neutral[:, 0] >= 9))
    after = erase_region(before, RIG, "b", right)
    assert (after.labels()[right] == 2).all()
    kept = np.setdiff1d(np.arange(RIG.vertex_count), right)
    assert (after.labels()[kept] == before.labels()[kept]).all()
    sides = np.flatnonzero(own & (RIG.neutral[:, 0] != 8))
    both = erase_region(before, RIG, "b", sides).labels()[sides]
    assert both.tolist() == np.where(RIG.neutral[sides, 0] < 8, 0, 2).tolist()
    inner = np.flatnonzero(own & (RIG.neutral[:, 0] > 6) & (RIG.neutral[:, 0] < 11))
    assert erase_region(before, RIG, "b", inner).labels().tolist() == before.labels().tolist()  # touches no other
    elsewhere = np.flatnonzero(before.labels() == 3)
    assert erase_region(before, RIG, "b", elsewhere).labels().tolist() == before.labels().tolist()


def test_nothing_of_a_region_may_not_be_left() -> None:
    before = strips()
    with pytest.raises(BadValue, match="nothing would be left of 'b'"):
        erase_region(before, RIG, "b", np.flatnonzero(before.labels() == 1))
    with pytest.raises(BadValue, match="made of a, b"):
        erase_region(before, RIG, "a+b", [0])


@pytest.mark.parametrize("up", [0, 1, 2])
def test_a_region_is_cut_across_its_longest_side_into_equal_halves(up: int) -> None:
    """Strips 6 wide and 8 high; turned so that they are longest along each axis in turn."""
    rig = replace(RIG, neutral=np.roll(RIG.neutral, up, axis=1))
    halves = halves_of(rig, strips(), "b", Plane(np.array([1.0, 0.0, 0.0]), -100.0))
    own = np.flatnonzero(strips().labels() == 1)
    assert set(halves.second) < set(own)
    assert abs(len(halves.second) - len(own) / 2) <= 8
    words = {0: ("upper b", "lower b"), 1: ("front b", "back b"), 2: ("inner b", "outer b")}
    assert halves.names == words[up]


def test_a_region_across_the_middle_falls_into_left_and_right() -> None:
    wide = merge_regions(strips(), ["b", "c"], "brow")
    halves = halves_of(RIG, wide, "brow", Plane(np.array([1.0, 0.0, 0.0]), 11.5))
    assert halves.names == ("left brow", "right brow")
    assert (RIG.neutral[halves.second, 0] < 11.5).all()
    with pytest.raises(BadValue, match="made of"):
        halves_of(RIG, strips(), "a+b", Plane(np.array([1.0, 0.0, 0.0])))


def test_other_regions_carry_over_what_the_old_ones_add() -> None:
    old = strips()
    local = np.zeros((len(old.names), 1))
    local[old.node("b")], local[old.node("a+b")], local[old.node("c+d")] = 0.25, 0.5, -0.125
    curve = Curve([0.0, 1.0], [0.0, 0.25])
    clip = Clip("take", {"s": Curve([0.0], [1.0]), "s @ b": curve, "s @ a+b": Curve([0.0, 0.5], [0.5, 0.0])})
    document = Document(one_slider(), (clip,), regions=old, local=local)
    cut = with_regions(document, split_region(old, RIG, "b", np.flatnonzero(old.labels() == 1)[:9], ("b1", "b2")))
    np.testing.assert_allclose(weights_of(cut)[:, 0], [0.5, 0.75, -0.125, -0.125, 0.75])
    assert cut.clips[0].curves["s @ b"] is curve
    merged = with_regions(document, merge_regions(old, ["b", "c"], "b"))
    np.testing.assert_allclose(weights_of(merged)[:, 0], [0.5, 0.75, -0.125])
    anew = with_regions(document, old, by_name=False)
    np.testing.assert_allclose(weights_of(anew), weights_of(document))
    np.testing.assert_allclose(anew.clips[0].curves["s @ b"]([0.0, 0.25, 0.5, 1.0]), [0.5, 0.3125, 0.125, 0.25])
    none = with_regions(document, None)
    assert list(none.clips[0].curves) == ["s"]
    assert none.local is None


def one_slider() -> Rig:
    shape = Shape("s", np.arange(RIG.vertex_count), np.ones((RIG.vertex_count, 3)))
    return Rig(RIG.neutral, RIG.polygons, (shape,), bounds=[[-1.0, 1.0]])
