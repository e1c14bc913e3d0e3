"""Damping: a point that the rig can hardly move along a drag is asked for less, so that the face moves no further."""

from collections.abc import Sequence

import numpy as np
import pytest
from tools.experiments.damping import PLACES, Place, dragged, vertex_at

import facewright as fw
from facewright.pose.damping import Damping
from facewright.pose.pin_rows import PinRows
from facewright.terms.delta_matrix import DeltaMatrix
from tests.laws.things import THINGS, combining_rig, random_rig, scene, strip


def factors(rig: fw.Rig, vertices: Sequence[int], ways: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Of the wanted motion (k, 3) of vertices, one for each."""
    at = rig.weights() if start is None else start
    deltas = DeltaMatrix(rig)
    rows = PinRows(deltas, [fw.Pin(vertex=int(v), target=np.zeros(3)) for v in vertices], at)
    return Damping(deltas, rows, at).factors(ways.ravel())[::3]


@pytest.mark.parametrize("thing", THINGS)
def test_damping_scales_down_never_up(thing: str) -> None:
    rig = THINGS[thing](0)
    vertices = range(0, rig.vertex_count, max(1, rig.vertex_count // 50))
    found = factors(rig, vertices, np.random.default_rng(0).normal(size=(len(vertices), 3)))
    assert found.min() >= 0
    assert found.max() <= 1
    assert found.max() > 2 * found.min()


def test_damping_asks_nothing_of_a_point_that_cannot_move_and_all_of_one_that_moves_most() -> None:
    rig = random_rig(0, vertices=40, shapes=3)
    still = np.flatnonzero(np.linalg.norm(rig.deltas(), axis=2).sum(axis=0) == 0)
    assert len(still)
    for offsets in rig.deltas():
        liveliest = int(np.linalg.norm(offsets, axis=1).argmax())
        found = factors(rig, [liveliest, *still], np.tile(offsets[liveliest], (1 + len(still), 1)))
        assert found[0] == pytest.approx(1)
        assert (found[1:] == 0).all()


@pytest.mark.parametrize("method", ["bounded", "pinv"])
def test_a_damped_drag_asks_for_the_damped_motion(method: str) -> None:
    case = scene("mask", 0)
    solver = fw.PoseSolver(case.rig)
    drag = solver.drag(case.pins, method=method, damped=True)
    ways = case.targets - drag.places
    wanted = drag.pins.wanted(case.targets)
    found = Damping(solver.deltas, drag.pins, drag.start).factors(wanted)
    shares = np.array([found[drag.pins.pin == i].mean() for i in range(len(case.pins))])
    assert (shares < 1).any()
    nearer = drag.places + shares[:, None] * ways
    undamped = solver.drag(case.pins, method=method)
    np.testing.assert_allclose(drag.to(case.targets).weights, undamped.to(nearer).weights, atol=1e-9)


def test_damping_knows_points_that_only_a_combination_moves() -> None:
    neutral = np.random.default_rng(0).normal(size=(6, 3))
    shapes = (
        fw.Shape("a", [0], [[0.0, 1.0, 0.0]]),
        fw.Shape("b", [1], [[0.0, 1.0, 0.0]]),
        fw.Shape("a_b", [2, 3], [[0.0, 1.0, 0.0], [0.0, 0.25, 0.0]], sliders=("a", "b")),
    )
    rig = fw.Rig(neutral, strip(6), shapes)
    up = np.tile([0.0, 1.0, 0.0], (4, 1))
    np.testing.assert_allclose(factors(rig, [0, 2, 3, 5], up), [1, 1, 0.25, 0], atol=1e-12)


def test_a_corrective_moves_no_point_without_its_sliders() -> None:
    shapes = (
        fw.Shape("a", [0], [[0.0, 4.0, 0.0]]),
        fw.Shape("b", [1], [[0.0, 2.0, 0.0]]),
        fw.Shape("a_b", [2], [[0.0, 1.0, 0.0]], sliders=("a", "b")),
    )
    rig = fw.Rig(np.zeros((4, 3)) + np.arange(4)[:, None], strip(4), shapes)
    np.testing.assert_allclose(factors(rig, [2], np.array([[0.0, 1.0, 0.0]])), [0.25])


def test_an_in_between_is_damped_alike_as_a_target_and_as_an_addition() -> None:
    """A slider whose in-between moves a point that the slider itself moves little."""
    neutral = np.random.default_rng(0).normal(size=(4, 3))
    own = fw.Shape("a", [0, 1], [[0.0, 4.0, 0.0], [0.0, 0.2, 0.0]])
    added = fw.Shape("a half", [1], [[0.0, 0.4, 0.0]], sliders=("a",), at=0.5, additive=True)
    additive = fw.Rig(neutral, strip(4), (own, added))
    up = np.array([[0.0, 1.0, 0.0]])
    for rig in (additive, fw.edit.target_in_betweens(additive)):
        np.testing.assert_allclose(
            factors(rig, [1], up), [0.5 / 2.0], atol=1e-12
        )  # at 0.5 the face moves 2, the point 0.5


def test_a_combination_counts_with_what_its_sliders_do() -> None:
    shapes = (
        fw.Shape("a", [0, 1], [[0.0, 1.0, 0.0], [0.0, 0.2, 0.0]]),
        fw.Shape("b", [2], [[0.0, 1.0, 0.0]]),
        fw.Shape("a_b", [1], [[0.0, 0.6, 0.0]], sliders=("a", "b")),
    )
    up = np.array([[0.0, 1.0, 0.0]])
    alone, together = (fw.Rig(np.eye(4, 3), strip(4), chosen) for chosen in (shapes[:1], shapes))
    assert factors(alone, [1], up) == pytest.approx(0.2)
    assert factors(together, [1], up) == pytest.approx(0.8)  # b can be on, too


def test_the_way_back_is_as_free_as_the_way_there() -> None:
    rig = fw.Rig(np.eye(3), strip(3), (fw.Shape("a", [0], [[0.0, 2.0, 0.0]]),))
    down = np.array([[0.0, -1.0, 0.0]])
    assert factors(rig, [0], down) == 0
    assert factors(rig, [0], down, np.array([0.4])) == 1


def test_a_damped_drag_back_to_its_beginning_gives_the_pose_back() -> None:
    rig = combining_rig(0)
    start = rig.weights(dict.fromkeys(rig.sliders[:3], 0.3))
    drag = fw.PoseSolver(rig).drag([fw.Pin(vertex=4, target=np.zeros(3))], start, damped=True)
    assert not np.array_equal(drag.to(drag.places + np.array([0.3, 0.1, -0.2])).weights, start)
    np.testing.assert_array_equal(drag.to(drag.places).weights, start)


@pytest.fixture(scope="module")
def head() -> fw.PoseSolver:
    return fw.PoseSolver(fw.sample())


class TestPlacesOfTheHead:
    def measured(self, head: fw.PoseSolver, place: Place) -> tuple[float, float, float, float]:
        """How far pin and face go, in shares of the hand's motion: without damping, with it."""
        plain, damped = (dragged(head, place, damped=damped) for damped in (False, True))
        return plain.pin, plain.face, damped.pin, damped.face

    def test_at_the_nose_the_face_moves_no_further_than_the_hand(self, head: fw.PoseSolver) -> None:
        pin, face, damped_pin, damped_face = self.measured(head, PLACES["tip of the nose down"])
        assert face > 1.7
        assert damped_face < 1.0
        assert damped_pin < 0.5 * pin

    def test_a_corner_is_damped_moderately(self, head: fw.PoseSolver) -> None:
        pin, _, damped_pin, damped_face = self.measured(head, PLACES["corner up"])
        assert 0.6 * pin < damped_pin < 0.9 * pin
        assert damped_face < 1.0

    def test_a_point_that_a_slider_is_made_for_is_not_damped(self, head: fw.PoseSolver) -> None:
        for place in ("brow up", "lid down"):
            pin, _, damped_pin, _ = self.measured(head, PLACES[place])
            assert damped_pin > 0.9 * pin

    def test_the_scalp_is_damped(self, head: fw.PoseSolver) -> None:
        pin, face, damped_pin, damped_face = self.measured(head, PLACES["edge of the scalp down"])
        assert damped_pin < 0.6 * pin
        assert damped_face < 0.6 * face

    def test_no_drag_of_any_vertex_moves_the_face_much_further_than_the_hand(self, head: fw.PoseSolver) -> None:
        rng = np.random.default_rng(1)
        rig = head.rig
        moving = np.flatnonzero(np.linalg.norm(rig.deltas(), axis=2).max(axis=0) > 0)
        ratios = []
        for vertex in rng.choice(moving, 60, replace=False):
            way = rng.normal(size=3)
            hand = 0.01 * rig.size
            drag = head.drag([fw.Pin(vertex=int(vertex), target=rig.neutral[vertex])], damped=True)
            weights = drag.to(drag.places + hand * way / np.linalg.norm(way)).weights
            ratios.append(np.linalg.norm(fw.evaluate(rig, weights) - rig.neutral, axis=1).max() / hand)
        assert np.median(ratios) < 1.0
        assert np.quantile(ratios, 0.95) < 1.7


def test_places_are_where_their_names_say(head: fw.PoseSolver) -> None:
    tip, edge = (vertex_at(head.rig, PLACES[name]) for name in ("tip of the nose down", "edge of the scalp down"))
    assert abs(head.rig.neutral[tip][0]) < 0.02 * head.rig.size
    assert head.rig.neutral[edge][1] > head.rig.neutral[tip][1] + 0.1 * head.rig.size
