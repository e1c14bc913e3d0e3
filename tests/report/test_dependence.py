from dataclasses import replace

import numpy as np
import pytest

from facewright.report.dependence import dead_shapes, dependents, duplicates, own_shares
from facewright.report.products import products
from facewright.rig.rig import Rig
from tests.report.report_rigs import random_rig, rig_of, scaled


def with_sum(seed: int, noise: float) -> tuple[Rig, np.ndarray]:
    """Six independent shapes and a seventh that is 0.5 s0 - 2 s3 and a bit of its own."""
    rng = np.random.default_rng(seed)
    deltas = rng.normal(size=(7, 30, 3)) * rng.uniform(0.1, 5, size=(7, 1, 1))
    deltas[6] = 0.5 * deltas[0] - 2 * deltas[3]
    extra = rng.normal(size=(30, 3))
    deltas[6] += noise * extra * np.linalg.norm(deltas[6]) / np.linalg.norm(extra)
    return rig_of(deltas), deltas


def lstsq_residual(deltas: np.ndarray, i: int, others: list[int]) -> float:
    A, b = deltas[others].reshape(len(others), -1).T, deltas[i].ravel()
    return float(np.linalg.norm(b - A @ np.linalg.lstsq(A, b, rcond=None)[0]) / np.linalg.norm(b))


@pytest.mark.parametrize("seed", range(5))
def test_a_sum_of_others_is_found_with_its_factors(seed: int) -> None:
    rig, _ = with_sum(seed, 0.0)
    (one,) = dependents(rig, products(rig).shapes)
    assert one.residual < 1e-6
    total = {one.name: -1.0} | {term.name: term.factor for term in one.terms}
    assert one.others == 0
    assert {name: value / -total["s6"] for name, value in total.items()} == pytest.approx(
        {"s0": 0.5, "s3": -2.0, "s6": -1.0}
    )


def test_the_residual_is_that_of_least_squares_on_what_is_kept() -> None:
    rig, deltas = with_sum(1, 0.05)
    (one,) = dependents(rig, products(rig).shapes)
    i = rig.shape_names.index(one.name)
    assert one.residual == pytest.approx(lstsq_residual(deltas, i, [k for k in range(7) if k != i]), rel=1e-6)


def test_independent_shapes_are_not_dependent() -> None:
    rig, _ = with_sum(2, 0.5)
    assert dependents(rig, products(rig).shapes) == ()


def test_as_many_are_dependent_as_the_rank_is_short() -> None:
    rng = np.random.default_rng(3)
    deltas = np.einsum("ij,jvc->ivc", rng.normal(size=(12, 5)), rng.normal(size=(5, 40, 3)))
    rig = rig_of(deltas)
    found = dependents(rig, products(rig).shapes, residual=1e-3)
    assert len(found) == 12 - 5
    kept = [name for name in rig.shape_names if name not in {one.name for one in found}]
    assert np.linalg.matrix_rank(deltas[[rig.shape_names.index(name) for name in kept]].reshape(5, -1)) == 5


@pytest.mark.parametrize("seed", range(4))
def test_the_own_share_is_the_least_squares_residual_on_all_others(seed: int) -> None:
    rig, deltas = with_sum(seed, 0.1)
    for i, own in enumerate(own_shares(rig, products(rig).shapes)):
        assert own.share == pytest.approx(lstsq_residual(deltas, i, [k for k in range(7) if k != i]), rel=1e-6)


def test_a_shape_that_others_make_exactly_has_nothing_of_its_own() -> None:
    rig, _ = with_sum(4, 0.0)
    own = {one.name: one.share for one in own_shares(rig, products(rig).shapes)}
    assert own["s6"] == own["s0"] == own["s3"] == 0
    assert min(own[name] for name in ("s1", "s2", "s4", "s5")) > 0.5


@pytest.mark.parametrize("factor", [1.0, 0.25, -1.0, -3.0])
def test_a_copy_up_to_a_factor_is_a_duplicate(factor: float) -> None:
    rig = random_rig(5, shapes=4)
    copy = replace(rig.shapes[2], name="copy", sliders=(), offsets=factor * rig.shapes[2].offsets)
    both = replace(rig, shapes=(*rig.shapes, copy), sliders=(), groups=(), bounds=None)  # type: ignore[arg-type]
    (same,) = duplicates(both)
    assert (same.first, same.second) == ("s2", "copy")
    assert same.factor == pytest.approx(factor)


@pytest.mark.parametrize(("apart", "count"), [(0.5e-4, 1), (1e-3, 0), (3e-4, 0)])
def test_nearly_the_same_counts_within_a_ten_thousandth_of_the_shape(apart: float, count: int) -> None:
    rng = np.random.default_rng(6)
    shape, noise = rng.normal(size=(2, 50, 3))
    other = shape + apart * np.linalg.norm(shape) * noise / np.linalg.norm(noise)
    assert len(duplicates(rig_of([shape, other]))) == count


def test_many_copies_are_each_named_once() -> None:
    shape = np.random.default_rng(7).normal(size=(20, 3))
    found = duplicates(rig_of([shape] * 40))
    assert [(same.first, same.second) for same in found] == [("s0", f"s{i}") for i in range(1, 40)]


def test_shapes_of_equal_length_are_not_the_same() -> None:
    deltas = np.linalg.qr(np.random.default_rng(8).normal(size=(60, 15)))[0].T.reshape(15, 20, 3)
    assert duplicates(rig_of(deltas)) == ()


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_another_unit_changes_no_verdict(factor: float) -> None:
    rig, _ = with_sum(9, 0.03)
    other = scaled(rig, factor)
    assert dead_shapes(rig) == dead_shapes(other)
    one, two = dependents(rig, products(rig).shapes), dependents(other, products(other).shapes)
    assert [each.name for each in one] == [each.name for each in two] != []
    assert one[0].terms[0].factor == pytest.approx(two[0].terms[0].factor)


def test_what_cannot_be_seen_is_dead() -> None:
    deltas = np.random.default_rng(10).normal(size=(3, 9, 3))
    deltas[1] = 0
    deltas[2] *= 1e-8
    rig = rig_of(deltas)
    assert dead_shapes(rig) == ("s1", "s2")
    assert [own.share for own in own_shares(rig, products(rig).shapes)] == [pytest.approx(1), 0, 0]


def test_a_rig_without_shapes_has_nothing_to_compare() -> None:
    rig = rig_of(np.zeros((0, 5, 3)))
    sums = products(rig)
    assert (dead_shapes(rig), duplicates(rig), dependents(rig, sums.shapes), own_shares(rig, sums.shapes)) == ((),) * 4
