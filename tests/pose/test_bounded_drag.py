"""The bounded method against independent solvers of the same problem."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import LinearConstraint

import facewright as fw
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.solve.solution import Status
from tests.laws.things import defective_rig, random_rig, scene
from tests.pose.independent import Objective, within

LINEAR = ["small", "two-sided", "mask"]


@pytest.mark.parametrize("thing", LINEAR)
@pytest.mark.parametrize("seed", range(6))
def test_a_drag_is_the_least_squares_solution_of_its_split_form(thing: str, seed: int) -> None:
    case = scene(thing, seed)
    pins = [replace(case.pins[0], strength=0.5), replace(case.pins[1], axes="xz"), *case.pins[2:]]
    found = fw.solve_pose(case.rig, pins, case.start)
    np.testing.assert_allclose(found.weights, Objective(case.rig, pins, case.start).by_least_squares(), atol=2e-6)


@pytest.mark.parametrize("thing", LINEAR)
@pytest.mark.parametrize("seed", range(4))
def test_so_is_one_with_a_hold_pin(thing: str, seed: int) -> None:
    case = scene(thing, seed)
    pins = [*case.pins[:3], replace(case.pins[3], hold=True)]
    found = fw.solve_pose(case.rig, pins, case.start)
    np.testing.assert_allclose(found.weights, Objective(case.rig, pins, case.start).by_least_squares(), atol=2e-6)


@pytest.mark.parametrize("seed", range(6))
def test_a_rule_that_vertices_stay_near_rest_is_kept_at_the_least_cost(seed: int) -> None:
    case = scene("small", 2 * seed)
    far = np.linalg.norm(fw.evaluate(case.rig, case.goal) - case.rig.neutral, axis=1)
    vertices, distance = np.argsort(-far)[:3], 0.4 * float(np.sort(far)[-3])
    rig = replace(case.rig, rules=(StaysWithin("near", vertices, distance),))
    found = fw.solve_pose(rig, case.pins, case.start)
    moved = np.linalg.norm((fw.evaluate(rig, found.weights) - rig.neutral)[vertices], axis=1)
    assert found.status is Status.SOLVED
    assert moved.max() <= distance * (1 + 1e-5)
    first = Objective(rig, case.pins, case.start)
    objective = first.relieved(first.by_minimize(within(rig, vertices, distance)))
    other = objective.by_minimize(within(rig, vertices, distance))
    assert objective.cost(found.weights) <= objective.cost(other) * (1 + 1e-4)
    np.testing.assert_allclose(found.weights, other, atol=2e-2)


def test_a_rule_is_kept_by_the_published_methods_too() -> None:
    case = scene("small", 0)
    vertices, distance = np.arange(case.rig.vertex_count), 0.3
    rig = replace(case.rig, rules=(StaysWithin("near", vertices, distance),))
    for method in ("pinv", "tikhonov", "transpose", "hybrid", "landweber"):
        weights = fw.solve_pose(rig, case.pins, method=method).weights
        assert np.linalg.norm(fw.evaluate(rig, weights) - rig.neutral, axis=1).max() <= distance * (1 + 1e-5)
        assert weights.any()


@pytest.mark.parametrize("method", ["bounded", "convex", "pinv", "transpose"])
@pytest.mark.parametrize("seed", range(4))
def test_a_region_is_moved_only_by_its_own_sliders(method: str, seed: int) -> None:
    case = scene("small", seed)
    region = np.array([0, 1, 2])
    rig = replace(case.rig, rules=(OnlyMovedBy("mine", region, ("s0", "s3"), tolerance=1e-4),))
    weights = fw.solve_pose(rig, case.pins, case.start, method).weights
    moves = [shape.name for shape in rig.shapes if np.isin(region, shape.vertices).any()]
    others = [rig.slider_index(name) for name in moves if name not in ("s0", "s3")]
    assert others
    np.testing.assert_array_equal(weights[others], case.start[others])


@pytest.mark.parametrize("seed", range(6))
def test_whole_face_weights_sum_to_one_at_most_at_the_least_cost(seed: int) -> None:
    case = scene("small", 2 * seed)
    found = fw.solve_pose(case.rig, case.pins, case.start, "convex")
    assert found.weights.min() >= 0
    assert found.weights.sum() <= 1 + 1e-9
    whole = LinearConstraint(np.ones((1, len(case.start))), -np.inf, 1.0)
    first = Objective(case.rig, case.pins, case.start)
    objective = first.relieved(first.by_minimize(whole))
    other = objective.by_minimize(whole)
    np.testing.assert_allclose(found.weights, other, atol=5e-3)
    assert objective.cost(found.weights) <= objective.cost(other) * (1 + 1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_exclusive_sliders_are_never_both_on(seed: int) -> None:
    case = scene("small", seed)
    on = [case.rig.sliders[i] for i in np.argsort(-case.goal)[:3]]
    rig = replace(case.rig, exclusive=((on[0], on[1]), (on[1], on[2])))
    start = case.start * (np.arange(len(case.start)) == case.start.argmax())
    found = fw.solve_pose(rig, case.pins, start)
    value = dict(zip(rig.sliders, found.weights, strict=True))
    assert min(value[on[0]], value[on[1]]) == 0
    assert min(value[on[1]], value[on[2]]) == 0
    assert found.weights.any()


def test_of_an_exclusive_pair_the_one_that_was_on_stays() -> None:
    rig = random_rig(3, exclusive=(("s0", "s1"),))
    goal = fw.evaluate(rig, {"s0": 0.1, "s1": 0.9})
    pins = [fw.Pin(vertex=v, target=goal[v]) for v in range(6)]
    weights = fw.solve_pose(rig, pins, {"s0": 0.3}).weights
    assert weights[1] == 0


@pytest.mark.parametrize("seed", range(4))
def test_of_twin_sliders_the_cost_is_still_the_least(seed: int) -> None:
    rig = defective_rig(seed)
    goal = fw.evaluate(rig, {"twin": 0.7, "s3": 0.4})
    pins = [fw.Pin(vertex=v, target=goal[v]) for v in range(5)]
    found = fw.solve_pose(rig, pins)
    first = Objective(rig, pins, rig.weights())
    objective = first.relieved(first.one_pass())
    assert objective.cost(found.weights) <= objective.cost(objective.one_pass()) * (1 + 1e-6)
    assert found.weights[rig.slider_index("dead")] == 0


def test_a_hidden_pose_of_few_sliders_is_found_from_few_pins() -> None:
    case = scene("head", 0)
    found = fw.solve_pose(case.rig, case.pins)
    wanted, moved = (fw.evaluate(case.rig, pose) - case.rig.neutral for pose in (case.goal, found.weights))
    assert np.linalg.norm(moved - wanted) < 0.5 * np.linalg.norm(wanted)
    assert len(found.moved) <= 8
