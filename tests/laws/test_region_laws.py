"""Laws of regions, every one against every thing."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.mesh.topology import Topology
from facewright.regions.deformation import Bending, deformation
from facewright.regions.region_evaluator import (
    RegionEvaluator,
    confined_rig,
    moved_within,
    region_weights,
    values_within,
)
from facewright.regions.segment import segment
from facewright.rig.edit import scale
from facewright.rig.regions import Regions
from tests.laws.things import THINGS, pose

SEEDS = {"head": range(1), "ict": range(1)}
CASES = [
    pytest.param(thing, seed, marks=[pytest.mark.long] if seed else [])
    for thing in THINGS
    for seed in SEEDS.get(thing, range(3))
]


@cache
def found(thing: str, seed: int) -> Regions:
    return segment(THINGS[thing](seed))


def a_rigid_motion_of_the_whole_face_deforms_nothing(thing: str, seed: int) -> None:
    rig = THINGS[thing](seed)
    bending, rng = Bending(rig), np.random.default_rng(seed)
    for turn in (*Rotation.random(3, rng=rng).as_matrix(), Rotation.from_rotvec([0, 1e-3, 0]).as_matrix()):
        moved = rig.neutral @ turn.T + rig.size * rng.normal(size=3)
        assert not bending(moved - rig.neutral).any()


def a_unit_changes_nothing(thing: str, seed: int) -> None:
    rig, regions = THINGS[thing](seed), found(thing, seed)
    np.testing.assert_allclose(deformation(scale(rig, 0.01)), deformation(rig), rtol=1e-7, atol=1e-6)
    for factor in (0.01, 100.0):
        other = segment(scale(rig, factor))
        assert other.names == regions.names
        np.testing.assert_array_equal(other.parents, regions.parents)
        assert abs(other.weights - regions.weights).max() < 1e-9


def a_mirrored_rig_has_mirrored_regions(thing: str, seed: int) -> None:
    rig, regions = THINGS[thing](seed), found(thing, seed)
    other = segment(mirrored(rig))
    assert other.levels == regions.levels
    image = most_alike(regions.weights.toarray(), other.weights.toarray())
    assert sorted(image) == list(range(regions.count))
    assert abs(regions.weights - other.weights[image]).max() < 1e-9
    for level in range(regions.levels):
        pairs = zip(regions.groups(level), other.groups(level)[image], strict=True)
        assert len(set(pairs)) == len(regions.nodes(level)) == len(other.nodes(level))


def most_alike(weights: Floats, others: Floats) -> Ints:
    """For each region (r,) the one of others whose weights (r, v) have the largest cosine."""
    return np.asarray((weights @ (others / np.linalg.norm(others, axis=1, keepdims=True)).T).argmax(axis=1))


def mirrored(rig: fw.Rig) -> fw.Rig:
    flip = np.array([-1.0, 1, 1])
    shapes = tuple(replace(shape, offsets=shape.offsets * flip) for shape in rig.shapes)
    faces = fw.Polygons.of([face[::-1] for face in rig.polygons.rows()])
    return replace(rig, neutral=rig.neutral * flip, polygons=faces, shapes=shapes, uvs=None)


def regions_cover_every_vertex_and_weights_sum_to_one(thing: str, seed: int) -> None:
    regions = found(thing, seed)
    for level in range(regions.levels):
        weights = regions.weights_at(level)
        assert weights.shape == (len(regions.nodes(level)), THINGS[thing](seed).vertex_count)
        assert weights.data.min() > 0
        np.testing.assert_allclose(weights.sum(axis=0), 1, atol=1e-12)
        assert set(regions.labels(level)) == set(range(weights.shape[0]))


def each_level_is_a_union_of_the_one_below(thing: str, seed: int) -> None:
    regions = found(thing, seed)
    for level in range(1, regions.levels):
        below, above = regions.labels(level - 1), regions.labels(level)
        assert len(set(zip(below, above, strict=True))) == len(regions.nodes(level - 1)) > len(regions.nodes(level))
    assert len(regions.nodes(regions.levels - 1)) == 1


def every_region_reaches_one_ring_into_its_neighbours(thing: str, seed: int) -> None:
    rig, regions = THINGS[thing](seed), found(thing, seed)
    a, b = Topology(rig.polygons, rig.vertex_count).edges.T
    labels, weights = regions.labels(), regions.weights.toarray()
    across = labels[a] != labels[b]
    assert (weights[labels[a[across]], b[across]] > 0).all()
    assert (weights[labels[b[across]], a[across]] > 0).all()


def equal_weights_everywhere_give_the_plain_pose_exactly(thing: str, seed: int) -> None:
    rig, regions = THINGS[thing](seed), found(thing, seed)
    weights = pose(rig, np.random.default_rng(seed), 3)
    blended = RegionEvaluator(rig, regions)(region_weights(rig, regions, weights))
    np.testing.assert_array_equal(blended, fw.evaluate(rig, weights))


def a_blend_is_the_mean_of_the_regions_faces(thing: str, seed: int) -> None:
    rig, regions = THINGS[thing](seed), found(thing, seed)
    rng = np.random.default_rng(seed)
    rows = np.stack([pose(rig, rng, 3) for _ in range(regions.count)])
    faces = fw.evaluate(rig, rows)
    wanted = np.einsum("rv,rva->va", regions.weights.toarray(), faces)
    np.testing.assert_allclose(RegionEvaluator(rig, regions)(rows), wanted, atol=1e-9 * rig.size)


def a_confined_rig_is_the_face_and_moves_only_its_region(thing: str, seed: int) -> None:
    rig, regions = THINGS[thing](seed), found(thing, seed)
    rng = np.random.default_rng(seed)
    rows = region_weights(rig, regions, pose(rig, rng, 3))
    evaluate = RegionEvaluator(rig, regions)
    for level in {0, regions.levels // 2, regions.levels - 1}:
        region = rng.choice(regions.names_at(level))
        confined = confined_rig(rig, regions, region, rows)
        start = values_within(regions, rows, region)
        np.testing.assert_allclose(fw.evaluate(confined, start), evaluate(rows), atol=1e-12 * rig.size)
        goal = pose(rig, rng, 3)
        moved = fw.evaluate(confined, goal)
        outside = regions.field(region) == 0
        np.testing.assert_allclose(moved[outside], evaluate(rows)[outside], atol=1e-12 * rig.size)
        again = evaluate(moved_within(rig, regions, rows, region, goal))
        np.testing.assert_allclose(again, moved, atol=1e-9 * rig.size)


LAWS: list[Callable[[str, int], None]] = [
    a_rigid_motion_of_the_whole_face_deforms_nothing,
    a_unit_changes_nothing,
    a_mirrored_rig_has_mirrored_regions,
    regions_cover_every_vertex_and_weights_sum_to_one,
    each_level_is_a_union_of_the_one_below,
    every_region_reaches_one_ring_into_its_neighbours,
    equal_weights_everywhere_give_the_plain_pose_exactly,
    a_blend_is_the_mean_of_the_regions_faces,
    a_confined_rig_is_the_face_and_moves_only_its_region,
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("thing", "seed"), CASES)
def test_law_of_regions(law: Callable[[str, int], None], thing: str, seed: int) -> None:
    law(thing, seed)
