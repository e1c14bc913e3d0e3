"""The guided filter keeps edges in the smooth part, and mixes with it keep the laws of the Gaussian's."""

import numpy as np
import pytest
from scipy import ndimage

from facewright.errors import BadValue
from facewright.image.srgb import to_bytes, to_linear
from facewright.texture.bands import Bands
from facewright.texture.blend import TextureBlend
from facewright.texture.detail import Detail
from facewright.texture.detail_regions import DetailRegions
from facewright.texture.guided import GuidedBands
from tests.texture.maps import SIZE, misregistered, skin, two_islands

BLUR, EDGES = 1 / 64, 0.05


def test_the_split_is_the_guided_filter_of_the_paper() -> None:
    light, sigma = skin((40, 48)), 1.5  # so narrow that a cell is a texel
    bands = Bands((40, 48), blur=sigma / 48)
    assert bands.cells.scale == 1

    def mean(values: np.ndarray) -> np.ndarray:
        spread = [ndimage.gaussian_filter(each, sigma, mode="constant") for each in (values, np.ones(values.shape))]
        return np.asarray(spread[0] / spread[1])

    smooth, detail = GuidedBands(bands, EDGES).split(light)
    np.testing.assert_allclose(smooth + detail, light, atol=1e-6)
    for channel, found in zip(np.moveaxis(light.astype(np.float64), -1, 0), np.moveaxis(smooth, -1, 0), strict=True):
        middle = mean(channel)
        spread = mean(channel**2) - middle**2
        slope = spread / (spread + EDGES**2)
        expected = mean(slope) * channel + mean(middle - slope * middle)
        np.testing.assert_allclose(found, expected, atol=2e-4)


def test_an_edge_stays_in_the_smooth_part_and_fine_noise_does_not() -> None:
    rng = np.random.default_rng(0)
    step = np.where(np.arange(SIZE[1]) < SIZE[1] // 2, 0.2, 0.6)[None, :, None] * np.ones((*SIZE, 3))
    noise = 0.01 * rng.normal(size=(*SIZE, 3))
    light = (step + noise).astype(np.float32)
    bands = Bands(SIZE, blur=BLUR)
    by_edges, by_gauss = GuidedBands(bands, EDGES).split(light)[1], bands.split(light)[1]
    beside = slice(SIZE[1] // 2 - 3, SIZE[1] // 2 + 3)
    assert np.abs(by_edges[:, beside]).mean() < 0.15 * np.abs(by_gauss[:, beside]).mean()
    far = slice(10, SIZE[1] // 2 - 30)
    kept = (by_edges * noise)[:, far].sum() / np.square(noise[:, far]).sum()
    assert kept > 0.9


@pytest.mark.parametrize("islands", [None, two_islands()])
def test_one_map_alone_is_reproduced_and_equal_maps_do_not_pile_up(islands: np.ndarray | None) -> None:
    neutral = to_bytes(skin())
    maps = [to_bytes(misregistered(skin(), seed)) for seed in (1, 2)]
    blend = TextureBlend(neutral, [*maps, maps[0]], islands=islands, blur=BLUR, edges=EDGES)
    for number, one in enumerate(maps):
        np.testing.assert_array_equal(blend(np.eye(3)[number]), one)
    np.testing.assert_array_equal(blend(np.zeros(3)), neutral)
    inside = slice(None) if islands is None else islands >= 0
    twice = blend.light([1, 0, 1], Detail(1))
    assert np.abs(twice - to_linear(maps[0]))[inside].max() < np.abs(to_linear(neutral) - to_linear(maps[0])).max()


def test_a_mix_is_that_of_split_pictures_also_with_regions() -> None:
    neutral, *maps = (misregistered(skin(), seed) for seed in range(3))
    masks = np.zeros((2, *SIZE), np.float32)
    masks[0, :, :60], masks[1, :, 60:] = 1, 1
    regions = DetailRegions.equal(masks, 2)
    blend = TextureBlend(neutral, maps, blur=BLUR, edges=EDGES, regions=regions)
    found = blend.light([0.3, 0.5], [Detail(1), Detail(2)])
    bands = GuidedBands(blend.bands, EDGES)
    lows, details = zip(*(bands.split(one) for one in (neutral, *maps)), strict=True)
    smooth = 0.2 * lows[0] + 0.3 * lows[1] + 0.5 * lows[2]
    np.testing.assert_allclose(found[:, :40], (smooth + details[1])[:, :40], atol=2e-5)
    np.testing.assert_allclose(found[:, 80:], (smooth + details[2])[:, 80:], atol=2e-5)


def test_a_contrast_that_is_none_is_refused() -> None:
    with pytest.raises(BadValue, match="contrast of edges"):
        TextureBlend(skin(), [skin()], edges=2.0)
