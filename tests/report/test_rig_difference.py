"""Two rigs of one topology: distances against dense arrays, names in any spelling, and what only one of them has."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.errors import OtherTopology
from tests.report.report_rigs import random_rig, rig_of


def test_the_distance_is_that_of_the_dense_offsets_relative_to_the_longer_shape() -> None:
    one, other = random_rig(1, vertices=20), random_rig(2, vertices=20)
    found = fw.compare_rigs(one, other)
    assert [shape.name for shape in found.shapes] == list(one.shape_names)
    for shape, a, b in zip(found.shapes, one.deltas(), other.deltas(), strict=True):
        gap = np.linalg.norm(a - b, axis=1)
        assert shape.distance == pytest.approx(np.linalg.norm(a - b) / max(np.linalg.norm(a), np.linalg.norm(b)))
        assert shape.furthest == pytest.approx(gap.max() / one.size)
        assert shape.vertex == gap.argmax()
    apart = np.linalg.norm(one.neutral - other.neutral, axis=1)
    assert found.neutral == pytest.approx(np.sqrt((apart**2).mean()) / one.size)
    assert found.furthest == pytest.approx(apart.max() / one.size)
    assert found.scale == pytest.approx(other.size / one.size)


def test_a_rig_does_not_differ_from_itself() -> None:
    rig = random_rig(3)
    found = fw.compare_rigs(rig, rig)
    assert all((s.distance, s.furthest, s.vertex, s.driven_alike) == (0, 0, -1, True) for s in found.shapes)
    assert (found.neutral, found.furthest, found.scale, found.same_polygons) == (0, 0, 1, True)
    assert not any((found.missing, found.extra, found.missing_sliders, found.extra_sliders, found.other_bounds))


def test_exchanging_both_exchanges_what_is_missing_and_keeps_the_distances() -> None:
    rig = random_rig(4)
    more = fw.edit.add_shape(fw.edit.drop_shape(rig, "s1"), fw.Shape("new", [2], [[0, 1.0, 0]]))
    one, other = fw.compare_rigs(rig, more), fw.compare_rigs(more, rig)
    assert (one.missing, one.extra) == (other.extra, other.missing) == (("s1",), ("new",))
    assert (one.missing_sliders, one.extra_sliders) == (("s1",), ("new",))
    assert [s.distance for s in one.shapes] == [s.distance for s in other.shapes]


def test_names_are_paired_in_any_spelling_and_drivers_and_bounds_are_compared() -> None:
    deltas = np.random.default_rng(5).normal(size=(3, 9, 3))
    one = rig_of(deltas, names=["jawOpen", "mouthSmileLeft", "mouthSmileRight"])
    other = rig_of(deltas, names=["JawOpen", "mouthSmile_L", "mouthSmile_R"], bounds=[[0, 1], [0, 2], [0, 1]])
    both = fw.Shape.from_dense("both", deltas[0], sliders=("jawOpen", "mouthSmileLeft"))
    one = fw.edit.add_shape(one, both)
    other = fw.edit.add_shape(other, replace(both, sliders=("JawOpen", "mouthSmile_L")))
    found = fw.compare_rigs(one, other)
    assert [s.other for s in found.shapes] == [*other.shape_names]
    assert all(s.driven_alike and s.distance == 0 for s in found.shapes)
    assert found.other_bounds == ("mouthSmileLeft",)
    swapped = replace(both, sliders=("JawOpen", "mouthSmile_R"))
    changed = replace(other, shapes=(*other.shapes[:3], swapped))
    assert [s.driven_alike for s in fw.compare_rigs(one, changed).shapes] == [True, True, True, False]


def test_another_unit_of_both_changes_nothing() -> None:
    one, other = random_rig(6), random_rig(7)
    here, small = fw.compare_rigs(one, other), fw.compare_rigs(fw.edit.scale(one, 0.01), fw.edit.scale(other, 0.01))
    for a, b in zip(here.shapes, small.shapes, strict=True):
        assert [b.distance, b.furthest] == pytest.approx([a.distance, a.furthest])
    assert [small.neutral, small.scale] == pytest.approx([here.neutral, here.scale])


def test_a_prepared_comparison_sees_every_version_of_a_rig() -> None:
    rig, other = random_rig(8), random_rig(9)
    compare = fw.RigComparison(other)
    compare(rig)
    changed = fw.edit.scale_shape(rig, "s2", 0.5)
    assert compare(changed) == fw.compare_rigs(changed, other) != compare(rig)


def test_another_topology_is_refused_and_the_remedy_named() -> None:
    with pytest.raises(OtherTopology, match="register one to the other first"):
        fw.compare_rigs(random_rig(1, vertices=20), random_rig(1, vertices=21))
