import numpy as np
import pytest

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.render import MAPS, Heat, heat_colors
from facewright.render.color_bar import _label, _ticks, draw_bar
from facewright.render.tone import to_srgb

# What a person without long-, medium- or short-wave cones sees of linear sRGB (Viénot 1999; Brettel 1997 for the last).
BLIND = {
    "protanopia": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deuteranopia": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
}


def lightness(linear: Floats) -> Floats:
    """CIE L* from the luminance of linear sRGB: another scale than the one the maps were laid out in."""
    y = linear @ [0.2126, 0.7152, 0.0722]
    return np.where(y > 0.008856, 116 * np.cbrt(y) - 16, 903.3 * y)


def test_the_sequential_map_grows_lighter_all_the_way_and_evenly() -> None:
    steps = np.diff(lightness(heat_colors(np.linspace(0, 1, 21))))
    assert steps.min() > 0.4 * steps.mean()
    assert steps.max() < 1.9 * steps.mean()


def test_the_diverging_map_is_darkest_in_the_middle_and_equally_light_at_both_ends() -> None:
    light = lightness(heat_colors(np.linspace(0, 1, 21), "diverging"))
    assert (np.diff(light[:11]) < 0).all()
    assert (np.diff(light[10:]) > 0).all()
    np.testing.assert_allclose(light, light[::-1], atol=6)


@pytest.mark.parametrize("eyes", BLIND)
def test_colour_blind_readers_tell_the_two_sides_and_the_order_apart(eyes: str) -> None:
    seen = heat_colors(np.linspace(0, 1, 21), "diverging") @ np.array(BLIND[eyes]).T
    assert np.abs(to_srgb(seen) - to_srgb(seen[::-1]))[[0, 4]].max(axis=1).min() > 0.3
    assert (np.diff(lightness(heat_colors(np.linspace(0, 1, 21)) @ np.array(BLIND[eyes]).T)) > 0).all()


@pytest.mark.parametrize("name", MAPS)
def test_every_colour_of_a_map_can_be_shown(name: str) -> None:
    colors = heat_colors(np.linspace(0, 1, 101), name)
    assert colors.min() >= 0
    assert colors.max() <= 1
    assert ((colors == 0) | (colors == 1)).mean() < 0.02  # hardly anything was clipped


def test_shares_run_from_low_to_high_and_stop_there() -> None:
    np.testing.assert_allclose(Heat([1, 2, 3, 9], low=1, high=5).shares(), [0, 0.25, 0.5, 1])
    np.testing.assert_allclose(Heat([-1, 0, 4], map="diverging").shares(), [3 / 8, 0.5, 1])
    np.testing.assert_allclose(Heat([7, 7, 7]).shares(), 0)


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_heat_does_not_know_the_unit(scale: float) -> None:
    values = np.random.default_rng(2).normal(size=50)
    np.testing.assert_allclose(Heat(values).shares(), Heat(values * scale).shares(), atol=1e-12)


def test_a_range_that_runs_backwards_and_an_unknown_map_are_refused() -> None:
    with pytest.raises(BadValue, match="low to high"):
        Heat([1, 2], low=3, high=1).range()
    with pytest.raises(UnknownName, match="sequential"):
        heat_colors([0.5], "rainbow")


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (0, 4.06), (-3.3, 3.3), (0.0123, 0.0124), (5e-7, 9e-6), (0, 2e8), (3, 3)]
)
def test_ticks_are_few_round_inside_the_range_and_read_differently(low: float, high: float) -> None:
    ticks = _ticks(low, high)
    assert 1 <= len(ticks) <= 7
    assert len(ticks) >= 3 or high == low
    assert (ticks >= low - 1e-9 * abs(high)).all()
    assert (ticks <= high + 1e-9 * abs(high)).all()
    labels = [_label(tick, ticks) for tick in ticks]
    assert len(set(labels)) == len(labels)
    np.testing.assert_allclose([float(label) for label in labels], ticks, rtol=1e-6, atol=1e-12)


def test_the_bar_shows_the_map_from_high_at_the_top_to_low_at_the_bottom() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    draw_bar(picture, Heat([0, 1]))
    ends = np.rint(255 * to_srgb(heat_colors([1.0, 0.0]))).astype(int)
    rows, columns = np.nonzero((np.abs(picture.astype(int) - ends[0]) <= 2).all(axis=2))
    low_rows, low_columns = np.nonzero((np.abs(picture.astype(int) - ends[1]) <= 2).all(axis=2))
    assert len(rows)
    assert set(columns.tolist()) == set(low_columns.tolist())
    assert low_rows.min() - rows.max() > 60
