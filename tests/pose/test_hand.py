"""One or two points that a hand drags: it shows about where to, and the face stays a face."""

from dataclasses import replace

import numpy as np
import pytest
from tools.experiments.both_sides import DRAGS, disagreement, side_pin
from tools.experiments.sloppy_hand import score

import facewright as fw
from facewright.rig.symmetry import Symmetry, symmetry
from tests.laws.things import scene, strip
from tests.pose.independent import HandObjective

CORNER = 2781  # of the mouth of the embedded head, on its left


@pytest.mark.parametrize("thing", ["small", "two-sided", "mask"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [1, 2])
def test_a_drag_is_the_least_squares_solution_of_its_split_form(thing: str, seed: int, count: int) -> None:
    case = scene(thing, seed)
    pins = [replace(case.pins[0], strength=0.5), replace(case.pins[1], axes="xz")][:count]
    pins.append(replace(case.pins[3], hold=True))
    found = fw.solve_pose(case.rig, pins, case.start)
    np.testing.assert_allclose(found.weights, HandObjective(case.rig, pins, case.start).by_least_squares(), atol=2e-5)


@pytest.mark.parametrize("up", [0.3, 0.6, 1.2, 2.0])
def test_a_corner_of_the_mouth_dragged_up_smiles(up: float) -> None:
    rig = fw.sample()
    found = fw.solve_pose(rig, [fw.Pin(vertex=CORNER, target=rig.neutral[CORNER] + [0, up, 0])])
    assert max(found.moved, key=lambda name: abs(found.moved[name])) == "mouthSmileLeft"
    assert "mouthClose" not in found.moved
    moved = fw.evaluate(rig, found.weights)[CORNER] - rig.neutral[CORNER]
    assert moved[1] > 0.5 * min(up, 1.0)


def test_a_sloppy_hand_gets_about_the_slider_that_it_meant() -> None:
    rig = fw.sample()
    solver = fw.PoseSolver(rig)
    found = score(rig, lambda drag: solver.solve(drag.pins()).weights, drags=4)
    assert found.distance < 0.35
    assert found.stopped < 0.02
    assert found.reached > 0.8


def test_a_slider_that_is_made_for_the_point_is_preferred() -> None:
    """Of two sliders that take the point along the same way, with the same motion of the whole face."""
    neutral = np.random.default_rng(0).normal(size=(12, 3))
    here, there = np.zeros((12, 3)), np.zeros((12, 3))
    here[:4] = [0.0, 1.0, 0.0]
    there[0], there[4] = [0.0, 1.0, 0.0], [0.0, np.sqrt(3.0), 0.0]
    shapes = [fw.Shape.from_dense("there", there), fw.Shape.from_dense("here", here)]
    rig = fw.Rig(neutral, strip(12), shapes)
    found = fw.solve_pose(rig, [fw.Pin(vertex=0, target=neutral[0] + [0.0, 0.5, 0.0])])
    assert list(found.moved) == ["here"]


def test_a_pin_that_stays_is_kept_by_sliders_of_its_own() -> None:
    shapes = [
        fw.Shape("both", [0, 1], [[0.0, 1.0, 0.0], [0.0, 0.6, 0.0]]),
        fw.Shape("back", [1], [[0.0, -1.0, 0.0]]),
    ]
    rig = fw.Rig(np.eye(4)[:, :3], strip(4), shapes)
    pins = [fw.Pin(vertex=v, target=rig.neutral[v] + [0.0, up, 0.0]) for v, up in ((0, 0.8), (1, 0.0))]
    kept = fw.evaluate(rig, fw.solve_pose(rig, pins).weights)[1] - rig.neutral[1]
    assert abs(kept[1]) < 0.1


def test_a_slider_that_alone_moves_the_point_is_used_though_it_moves_much_else() -> None:
    rig = fw.sample()
    only = fw.Rig(rig.neutral, rig.polygons, [rig.shape("jawOpen")])
    motion = only.shape("jawOpen")
    vertex = int(motion.vertices[np.linalg.norm(motion.offsets, axis=1).argsort()[len(motion.vertices) // 3]])
    way = 0.5 * (fw.evaluate(only, {"jawOpen": 1.0}) - only.neutral)[vertex]
    found = fw.solve_pose(only, [fw.Pin(vertex=vertex, target=only.neutral[vertex] + way)])
    assert found.weights[0] == pytest.approx(0.5, abs=0.05)


def test_pins_on_one_point_meet_in_the_middle() -> None:
    rig = fw.sample()
    way = (fw.evaluate(rig, {"mouthSmileLeft": 1.0}) - rig.neutral)[CORNER]
    pins = [fw.Pin(vertex=CORNER, target=rig.neutral[CORNER] + share * way) for share in (0.2, 0.6)]
    moved = fw.evaluate(rig, fw.solve_pose(rig, pins).weights)[CORNER] - rig.neutral[CORNER]
    assert moved @ way / (way @ way) == pytest.approx(0.4, abs=0.05)


@pytest.mark.parametrize("slider", ["jawOpen", "mouthSmileLeft"])
def test_two_pins_on_one_point_are_dragged_like_one(slider: str) -> None:
    rig = fw.sample()
    way = (fw.evaluate(rig, {slider: 0.4}) - rig.neutral)[CORNER]
    pin = fw.Pin(vertex=CORNER, target=rig.neutral[CORNER] + way)
    np.testing.assert_allclose(fw.solve_pose(rig, [pin, pin]).weights, fw.solve_pose(rig, [pin]).weights, atol=1e-9)


@pytest.fixture(scope="module")
def two_sided_head() -> tuple[fw.PoseSolver, Symmetry]:
    rig = fw.sample()
    return fw.PoseSolver(rig), symmetry(rig)


def test_a_symmetric_drag_is_both_one_sided_ones_at_once(two_sided_head: tuple[fw.PoseSolver, Symmetry]) -> None:
    found = {label: disagreement(*two_sided_head, drag) for label, drag in DRAGS.items()}
    assert max(found.values()) < 0.4, found  # each slider of the upper lip pulls the other side of it down a little
    assert np.mean(list(found.values())) < 0.05, found


def test_a_symmetric_drag_moves_both_sides_alike(two_sided_head: tuple[fw.PoseSolver, Symmetry]) -> None:
    solver, known = two_sided_head
    for drag in DRAGS.values():
        pins = [side_pin(solver.rig, known, drag)]
        found = solver.solve(pins + fw.mirror_pins(solver.rig, pins, known))
        weights = dict(zip(found.sliders, found.weights, strict=True))
        for name, weight in weights.items():
            if name.endswith("Left"):
                assert weight == pytest.approx(weights[name.removesuffix("Left") + "Right"], abs=0.02), (drag, name)


def test_a_drag_far_beyond_reach_is_one_to_a_little_beyond_it() -> None:
    rig = fw.sample()
    solver = fw.PoseSolver(rig)
    far, farther = (
        solver.solve([fw.Pin(vertex=CORNER, target=rig.neutral[CORNER] + [0, up, 0])]).weights for up in (5.0, 500.0)
    )
    np.testing.assert_allclose(far, farther, atol=1e-9)
    at_stop = [name for name, weight in zip(rig.sliders, far, strict=True) if weight > 0.99]
    assert "mouthSmileLeft" in at_stop
    assert len(at_stop) <= 2


def test_a_point_at_the_edge_of_what_moves_does_not_drive_the_face() -> None:
    rig = fw.sample()
    crown = int(rig.neutral[:, 1].argmax())
    found = fw.solve_pose(rig, [fw.Pin(vertex=crown, target=rig.neutral[crown] + [0, 1.0, 0])])
    assert np.linalg.norm(fw.evaluate(rig, found.weights) - rig.neutral, axis=1).max() < 0.02 * rig.size
    assert found.reasons[0]
