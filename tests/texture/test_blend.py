"""Laws of the blend: exact alone, sharp together, still under the mask, tight at borders, continuous in time."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.image.codec import encoded
from facewright.image.srgb import Bytes, to_bytes, to_linear
from facewright.texture.bands import Bands
from facewright.texture.blend import TextureBlend, blend_textures
from facewright.texture.detail import Detail, DetailChoice, over_time
from tests.texture.maps import SIZE, misregistered, skin, two_islands

BLUR = 1 / 32
ISLANDS = two_islands()


def expressions(count: int = 7, texels: float = 3.0) -> tuple[Bytes, list[Bytes]]:
    """The neutral and misregistered copies of it, as bytes."""
    neutral = skin()
    return to_bytes(neutral), [to_bytes(misregistered(neutral, seed, texels=texels)) for seed in range(1, count + 1)]


@pytest.mark.parametrize("islands", [None, ISLANDS])
def test_one_texture_with_weight_1_is_reproduced_exactly(islands: NDArray[np.int32] | None) -> None:
    neutral, maps = expressions(3)
    blend = TextureBlend(neutral, maps, islands=islands, blur=BLUR)
    for number, one in enumerate(maps):
        np.testing.assert_array_equal(blend(np.eye(3)[number]), one)
        np.testing.assert_array_equal(blend.light(np.eye(3)[number]), to_linear(one))
        np.testing.assert_array_equal(blend(np.eye(3)[number], plain=True), one)
    np.testing.assert_array_equal(blend(np.zeros(3)), neutral)


def test_a_weight_above_1_shows_the_texture_as_it_is_and_one_below_0_nothing() -> None:
    neutral, maps = expressions(2)
    blend = TextureBlend(neutral, maps, blur=BLUR)
    alone = TextureBlend(neutral, maps[:1], blur=BLUR)
    assert np.abs(alone.light([1.7]) - to_linear(maps[0])).max() < 1e-6
    np.testing.assert_array_equal(blend([-0.5, 0]), neutral)


@pytest.mark.parametrize("texels", [3.0, 5.0])
def test_seven_equal_misregistered_maps_stay_sharp_where_a_plain_mix_loses_more_than_half(texels: float) -> None:
    neutral, maps = expressions(7, texels)
    bands = Bands(SIZE, ISLANDS, blur=BLUR)
    blend = TextureBlend(neutral, maps, islands=ISLANDS, blur=BLUR)
    one = np.mean([bands.energy(each) for each in maps])
    equal = np.full(7, 1 / 7)
    assert bands.energy(blend.light(equal)) > 0.95 * one
    assert bands.energy(blend.light(equal, plain=True)) < 0.5 * one


def test_two_bands_are_the_mix_of_the_smooth_parts_and_one_detail() -> None:
    neutral, maps = expressions(3)
    bands = Bands(SIZE, ISLANDS, blur=BLUR)
    lows, details = zip(*(bands.split(one) for one in (neutral, *maps)), strict=True)
    blend = TextureBlend(neutral, maps, islands=ISLANDS, blur=BLUR)
    wanted = 0.2 * lows[0] + 0.1 * lows[1] + 0.4 * lows[2] + 0.3 * lows[3] + details[2]
    assert np.abs(blend.light([0.1, 0.4, 0.3]) - wanted).max() < 1e-5
    always = blend.light([0.1, 0.4, 0.3], Detail())
    assert np.abs(always - (wanted - details[2] + details[0])).max() < 1e-5


def test_the_mix_is_made_in_linear_light() -> None:
    black, white = np.zeros((*SIZE, 3), np.uint8), np.full((*SIZE, 3), 255, np.uint8)
    for plain in (False, True):
        grey = blend_textures(black, [white], [0.5], plain=plain)
        assert (grey == 188).all()  # half the light; half the levels would be 128


def test_masked_texels_never_change() -> None:
    neutral, maps = expressions(4)
    mask = np.zeros(SIZE, np.uint8)
    mask[40:90, 30:200] = 255
    blend = TextureBlend(neutral, maps, islands=ISLANDS, mask=mask, blur=BLUR)
    still, rng = mask == 255, np.random.default_rng(5)
    for plain in (False, True):
        for _ in range(5):
            found = blend(rng.uniform(0, 0.8, 4), plain=plain)
            np.testing.assert_array_equal(found[still], neutral[still])
            assert (found[~still] != neutral[~still]).mean() > 0.5


def test_a_soft_mask_lets_change_in_by_its_share() -> None:
    black, white = np.zeros((*SIZE, 3), np.float32), np.ones((*SIZE, 3), np.float32)
    mask = np.tile(np.linspace(0, 1, SIZE[1], dtype=np.float32), (SIZE[0], 1))
    found = TextureBlend(black, [white], mask=mask).light([1.0])
    np.testing.assert_allclose(found[..., 0], 1 - mask, atol=1e-6)


@pytest.mark.parametrize("gap", [1, 4, 12])
def test_nothing_bleeds_across_the_border_of_an_island(gap: int) -> None:
    labels = two_islands(gap=gap)
    neutral, maps = expressions(3)
    loud = [np.where((labels != 1)[..., None], np.uint8(255 * (i % 2)), one) for i, one in enumerate((neutral, *maps))]
    weights = [0.3, 0.4, 0.2]
    quiet_light = TextureBlend(neutral, maps, islands=labels, blur=BLUR).light(weights)
    loud_light = TextureBlend(loud[0], loud[1:], islands=labels, blur=BLUR).light(weights)
    unaware = TextureBlend(loud[0], loud[1:], blur=BLUR).light(weights)
    bled, would_bleed = (np.abs(one - quiet_light)[labels == 1].max() for one in (loud_light, unaware))
    assert bled == 0
    assert would_bleed > 0.1


def crossing(frames: int = 60) -> Floats:
    """Weights (frames, 2) of one expression going over into another and back, trembling as they cross."""
    t = np.linspace(0, 1, frames)
    tremble = 0.04 * np.sin(40 * t)
    up = 0.5 - 0.5 * np.cos(2 * np.pi * t) + tremble
    return np.clip(np.stack([1 - up, up], axis=1), 0, 1)


def test_weights_that_cross_over_in_time_change_the_picture_without_a_pop() -> None:
    neutral, maps = expressions(2)
    blend = TextureBlend(neutral, maps, blur=BLUR)
    rows, rate, choice = crossing(), 30.0, DetailChoice()
    details = over_time(rows, 1 / rate, choice)
    lights = [blend.light(row, detail) for row, detail in zip(rows, details, strict=True)]
    steps = [np.sqrt(np.square(b - a).mean()) for a, b in pairwise(lights)]
    # A frame may bring 1.5 / (fade x rate) of the difference of two details, made up to 1.4 times stronger, and what
    # the smooth parts move by.
    (low_a, high_a), (low_b, high_b) = (blend.bands.split(one) for one in maps)
    detail = np.sqrt(np.square(high_a - high_b).mean())
    allowed = 1.5 * np.sqrt(2) / (choice.fade * rate) * detail
    allowed += np.abs(np.diff(rows, axis=0)).max() * np.sqrt(np.square(low_a - low_b).mean())
    assert max(steps) <= allowed
    assert allowed < 0.5 * detail  # a hard change would be a step of all of it
    hard = [blend.light(row) for row in rows]
    assert max(np.sqrt(np.square(b - a).mean()) for a, b in pairwise(hard)) > 0.9 * detail


def test_a_change_of_detail_keeps_the_energy_all_the_way() -> None:
    neutral, maps = expressions(2)
    bands = Bands(SIZE, blur=BLUR)
    blend = TextureBlend(neutral, maps, blur=BLUR)
    ends = bands.energy(maps[0]), bands.energy(maps[1])
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        half_way = bands.energy(blend.light([0.5, 0.5], Detail(2, 1, share)))
        assert 0.93 * min(ends) < half_way < 1.07 * max(ends)


def test_the_picture_is_continuous_where_the_sum_of_weights_passes_1() -> None:
    neutral, maps = expressions(2)
    blend = TextureBlend(neutral, maps, blur=BLUR)
    for sums in (1.0, 1.3, 1.7):
        below, above = (blend.light([0.6, sums - 0.6 + step], Detail(1)) for step in (-1e-4, 1e-4))
        assert np.abs(above - below).max() < 3e-4


def test_maps_that_change_different_places_do_not_thin_each_other_out() -> None:
    neutral = np.full((*SIZE, 3), 0.4, np.float32)
    left, right = neutral.copy(), neutral.copy()
    left[60:120, 20:70, 0] += 0.3
    right[60:120, 180:230, 2] += 0.3
    both = TextureBlend(neutral, [left, right], blur=BLUR).light([1, 1], Detail())
    bands = Bands(SIZE, blur=BLUR)
    wanted = sum(bands.split(one)[0] for one in (left, right)) - bands.split(neutral)[0]
    assert np.abs(both - wanted).max() < 1e-4


def test_equal_maps_all_fully_on_are_that_map() -> None:
    neutral, maps = expressions(1)
    found = TextureBlend(neutral, maps * 5, blur=BLUR).light(np.ones(5))
    assert np.abs(found - to_linear(maps[0])).max() < 1e-6


def test_the_smooth_part_is_never_brighter_or_darker_than_any_map() -> None:
    neutral, maps = expressions(4)
    blend = TextureBlend(neutral, maps, islands=ISLANDS, blur=BLUR)
    lows = np.stack([blend.lows[i] for i in range(5)])
    for weights in np.random.default_rng(3).uniform(0, 1, (20, 4)):
        mixed = blend.lows.mixed(dict(enumerate([1 - weights.sum(), *map(float, weights)])), limited=weights.sum() > 1)
        assert (mixed >= lows.min(axis=0) - 1e-6).all()
        assert (mixed <= lows.max(axis=0) + 1e-6).all()


def test_files_are_mixed_like_the_pictures_in_them() -> None:
    neutral, maps = expressions(5)
    files = [encoded(one) for one in (neutral, *maps)]
    weights = [0.1, 0.2, 0.3, 0.2, 0.1]
    kept = TextureBlend(files[0], files[1:], islands=ISLANDS, blur=BLUR)
    for plain in (False, True):
        wanted = blend_textures(neutral, maps, weights, islands=ISLANDS, blur=BLUR, plain=plain)
        np.testing.assert_array_equal(kept(weights, plain=plain), wanted)


def test_only_maps_with_weight_are_ever_unpacked() -> None:
    neutral, maps = expressions(3)
    broken = encoded(maps[0])
    object.__setattr__(broken, "data", broken.data[:60])  # would raise when it is unpacked
    blend = TextureBlend(encoded(neutral), [broken, encoded(maps[1])], blur=BLUR)
    np.testing.assert_array_equal(blend([0, 1]), maps[1])


def test_frames_come_one_at_a_time_and_follow_the_detail() -> None:
    neutral, maps = expressions(2)
    blend = TextureBlend(neutral, maps, blur=BLUR)
    rows = crossing(12)
    frames = list(blend.frames(iter(rows), 30.0))
    details = over_time(rows, 1 / 30)
    assert len(frames) == 12
    np.testing.assert_array_equal(frames[7], blend(rows[7], details[7]))


def test_wrong_pictures_are_told_in_words() -> None:
    neutral, maps = expressions(1)
    with pytest.raises(BadValue, match="one size"):
        TextureBlend(neutral, [maps[0][:-1]])
    with pytest.raises(BadValue, match=r"\(h, w, 3\)"):
        TextureBlend(neutral[..., 0], [])
    with pytest.raises(BadValue, match="mask has shape"):
        TextureBlend(neutral, maps, mask=np.zeros((3, 3)))
    with pytest.raises(BadValue, match="weights of the textures"):
        TextureBlend(neutral, maps)([0.1, 0.2])
    with pytest.raises(BadValue, match="rate"):
        next(TextureBlend(neutral, maps).frames([[1.0]], 0))
