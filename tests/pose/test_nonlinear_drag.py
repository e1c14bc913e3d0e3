"""Rigs whose sliders bend and combine."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import facewright as fw
from facewright.pose.pin_rows import PinRows
from facewright.pose.update import BoundedUpdate
from facewright.regions.region_evaluator import masked_rig
from facewright.rig.rules import StaysWithin
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.limits import limits_about
from facewright.terms.preferences import ExactPins, Relief
from tests.laws.things import combining_rig, factored_rig, pose, strip
from tests.pose.independent import Objective
from tests.some import some


def reachable(seed: int, pins: int) -> tuple[fw.Rig, np.ndarray, list[fw.Pin]]:
    """A rig with in-betweens and combinations, and pins that ask for one of its poses."""
    rig = combining_rig(seed)
    goal = pose(rig, np.random.default_rng([6, seed]), 3)
    positions = fw.evaluate(rig, goal)
    return rig, goal, [fw.Pin(vertex=v, target=positions[v]) for v in range(pins)]


def answer(
    rig: fw.Rig, pins: list[fw.Pin], start: np.ndarray, knee: float = Relief().knee, exact: ExactPins | None = None
) -> np.ndarray:
    """The weights (n,) of a drag, whose pins are not taken for exact unless `exact` tells whether they are."""
    motion = DeltaMatrix(rig)
    pinned = PinRows(motion, pins, start)
    update = BoundedUpdate(motion, pinned, start, limits_about(rig.bounds, start), relief=Relief(knee), exact=exact)
    return start + update.solve(pinned.wanted(pinned.targets()))[0]


def passes(rig: fw.Rig, pins: list[fw.Pin], start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights (n,) of a solve without relief for sliders in use, and those of one with it."""
    return answer(rig, pins, start, knee=1e12), answer(rig, pins, start)


@pytest.mark.parametrize("seed", range(12))
def test_a_pose_that_can_be_reached_is_reached(seed: int) -> None:
    rig, goal, pins = reachable(seed, rig_pins := 12)
    found = fw.solve_pose(rig, pins)
    asked = np.linalg.norm([some(pin.target) - rig.neutral[pin.vertex] for pin in pins])
    assert found.status is Status.SOLVED
    assert np.linalg.norm(found.residual) <= 0.08 * asked
    assert len(found.residual) == rig_pins
    np.testing.assert_allclose(found.weights, goal, atol=0.15)


@pytest.mark.parametrize("seed", range(12))
def test_no_general_method_from_the_same_start_finds_less_cost(seed: int) -> None:
    rig, _, pins = reachable(seed, 5)
    found = answer(rig, pins, rig.weights())
    first = Objective(rig, pins, rig.weights())
    second = first.relieved(first.linear_pass())
    others = [second.by_minimize(method=method) for method in ("SLSQP", "L-BFGS-B")]
    assert second.cost(found) <= min(second.cost(other) for other in others) * (1 + 1e-3)
    others = [first.by_minimize(method=method) for method in ("SLSQP", "L-BFGS-B")]
    alone = passes(rig, pins, rig.weights())[0]
    assert first.cost(alone) <= min(first.cost(other) for other in others) * (1 + 1e-3)


@pytest.mark.parametrize("from_a_pose", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_no_answer_costs_more_than_that_of_a_linear_rig(seed: int, from_a_pose: bool) -> None:
    rig, _, pins = reachable(seed, 5)
    start = 0.8 * pose(rig, np.random.default_rng([7, seed]), 3) if from_a_pose else rig.weights()
    first = Objective(rig, pins, start)
    for objective, found in zip((first, first.relieved(first.linear_pass())), passes(rig, pins, start), strict=True):
        linear = objective.linear_pass()
        assert objective.cost(found - start) <= objective.cost(linear - start) * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_exact_pins_cost_no_more_at_their_low_prices_than_the_linear_answer(seed: int) -> None:
    rig, _, pins = reachable(seed, 5)
    first = Objective(rig, pins, rig.weights())
    relieved = first.relieved(first.linear_pass())
    low = replace(relieved, factors=0.1 * relieved.factors)
    found = answer(rig, pins, rig.weights(), exact=ExactPins(sure=1e-300))  # surely exact if only a little better
    others = [low.by_minimize(method=method) for method in ("SLSQP", "L-BFGS-B")]
    assert low.cost(found) < low.cost(answer(rig, pins, rig.weights()))
    assert low.cost(found) <= min(low.cost(other) for other in [*others, low.linear_pass()]) * (1 + 1e-3)


def test_exact_pins_bring_the_pose_nearer_and_slips_are_not_followed() -> None:
    """Twelve poses of three sliders each: the mean error of weights, without and with a test whether pins are exact."""
    errors = {slip: np.zeros(2) for slip in (0.0, 0.1)}
    for seed in range(12):
        rig, goal, pins = reachable(seed, 8)
        rng = np.random.default_rng([8, seed])
        for slip, sums in errors.items():
            far = np.mean([np.linalg.norm(some(pin.target) - rig.neutral[pin.vertex]) for pin in pins])
            slipped = [replace(pin, target=some(pin.target) + slip * far * rng.normal(size=3)) for pin in pins]
            sums += [
                np.abs(answer(rig, slipped, rig.weights(), exact=exact) - goal).mean() for exact in (None, ExactPins())
            ]
    plain, tested = errors[0.0]
    assert tested < 0.5 * plain
    plain, tested = errors[0.1]
    assert tested < 1.1 * plain


def bent_rig(middle: list[float], end: list[float], bounds: tuple[float, float] = (0.0, 1.0)) -> fw.Rig:
    """One slider that takes a vertex to `middle` at 0.5 and to `end` at 1."""
    shapes = (
        fw.Shape("smile", [0], [end]),
        fw.Shape("smile half", [0], [middle], sliders=("smile",), at=0.5),
    )
    return fw.Rig(np.eye(3), strip(3), shapes, bounds=np.array([bounds]))


@pytest.mark.parametrize("value", [0.1, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("start", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_a_slider_goes_round_its_bend_from_either_side(start: float, value: float) -> None:
    rig = bent_rig([1.0, 0.0, 0.0], [1.0, 1.0, 0.0])
    target = fw.evaluate(rig, [value])[0]
    found = fw.solve_pose(rig, [fw.Pin(vertex=0, target=target)], [start])
    np.testing.assert_allclose(found.weights, [value], atol=0.03)
    assert found.status is Status.SOLVED


@pytest.mark.parametrize(("start", "value"), [(0.0, 0.9), (0.2, 0.8), (1.0, 0.2)])
def test_a_slider_gets_past_a_bend_that_leads_away_from_the_target(start: float, value: float) -> None:
    rig = bent_rig([1.0, 0.0, 0.0], [0.1, 1.0, 0.0])
    target = fw.evaluate(rig, [value])[0]
    found = fw.solve_pose(rig, [fw.Pin(vertex=0, target=target)], [start])
    np.testing.assert_allclose(found.weights, [value], atol=0.03)


@pytest.mark.parametrize("seed", range(8))
def test_from_a_pose_no_small_change_costs_less(seed: int) -> None:
    rig, _, pins = reachable(seed, 5)
    rng = np.random.default_rng([7, seed])
    start = np.clip(0.8 * pose(rig, rng, 4), *rig.bounds.T)
    alone, found = passes(rig, pins, start)
    first = Objective(rig, pins, start)
    for objective, weights in ((first, alone), (first.relieved(first.linear_pass()), found)):
        least = objective.cost(weights - start)
        for size in (1e-3, 1e-2):
            for way in [*np.eye(5), *-np.eye(5), *rng.normal(size=(20, 5))]:
                near = np.clip(weights + size * way, *rig.bounds.T)
                assert objective.cost(near - start) >= least * (1 - 1e-6)


@pytest.mark.parametrize("value", [-0.7, 0.7])
def test_a_slider_that_does_another_thing_below_zero_finds_it(value: float) -> None:
    shapes = (
        fw.Shape("corner", [0], [[0.0, 1.0, 0.0]]),
        fw.Shape("corner down", [0], [[1.0, -0.2, 0.0]], sliders=("corner",), at=-1.0),
    )
    rig = fw.Rig(np.eye(3), strip(3), shapes, bounds=np.array([[-1.0, 1.0]]))
    target = fw.evaluate(rig, [value])[0]
    np.testing.assert_allclose(fw.solve_pose(rig, [fw.Pin(vertex=0, target=target)]).weights, [value], atol=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_rules_hold_for_combined_motion(seed: int) -> None:
    rig, goal, pins = reachable(seed, 8)
    far = np.linalg.norm(fw.evaluate(rig, goal) - rig.neutral, axis=1)
    rig = replace(rig, rules=(StaysWithin("near", np.array([int(far.argmax())]), 0.5 * float(far.max())),))
    found = fw.solve_pose(rig, pins)
    moved = np.linalg.norm(fw.evaluate(rig, found.weights) - rig.neutral, axis=1)
    assert moved[far.argmax()] <= 0.5 * far.max() * (1 + 1e-5)


@pytest.mark.parametrize("make", [combining_rig, factored_rig])
@pytest.mark.parametrize("seed", range(4))
def test_held_points_stay_where_bent_sliders_would_move_them(make: Callable[[int], fw.Rig], seed: int) -> None:
    rig, rng = make(seed), np.random.default_rng([6, seed])
    start = 0.5 * pose(rig, rng, 3)
    places, targets = (fw.evaluate(rig, weights) for weights in (start, np.clip(start + pose(rig, rng, 3), 0, 1)))
    pins = [fw.Pin(vertex=v, target=targets[v]) for v in range(4)]
    held = [int(v) for v in np.argsort(-np.linalg.norm(targets - places, axis=1)) if v >= 4][:2]
    free, kept = (
        fw.evaluate(rig, fw.solve_pose(rig, pins, start, held=chosen, alpha=1e4).weights) for chosen in (None, held)
    )
    assert np.linalg.norm((kept - places)[held]) <= 0.05 * np.linalg.norm((targets - places)[held])
    assert np.linalg.norm((kept - places)[held]) <= np.linalg.norm((free - places)[held])


@pytest.mark.parametrize("seed", range(4))
def test_whole_faces_sum_to_one_on_bent_rigs(seed: int) -> None:
    rig = factored_rig(seed)
    targets = fw.evaluate(rig, np.array([0.5, 0.0, 0.3, 0.6, 0.4]))
    pins = [fw.Pin(vertex=v, target=targets[v]) for v in range(8)]
    found = fw.solve_pose(rig, pins, method="convex")
    assert found.weights.sum() <= 1 + 1e-9
    others = np.random.default_rng(seed).dirichlet(np.ones(6), 300)[:, :5]
    off = [np.linalg.norm((fw.evaluate(rig, each) - targets)[:8]) for each in (found.weights, *others)]
    assert off[0] <= 1.05 * min(off)


@pytest.mark.parametrize("seed", range(4))
def test_a_drag_within_a_region_sees_its_bends(seed: int) -> None:
    rig, goal, _ = reachable(seed, 12)
    shares = sp.csr_array(np.stack([np.arange(20) < 12, np.arange(20) >= 12]).astype(float))
    regions = fw.Regions(shares, ("near", "far", "whole"), np.array([2, 2, -1]), np.array([0, 0, 1]))
    cut = masked_rig(rig, regions, "near")
    targets = fw.evaluate(cut, goal)
    pins = [fw.Pin(vertex=v, target=targets[v]) for v in range(12)]
    found = fw.solve_pose(cut, pins)
    asked = np.linalg.norm(targets[:12] - rig.neutral[:12])
    assert np.linalg.norm(found.residual) <= 0.08 * asked


def test_a_rig_with_in_betweens_that_lie_on_the_way_is_posed_as_a_plain_one() -> None:
    plain = fw.Rig(np.eye(3), strip(3), (fw.Shape("smile", [0, 1], [[1.0, 0.2, 0.0], [0.5, 0.0, 0.0]]),))
    half = fw.Shape("half", [0, 1], [[0.5, 0.1, 0.0], [0.25, 0.0, 0.0]], sliders=("smile",), at=0.5)
    bent = replace(plain, shapes=(*plain.shapes, half))
    pins = [fw.Pin(vertex=0, target=np.array([1.7, 0.1, 0.0]))]
    np.testing.assert_allclose(fw.solve_pose(bent, pins).weights, fw.solve_pose(plain, pins).weights, atol=1e-8)
