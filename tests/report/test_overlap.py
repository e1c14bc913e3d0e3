import numpy as np
import pytest

from facewright.report.overlap import fighting, overlap, worst_pairs
from facewright.report.products import _CHUNK, full_values, products
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from tests.report.report_rigs import random_rig, rig_of, scaled


def motions(rig: Rig) -> np.ndarray:
    """Each slider alone at its full value, by the rig's own evaluation: (n, v, 3)."""
    return evaluate(rig, np.diag(full_values(rig))) - rig.neutral


def nonlinear_rig(seed: int) -> Rig:
    rng = np.random.default_rng(seed)
    rig = random_rig(seed, shapes=4)
    more = (
        Shape.from_dense("half", rng.normal(size=(rig.vertex_count, 3)), sliders=("s1",), at=0.5),
        Shape.from_dense("both", rng.normal(size=(rig.vertex_count, 3)), sliders=("s0", "s2")),
    )
    bounds = [(0, 1), (-1, 0.7), (-2, 1), (0, 0.25)]
    return Rig(rig.neutral, rig.polygons, (*rig.shapes, *more), rig.sliders, np.array(bounds, float))


@pytest.mark.parametrize("seed", range(5))
def test_products_agree_with_the_evaluated_motions(seed: int) -> None:
    rig = nonlinear_rig(seed)
    found, moved = products(rig), motions(rig)
    lengths = np.linalg.norm(moved, axis=2)
    np.testing.assert_allclose(found.sliders, np.einsum("ivc,jvc->ij", moved, moved), atol=1e-12)
    np.testing.assert_allclose(found.lengths, lengths @ lengths.T, atol=1e-12)
    np.testing.assert_allclose(found.squares, lengths**2 @ (lengths**2).T, atol=1e-12)
    np.testing.assert_allclose(found.reach, lengths.max(axis=1))
    deltas = rig.deltas()
    np.testing.assert_allclose(found.shapes, np.einsum("ivc,jvc->ij", deltas, deltas), atol=1e-12)


def test_products_do_not_depend_on_where_blocks_end() -> None:
    vertices = 2 * _CHUNK + 17
    deltas = np.zeros((3, vertices, 3))
    deltas[0, _CHUNK - 5 : _CHUNK + 5], deltas[1, 3:40], deltas[2, -1] = 1.0, 2.0, 3.0
    deltas[1, _CHUNK] = [1, 0, -1]
    found = products(rig_of(deltas)).shapes
    np.testing.assert_allclose(found, np.einsum("ivc,jvc->ij", deltas, deltas))


def test_direction_is_the_mean_cosine_over_common_vertices_weighted_by_motion() -> None:
    rig = random_rig(3)
    among, moved = overlap(rig, products(rig)), motions(rig)
    for pair in worst_pairs(rig, among, least=0.0):
        a, b = moved[rig.slider_index(pair.first)], moved[rig.slider_index(pair.second)]
        both = np.flatnonzero(a.any(axis=1) & b.any(axis=1))
        weights = np.linalg.norm(a[both], axis=1) * np.linalg.norm(b[both], axis=1)
        cosines = (a[both] * b[both]).sum(axis=1) / weights
        assert pair.direction == pytest.approx(np.average(cosines, weights=weights), abs=1e-12)
        assert pair.interference == pytest.approx(pair.shared * pair.direction, abs=1e-12)
        assert pair.interference == pytest.approx((a * b).sum() / np.linalg.norm(a) / np.linalg.norm(b))


def test_sliders_apart_share_nothing_and_the_same_and_the_reverse_share_all() -> None:
    deltas = np.zeros((4, 8, 3))
    deltas[0, :3], deltas[3, 4:] = [1, 2, 0], [0, 1, 0]
    deltas[1], deltas[2] = 0.5 * deltas[0], -2 * deltas[0]
    among = overlap(rig_of(deltas), products(rig_of(deltas)))
    np.testing.assert_allclose(among.interference[0], [1, 1, -1, 0], atol=1e-12)
    np.testing.assert_allclose(among.shared[0], [1, 1, 1, 0], atol=1e-12)
    np.testing.assert_allclose(among.carried[0], [1, 0.5, 2, 0], atol=1e-12)


def test_a_broad_slider_carries_a_small_one_and_not_the_reverse() -> None:
    deltas = np.zeros((2, 100, 3))
    deltas[0] = [0, -3, 0]
    deltas[1, 7] = [1, 0, 0]
    among = overlap(rig_of(deltas), products(rig_of(deltas)))
    assert among.interference[0, 1] == 0
    assert among.carried[1, 0] == pytest.approx(3)
    assert among.carried[0, 1] < 0.05


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_another_unit_changes_no_number(factor: float) -> None:
    rig = nonlinear_rig(2)
    one, other = (overlap(each, products(each)) for each in (rig, scaled(rig, factor)))
    for name in ("interference", "shared", "carried"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-9)
    np.testing.assert_array_equal(one.live, other.live)


def test_dead_and_faint_sliders_interfere_with_nothing() -> None:
    deltas = np.random.default_rng(4).normal(size=(4, 9, 3))
    deltas[1] = 0
    deltas[2] *= 1e-9
    rig = rig_of(deltas)
    among = overlap(rig, products(rig))
    assert among.live.tolist() == [0, 3]
    assert not among.interference[[1, 2]].any()
    assert np.isfinite(among.carried).all()


def test_pairs_come_strongest_first_each_once_and_without_exclusive_ones() -> None:
    rig = random_rig(5, shapes=6, exclusive=(("s4", "s1"),))
    among = overlap(rig, products(rig))
    pairs = worst_pairs(rig, among, limit=99, least=0.0)
    strengths = [abs(pair.interference) for pair in pairs]
    assert strengths == sorted(strengths, reverse=True)
    assert {frozenset((pair.first, pair.second)) for pair in pairs}.isdisjoint({frozenset(("s1", "s4"))})
    assert len(pairs) == 6 * 5 / 2 - 1


def test_a_pair_and_its_mirror_image_are_named_once() -> None:
    rng = np.random.default_rng(6)
    smile, dimple = rng.normal(size=(2, 10, 3))
    deltas = np.zeros((4, 20, 3))
    deltas[0, :10], deltas[1, :10] = smile, smile + 0.3 * dimple
    deltas[2, 10:], deltas[3, 10:] = smile, smile + 0.3 * dimple
    rig = rig_of(deltas, names=["smile_L", "dimple_L", "smile_R", "dimple_R"])
    pairs = worst_pairs(rig, overlap(rig, products(rig)))
    assert [(pair.first, pair.second, pair.twin) for pair in pairs] == [
        ("smile_L", "dimple_L", ("smile_R", "dimple_R"))
    ]


def test_strong_pairs_are_counted_on_both_sides_but_not_exclusive_ones() -> None:
    base = np.random.default_rng(9).normal(size=(10, 3))
    names = ("jawLeft", "jawRight", "smile_L", "smile_R")
    deltas = np.zeros((4, 30, 3))
    deltas[0, :10], deltas[1, :10] = base, -base
    deltas[2, 10:20], deltas[3, 20:] = base, base
    deltas[0, 15] = 1e-3
    rig = rig_of(deltas, names=names)
    apart = rig_of(deltas, names=names, exclusive=(("jawRight", "jawLeft"),))
    assert fighting(rig, overlap(rig, products(rig))) == 1
    assert fighting(apart, overlap(apart, products(apart))) == 0
