"""In-betweens and combinations: the formula, its derivatives, and the two ways to give an in-between."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import facewright as fw
from facewright.rig.combine import Combine, factor_values
from tests.laws.things import combining_rig, factored_rig, random_rig

SEEDS = range(4)


def hat(a: float, b: float, c: float, w: float) -> float:
    """0 at a, 1 at b, 0 at c, straight between: written by hand, without the package."""
    if w <= a or w >= c:
        return 0.0
    return (w - a) / (b - a) if w <= b else (c - w) / (c - b)


RIGS: dict[str, Callable[[int], fw.Rig]] = {"targets": combining_rig, "factors": factored_rig}


def poses(rig: fw.Rig, seed: int, count: int = 60) -> np.ndarray:
    rng = np.random.default_rng([9, seed])
    return np.asarray(rng.uniform(rig.bounds[:, 0], rig.bounds[:, 1], (count, len(rig.sliders))))


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", SEEDS)
def test_slopes_of_many_poses_at_once_are_those_of_each(kind: str, seed: int) -> None:
    rig = RIGS[kind](seed)
    combine, many = Combine(rig), poses(rig, seed, 12)
    many[::3, 0] = 0.5  # at a knot
    bent = combine.bent_shapes
    for w, own in zip(many, bent.slopes(many), strict=True):
        whole = combine.straight_slopes
        whole[bent.slope_shapes, bent.slope_sliders] += own
        np.testing.assert_array_equal(whole, combine.jacobian(w))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_combination_is_the_product_of_its_factors(seed: int) -> None:
    rig = factored_rig(seed)
    for w in poses(rig, seed):
        s0, s1, s2, s3, s4 = w
        wanted = [
            *w,
            hat(0, 0.5, 1, s0),
            hat(0.1, 0.3, 0.6, s1),
            s2 * hat(0, 0.5, 1, s3),
            hat(0, 0.5, 1, s0) * hat(0, 0.25, 1, s1) * s4,
            hat(0.2, 0.6, 0.9, s3) * max(0.0, (s4 - 0.5) / 0.5),
            max(0.0, -s2) * s0,
        ]
        np.testing.assert_allclose(Combine(rig)(w), wanted, atol=1e-12)
    assert not rig.is_linear


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", SEEDS)
def test_slopes_are_those_of_differences(kind: str, seed: int) -> None:
    rig = RIGS[kind](seed)
    combine, step = Combine(rig), 1e-6
    knots = dict(combine.knots())
    for w in poses(rig, seed, 12):
        if any(np.abs(at - w[slider]).min() < 1e-3 for slider, at in knots.items()):
            continue  # there a slope is one-sided
        moved = w + step * np.eye(len(w))
        back = w - step * np.eye(len(w))
        np.testing.assert_allclose((combine(moved) - combine(back)).T / (2 * step), combine.jacobian(w), atol=1e-7)


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_straight_between_knots(kind: str, seed: int) -> None:
    rig = RIGS[kind](seed)
    combine, knots = Combine(rig), dict(Combine(rig).knots())
    w = poses(rig, seed, 1)[0]
    for slider, (low, high) in enumerate(rig.bounds):
        ends = np.unique([low, high, *knots.get(slider, [])])
        for a, b in pairwise(ends):
            rows = np.repeat(w[None], 3, axis=0)
            rows[:, slider] = [a, (a + b) / 2, b - 1e-12 * (b - a)]
            left, middle, right = combine(rows)
            np.testing.assert_allclose(middle, (left + right) / 2, atol=1e-9)


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", SEEDS)
def test_in_betweens_as_targets_and_as_additions_give_the_same_face(kind: str, seed: int) -> None:
    rig = RIGS[kind](seed)
    weights = poses(rig, seed)
    wanted = fw.evaluate(rig, weights)
    close = 1e-12 * rig.size
    added, aimed = fw.edit.additive_in_betweens(rig), fw.edit.target_in_betweens(rig)
    assert all(shape.additive for shape in added.shapes if set(shape.at) != {1.0})
    assert not any(shape.additive for shape in aimed.shapes if not shape.is_combination)
    for other in (added, aimed, fw.edit.target_in_betweens(added), fw.edit.additive_in_betweens(aimed)):
        assert set(rig.shape_names) <= set(other.shape_names)
        np.testing.assert_allclose(fw.evaluate(other, weights), wanted, atol=close)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_combination_of_one_factor_is_an_in_between(seed: int) -> None:
    rig = random_rig(seed, shapes=3)
    target = 0.7 * rig.shape("s0").dense(rig.vertex_count) + 0.1
    half = fw.Shape.from_dense("half", target, sliders=("s0",), at=0.5)
    added = fw.Shape.from_dense(
        "half", target - 0.5 * rig.shape("s0").dense(rig.vertex_count), sliders=("s0",), at=0.5, additive=True
    )
    one, other = replace(rig, shapes=(*rig.shapes, half)), replace(rig, shapes=(*rig.shapes, added))
    weights = poses(rig, seed)
    np.testing.assert_allclose(fw.evaluate(one, weights), fw.evaluate(other, weights), atol=1e-12 * rig.size)


def test_the_two_ends_of_a_slider_are_different_shapes() -> None:
    rig = random_rig(1, shapes=2)
    down = fw.Shape.from_dense("s0 down", rig.shape("s1").dense(rig.vertex_count), sliders=("s0",), at=-1)
    rig = replace(rig, shapes=(*rig.shapes, down), bounds=np.array([[-1.0, 1], [0, 1]]))
    np.testing.assert_allclose(fw.evaluate(rig, {"s0": -1}), fw.evaluate(rig, {"s1": 1}), atol=1e-12)
    np.testing.assert_allclose(Combine(rig)(np.array([-0.25, 0])), [0, 0, 0.25])
    np.testing.assert_allclose(Combine(rig)(np.array([0.25, 0])), [0.25, 0, 0])


def test_a_factor_alone_has_the_value_that_it_has_in_its_shape() -> None:
    rig = factored_rig(2)
    shape = rig.shape("s0 s1 s4")
    w = poses(rig, 2)
    each = [
        factor_values(factor, rig.bounds[rig.slider_index(factor.slider)], w[:, rig.slider_index(factor.slider)])
        for factor in shape.factors
    ]
    np.testing.assert_allclose(np.prod(each, axis=0), Combine(rig)(w)[:, rig.shape_names.index(shape.name)], atol=1e-12)
