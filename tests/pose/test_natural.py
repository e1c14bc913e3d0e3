"""A natural face: what a prior makes of pins."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize_scalar
from scipy.stats import multivariate_normal

import facewright as fw
from facewright.terms.prior_evidence import PosePrior
from tests.laws.things import Scene, scene, strip
from tests.some import some

CORNERS = (2781, 560)  # of the mouth of the embedded head: left, right


def recorded(rig: fw.Rig, seed: int = 0) -> np.ndarray:
    """Poses in which a few habits move all sliders."""
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(size=(300, 4)) @ rng.normal(size=(4, len(rig.sliders))) / 4, *rig.bounds.T)


def rows(case: Scene) -> tuple[np.ndarray, np.ndarray]:
    """B (q, n) and m (q,) of the first pins."""
    slopes, places = fw.jacobian(case.rig, case.start), fw.evaluate(case.rig, case.start)
    pins = case.pins[:4]
    B = np.concatenate([slopes[pin.vertex] for pin in pins])
    return B, np.concatenate([some(pin.target) - places[pin.vertex] for pin in pins])


@pytest.mark.parametrize("thing", ["small", "two-sided", "mask"])
@pytest.mark.parametrize("learned", [False, True])
def test_a_natural_pose_is_the_least_squares_solution(thing: str, learned: bool) -> None:
    case = scene(thing, 0)
    prior = fw.Prior.learn(case.rig, recorded(case.rig)) if learned else None
    B, m = rows(case)
    every = np.arange(len(case.start))
    precision = PosePrior(case.rig, prior).about(B, every).precision(m)
    stacked = np.concatenate([B, np.linalg.cholesky(precision).T])
    low, high = case.rig.bounds.T - case.start
    expected = lsq_linear(stacked, np.concatenate([m, np.zeros(len(low))]), (low - 1e-12, high + 1e-12), tol=1e-14)
    solver = fw.PoseSolver(case.rig, prior=prior)
    found = solver.solve(case.pins[:4], case.start, "natural", sliders="all")
    np.testing.assert_allclose(found.change, expected.x, atol=2e-5)


def best_log(m: np.ndarray, K: np.ndarray) -> float:
    """The largest log density of m (q,) for a covariance of any size times K (q, q)."""

    def cost(log_size: float) -> float:
        return -float(multivariate_normal.logpdf(m, cov=np.exp(log_size) * K))

    return -float(minimize_scalar(cost, (-5, 5), tol=1e-12).fun)


@pytest.mark.parametrize("learned", [False, True])
def test_the_evidence_is_that_of_a_normal_distribution_of_the_best_size(learned: bool) -> None:
    case = scene("small", 1)
    prior = PosePrior(case.rig, fw.Prior.learn(case.rig, recorded(case.rig)) if learned else None)
    B, m = rows(case)
    logs = []
    for moment in prior.moments(np.arange(len(case.start))):
        seen = B @ moment @ B.T
        for noise in (0.02, 0.05, 0.1, 0.2):
            K = seen + noise**2 * np.trace(seen) / len(m) * np.eye(len(m))
            logs.append(best_log(m, K) / 3)  # a third of the rows counts as independent
    expected = np.exp(np.array(logs) - max(logs))
    shares = prior.about(B, np.arange(len(case.start))).shares(m)
    np.testing.assert_allclose(shares.ravel(), expected / expected.sum(), atol=1e-6)


def test_one_corner_dragged_up_smiles_on_both_sides() -> None:
    rig = fw.sample()
    pin = fw.Pin(vertex=CORNERS[0], target=rig.neutral[CORNERS[0]] + [0.3, 0.6, 0])
    found = dict(zip(rig.sliders, fw.solve_pose(rig, [pin], method="natural").weights, strict=True))
    assert found["mouthSmileLeft"] > 0.2
    assert found["mouthSmileRight"] == pytest.approx(found["mouthSmileLeft"], rel=0.2)


def test_an_eye_takes_the_other_one_along() -> None:
    rig = fw.sample()
    eye = rig.part("left eye")
    pupil = eye.start + int(rig.neutral[eye.start : eye.stop, 2].argmax())
    pin = fw.Pin(vertex=pupil, target=rig.neutral[pupil] + [0.2, 0.2, 0])
    found = dict(zip(rig.sliders, fw.solve_pose(rig, [pin], method="natural").weights, strict=True))
    for one, other in (("eyeLookUpLeft", "eyeLookUpRight"), ("eyeLookOutLeft", "eyeLookInRight")):
        assert found[one] > 0.1
        assert found[other] == pytest.approx(found[one], rel=0.2)


def test_symmetric_recordings_and_pins_give_a_symmetric_pose() -> None:
    rig = fw.sample()
    other = [rig.slider_index(mirrored(name)) for name in rig.sliders]
    poses = recorded(rig)
    prior = fw.Prior.learn(rig, np.concatenate([poses, poses[:, other]]))
    middle = replace(rig, exclusive=())  # of an exclusive pair one side would have to be taken
    pins = [fw.Pin(vertex=v, target=rig.neutral[v] + [0.1, 0.4, 0]) for v in (CORNERS[0], 1200)]
    pins += fw.mirror_pins(rig, pins)
    found = fw.PoseSolver(middle, prior=prior).solve(pins, method="natural", sliders="all").weights
    assert found.max() > 0.1
    np.testing.assert_allclose(found, found[other], atol=0.02)  # the head is not symmetric to the last bit


def mirrored(name: str) -> str:
    """The slider of the other side; the same where it has none."""
    sides = {"Left": "Right", "Right": "Left"}
    side = next((side for side in sides if name.endswith(side)), "")
    return name.removesuffix(side) + sides.get(side, "")


def test_symmetric_pins_give_a_symmetric_pose() -> None:
    rig = fw.sample()
    pins = [fw.Pin(vertex=CORNERS[0], target=rig.neutral[CORNERS[0]] + [0.3, 0.6, 0])]
    pins += fw.mirror_pins(rig, pins)
    found = dict(zip(rig.sliders, fw.solve_pose(rig, pins, method="natural").weights, strict=True))
    for name, weight in found.items():
        if name.endswith("Left") and name not in ("jawLeft", "mouthLeft"):
            assert found[name.removesuffix("Left") + "Right"] == pytest.approx(weight, abs=0.02)


def test_a_learned_habit_comes_with_the_pins() -> None:
    rig = fw.sample()
    rng = np.random.default_rng(0)
    smile = rng.uniform(0, 1, 200)
    poses = np.zeros((200, len(rig.sliders)))
    for name, factor in (("mouthSmileLeft", 1.0), ("mouthSmileRight", 0.2), ("browInnerUp", 0.8)):
        poses[:, rig.slider_index(name)] = factor * smile
    pins = [fw.Pin(vertex=CORNERS[0], target=fw.evaluate(rig, {"mouthSmileLeft": 0.8})[CORNERS[0]])]
    solver = fw.PoseSolver(rig, prior=fw.Prior.learn(rig, poses))
    found = dict(zip(rig.sliders, solver.solve(pins, method="natural").weights, strict=True))
    assert found["browInnerUp"] > 0.2
    assert found["mouthSmileRight"] < 0.5 * found["mouthSmileLeft"]


@pytest.mark.parametrize("thing", ["small", "mask", "head", "combining"])
def test_a_prior_of_no_strength_changes_nothing(thing: str) -> None:
    case = scene(thing, 1)
    weak = fw.Prior.learn(case.rig, recorded(case.rig), strength=0.0)
    alone, with_it = (
        fw.PoseSolver(case.rig, prior=prior).solve(case.pins, case.start, "natural").weights for prior in (None, weak)
    )
    np.testing.assert_array_equal(with_it, alone)


def test_a_prior_carried_by_names_poses_the_same_face_alike() -> None:
    rig = fw.sample()
    clip_of = fw.Prior.learn(rig, recorded(rig))
    renamed = {name: f"face.{name.removesuffix('Left')}_L" if name.endswith("Left") else name for name in rig.sliders}
    shapes = [
        fw.Shape(renamed[shape.name], shape.vertices, shape.offsets, (renamed[shape.name],)) for shape in rig.shapes
    ]
    pairs = [(renamed[a], renamed[b]) for a, b in rig.exclusive]
    other = fw.Rig(rig.neutral, rig.polygons, shapes, exclusive=pairs)
    pins = [fw.Pin(vertex=v, target=rig.neutral[v] + [0, 0.4, 0.1]) for v in (*CORNERS, 1200)]
    here, there = (fw.PoseSolver(each, prior=clip_of).solve(pins, method="natural").weights for each in (rig, other))
    np.testing.assert_allclose(there, here, atol=1e-9)


def test_a_drag_far_beyond_reach_does_not_turn_everything_on() -> None:
    rig = fw.sample()
    solver = fw.PoseSolver(rig)
    vertices = [*CORNERS, 1200, 3000]
    far, farther = (
        solver.solve([fw.Pin(vertex=v, target=rig.neutral[v] + [0, up, 0]) for v in vertices], method="natural").weights
        for up in (20.0, 500.0)
    )
    np.testing.assert_allclose(far, farther, atol=1e-9)
    assert (far > 0.99).sum() <= 8


@pytest.mark.parametrize("seed", range(3))
def test_what_follows_a_hand_is_the_least_squares_solution_given_what_leads(seed: int) -> None:
    rig = fw.sample()
    rng = np.random.default_rng(seed)
    prior = fw.Prior.learn(rig, recorded(rig, seed))
    pin = fw.Pin(vertex=CORNERS[0], target=rig.neutral[CORNERS[0]] + rng.normal(size=3) * [0.3, 0.5, 0.2])
    hand, found = (
        fw.PoseSolver(rig, prior=prior).solve([pin], method=method, sliders="all").weights
        for method in ("bounded", "natural")
    )
    B = fw.jacobian(rig, rig.weights())[CORNERS[0]]  # (3, n)
    reach = np.linalg.norm(B, axis=0)
    led = reach > 0.05 * reach.max()
    np.testing.assert_array_equal(found[led], hand[led])
    m = some(pin.target) - rig.neutral[CORNERS[0]]
    precision = PosePrior(rig, prior).about(B, np.arange(len(hand))).precision(m)
    H = B[:, ~led].T @ B[:, ~led] + precision[np.ix_(~led, ~led)]
    off = [rig.slider_index(name) for pair in rig.exclusive for name in pair]  # at most one is on: see another test
    c = precision[np.ix_(~led, led)] @ hand[led]
    slope = H @ found[~led] + c
    inside = (found[~led] > 1e-9) & (found[~led] < 1 - 1e-9)
    free = ~np.isin(np.flatnonzero(~led), off)
    scale = np.abs(H).max()
    assert np.abs(slope[inside & free]).max(initial=0.0) < 1e-6 * scale
    assert slope[(found[~led] <= 1e-9) & free].min(initial=0.0) > -1e-6 * scale


def test_the_automatic_choice_is_sparse_for_few_sliders_and_natural_for_many() -> None:
    rig = replace(fw.sample(), exclusive=())
    solver = fw.PoseSolver(rig)
    rng = np.random.default_rng(1)
    amount = solver.deltas.amount(rig.weights())
    many = np.minimum(0.3 * np.median(amount) / amount, 1.0)  # every slider moves about as much of the face
    for goal, method in ((rig.weights({"jawOpen": 0.6, "mouthSmileLeft": 0.5}), "bounded"), (many, "natural")):
        places = fw.evaluate(rig, goal)
        moved = np.linalg.norm(places - rig.neutral, axis=1)
        chosen = rng.choice(rig.vertex_count, 12, replace=False, p=moved / moved.sum())
        pins = [fw.Pin(vertex=int(v), target=places[v]) for v in chosen]
        found, expected = (solver.solve(pins, method=each).weights for each in ("automatic", method))
        np.testing.assert_allclose(found, expected, atol=1e-9)


def test_one_or_two_pins_touch_only_what_they_touch_by_the_automatic_choice() -> None:
    rig = fw.sample()
    solver = fw.PoseSolver(rig)
    pins = [fw.Pin(vertex=v, target=rig.neutral[v] + [0, 0.5, 0]) for v in CORNERS]
    found, expected = (solver.solve(pins, method=method).weights for method in ("automatic", "bounded"))
    np.testing.assert_array_equal(found, expected)


def test_of_very_many_sliders_those_that_move_the_pins_take_part() -> None:
    small = fw.sample()
    vertices = [*CORNERS, 1200]
    away = fw.Shape("away", [5000], [[0.0, 1.0, 0.0]])
    idle = [replace(away, name=f"idle {i}", sliders=(f"idle {i}",)) for i in range(1000)]
    crowded = fw.Rig(small.neutral, small.polygons, (*small.shapes, *idle), exclusive=small.exclusive)
    pins = [fw.Pin(vertex=v, target=small.neutral[v] + [0, 0.4, 0.1]) for v in vertices]
    few, many = (fw.solve_pose(rig, pins, method="natural") for rig in (small, crowded))
    np.testing.assert_allclose(many.weights[: len(few.weights)], few.weights, atol=1e-6)
    assert not many.weights[len(few.weights) :].any()


def test_the_other_corner_comes_along_whatever_in_betweens_do_on_the_way() -> None:
    """Half a smile of one side moves the other corner; a whole one does not."""
    own = [fw.Shape(f"smile_{side}", [v, v + 2], [[0.0, 1.0, 0.0], [0.0, 0.5, 0.0]]) for v, side in enumerate("LR")]
    half = [
        fw.Shape(f"smile_{side} half", [1 - v], [[0.0, 0.1, 0.0]], sliders=(f"smile_{side}",), at=0.5, additive=True)
        for v, side in enumerate("LR")
    ]
    neutral = np.array([[-1.0, 0, 0], [1.0, 0, 0], [-2.0, 1, 0], [2.0, 1, 0]])
    for shapes in (own, own + half):
        rig = fw.Rig(neutral, strip(4), tuple(shapes))
        found = fw.solve_pose(rig, [fw.Pin(vertex=0, target=neutral[0] + [0.0, 0.7, 0.0])], method="natural").weights
        assert found[0] > 0.5
        assert found[1] > 0.8 * found[0]
