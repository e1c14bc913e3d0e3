"""Measures of points and their slopes, against the map of slider values and differences."""

from collections.abc import Callable

import numpy as np
import pytest

import facewright as fw
from facewright.rig.combine import Combine
from facewright.rig.point_motion import BentMatrix, PointMotion, ShapeMotion, chords
from tests.laws.things import combining_rig, factored_rig, random_rig

RIGS: dict[str, Callable[[int], fw.Rig]] = {"plain": random_rig, "targets": combining_rig, "factors": factored_rig}


def poses(rig: fw.Rig, seed: int) -> np.ndarray:
    """Some at knots and bounds, some between."""
    rng = np.random.default_rng([4, seed])
    weights = rng.uniform(rig.bounds[:, 0], rig.bounds[:, 1], (30, len(rig.sliders)))
    weights[::3] = np.round(4 * weights[::3]) / 4
    return np.asarray(weights)


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", range(3))
def test_measures_and_slopes_are_rows_times_those_of_the_shapes(kind: str, seed: int) -> None:
    rig = RIGS[kind](seed)
    combine, rows = Combine(rig), np.random.default_rng(seed).normal(size=(7, len(rig.shapes)))
    matrix = BentMatrix(combine)
    motion, every = PointMotion.of(combine, matrix, rows[:4]).followed_by(3), np.arange(len(rig.sliders))
    by = np.random.default_rng(seed).normal(size=(3, 4))
    motion.end_with(PointMotion.of(combine, matrix, rows[3:]), by)
    rows = np.concatenate([rows[:4], by @ rows[3:]])
    weights = poses(rig, seed)
    np.testing.assert_allclose(motion.values(weights), combine(weights) @ rows.T, atol=1e-12)
    for number, weight in enumerate(weights):
        pose, jacobian, some = matrix.at(weight), rows @ combine.jacobian(weight), every[:: 1 + number % 2]
        np.testing.assert_allclose(motion.values(weight), rows @ combine(weight), atol=1e-12)
        np.testing.assert_allclose(motion.at(pose), rows @ combine(weight), atol=1e-12)
        np.testing.assert_allclose(motion.slopes(pose, some), jacobian[:, some].T, atol=1e-12)
        np.testing.assert_allclose(motion.slope(pose, rows[:, 0]), rows[:, 0] @ jacobian, atol=1e-12)


@pytest.mark.parametrize("kind", RIGS)
def test_values_of_all_shapes_and_what_depends_on_them(kind: str) -> None:
    rig = RIGS[kind](1)
    combine, by_shapes = Combine(rig), np.random.default_rng(1).normal(size=len(rig.shapes))
    motion = ShapeMotion(combine)
    weights = poses(rig, 1)
    np.testing.assert_allclose(motion.values(weights), combine(weights), atol=1e-12)
    for pose in weights:
        values, slopes = motion.both(pose)
        np.testing.assert_allclose(values, combine(pose), atol=1e-12)
        np.testing.assert_allclose(motion.slope(slopes, by_shapes), by_shapes @ combine.jacobian(pose), atol=1e-12)


@pytest.mark.parametrize("kind", RIGS)
def test_bent_values_at_two_poses_are_those_at_each(kind: str) -> None:
    rig = RIGS[kind](3)
    combine, weights = Combine(rig), poses(rig, 3)
    motion = ShapeMotion(combine)
    for both in weights.reshape(-1, 2, len(rig.sliders)):
        np.testing.assert_allclose(motion.bent_at_two(both), combine(both)[:, motion.bent_shapes], atol=1e-12)


@pytest.mark.parametrize("kind", RIGS)
def test_chords_go_from_end_to_end_of_each_slider_alone(kind: str) -> None:
    rig = RIGS[kind](2)
    combine, start = Combine(rig), poses(rig, 2)[1]
    found = chords(combine, start, rig.bounds)
    for slider, (low, high) in enumerate(rig.bounds):
        one, other = start.copy(), start.copy()
        one[slider], other[slider] = max(low, 0.0), high
        wanted = (combine(other) - combine(one)) / (high - max(low, 0.0))
        np.testing.assert_allclose(found[:, slider], wanted, atol=1e-12)
