"""Attenuation against the paper's formula and independent solvers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import facewright as fw
from facewright.errors import BadValue
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.solve.solution import Status
from tests.laws.things import THINGS, combining_rig, random_rig, strip


def parts(rig: fw.Rig, selection: fw.Selection) -> tuple[np.ndarray, np.ndarray]:
    """Rows of D that are not selected, and those that are."""
    D = rig.deltas().reshape(len(rig.shapes), -1).T
    return np.delete(D, selection.coordinates, axis=0), D[selection.coordinates]


def wide(seed: int, **options: Any) -> fw.Rig:
    """A rig whose bounds are never met."""
    return random_rig(seed, bounds=np.tile([-100.0, 100.0], (7, 1)), **options)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 335.0, 1e4])
@pytest.mark.parametrize("seed", range(10))
def test_from_neutral_it_is_equation_3(seed: int, alpha: float) -> None:
    rig = wide(seed)
    selection = fw.Selection.of([1, 4, 9])
    rest, S = parts(rig, selection)
    P, Q = rest.T @ rest, S.T @ S
    w1 = np.random.default_rng(seed).uniform(size=7)
    printed = np.linalg.solve(P + alpha * Q, P @ w1)
    np.testing.assert_allclose(fw.Attenuation(rig, selection, alpha=alpha).solve(w1).weights, printed, atol=1e-10)


@pytest.mark.parametrize("seed", range(10))
def test_from_a_pose_it_is_equation_3_for_what_changes(seed: int) -> None:
    rig = wide(seed)
    rng = np.random.default_rng(seed)
    reference, w1 = rng.uniform(size=(2, 7))
    plain = fw.Attenuation(rig, [1, 4, 9]).solve(w1 - reference).weights
    found = fw.Attenuation(rig, [1, 4, 9], reference).solve(w1).weights
    np.testing.assert_allclose(found - reference, plain, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_where_bounds_are_met_it_is_the_bounded_least_squares_solution(seed: int) -> None:
    rig = random_rig(seed)
    selection = fw.Selection.of([1, 4, 9])
    alpha = 50.0
    rest, S = parts(rig, selection)
    rng = np.random.default_rng(seed)
    reference, w1 = rng.uniform(size=7) * (rng.uniform(size=7) < 0.4), rng.uniform(size=7)
    A = np.vstack([rest, np.sqrt(alpha) * S])
    b = np.concatenate([rest @ (w1 - reference), np.zeros(len(S))])
    change = lsq_linear(A, b, (0 - reference, 1 - reference), method="bvls", tol=1e-15).x
    met = np.isclose(change, -reference, atol=1e-9) | np.isclose(change, 1 - reference, atol=1e-9)
    found = fw.Attenuation(rig, selection, reference, alpha).solve(w1)
    np.testing.assert_allclose(found.weights, reference + change, atol=1e-7)
    assert found.status is Status.SOLVED
    assert met.any() or (found.weights > 0).all()


def test_some_of_those_do_meet_a_bound() -> None:
    met = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        reference, w1 = rng.uniform(size=7) * (rng.uniform(size=7) < 0.4), rng.uniform(size=7)
        weights = fw.Attenuation(random_rig(seed), [1, 4, 9], reference, 50.0).solve(w1).weights
        met += bool(np.isin(weights, (0.0, 1.0)).any())
    assert met >= 10


@pytest.mark.parametrize("seed", range(6))
def test_a_selection_along_x_leaves_y_and_z_free(seed: int) -> None:
    """Each slider moves one axis of the selected vertex; only the one that moves x is stopped."""
    rng = np.random.default_rng(seed)
    deltas = rng.normal(size=(3, 12, 3))
    deltas[:, 5] = np.diag(rng.uniform(0.5, 1, 3))
    rig = fw.Rig(rng.normal(size=(12, 3)), strip(12), tuple(map(fw.Shape.from_dense, "xyz", deltas)))
    wide = replace(rig, bounds=np.tile([-10.0, 10.0], (3, 1)))
    found = fw.Attenuation(wide, {5: "x"}, alpha=1e9).solve([1.0, 1.0, 1.0]).weights
    rest, S = parts(wide, fw.Selection.of({5: "x"}))
    moved = found @ deltas[:, 5]
    assert abs(moved[0]) < 1e-6
    assert len(S) == 1
    # what is left is the best of all motions that keep x
    best = np.linalg.lstsq(rest[:, 1:], rest @ np.ones(3), rcond=None)[0]
    np.testing.assert_allclose(found[1:], best, atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_others_make_the_best_of_locked_sliders(seed: int) -> None:
    rig = wide(seed)
    selection = fw.Selection.of([1, 4, 9])
    rest, S = parts(rig, selection)
    w1 = np.random.default_rng(seed).uniform(size=7)
    A, b = np.vstack([rest, 5 * S]), np.concatenate([rest @ w1, np.zeros(len(S))])
    free, locked = [0, 2, 3, 6], [1, 4, 5]
    expected = w1.copy()
    expected[free] = np.linalg.lstsq(A[:, free], b - A[:, locked] @ w1[locked], rcond=None)[0]
    found = fw.Attenuation(rig, selection, alpha=25.0, locked=["s1", "s4", "s5"]).solve(w1).weights
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_a_slider_that_moves_nothing_selected_does_as_it_is_told_when_others_are_told_nothing() -> None:
    near, far = np.zeros((2, 12, 3))
    near[:6], far[6:] = 1.0, 1.0
    rig = fw.Rig(np.zeros((12, 3)), strip(12), (fw.Shape.from_dense("near", near), fw.Shape.from_dense("far", far)))
    found = fw.Attenuation(rig, [0, 1, 2]).solve({"far": 0.7}).weights
    np.testing.assert_allclose(found, [0.0, 0.7], atol=1e-12)


def with_a_lid(seed: int) -> fw.Rig:
    """A rig with a shape that moves only vertices 2 and 3."""
    rig = random_rig(seed)
    lid = fw.Shape("lid", [2, 3], [[0.1, -0.4, 0.2], [0.0, -0.3, 0.1]])
    return fw.Rig(rig.neutral, rig.polygons, (*rig.shapes, lid))


@pytest.mark.parametrize("alpha", [0.0, 1e-9, 1.0, 1e9, 1e15])
def test_a_shape_that_moves_only_selected_points_makes_nothing_blow_up(alpha: float) -> None:
    weights = np.random.default_rng(1).uniform(size=8)
    found = fw.Attenuation(with_a_lid(0), [2, 3, 4], alpha=alpha).solve(weights)
    assert found.status is Status.SOLVED
    assert found.weights.min() >= 0
    assert found.weights.max() <= 1
    if alpha == 0:
        np.testing.assert_allclose(found.weights, weights, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_such_a_shape_may_only_undo_what_others_do_to_the_selection(seed: int) -> None:
    rig = with_a_lid(seed)
    rest, S = parts(rig, fw.Selection.of([2, 3, 4]))
    weights = np.random.default_rng(seed).uniform(size=8)
    A, b = np.vstack([rest, S]), np.concatenate([rest @ weights, np.zeros(len(S))])
    expected = lsq_linear(A, b, (0, 1), method="bvls", tol=1e-15).x
    found = fw.Attenuation(rig, [2, 3, 4], alpha=1.0).solve(weights).weights
    np.testing.assert_allclose(found, expected, atol=1e-7)
    alone = fw.Attenuation(rig, [2, 3, 4], alpha=1.0).solve({"lid": 0.8}).weights
    np.testing.assert_allclose(alone, 0, atol=1e-9)


def test_the_whole_face_selected_stays_as_it_is() -> None:
    rig = random_rig(2)
    found = fw.Attenuation(rig, range(rig.vertex_count)).solve(np.full(7, 0.8))
    assert found.status is Status.SOLVED
    np.testing.assert_allclose(found.weights, 0, atol=1e-9)


def test_nothing_selected_changes_nothing() -> None:
    weights = np.linspace(0, 1, 7)
    np.testing.assert_allclose(fw.Attenuation(random_rig(2), []).solve(weights).weights, weights, atol=1e-9)


def test_dead_sliders_do_as_they_are_told() -> None:
    rig = THINGS["defective"](0)
    found = fw.Attenuation(rig, [1, 2]).solve({"dead": 0.6, "s2": 0.3}).weights
    assert found[rig.slider_index("dead")] == pytest.approx(0.6, abs=1e-9)


def test_alpha_335_is_what_the_paper_starts_with() -> None:
    rig = fw.Rig(np.zeros((2016, 3)), strip(2016), (fw.Shape("one", [0], [[1.0, 0, 0]]),))
    assert fw.Attenuation(rig, range(6)).alpha == 335


@pytest.mark.parametrize("seed", range(4))
def test_rules_are_kept(seed: int) -> None:
    rig = random_rig(seed)
    weights = np.random.default_rng(seed).uniform(0.3, 1, 7)
    far = np.linalg.norm(fw.evaluate(rig, weights) - rig.neutral, axis=1)
    region = np.array([0, 1])
    rules = (
        StaysWithin("near", np.array([int(far.argmax())]), 0.3 * float(far.max())),
        OnlyMovedBy("mine", region, ("s0",)),
    )
    found = fw.Attenuation(replace(rig, rules=rules[:1]), [5, 6]).solve(weights).weights
    moved = np.linalg.norm(fw.evaluate(rig, found) - rig.neutral, axis=1)
    assert moved[far.argmax()] <= 0.3 * far.max() * (1 + 1e-5)
    found = fw.Attenuation(replace(rig, rules=rules[1:]), [5, 6]).solve(weights).weights
    others = [i for i, shape in enumerate(rig.shapes) if np.isin(region, shape.vertices).any() and shape.name != "s0"]
    np.testing.assert_array_equal(found[others], weights[others])


def test_a_combining_rig_is_linear_about_the_reference() -> None:
    rig = replace(combining_rig(0), bounds=np.tile([-50.0, 50.0], (5, 1)))
    reference, step = np.array([0.3, 0.4, 0.5, 0.2, 0.1]), np.array([1e-6, 0, 2e-6, 0, 1e-6])
    found = fw.Attenuation(rig, [3, 4], reference).solve(reference + step).weights - reference
    J = fw.jacobian(rig, reference).reshape(-1, 5)
    S, rest = J[9:15], np.delete(J, range(9, 15), axis=0)
    alpha = (rig.vertex_count - 2) / 2
    expected = np.linalg.solve(rest.T @ rest + alpha * S.T @ S, rest.T @ rest @ step)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("alpha", [-1.0, np.nan, np.inf])
def test_an_alpha_that_is_no_share_is_refused(alpha: float) -> None:
    with pytest.raises(BadValue, match="alpha is a number from 0 up"):
        fw.Attenuation(random_rig(0), [1], alpha=alpha)


def test_a_vertex_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadValue, match="index 20; indices go from 0 to 19"):
        fw.Attenuation(random_rig(0), [1, 20])
