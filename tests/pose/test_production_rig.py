"""Drags on a real rig with 195 correctives: exact pins find the pose, small moves make small changes."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from bench.correctives.drags import Drags
from bench.correctives.production import FOLDER, animation, linear_part, production_rig
from scipy.optimize import Bounds, minimize

import facewright as fw
from facewright.pose.bent_answer import BentAnswer
from facewright.pose.bent_cost import BentCost
from facewright.pose.drag import Drag
from facewright.terms.limits import Limits

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the production rig is not here: no folder shared/data beside the checkout"
)


@cache
def solver() -> fw.PoseSolver:
    return fw.PoseSolver(production_rig())


def test_eight_exact_pins_find_the_pose_where_those_of_the_linear_part_do_not() -> None:
    whole, linear = Drags(production_rig(), 8), Drags(linear_part(), 8, truth=production_rig())
    for number, pose in enumerate(animation()[47::160]):
        for drags in (whole, linear):
            drags.towards(pose, seed=number)
    assert len(whole.errors) >= 10
    assert np.median(whole.errors) <= 0.02
    assert np.median(whole.errors) <= 0.5 * np.median(linear.errors)


@cache
def dragged(frame: int) -> tuple[Drag, np.ndarray]:
    """Four pins at a frame, and their ways to a later one."""
    start, goal = animation()[frame], animation()[frame + 40]
    places, targets = fw.Evaluator(production_rig())(np.stack([start, goal]))
    moved = np.linalg.norm(targets - places, axis=1)
    chosen = np.random.default_rng(frame).choice(len(moved), 4, replace=False, p=moved / moved.sum())
    pins = [fw.Pin(vertex=int(v), target=targets[v]) for v in chosen]
    return solver().drag(pins, start, sliders="all"), (targets - places)[chosen]


# In the last three the best of several minima is another one from some update to the next: sliders would jump by up to
# 0.7.
@pytest.mark.parametrize("frame", [407, 1207, 607, 857, 1807])
def test_a_small_move_makes_a_small_change_and_the_way_back_gives_the_start(frame: int) -> None:
    drag, way = dragged(frame)

    def poses(steps: int) -> np.ndarray:
        return np.array([drag.to(drag.places + share * way).weights for share in np.linspace(0, 1, steps)])

    coarse, fine = (np.abs(np.diff(poses(steps), axis=0)) for steps in (16, 128))
    assert coarse.max() > 0
    assert fine.max() <= max(coarse.max() / 2, 0.01)
    assert fine[32:].max() <= 0.1
    np.testing.assert_array_equal(drag.to(drag.places).weights, drag.start)


class WiderRoom(NamedTuple):
    """An update whose answer is not within the room that the pins gave it."""

    cost: BentCost
    room: Limits
    answer: np.ndarray  # (n,)
    linear: float  # what the linear answer costs


@pytest.mark.long
def test_a_slider_leaves_its_room_only_if_nothing_within_costs_as_little_as_the_linear_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left, continued = [], BentAnswer._continued

    def watched(
        self: BentAnswer, wanted: np.ndarray, cost: BentCost, limits: Limits, found: np.ndarray, most: float
    ) -> np.ndarray:
        rooms = list(self._path.boxes(wanted, found, limits))
        answer = continued(self, wanted, cost, limits, found, most)
        if rooms and ((answer < rooms[0].low - 1e-9) | (answer > rooms[0].high + 1e-9)).any():
            left.append(WiderRoom(cost, rooms[0], answer, most))
        return answer

    monkeypatch.setattr(BentAnswer, "_continued", watched)
    drag, way = dragged(157)
    for share in np.linspace(0, 1, 128):
        drag.to(drag.places + share * way)
    assert left
    for each in left:
        assert each.cost(each.answer[None])[0] <= each.linear + 1e-12
        assert lowest_within(each.cost, each.room, near=each.answer) > each.linear


def lowest_within(cost: BentCost, limits: Limits, near: np.ndarray) -> float:
    """What a general method finds, from the nearest point within the limits and from three others."""
    rng, step = np.random.default_rng(5), 1e-6 * np.eye(len(near))

    def with_slope(change: np.ndarray) -> tuple[float, np.ndarray]:
        here, up, down = np.split(
            cost(np.concatenate([change[None], change + step, change - step])), [1, 1 + len(step)]
        )
        return float(here[0]), (up - down) / 2e-6

    starts = [np.clip(near, limits.low, limits.high), *(rng.uniform(limits.low, limits.high) for _ in range(3))]
    bounds = Bounds(limits.low, limits.high)
    return min(minimize(with_slope, start, jac=True, method="L-BFGS-B", bounds=bounds).fun for start in starts)


def test_the_same_targets_twice_give_the_same_pose() -> None:
    drag, way = dragged(607)
    for share in np.linspace(0.5, 0.7, 12):
        once, again = (drag.to(drag.places + share * way).weights for _ in range(2))
        np.testing.assert_allclose(once, again, rtol=0, atol=1e-12)  # BLAS rounds by where arrays lie in memory
