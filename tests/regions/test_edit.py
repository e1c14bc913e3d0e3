"""Regions changed by hand."""

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.regions.edit import merge_regions, paint_region, split_region
from facewright.regions.overlap import overlapping
from facewright.rig.regions import Regions
from facewright.rig.tree import tree_of
from tests.regions.surfaces import sheet

RIG = sheet(24, 8)
LEVELS = [[0, 0, 1, 2], [0, 0, 1, 1]]


def strips() -> Regions:
    """Four strips a to d side by side; a and b join first, then c and d."""
    labels = (RIG.neutral[:, 0] // 6).astype(int)
    names = {members: "+".join("abcd"[i] for i in members) for members in tree_of(4, LEVELS)[2]}
    return Regions.of(overlapping(RIG, labels), LEVELS, names)


def test_merged_regions_are_one_and_the_rest_is_as_before():
    before = strips()
    after = merge_regions(before, ["b", "c"], "middle")
    assert after.names_at(0) == ("a", "middle", "d")
    np.testing.assert_allclose(after.field("middle"), before.field("b") + before.field("c"), atol=1e-12)
    np.testing.assert_array_equal(after.field("d"), before.field("d"))
    # a and b were one at level 1, so a and the middle are.
    assert set(after.members(after.names_at(1)[-1])) == {0, 1}
    assert after.names[-1] == "a+b+c+d"


def test_a_region_of_any_level_may_be_merged():
    after = merge_regions(strips(), ["a+b", "c"], "most")
    assert after.names_at(0) == ("most", "d")
    assert after.levels == 2
    assert merge_regions(strips(), ["a+b+c+d"], "all").names == ("all",)


def test_a_split_region_is_still_there_at_the_next_level():
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


def test_painted_vertices_change_sides_and_weights_only_near_them():
    before = strips()
    painted = np.flatnonzero((RIG.neutral[:, 0] == 6) & (RIG.neutral[:, 1] < 3))
    after = paint_region(before, RIG, "a", painted)
    np.testing.assert_array_equal(after.labels()[painted], 0)
    assert after.names == before.names
    np.testing.assert_allclose(after.weights.sum(axis=0), 1)
    changed = np.asarray(abs(after.weights - before.weights).sum(axis=0)) > 0
    assert (RIG.neutral[changed, 0] < 13).all()
    assert changed[painted].all()


def test_painting_what_is_already_so_changes_nothing():
    before = strips()
    after = paint_region(before, RIG, "c", np.flatnonzero(before.labels() == 2))
    assert (after.weights != before.weights).nnz == 0


def test_mistakes_are_told():
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
