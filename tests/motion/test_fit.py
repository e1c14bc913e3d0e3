"""Cubic keys that follow values which are known at every time."""

import numpy as np

from facewright.motion.fit import cubic_keys


def test_a_corner_between_keys_is_met_by_short_segments() -> None:
    """A corner is never met by halving, so that the rounds end; the keys belong together all the same."""
    corner = 0.3

    def values(times: np.ndarray) -> np.ndarray:
        return np.abs(np.asarray(times)[:, None] - corner) * [1.0, -2.0]

    times, rows = cubic_keys(values, np.array([0.0, 100.0]))
    assert rows.shape == (len(times), 3, 2)
    assert (np.diff(times) > 0).all()
    np.testing.assert_allclose(rows[:, 1], values(times))
    assert 15 < len(times) < 60


def test_a_cubic_needs_no_key_between_its_ends() -> None:
    times, rows = cubic_keys(lambda t: np.asarray(t)[:, None] ** 3, np.array([0.0, 2.0]))
    assert times.tolist() == [0.0, 2.0]
    np.testing.assert_allclose(rows[:, :, 0], [[0, 0, 0], [12, 8, 0]], atol=1e-12)
