import numpy as np
import pytest
from numpy.typing import NDArray

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.image.srgb import to_bytes
from facewright.texture.bands import Bands
from facewright.texture.layout import island_labels
from tests.texture.maps import SIZE, Light, skin, two_islands


def exactly_blurred(light: Light, labels: NDArray[np.int32], sigma: float) -> tuple[tuple[Ints, Ints], Floats]:
    """The normalised Gaussian inside islands, by its definition: every texel with every other one."""
    y, x = np.nonzero(labels >= 0)
    own, values = labels[y, x], light[y, x].astype(np.float64)
    found = np.zeros_like(values)
    for start in range(0, len(y), 512):
        some = slice(start, start + 512)
        away = (y[some, None] - y) ** 2 + (x[some, None] - x) ** 2
        weight = np.exp(-away / (2 * sigma**2)) * (own[some, None] == own)
        found[some] = weight @ values / weight.sum(axis=1, keepdims=True)
    return (y, x), found


@pytest.mark.parametrize("islands", [None, two_islands()])
@pytest.mark.parametrize("blur", [0.5 / 256, 1 / 64, 1 / 8])
def test_bands_sum_to_the_original(islands: NDArray[np.int32] | None, blur: float) -> None:
    light = skin()
    smooth, detail = Bands(SIZE, islands, blur=blur).split(light)
    assert np.abs(smooth + detail - light).max() < 1e-6
    np.testing.assert_array_equal(to_bytes(smooth + detail), to_bytes(light))


@pytest.mark.parametrize(("gap", "sigma", "scale"), [(2, 6.0, 1), (24, 6.0, 2), (40, 12.0, 4)])
def test_the_smooth_part_is_the_normalised_gaussian_inside_each_island(gap: int, sigma: float, scale: int) -> None:
    size = (72, 112)
    labels = two_islands(size, gap)
    bands = Bands(size, labels, blur=sigma / 112)
    assert bands.cells.scale == scale
    light = skin(size, 3)
    at, wanted = exactly_blurred(light, labels, sigma)
    smooth, _ = bands.split(light)
    off = np.abs(smooth[at] - wanted) / wanted.std()
    assert off.mean() < (1e-4 if scale == 1 else 0.01)
    assert np.percentile(off, 99) < (1e-3 if scale == 1 else 0.06)  # more only where a cell is hardly covered


def test_what_is_even_inside_an_island_has_no_detail_there_whatever_is_beside_it() -> None:
    labels = two_islands()
    light = np.where(
        (labels == 0)[..., None], np.array([0.7, 0.2, 0.1], np.float32), np.array([0.1, 0.6, 0.9], np.float32)
    )
    light[labels < 0] = 0  # a black gutter
    _, detail = Bands(SIZE, labels, blur=1 / 32).split(light)
    assert np.abs(detail[labels >= 0]).max() < 1e-6


@pytest.mark.parametrize("gap", [1, 3, 8, 20])
def test_no_light_crosses_from_one_island_into_another(gap: int) -> None:
    labels = two_islands(gap=gap)
    one, other = skin(seed=1), skin(seed=1)
    other[labels != 1] = skin(seed=2)[labels != 1]
    bands = Bands(SIZE, labels, blur=1 / 40)
    np.testing.assert_array_equal(bands.split(one)[0][labels == 1], bands.split(other)[0][labels == 1])
    unaware = Bands(SIZE, blur=1 / 40)  # how much would bleed
    assert np.abs(unaware.split(one)[0] - unaware.split(other)[0])[labels == 1].max() > 0.05


def test_bytes_and_light_are_split_alike() -> None:
    light = skin()
    levels = to_bytes(light)
    bands = Bands(SIZE)
    assert np.abs(bands.low(levels) - bands.low(light)).max() < 2e-3


def test_the_split_is_the_same_share_of_a_picture_of_any_size() -> None:
    small, large = (Bands((n, n)).sigma / n for n in (128, 512))
    assert small == large


def test_a_map_without_any_island_is_one_whole() -> None:
    bands = Bands(SIZE, np.full(SIZE, -1, np.int32))
    np.testing.assert_array_equal(bands.low(skin()), Bands(SIZE).low(skin()))


def test_the_samples_islands_are_those_of_its_layout() -> None:
    rig = fw.sample()
    labels = island_labels(rig, (256, 256))
    assert len(np.unique(labels)) == 15  # fourteen and nothing
    head = island_labels(rig, (256, 256), ("head",))
    assert len(np.unique(head)) == 6
    assert (labels[head >= 0] == head[head >= 0]).all()


def test_wrong_sizes_are_told_in_words() -> None:
    with pytest.raises(BadValue, match="islands are given for"):
        Bands((8, 8), np.zeros((8, 9), np.int32))
    with pytest.raises(BadValue, match="blur"):
        Bands((8, 8), blur=0)
    with pytest.raises(BadValue, match="shape"):
        Bands((8, 8)).low(np.zeros((8, 9, 3), np.uint8))
    with pytest.raises(BadValue, match="no texture coordinates"):
        island_labels(fw.Rig(np.eye(3), [[0, 1, 2]]), (8, 8))
