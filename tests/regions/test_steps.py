"""The steps from a deformation map to regions, each on the smallest thing that can break it."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats
from facewright.mesh.topology import Topology
from facewright.regions.cleanup import absorbed, cleaned, in_pieces, smoothed
from facewright.regions.grouping import grouped
from facewright.regions.hierarchy import Joinable, chosen, joining
from facewright.regions.soft_borders import soft_weights
from facewright.regions.vertex_statistics import threshold_of, vertex_areas
from tests.regions.surfaces import ring_of, sheet


def test_with_equal_shares_the_threshold_is_the_sorted_map_at_n_t() -> None:
    values = np.random.default_rng(1).normal(size=40)
    for t in (0.0, 0.25, 0.5, 0.75, 0.9):
        assert threshold_of(values, np.full(40, 1 / 40), t) == np.sort(values)[int(40 * t)]
    assert threshold_of(values, np.full(40, 1 / 40), 1.0) == values.max()


def test_a_vertex_that_stands_for_twice_the_surface_counts_twice() -> None:
    values, shares = np.array([5.0, 1, 3, 2]), np.array([1.0, 2, 1, 1])
    assert threshold_of(values, shares, 0.5) == threshold_of(np.array([5.0, 1, 1, 3, 2]), np.ones(5), 0.5)


def test_areas_are_shares_of_the_surface_wherever_polygons_start() -> None:
    rig = sheet(5, 4)
    areas = vertex_areas(rig)
    np.testing.assert_allclose(areas.sum(), 1)
    inner = np.diff(ring_of(rig).indptr) == 4
    assert areas[inner].min() > areas[~inner].max()


def one_by_one(kinds: Floats, masses: Floats, least: float) -> set[frozenset[int]]:
    """Average linkage in the plainest way: join the two most alike, and start over."""
    groups = [{i} for i in range(len(kinds))]

    def alike(a: set[int], b: set[int]) -> float:
        means = [np.average(kinds[list(group)], axis=0, weights=masses[list(group)]) for group in (a, b)]
        return float(means[0] @ means[1])

    while len(groups) > 1:
        best = max(combinations(groups, 2), key=lambda pair: alike(*pair))
        if alike(*best) < least:
            break
        groups = [group for group in groups if group not in best] + [best[0] | best[1]]
    return {frozenset(group) for group in groups}


def random_kinds(rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    kinds = np.abs(rng.normal(size=(count, 4)))
    return kinds / np.linalg.norm(kinds, axis=1, keepdims=True), rng.uniform(0.5, 2, count)


def test_joining_all_mutual_best_pairs_at_once_is_joining_one_by_one_where_all_are_neighbours() -> None:
    rng = np.random.default_rng(5)
    edges = np.array(list(combinations(range(30), 2)))
    for least in (0.5, 0.6, 0.75, 0.9):
        kinds, masses = random_kinds(rng, 30)
        found = grouped(edges, kinds, masses, least=least)
        assert {frozenset(np.flatnonzero(found == i)) for i in set(found)} == one_by_one(kinds, masses, least)


def test_groups_are_connected_and_no_two_neighbours_could_still_join() -> None:
    rng = np.random.default_rng(6)
    rig = sheet(12, 9)
    edges = Topology(rig.polygons, rig.vertex_count).edges
    for least in (0.6, 0.8):
        kinds, masses = random_kinds(rng, 108)
        found = grouped(edges, kinds, masses, least=least)
        assert in_pieces(found, ring_of(rig)).max() == found.max() > 1
        own = [found == i for i in range(found.max() + 1)]
        means = np.stack([np.average(kinds[one], axis=0, weights=masses[one]) for one in own])
        alike = (means @ means.T)[tuple(found[edges].T)]
        assert (alike[found[edges[:, 0]] != found[edges[:, 1]]] < least).all()


def test_equal_neighbours_join_in_few_rounds_to_one_group() -> None:
    rig = sheet(40, 40)
    edges = Topology(rig.polygons, rig.vertex_count).edges
    assert not grouped(edges, np.ones((1600, 1)), np.ones(1600), least=0.5).any()


def test_a_crumb_goes_to_the_neighbour_with_the_longest_border() -> None:
    rig = sheet(8, 6)
    labels = (rig.neutral[:, 0] >= 4).astype(int)
    labels[[18, 19]] = 2  # in the left half; one of the two also touches the right
    sizes = np.full((48, 1), 1 / 48)
    found = absorbed(labels, ring_of(rig), sizes, smallest=0.1)
    np.testing.assert_array_equal(found, (rig.neutral[:, 0] >= 4).astype(int))


def test_a_region_small_in_one_way_but_large_in_another_stays() -> None:
    rig = sheet(8, 6)
    labels = np.zeros(48, int)
    labels[20] = 1
    moves = np.where(labels == 1, 0.5, 0.5 / 47)
    sizes = np.stack([np.full(48, 1 / 48), moves], axis=1)
    np.testing.assert_array_equal(absorbed(labels, ring_of(rig), sizes, smallest=0.1), labels)


def test_a_ragged_border_becomes_straight_and_a_straight_one_stays() -> None:
    rig = sheet(12, 12)
    straight = (rig.neutral[:, 0] >= 6).astype(int)
    ring = ring_of(rig)
    np.testing.assert_array_equal(smoothed(straight, ring, 3), straight)
    ragged = (rig.neutral[:, 0] >= 6 + (rig.neutral[:, 1] % 2)).astype(int)
    smooth = smoothed(ragged, ring, 3)
    border = (smooth.reshape(12, 12) == 0).sum(axis=1)
    assert np.abs(np.diff(border)).sum() <= 1


def test_cleaned_regions_are_in_one_piece() -> None:
    rng = np.random.default_rng(6)
    rig = sheet(15, 15)
    ring = ring_of(rig)
    labels = rng.integers(0, 4, 225)
    found = cleaned(labels, ring, np.full((225, 1), 1 / 225), smallest=0.02)
    assert in_pieces(found, ring).max() == found.max()
    assert np.bincount(found).min() >= 0.02 * 225


def test_weights_go_smoothly_over_the_border_and_belong_to_themselves_inside() -> None:
    rig = sheet(40, 10)
    labels = (rig.neutral[:, 0] >= 20).astype(int)
    right = soft_weights(rig, labels).toarray()[1].reshape(10, 40)
    np.testing.assert_allclose(
        right, right[4][None].repeat(10, axis=0), atol=2e-3
    )  # rings end at the first and last row
    assert (np.diff(right[0]) >= 0).all()
    np.testing.assert_allclose(right[0] + right[0][::-1], 1, atol=2e-3)  # the sheet is bent about another place
    assert right[0, 0] == 0
    assert right[0, -1] == 1
    assert np.diff(right[0]).max() < 0.5


def test_on_a_finer_mesh_a_border_is_as_wide_and_its_steps_are_smaller() -> None:
    steps = []
    for fine in (1, 4):
        rig = sheet(40 * fine, 10 * fine)
        right = soft_weights(rig, (rig.neutral[:, 0] >= 20 * fine).astype(int)).toarray()[1][: 40 * fine]
        steps.append(np.diff(right).max())
    assert steps[1] < 0.4 * steps[0]


def test_a_border_across_the_mesh_runs_straight_between_the_vertices() -> None:
    rig = sheet(30, 30)
    aside = rig.neutral[:, 1] - 0.4 * rig.neutral[:, 0] - 9
    labels = (aside > 0).astype(int)
    right = soft_weights(rig, labels).toarray()[1]
    np.testing.assert_array_equal(right > 0.5, labels == 1)
    edges = Topology(rig.polygons, rig.vertex_count).edges
    a, b = edges[(np.diff(labels[edges], axis=1)[:, 0] != 0) & (np.abs(rig.neutral[edges[:, 0], 0] - 14.5) < 9)].T
    found = aside[a] + (0.5 - right[a]) / (right[b] - right[a]) * (aside[b] - aside[a])
    middle = (aside[a] + aside[b]) / 2  # the border by labels alone
    assert found.std() < 0.4 * middle.std()


def test_regions_do_not_reach_over_a_gap() -> None:
    rig = sheet(9, 9)
    kept = [face for face in rig.polygons.rows() if not (face // 9 == 4).any()]  # no quads at the middle row
    torn = type(rig)(rig.neutral, type(rig.polygons).of(kept))
    labels = np.where(rig.neutral[:, 1] < 4, 0, 1)
    weights = soft_weights(torn, labels).toarray()
    np.testing.assert_array_equal(weights, np.eye(2)[:, labels])


def line(motion: Sequence[Sequence[float]] | Floats, mirror: Sequence[int] | None = None) -> Joinable:
    """Regions one after the other, each touching the next."""
    count = len(motion)
    touches = np.abs(np.subtract.outer(range(count), range(count))) == 1
    own = np.arange(count) if mirror is None else np.array(mirror)
    return Joinable(np.array(motion, float), np.ones(count), touches, own)


def test_what_moves_most_alike_joins_first_and_only_neighbours_join() -> None:
    levels = joining(line([[1, 0], [1, 0.1], [0, 1], [1, 0]]))
    assert [len(set(level)) for level in levels] == [3, 2, 1]
    assert levels[0][0] == levels[0][1]  # not with the last, which moves the same but is far away
    assert levels[1][0] == levels[1][1] == levels[1][2] or levels[1][2] == levels[1][3]


def test_what_hardly_moves_joins_last() -> None:
    levels = joining(line([[0.01, 0.01], [1, 0.3], [0.3, 1]]))
    assert levels[0][1] == levels[0][2]


def test_the_sides_join_together() -> None:
    levels = joining(line([[1, 0, 0], [0.9, 0.2, 0], [0, 5, 5], [0.9, 0, 0.2], [1, 0, 0]], mirror=[4, 3, 2, 1, 0]))
    assert [len(set(level)) for level in levels] == [3, 1]
    assert levels[0][0] == levels[0][1] != levels[0][3] == levels[0][4]


def test_regions_that_touch_nothing_join_at_the_end() -> None:
    alone = Joinable(np.eye(3), np.ones(3), np.zeros((3, 3), bool), np.arange(3))
    assert [len(set(level)) for level in joining(alone)] == [2, 1]


def test_fewer_levels_are_spread_evenly_from_finest_to_whole() -> None:
    levels = joining(line(np.random.default_rng(7).uniform(size=(16, 3))))
    for wanted in (2, 3, 5):
        kept = chosen(levels, 16, wanted)
        assert len(kept) == wanted - 1
        assert len(set(kept[-1])) == 1
    counts = [len(set(level)) for level in chosen(levels, 16, 5)]
    assert counts == [8, 4, 2, 1]
    assert chosen(levels, 16, 99) == levels


def test_a_sparse_matrix_tells_the_first_largest_of_each_row() -> None:
    from facewright.solve.rows import largest_in_rows

    rng = np.random.default_rng(8)
    dense = rng.integers(0, 4, (30, 12)).astype(float)
    dense[4] = 0
    found = largest_in_rows(sp.csr_array(dense))
    wanted = np.where(dense.any(axis=1), dense.argmax(axis=1), -1)
    np.testing.assert_array_equal(found, wanted)
