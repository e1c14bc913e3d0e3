"""Of an exclusive pair one slider is off, whichever way weights are found."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.pose.method import METHODS
from tests.laws.things import random_rig, scene

PAIRS = (("s0", "s1"), ("s1", "s2"), ("s3", "s4"))


def is_on(rig: fw.Rig, weights: np.ndarray) -> dict[str, bool]:
    return dict(zip(rig.sliders, weights != 0, strict=True))


def both_on(rig: fw.Rig, weights: np.ndarray) -> bool:
    on = is_on(rig, weights)
    return any(on[a] and on[b] for a, b in PAIRS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_a_drag_leaves_one_of_a_pair_off(method: str, seed: int) -> None:
    case = scene("small", seed)
    rig = replace(case.rig, exclusive=PAIRS)
    weights = fw.solve_pose(rig, case.pins, method=method).weights
    assert weights.any()
    assert not both_on(rig, weights)


def test_attenuation_turns_on_no_slider_that_excludes_one_that_is_on() -> None:
    would = 0
    for seed in range(12):
        rig, wanted = random_rig(seed), {"s1": 0.8, "s3": 0.6}
        would += both_on(rig, fw.Attenuation(rig, range(6)).solve(wanted).weights)
        found = fw.Attenuation(replace(rig, exclusive=PAIRS), range(6)).solve(wanted)
        assert found.weights.any()
        assert not both_on(rig, found.weights)
    assert would > 3


@pytest.mark.parametrize("method", ["pinv", "landweber(30)"])
def test_the_rest_of_the_sliders_make_the_best_of_what_is_left(method: str) -> None:
    case = scene("small", 1)
    rig = replace(case.rig, exclusive=PAIRS)
    found = fw.solve_pose(rig, case.pins, method=method)
    off = [name for name, on in is_on(rig, found.weights).items() if not on]
    without = fw.solve_pose(case.rig, case.pins, method=method, locked=off)
    np.testing.assert_allclose(found.weights, without.weights, atol=1e-12)
