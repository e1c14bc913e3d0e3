import numpy as np

from facewright.render.tone import DARK, backdrop_light, roll_off, to_bytes, to_linear, to_srgb


def test_srgb_and_linear_light_are_inverse() -> None:
    values = np.linspace(0, 1, 1001)
    np.testing.assert_allclose(to_linear(to_srgb(values)), values, atol=1e-7)
    np.testing.assert_allclose(to_srgb(0.2140411), 0.5, atol=1e-6)  # half the signal is about a fifth of the light


def test_roll_off_keeps_dark_light_and_never_reaches_white_nor_turns_back() -> None:
    light = np.linspace(0, 50, 20_001, dtype=np.float32)
    bent = roll_off(light)
    np.testing.assert_array_equal(bent[light < 0.5], light[light < 0.5])
    assert (np.diff(bent) > 0).all()
    assert bent.max() < 1
    assert np.diff(bent).max() <= np.diff(light).max() * 1.001


def test_a_flat_colour_comes_out_as_its_byte_on_average_and_within_one_level() -> None:
    for level in (0, 0.2, 0.4999, 0.73, 1):
        got = to_bytes(np.full((64 * 64, 3), to_linear(level)), (64, 64))
        assert np.ptp(got.astype(int)) <= 1
        np.testing.assert_allclose(got.mean(), 255 * level, atol=0.08 + 0.5 * (level in (0, 1)))


def test_every_byte_comes_back_from_its_own_light() -> None:
    levels = np.arange(256) / 255
    got = to_bytes(np.repeat(to_linear(levels), 64)[:, None], (64, 256)).reshape(256, 64)
    assert np.abs(got.astype(int) - np.arange(256)[:, None]).max() <= 1


def test_the_backdrop_is_dark_and_darkens_outwards() -> None:
    light = backdrop_light(DARK, (90, 60)).reshape(60, 90, 3)
    assert to_srgb(light).max() < 0.2
    assert light[25, 45].min() > light[0, 0].max() * 1.5
