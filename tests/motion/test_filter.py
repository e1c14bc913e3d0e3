from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.filter import one_euro, smooth_clip, zero_phase

RATE = 60.0
TIMES = np.arange(240) / RATE


def noisy() -> tuple[np.ndarray, np.ndarray]:
    true = 0.5 + 0.4 * np.sin(2 * np.pi * 0.8 * TIMES)
    return true, true + np.random.default_rng(0).normal(size=len(TIMES)) * 0.03


def test_zero_phase_brings_values_nearer_to_what_they_were_without_noise() -> None:
    true, shaken = noisy()
    assert np.abs(zero_phase(shaken, RATE) - true).mean() < 0.6 * np.abs(shaken - true).mean()


def test_one_euro_calms_what_only_shakes() -> None:
    shaking = np.random.default_rng(0).normal(size=400) * 0.03
    assert one_euro(shaking, RATE)[100:].std() < 0.6 * shaking.std()


@pytest.mark.parametrize("filter", [one_euro, zero_phase])
def test_what_stands_still_stays(filter: Callable[..., Any]) -> None:
    np.testing.assert_allclose(filter(np.full((50, 3), 0.7), RATE), 0.7, atol=1e-12)


def test_one_euro_looks_back_only() -> None:
    _, shaken = noisy()
    changed = shaken.copy()
    changed[100:] += 5.0
    np.testing.assert_array_equal(one_euro(shaken, RATE)[:100], one_euro(changed, RATE)[:100])


def test_zero_phase_does_not_delay_a_pulse_and_gives_the_reverse_of_the_reversed() -> None:
    pulse = np.exp(-(((TIMES - 2) / 0.2) ** 2))
    assert abs(int(zero_phase(pulse, RATE).argmax()) - int(pulse.argmax())) <= 1
    np.testing.assert_allclose(zero_phase(pulse[::-1], RATE), zero_phase(pulse, RATE)[::-1], atol=1e-9)


def test_one_euro_follows_fast_motion_with_less_delay_than_its_still_cutoff_would() -> None:
    step = (TIMES > 2).astype(float)
    eager, lazy = one_euro(step, RATE, eagerness=5.0), one_euro(step, RATE, eagerness=0.0)
    assert np.abs(eager - step).sum() < 0.5 * np.abs(lazy - step).sum()


def test_a_smoothed_clip_stays_within_the_range_of_each_curve() -> None:
    _, shaken = noisy()
    clip = Clip.from_table("c", ["a", "b"], TIMES, np.stack([shaken, np.clip(shaken, 0.3, 0.5)], axis=1))
    after = smooth_clip(clip, zero_phase, curves=("b",))
    np.testing.assert_array_equal(after.curves["a"].values, clip.curves["a"].values)
    assert 0.3 <= after.curves["b"].values.min() <= after.curves["b"].values.max() <= 0.5


def test_values_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(BadValue):
        zero_phase([0.0, np.nan, 1.0], RATE)
    with pytest.raises(BadValue):
        one_euro([0.0, 1.0], 0.0)
