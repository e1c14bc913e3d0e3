"""Slopes follow from the kinds of keys, and stay with them through every edit."""

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from facewright.errors import BadValue, UnknownName
from facewright.motion.curve import Curve
from facewright.motion.keys import (
    moved_keys,
    pasted_keys,
    scaled_keys,
    snapped_keys,
    with_handle,
    with_keys,
    with_outside,
    with_tangents,
)
from facewright.motion.spline import divided, slopes_at, unrolled, without_steps
from facewright.motion.tangents import TANGENTS, Tangent

RNG = np.random.default_rng(3)
TIMES = np.cumsum(RNG.uniform(0.05, 1.0, 12))
VALUES = RNG.uniform(-1, 1, 12)
FINE = np.linspace(TIMES[0] - 1, TIMES[-1] + 1, 2001)


def keyed(*kinds: Tangent) -> Curve:
    """A curve with keys of these kinds in turn, the slopes of the free and broken ones given."""
    names = [kinds[i % len(kinds)] for i in range(len(TIMES))]
    return Curve(TIMES, VALUES, "cubic", np.random.default_rng(4).normal(size=(12, 2)), names)


def test_auto_slopes_are_those_of_the_monotone_spline_and_flat_at_the_ends() -> None:
    curve = keyed("auto")
    assert curve.slopes is not None
    wanted = PchipInterpolator(TIMES, VALUES).derivative()(TIMES)
    np.testing.assert_allclose(curve.slopes[1:-1], np.column_stack([wanted, wanted])[1:-1], atol=1e-12)
    np.testing.assert_array_equal(curve.slopes[[0, -1]], 0)


def test_an_auto_curve_never_leaves_the_range_of_the_keys_around_it() -> None:
    left = np.clip(np.searchsorted(TIMES, FINE, side="right") - 1, 0, 10)
    low, high = np.minimum(VALUES[left], VALUES[left + 1]), np.maximum(VALUES[left], VALUES[left + 1])
    inside = (TIMES[0] <= FINE) & (TIMES[-1] >= FINE)
    found = keyed("auto")(FINE)
    assert (found >= low - 1e-12)[inside].all()
    assert (found <= high + 1e-12)[inside].all()


def test_linear_keys_make_lines_and_step_keys_make_steps() -> None:
    np.testing.assert_allclose(keyed("linear")(FINE), Curve(TIMES, VALUES)(FINE), atol=1e-12)
    np.testing.assert_array_equal(keyed("step")(FINE), Curve(TIMES, VALUES, "step")(FINE))
    assert with_tangents(keyed("auto", "step"), None, "linear").interpolation == "linear"
    assert with_tangents(keyed("auto", "linear"), None, "step").interpolation == "step"


def test_a_step_key_holds_its_value_among_keys_of_other_kinds() -> None:
    curve = keyed("auto", "step", "broken")
    for i in range(1, 11, 3):
        between = np.linspace(TIMES[i], TIMES[i + 1], 9)[:-1]
        np.testing.assert_array_equal(curve(between), VALUES[i])


@pytest.mark.parametrize("kind", TANGENTS)
def test_another_kind_at_one_key_leaves_segments_that_it_does_not_touch(kind: Tangent) -> None:
    before = keyed("free", "broken")
    after = with_tangents(before, [TIMES[5]], kind)
    away = (TIMES[4] > FINE) | (TIMES[6] < FINE)
    np.testing.assert_allclose(after(FINE)[away], before(FINE)[away], atol=1e-12)
    assert after(TIMES) == pytest.approx(VALUES)


def test_a_line_that_becomes_free_keeps_its_shape_until_a_handle_is_turned() -> None:
    line = Curve([0, 1, 2], [0, 1, 2])
    free = with_tangents(line, [1.0], "free")
    np.testing.assert_allclose(free([0.5, 1.5]), [0.5, 1.5])
    turned = with_handle(free, 1.0, 3.0, leaving=True)
    np.testing.assert_array_equal(turned.slopes[1], [3, 3])  # type: ignore[index]
    broken = with_handle(turned, 1.0, -1.0, leaving=False, broken=True)
    np.testing.assert_array_equal(broken.slopes[1], [-1, 3])  # type: ignore[index]
    again = with_handle(broken, 1.0, 0.5, leaving=True)
    np.testing.assert_array_equal(again.slopes[1], [-1, 0.5])  # type: ignore[index]


def test_slopes_of_a_curve_are_its_derivatives_on_both_sides() -> None:
    curve, step = keyed("auto", "broken", "linear", "step"), 1e-7
    times = np.sort(np.concatenate([TIMES, FINE[::50]]))
    found = slopes_at(curve, times)
    leaving = (curve(times + step) - curve(times)) / step
    near_jump = np.isin(times, TIMES[4::4])  # the end of a step
    arriving = (curve(times) - curve(times - step)) / step
    np.testing.assert_allclose(found[:, 1], leaving, atol=2e-4)
    np.testing.assert_allclose(found[~near_jump, 0], arriving[~near_jump], atol=2e-4)


def test_a_curve_with_more_keys_is_the_same_curve() -> None:
    curve = keyed("auto", "broken", "linear", "flat", "free")
    more = np.union1d(TIMES, np.random.default_rng(5).uniform(TIMES[0], TIMES[-1], 30))
    np.testing.assert_allclose(divided(curve, more)(FINE), curve(FINE), atol=1e-10)


def test_steps_become_ramps_of_a_millisecond_and_all_else_stays() -> None:
    curve = keyed("auto", "step", "broken")
    ramped = without_steps(curve)
    ends = TIMES[2::3]
    away = (np.abs(FINE[:, None] - ends) > 2e-3).all(axis=1)
    np.testing.assert_allclose(ramped(FINE)[away], curve(FINE)[away], atol=1e-10)
    assert ramped(ends) == pytest.approx(curve(ends))


@pytest.mark.parametrize("outside", ["cycle", "offset"])
@pytest.mark.parametrize("kinds", [("linear",), ("auto", "broken", "step"), ("step",)])
def test_repeats_are_what_the_formula_says_and_can_be_written_as_keys(outside: str, kinds: tuple[Tangent, ...]) -> None:
    plain = with_tangents(keyed(*kinds), [TIMES[0]], kinds[0])
    curve = with_outside(plain, outside)  # type: ignore[arg-type]
    period = TIMES[-1] - TIMES[0]
    inside = FINE[(TIMES[0] < FINE) & (TIMES[-1] > FINE)]
    lift = (VALUES[-1] - VALUES[0]) if outside == "offset" else 0.0
    for turn in (-2, 0, 3):
        np.testing.assert_allclose(curve(inside + turn * period), plain(inside) + turn * lift, atol=1e-9)
    written = unrolled(curve, TIMES[0] - 2 * period, TIMES[-1] + period)
    assert written.outside == "hold"
    times = np.concatenate([inside + turn * period for turn in (-2, -1, 0, 1)])
    far = np.abs((times - TIMES[0] + period / 2) % period - period / 2) > 1e-4  # from the seams
    np.testing.assert_allclose(written(times[far]), curve(times[far]), atol=1e-6)


def test_a_new_key_has_the_tangent_that_is_asked_for_and_a_known_one_keeps_its_own() -> None:
    curve = with_keys(with_keys(None, [0.0, 1.0], [0.0, 1.0], "auto"), [2.0], [0.0], "step")
    assert curve.tangents is not None
    assert [TANGENTS[code] for code in curve.tangents] == ["auto", "auto", "step"]
    again = with_keys(curve, [1.0], [0.5], "linear")
    assert again.tangents is not None
    assert TANGENTS[again.tangents[1]] == "auto"
    assert with_keys(None, [0.0], [1.0]).interpolation == "linear"


def test_scaled_keys_make_the_same_shape_in_another_time() -> None:
    curve = keyed("auto", "broken", "free", "step")
    scaled = scaled_keys(curve, TIMES, about=1.0, factor=0.5, level=0.25, gain=2.0)
    np.testing.assert_allclose(scaled(1 + 0.5 * (FINE - 1)), 0.25 + 2 * (curve(FINE) - 0.25), atol=1e-9)
    with pytest.raises(BadValue, match="positive number"):
        scaled_keys(curve, TIMES, about=0.0, factor=-1.0)


def test_snapped_keys_are_on_frames_and_of_two_on_one_the_nearer_stays() -> None:
    curve = Curve([0.0, 0.09, 0.12, 0.52], [0.0, 1.0, 2.0, 3.0])
    snapped = snapped_keys(curve, curve.times, 10.0)
    np.testing.assert_allclose(snapped.times, [0.0, 0.1, 0.5])
    assert snapped.values.tolist() == [0.0, 1.0, 3.0]


def test_moved_keys_keep_to_bounds_unless_they_were_beyond() -> None:
    curve = Curve([0.0, 1.0], [0.5, 1.4])
    assert moved_keys(curve, [0.0, 1.0], 0.0, 0.9, (0.0, 1.0)).values.tolist() == [1.0, 1.4]
    assert moved_keys(curve, [0.0, 1.0], 0.0, -9.0, (0.0, 1.0)).values.tolist() == [0.0, 0.0]
    assert moved_keys(curve, [0.0, 1.0], 0.0, 0.9).values.tolist() == pytest.approx([1.4, 2.3])


def test_pasted_keys_bring_their_tangents() -> None:
    given = Curve([0.0, 1.0], [0.2, 0.8], "cubic", [[0, 2], [1, 1]], ["broken", "free"])
    alone = pasted_keys(None, given, 3.0)
    np.testing.assert_allclose(alone(FINE + 3), given(FINE), atol=1e-12)
    joined = pasted_keys(Curve([3.0, 9.0], [9.0, 9.0]), given, 3.0)
    assert joined.values.tolist() == [0.2, 0.8, 9.0]


def test_wrong_tangents_are_told() -> None:
    with pytest.raises(UnknownName, match="auto, flat, linear"):
        Curve([0], [1], "cubic", tangents=["wavy"])
    with pytest.raises(BadValue, match="only cubic curves have tangents"):
        Curve([0], [1], "linear", tangents=["auto"])
    with pytest.raises(UnknownName, match="hold, cycle, offset"):
        Curve([0], [1], outside="bounce")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="finite number"):
        with_handle(keyed("auto"), TIMES[3], np.inf, leaving=True)
