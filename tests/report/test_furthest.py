from itertools import product
from typing import Any

import numpy as np
import pytest

from facewright.report.breaches import breaches
from facewright.report.furthest import furthest
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Shape
from tests.report.report_rigs import random_rig


def brute_force(rig: Rig, vertices: np.ndarray) -> float:
    """The largest distance over all poses at bounds, at 0 and at in-betweens that keep exclusive pairs apart."""
    values = []
    for name, (low, high) in zip(rig.sliders, rig.bounds, strict=True):
        at = [shape.at[0] for shape in rig.shapes if shape.sliders == (name,)]
        values.append(sorted({low, high, *(value for value in (0.0, *at) if low <= value <= high)}))
    poses = np.array(list(product(*values)))
    for a, b in rig.exclusive:
        poses = poses[(poses[:, rig.slider_index(a)] == 0) | (poses[:, rig.slider_index(b)] == 0)]
    return float(np.linalg.norm((evaluate(rig, poses) - rig.neutral)[:, vertices], axis=2).max())


def nonlinear_rig(seed: int, **options: Any) -> Rig:
    rng = np.random.default_rng(seed)
    rig = random_rig(seed, shapes=5)
    more = (
        Shape.from_dense("half", rng.normal(size=(rig.vertex_count, 3)), sliders=("s1",), at=0.5),
        Shape.from_dense("both", rng.normal(size=(rig.vertex_count, 3)), sliders=("s0", "s2")),
    )
    bounds = np.array([(0, 1), (-1, 0.7), (-2, 1), (0, 0.25), (-0.5, 0.5)], float)
    return Rig(rig.neutral, rig.polygons, (*rig.shapes, *more), rig.sliders, bounds, **options)


@pytest.mark.parametrize("seed", range(12))
def test_the_furthest_pose_of_a_linear_rig_is_that_of_all_corners(seed: int) -> None:
    rig = random_rig(seed, shapes=8, exclusive=(("s0", "s1"), ("s2", "s5")))
    vertices = np.arange(rig.vertex_count)
    found = furthest(rig, vertices)
    assert found is not None
    assert found.distance == pytest.approx(brute_force(rig, vertices))


@pytest.mark.parametrize("seed", range(12))
def test_the_furthest_pose_with_in_betweens_and_combinations_is_that_of_all_corners(seed: int) -> None:
    rig = nonlinear_rig(seed)
    found = furthest(rig, np.array([3, 7, 11]))
    assert found is not None
    assert found.distance == pytest.approx(brute_force(rig, np.array([3, 7, 11])))


@pytest.mark.parametrize("seed", range(4))
def test_the_pose_reaches_the_distance_it_claims(seed: int) -> None:
    rig = nonlinear_rig(seed)
    found = furthest(rig, np.array([2, 5]))
    assert found is not None
    offset = evaluate(rig, found.pose)[found.vertex] - rig.neutral[found.vertex]
    assert np.linalg.norm(offset) == pytest.approx(found.distance)


def test_a_vertex_that_nothing_moves_stays() -> None:
    rig = Rig(np.eye(3), [[0, 1, 2]], (Shape("a", [0], [[1, 0, 0]]),))
    found = furthest(rig, np.array([2]))
    assert found is not None
    assert (found.distance, dict(found.pose)) == (0.0, {})
    assert furthest(rig, np.zeros(0, int)) is None


def test_a_slider_that_moves_what_is_kept_for_others_breaks_the_rule() -> None:
    neutral = np.eye(3) * 3
    shapes = (Shape("brow", [0], [[1, 0, 0]]), Shape("jaw", [0, 1], np.array([[0, 0.5, 0], [2, 0, 0]])))
    rule = OnlyMovedBy("brows", np.array([0]), ("brow",))
    rig = Rig(neutral, [[0, 1, 2]], shapes, bounds=np.array([[0, 1], [0, 0.5]]), rules=(rule,))
    (found,) = breaches(rig)
    assert (found.rule, found.vertex, dict(found.pose)) == ("brows", 0, {"jaw": 0.5})
    assert found.distance == pytest.approx(0.25 / rig.size)


def test_a_combination_with_a_forbidden_slider_breaks_the_rule_and_an_allowed_one_does_not() -> None:
    shapes = (
        Shape("brow", [0], [[1, 0, 0]]),
        Shape("jaw", [1], [[1, 0, 0]]),
        Shape("lid", [0], [[1, 0, 0]]),
        Shape("browJaw", [0], [[0, 1, 0]], ("brow", "jaw")),
        Shape("browLid", [0], [[0, 1, 0]], ("brow", "lid")),
    )
    rig = Rig(np.eye(3), [[0, 1, 2]], shapes, rules=(OnlyMovedBy("brows", np.array([0]), ("brow", "lid")),))
    assert [dict(found.pose) for found in breaches(rig)] == [{"brow": 1.0, "jaw": 1.0}]


def test_less_than_the_tolerance_is_not_moving() -> None:
    shapes = (Shape("jaw", [0], [[1e-5, 0, 0]]),)
    rig = Rig(np.eye(3), [[0, 1, 2]], shapes, rules=(OnlyMovedBy("brows", np.array([0]), ()),))
    assert breaches(rig) == ()


@pytest.mark.parametrize("seed", range(4))
def test_a_distance_is_broken_exactly_when_some_pose_goes_further(seed: int) -> None:
    rig = nonlinear_rig(seed)
    vertices = np.array([1, 4, 6])
    most = brute_force(rig, vertices)
    for distance, count in ((0.999 * most, 1), (1.001 * most, 0)):
        found = breaches(nonlinear_rig(seed, rules=(StaysWithin("near", vertices, distance),)))
        assert len(found) == count
        for one in found:
            assert one.distance == pytest.approx(most / rig.size)
            assert one.allowed == pytest.approx(distance / rig.size)
