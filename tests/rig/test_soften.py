"""Two sliders that overshoot together are softened: checked vertex by vertex against the words that define it."""

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from tests.report.report_rigs import random_rig, rig_of

BOTH = {"s0": 1.0, "s1": 1.0}


def softened_by_hand(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The motion of one vertex, by the longer motion and the part of the shorter one across it."""
    if a @ b <= 0:
        return np.asarray(a + b)
    longer, shorter = (a, b) if np.linalg.norm(a) >= np.linalg.norm(b) else (b, a)
    unit = longer / np.linalg.norm(longer)
    across = shorter - (shorter @ unit) * unit
    length = np.linalg.norm(longer + across)  # a right angle: sqrt(L^2 + (l sin t)^2)
    return np.asarray(length * (a + b) / np.linalg.norm(a + b))


def motion(rig: fw.Rig, pose: dict[str, float]) -> np.ndarray:
    return np.asarray(fw.evaluate(rig, pose) - rig.neutral)


@pytest.mark.parametrize("seed", range(4))
def test_every_vertex_is_where_the_definition_has_it(seed: int) -> None:
    rig = random_rig(seed, vertices=40)
    made = fw.edit.soften_pair(rig, "both", BOTH)
    wanted = [softened_by_hand(a, b) for a, b in zip(rig.deltas()[0], rig.deltas()[1], strict=True)]
    np.testing.assert_allclose(motion(made, BOTH), wanted, atol=2e-7 * rig.size)
    assert made.shape("both").sliders == ("s0", "s1")
    for alone in ({"s0": 1.0}, {"s1": 1.0}, {"s2": 1.0, "s0": 0.4}):
        np.testing.assert_array_equal(motion(made, alone), motion(rig, alone))


def test_parallel_motions_come_to_the_longer_one_and_others_stay() -> None:
    deltas = np.zeros((2, 5, 3))
    deltas[:, 0] = (0, 2, 0), (0, 1.5, 0)  # the same way
    deltas[:, 1] = (1, 0, 0), (0, 1, 0)  # across
    deltas[:, 2] = (1, 0, 0), (-0.6, 0.1, 0)  # against each other
    deltas[0, 3], deltas[1, 4] = (0, 0, 1), (0, 0, 1)  # one alone
    rig = rig_of(deltas)
    made = fw.edit.soften_pair(rig, "both", BOTH)
    assert made.shape("both").vertices.tolist() == [0]
    np.testing.assert_allclose(motion(made, BOTH)[0], (0, 2, 0))


def test_it_is_continuous_where_the_longer_one_changes() -> None:
    angle = 0.7
    turned = np.array([np.cos(angle), np.sin(angle), 0])
    ratio = 1 + np.linspace(-1e-6, 1e-6, 41)
    deltas = np.zeros((2, len(ratio), 3))
    deltas[0, :, 0], deltas[1] = 1.0, ratio[:, None] * turned
    found = fw.edit.soften_pair(rig_of(deltas), "both", BOTH).shape("both").dense(len(ratio))
    assert np.abs(np.diff(found, axis=0)).max() < 1e-6


def test_the_order_of_the_sliders_and_the_unit_do_not_matter() -> None:
    rig = random_rig(3, vertices=30)
    one = motion(fw.edit.soften_pair(rig, "both", BOTH), BOTH)
    np.testing.assert_allclose(motion(fw.edit.soften_pair(rig, "both", dict(reversed(BOTH.items()))), BOTH), one)
    small = fw.edit.soften_pair(fw.edit.scale(rig, 0.01), "both", BOTH)
    np.testing.assert_allclose(motion(small, BOTH), 0.01 * one, atol=1e-12)


def test_what_is_softened_needs_no_second_time_and_says_so() -> None:
    made = fw.edit.soften_pair(random_rig(5), "both", BOTH)
    with pytest.raises(BadValue, match="do not overshoot together, so that there is nothing to soften"):
        fw.edit.soften_pair(made, "again", BOTH)


def test_sliders_that_are_full_elsewhere_are_softened_there() -> None:
    rig = random_rig(6, bounds=np.array([[-2.0, 0], [0, 2], [0, 1], [0, 1], [0, 1]]))
    full = {"s0": -2.0, "s1": 2.0}
    made = fw.edit.soften_pair(rig, "both", full)
    a, b = -2 * rig.deltas()[0], 2 * rig.deltas()[1]
    wanted = [softened_by_hand(*each) for each in zip(a, b, strict=True)]
    np.testing.assert_allclose(motion(made, full), wanted, atol=2e-7 * rig.size)


def test_other_than_two_sliders_are_refused() -> None:
    with pytest.raises(BadValue, match="two sliders are softened together, not s0"):
        fw.edit.soften_pair(random_rig(1), "one", {"s0": 1.0})
