import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.image.srgb import decode, encode, to_bytes, to_linear
from facewright.render import tone


def test_every_level_comes_back() -> None:
    levels = np.arange(256, dtype=np.uint8)
    np.testing.assert_array_equal(to_bytes(to_linear(levels)), levels)
    np.testing.assert_array_equal(to_bytes(to_linear(levels) + np.float32(2e-6)), levels)


def test_light_becomes_the_nearest_level() -> None:
    light = np.random.default_rng(0).uniform(-0.1, 1.1, 100_000).astype(np.float32)
    exact = 255 * encode(light).astype(np.float64)
    assert np.abs(to_bytes(light) - exact).max() < 0.53


def test_the_curve_is_that_of_the_renderer() -> None:
    values = np.linspace(0, 1, 1001)
    np.testing.assert_allclose(decode(values), tone.to_linear(values), atol=1e-7)
    np.testing.assert_allclose(encode(values), tone.to_srgb(values), atol=1e-7)


def test_light_passes_through_and_other_numbers_are_refused() -> None:
    light = np.array([0.25, 1.5], np.float32)
    np.testing.assert_array_equal(to_linear(light), light)
    with pytest.raises(BadValue, match="not int64"):
        to_linear([1, 2, 3])
