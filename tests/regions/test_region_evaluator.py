"""Posing regions each for itself."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from facewright.regions.bake import bake_regions
from facewright.regions.local_pose import weights_of
from facewright.regions.region_evaluator import (
    RegionEvaluator,
    confined_rig,
    evaluate_regions,
    moved_within,
    region_weights,
    values_within,
)
from facewright.regions.segment import segment
from tests.laws.things import combining_rig, head
from tests.some import some


@cache
def face_and_regions() -> tuple[fw.Rig, fw.Regions]:
    rig = head()
    return rig, segment(rig)


def liveliest(rig: fw.Rig, name: str) -> int:
    """The vertex that a shape moves most."""
    shape = rig.shape(name)
    return int(shape.vertices[np.linalg.norm(shape.offsets, axis=1).argmax()])


def test_inside_a_region_the_face_is_that_of_its_own_weights() -> None:
    rig, regions = face_and_regions()
    corner = regions.names[regions.labels()[liveliest(rig, "mouthSmileLeft")]]
    weights = region_weights(rig, regions, {"jawOpen": 0.3}, {corner: {"mouthSmileLeft": 0.8}})
    face = evaluate_regions(rig, regions, weights)
    inner, outer = regions.field(corner) == 1, regions.field(corner) == 0
    assert inner.any()
    np.testing.assert_allclose(face[inner], fw.evaluate(rig, {"jawOpen": 0.3, "mouthSmileLeft": 0.8})[inner])
    np.testing.assert_allclose(face[outer], fw.evaluate(rig, {"jawOpen": 0.3})[outer])


def test_a_smaller_region_has_the_last_word() -> None:
    rig, regions = face_and_regions()
    small = regions.names_at(0)[0]
    larger = regions.names[regions.parents[0]]
    weights = region_weights(rig, regions, None, {small: {"jawOpen": 0.2}, larger: {"jawOpen": 0.7}})
    column = rig.slider_index("jawOpen")
    assert weights[regions.node(small), column] == 0.2
    others = np.setdiff1d(regions.members(larger), [regions.node(small)])
    np.testing.assert_array_equal(weights[others, column], 0.7)


def test_a_drag_is_confined_to_a_region_at_every_level() -> None:
    rig, regions = face_and_regions()
    vertex = liveliest(rig, "mouthSmileLeft")
    evaluate, rows = RegionEvaluator(rig, regions), region_weights(rig, regions, {"jawOpen": 0.5})
    start = evaluate(rows)
    for level in range(regions.levels):
        region = regions.names_at(level)[regions.labels(level)[vertex]]
        solver = fw.PoseSolver(confined_rig(rig, regions, region, rows))
        target = start[vertex] + 0.02 * rig.size * np.array([0, 1, 0])
        found = solver.solve([fw.Pin(vertex=vertex, target=target)], values_within(regions, rows, region))
        moved = evaluate(moved_within(rig, regions, rows, region, found.weights))
        outside = regions.field(region) == 0
        np.testing.assert_allclose(moved[outside], start[outside], atol=1e-9)
        way = target - start[vertex]
        assert (moved[vertex] - start[vertex]) @ way > 0.5 * way @ way


def test_a_coarse_edit_keeps_the_finer_one_made_before_it() -> None:
    rig, regions = face_and_regions()
    fine, coarse = regions.names_at(0)[0], regions.names[regions.parents[0]]
    column = rig.slider_index("browInnerUp")
    rows = region_weights(rig, regions, None, {fine: {"browInnerUp": 0.3}})
    start = values_within(regions, rows, coarse)
    later = moved_within(rig, regions, rows, coarse, start + 0.2 * np.eye(len(rig.sliders))[column])
    inside = np.isin(np.arange(regions.count), regions.members(coarse))
    np.testing.assert_allclose((later - rows)[:, column], 0.2 * inside, atol=1e-12)
    full = moved_within(rig, regions, rows, coarse, start + 5 * np.eye(len(rig.sliders))[column])
    assert full.max() == 1


def test_weights_of_the_wrong_shape_or_another_face_are_refused() -> None:
    rig, regions = face_and_regions()
    with pytest.raises(BadValue, match="shape"):
        evaluate_regions(rig, regions, np.zeros((2, 3)))
    with pytest.raises(BadValue, match="for 6860 vertices"):
        RegionEvaluator(combining_rig(1), regions)


def posed(rig: fw.Rig, seed: int, pose: dict[str, float]) -> fw.Document:
    regions = segment(rig)
    rng = np.random.default_rng(seed)
    nodes = len(regions.names)
    local = np.zeros((nodes, len(rig.sliders)))
    chosen = rng.choice(len(rig.sliders), 3, replace=False)
    local[:, chosen] = rng.uniform(-0.3, 0.6, (nodes, 3)) * (rng.uniform(size=(nodes, 3)) < 0.4)
    return fw.Document(rig, pose=rig.weights(pose), regions=regions, local=local)


@pytest.mark.parametrize("seed", range(3))
def test_baking_gives_the_same_face_by_one_weight_per_shape(seed: int) -> None:
    for document in (posed(combining_rig(seed), seed, {"s0": 0.4, "s2": 0.6}), posed(head(), seed, {"jawOpen": 0.4})):
        baked = bake_regions(document)
        before = evaluate_regions(document.rig, some(document.regions), weights_of(document))
        after = fw.evaluate(baked.document.rig, baked.document.pose)
        np.testing.assert_allclose(after, before, atol=1e-9 * document.rig.size)
        assert baked.document.local is None
        assert baked.added
        assert f"{len(baked.added)} shapes were added" in str(baked)
        old = len(document.rig.sliders)
        np.testing.assert_array_equal(baked.document.pose[:old], document.pose)
        assert baked.document.rig.sliders[:old] == document.rig.sliders
        low, high = baked.document.rig.bounds.T
        assert ((low <= baked.document.pose) & (baked.document.pose <= high)).all()


def test_regions_that_differ_alike_share_a_shape_with_the_largest_name() -> None:
    rig, regions = face_and_regions()
    larger = regions.names[regions.parents[0]]
    local = np.zeros((len(regions.names), len(rig.sliders)))
    local[regions.members(larger), rig.slider_index("browInnerUp")] = 0.5
    baked = bake_regions(fw.Document(rig, regions=regions, local=local))
    assert baked.added == (f"browInnerUp @ {larger}",)
    assert baked.document.pose[-1] == 0.5


def test_a_document_that_says_nothing_of_regions_is_baked_to_itself() -> None:
    rig, regions = face_and_regions()
    for document in (fw.Document(rig), fw.Document(rig, regions=regions)):
        baked = bake_regions(document)
        assert baked.added == ()
        assert baked.document.rig is rig
        assert "nothing was added" in str(baked)


def test_what_regions_add_stays_within_the_bounds() -> None:
    rig, regions = face_and_regions()
    local = np.full((len(regions.names), len(rig.sliders)), 0.8)
    document = fw.Document(rig, pose=np.full(len(rig.sliders), 0.5), regions=regions, local=local)
    assert weights_of(document).max() == 1
    np.testing.assert_array_equal(weights_of(replace(document, local=None)), 0.5)


def test_a_baked_face_opens_elsewhere_with_the_shapes_it_needs(tmp_path: Path) -> None:
    document = posed(head(), 1, {"jawOpen": 0.4})
    baked = bake_regions(document)
    fw.save(baked.document, tmp_path / "face.glb")
    back = fw.load_document(tmp_path / "face.glb")
    wanted = evaluate_regions(document.rig, some(document.regions), weights_of(document))
    np.testing.assert_allclose(fw.evaluate(back.rig, back.pose), wanted, atol=1e-5 * document.rig.size)
