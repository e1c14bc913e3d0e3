"""Parts that are said by hand to move rigidly with sets of points."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.capture.followers import Followers
from facewright.capture.solver import solve_take
from facewright.errors import BadValue
from tests.capture.acting import acted


def test_a_part_given_by_hand_moves_by_the_best_rotation_of_its_points() -> None:
    made = acted()
    solved = solve_take(made.rig, made.take, made.binding)
    lively = np.argsort(-np.abs(made.rig.deltas()).sum(axis=(0, 2)))
    part = Followers(lively[:5], lively[40:60])
    plain, rigid = (fw.Playback(solved, rigid=rigid)([3])[0] for rigid in ((), (part,)))
    rest = made.rig.neutral
    middles = rest[part.carried_by].mean(axis=0), plain[part.carried_by].mean(axis=0)
    turn, _ = Rotation.align_vectors(plain[part.carried_by] - middles[1], rest[part.carried_by] - middles[0])
    np.testing.assert_allclose(
        rigid[part.vertices], turn.apply(rest[part.vertices] - middles[0]) + middles[1], atol=1e-6
    )
    others = np.setdiff1d(np.arange(len(rest)), part.vertices)
    np.testing.assert_array_equal(rigid[others], plain[others])
    assert np.abs(rigid - plain).max() > 1e-3


def test_too_few_points_or_ones_that_do_not_exist_are_refused() -> None:
    made = acted()
    solved = solve_take(made.rig, made.take, made.binding)
    with pytest.raises(BadValue, match="at least 3 vertices"):
        fw.Playback(solved, rigid=[Followers(np.array([1]), np.array([2, 3]))])
    with pytest.raises(BadValue):
        fw.Playback(solved, rigid=[Followers(np.array([10**7]), np.array([2, 3, 4]))])
