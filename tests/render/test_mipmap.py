"""Textures: where they go, in which light they are averaged, and that nothing flickers or bleeds."""

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from facewright.errors import BadValue
from facewright.render.mipmap import Coverage, Mipmap
from facewright.render.tone import to_linear

STILL = np.zeros((1, 2), np.float32)


def sampled(mipmap: Mipmap, uv: ArrayLike, across: ArrayLike = STILL, down: ArrayLike = STILL) -> NDArray[np.float32]:
    places = np.atleast_2d(np.asarray(uv, np.float32))
    steps = [np.broadcast_to(np.asarray(step, np.float32), places.shape) for step in (across, down)]
    return mipmap.sample(places, steps[0], steps[1])


def test_row_0_is_at_the_top_where_v_is_1_and_texels_have_their_colour_in_their_middle() -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(0, 256, (4, 6, 3), dtype=np.uint8)
    rows, columns = np.mgrid[0:4, 0:6].reshape(2, -1)
    uv = np.stack([(columns + 0.5) / 6, 1 - (rows + 0.5) / 4], axis=1)
    wanted = to_linear(picture / 255)[rows, columns]
    np.testing.assert_allclose(sampled(Mipmap.of(picture), uv), wanted, atol=1e-5)


def test_between_texels_light_is_mixed_not_levels_of_srgb() -> None:
    picture = np.zeros((1, 2, 3), np.uint8)
    picture[0, 1] = 255
    np.testing.assert_allclose(
        sampled(Mipmap.of(picture), [(0.5, 0.5)]), 0.5, atol=1e-6
    )  # half the light, not level 128


def test_a_picture_repeats_beyond_its_borders() -> None:
    rng = np.random.default_rng(1)
    mipmap = Mipmap.of(rng.uniform(size=(8, 8, 3)).astype(np.float32))
    uv = rng.uniform(size=(50, 2))
    for shift in ((1, 0), (0, -1), (3, 2)):
        np.testing.assert_allclose(sampled(mipmap, uv), sampled(mipmap, uv + shift), atol=1e-4)


@pytest.mark.parametrize("shape", [(16, 16), (37, 20), (1, 9), (64, 3)])
def test_every_level_has_the_mean_of_the_whole(shape: tuple[int, int]) -> None:
    light = np.random.default_rng(2).uniform(size=(*shape, 3)).astype(np.float32)
    levels = Mipmap.of(light).levels
    assert levels[-1].shape == (1, 1, 3)
    for level in levels:
        np.testing.assert_allclose(level.mean(axis=(0, 1)), light.mean(axis=(0, 1)), rtol=1e-5)


def test_a_pixel_that_covers_many_texels_shows_their_mean() -> None:
    checks = np.indices((256, 256)).sum(axis=0) % 2 * 255
    mipmap = Mipmap.of(np.repeat(checks[..., None], 3, axis=2).astype(np.uint8))
    uv = np.random.default_rng(3).uniform(size=(200, 2))
    for wide in (4, 8, 50):
        seen = sampled(mipmap, uv, (wide / 256, 0), (0, wide / 256))
        np.testing.assert_allclose(seen, 0.5, atol=0.02)


def test_seen_at_an_angle_a_texture_is_averaged_along_the_view_and_stays_sharp_across() -> None:
    stripes = np.zeros((128, 128, 3), np.uint8)
    stripes[:, ::2] = 255  # upright lines, each a texel wide
    mipmap = Mipmap.of(stripes)
    middles = np.stack([(np.arange(0, 128, 2) + 0.5) / 128, np.full(64, 0.37)], axis=1)
    along = sampled(mipmap, middles, (1 / 128, 0), (0, 4 / 128))  # a pixel is one texel wide and four high
    np.testing.assert_allclose(along, 1, atol=1e-4)
    across = sampled(mipmap, middles, (4 / 128, 0), (0, 1 / 128))
    np.testing.assert_allclose(across, 0.5, atol=1e-4)


def test_what_is_between_islands_never_shows_on_any_level() -> None:
    inside = np.zeros((256, 256), bool)
    inside[30:97, 40:201] = inside[150:233, 21:110] = True
    picture = np.zeros((256, 256, 3), np.uint8)  # black between, white inside
    picture[inside] = 255
    filled, bare = Mipmap.of(picture, Coverage.of(inside)), Mipmap.of(picture)
    rows, columns = np.nonzero(inside)
    uv = np.stack([(columns + 0.5) / 256, 1 - (rows + 0.5) / 256], axis=1)
    for wide in (1, 2, 3, 6):
        size = wide / 256
        np.testing.assert_allclose(sampled(filled, uv, (size, 0), (0, size)), 1, atol=1e-5)
        assert wide == 1 or sampled(bare, uv, (size, 0), (0, size)).min() < 0.9


def test_pictures_that_cannot_be_are_refused() -> None:
    for bad in (
        np.zeros((4, 4)),
        np.zeros((0, 4, 3), np.uint8),
        np.zeros((4, 4, 2), np.uint8),
        np.zeros((4, 4, 3), int),
    ):
        with pytest.raises(BadValue, match="a texture is an array"):
            Mipmap.of(bad)
    with pytest.raises(BadValue, match="not finite"):
        Mipmap.of(np.full((4, 4, 3), np.nan))
    with pytest.raises(BadValue, match="its cover"):
        Mipmap.of(np.zeros((4, 4, 3), np.uint8), Coverage.of(np.ones((8, 8), bool)))
