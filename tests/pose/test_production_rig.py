"""Drags on a real rig with 195 correctives: exact pins find the pose, small moves make small changes."""

from functools import cache

import numpy as np
import pytest
from bench.correctives.drags import Drags
from bench.correctives.production import FOLDER, animation, linear_part, production_rig

import facewright as fw

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


@pytest.mark.parametrize("frame", [407, 1207])
def test_a_small_move_makes_a_small_change_and_the_way_back_gives_the_start(frame: int) -> None:
    rig = production_rig()
    start, goal = animation()[frame], animation()[frame + 40]
    places, targets = fw.Evaluator(rig)(np.stack([start, goal]))
    chosen = np.argsort(-np.linalg.norm(targets - places, axis=1))[[0, 400, 900, 1500]]
    drag = solver().drag([fw.Pin(vertex=int(v), target=targets[v]) for v in chosen], start, sliders="all")
    way = targets[chosen] - drag.places

    def largest_jump(steps: int) -> float:
        poses = [drag.to(drag.places + share * way).weights for share in np.linspace(0, 1, steps)]
        return float(np.abs(np.diff(poses, axis=0)).max())

    coarse, fine = largest_jump(16), largest_jump(128)
    assert coarse > 0
    assert fine <= coarse / 2
    np.testing.assert_array_equal(drag.to(drag.places).weights, start)
