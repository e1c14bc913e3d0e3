"""Layers are added to a clip or take its place, by a weight; baked and merged they give the same values."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.motion.bake_layers import baked_clip, clipped_curve, merged_down
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.layer import Layer

NAMES = ("smile", "blink", "jaw", "brow")
RISING = Curve([0.0, 0.7, 2.0], [0.0, 1.0, 0.25], "cubic", tangents=["auto", "auto", "auto"])
BASE = {
    "smile": Curve([0.0, 1.0, 2.0], [0.1, 0.6, 0.2]),
    "blink": Curve([0.2, 0.9, 1.6], [0.0, 0.8, 0.1], "cubic", [[0.0, 0.4], [0.2, -0.3], [0.0, 0.0]]),
    "jaw": Curve([0.0, 0.5, 1.5], [0.0, 0.4, 0.2], "step"),
}
SOME = {
    "smile": Curve([0.3, 1.2], [0.1, 0.3]),
    "blink": Curve([0.1, 1.1, 1.9], [0.05, 0.1, 0.15], "cubic", tangents=["auto", "auto", "flat"]),
    "jaw": Curve([0.25, 1.0], [0.1, 0.2], "step"),
    "brow": Curve([0.5, 1.5], [0.2, 0.7]),
}


def clip_with(*layers: Layer) -> Clip:
    return Clip("talk", BASE, 30, layers)


def formula(clip: Clip, times: np.ndarray) -> np.ndarray:
    """Values frame by frame and slider by slider, as the documentation says them."""
    heard = [layer for layer in clip.layers if not layer.muted]
    heard = [layer for layer in heard if layer.solo] or heard
    table = np.zeros((len(times), len(NAMES)))
    for row, time in enumerate(times):
        for column, name in enumerate(NAMES):
            value = float(clip.curves[name](time)) if name in clip.curves else 0.0
            for layer in heard:
                if name in layer.curves:
                    weight = float(layer.weight(time)) if isinstance(layer.weight, Curve) else layer.weight
                    own = float(layer.curves[name](time))
                    value = value + weight * own if layer.kind == "additive" else value + weight * (own - value)
            table[row, column] = value
    return table


STACKS = (
    (Layer("more", "additive", SOME, 0.5),),
    (Layer("other", "override", SOME, 0.3), Layer("more", "additive", {"smile": SOME["smile"]})),
    (Layer("more", "additive", SOME, RISING), Layer("other", "override", {"jaw": RISING}, 0.8)),
    (Layer("more", "additive", SOME), Layer("mute", "override", SOME, muted=True), Layer("top", "additive", SOME, 0.2)),
    (Layer("more", "additive", SOME), Layer("solo", "override", SOME, RISING, solo=True)),
)


@pytest.mark.parametrize("layers", STACKS)
def test_a_stack_is_the_formula_of_each_layer_over_what_is_below(layers: tuple[Layer, ...]) -> None:
    clip = clip_with(*layers)
    np.testing.assert_allclose(clip.sample(NAMES), formula(clip, clip.times()), atol=1e-12)


@pytest.mark.parametrize("kind", ["additive", "override"])
def test_a_layer_of_weight_0_changes_nothing(kind: str) -> None:
    clip = clip_with(Layer("none", kind, SOME, 0.0))  # type: ignore[arg-type]
    np.testing.assert_array_equal(clip.sample(NAMES), replace(clip, layers=()).sample(NAMES, clip.times()))
    bounds = np.tile([0.0, 0.3], (4, 1))  # which the clip leaves by itself
    np.testing.assert_array_equal(clip.sample(NAMES, None, bounds)[:, :3], clip.sample(NAMES[:3]))


def test_an_additive_layer_of_zeros_changes_nothing() -> None:
    clip = clip_with(Layer("nothing", "additive", {name: Curve([0.0], [0.0]) for name in NAMES}))
    np.testing.assert_array_equal(
        clip.sample(NAMES, RISING.times), replace(clip, layers=()).sample(NAMES, RISING.times)
    )


def test_an_override_of_weight_1_is_the_layer_where_it_has_curves_and_the_clip_elsewhere() -> None:
    clip = clip_with(Layer("other", "override", {"blink": SOME["blink"]}))
    times = clip.times()
    np.testing.assert_array_equal(clip.sample(["blink"])[:, 0], SOME["blink"](times))
    np.testing.assert_array_equal(clip.sample(["smile"])[:, 0], BASE["smile"](times))


def test_the_order_of_layers_counts_where_one_overrides() -> None:
    more, other = Layer("more", "additive", SOME), Layer("other", "override", SOME, 0.5)
    one, two = clip_with(more, other).sample(NAMES), clip_with(other, more).sample(NAMES)
    np.testing.assert_allclose(
        two - one,
        0.5 * clip_with(more).sample(NAMES) - 0.5 * clip_with().sample(NAMES, clip_with(more).times()),
        atol=1e-12,
    )
    again = clip_with(replace(more, name="again"), more)
    np.testing.assert_array_equal(again.sample(NAMES), replace(again, layers=again.layers[::-1]).sample(NAMES))


@pytest.mark.parametrize("layers", STACKS)
@pytest.mark.parametrize("high", [10.0, 0.55])
def test_a_baked_clip_has_the_same_values_at_every_frame(layers: tuple[Layer, ...], high: float) -> None:
    clip = clip_with(*layers)
    bounds = dict.fromkeys(NAMES, (0.0, high))
    baked = baked_clip(clip, bounds)
    assert not baked.layers
    expected = clip.sample(NAMES, None, np.array([bounds[name] for name in NAMES]))
    np.testing.assert_allclose(baked.sample(NAMES, clip.times()), expected, atol=3e-5)


def test_baking_with_constant_weights_is_exact_between_frames_and_keeps_only_the_keys_that_there_are() -> None:
    clip = clip_with(Layer("more", "additive", SOME, 0.5), Layer("other", "override", {"smile": SOME["smile"]}, 0.25))
    baked = baked_clip(clip)
    times = np.linspace(0, 2, 977)
    for name in ("smile", "blink", "brow"):
        np.testing.assert_allclose(baked.curves[name](times), clip.sample([name], times)[:, 0], atol=1e-12)
    np.testing.assert_allclose(baked.curves["blink"].times, [0.1, 0.2, 0.9, 1.1, 1.6, 1.9])
    assert baked.curves["smile"].interpolation == "linear"
    assert baked.curves["jaw"].interpolation == "step"


def test_baking_keeps_curves_that_no_layer_changes_and_repeats_of_cycles() -> None:
    cycle = Curve([0.0, 0.25, 0.5], [0.0, 0.3, 0.0], outside="cycle")
    clip = Clip("talk", {**BASE, "jaw": cycle}, 30, (Layer("more", "additive", {"jaw": SOME["smile"]}),))
    baked = baked_clip(clip)
    assert baked.curves["smile"] is BASE["smile"]
    np.testing.assert_allclose(baked.sample(["jaw"]), clip.sample(["jaw"]), atol=1e-9)


def test_sums_stop_at_the_bounds_and_keys_beyond_them_are_kept() -> None:
    wild = Curve([0.0, 1.0], [0.9, 1.5])
    clip = Clip(
        "talk",
        {"a": Curve([0.0, 1.0], [0.8, 0.8]), "b": wild},
        10,
        (Layer("more", "additive", {"a": Curve([0.0, 1.0], [0.0, 0.6])}), Layer("on", "override", {"b": wild})),
    )
    found = clip.sample(["a", "b"], None, [[0, 1], [0, 1]])
    assert found[:, 0].max() == 1.0
    np.testing.assert_array_equal(found[:, 1], wild(clip.times()))
    cut = clipped_curve(RISING, 0.2, 0.9)
    times = np.linspace(0, 2, 501)
    np.testing.assert_allclose(cut(times), np.clip(RISING(times), 0.2, 0.9), atol=1e-9)


@pytest.mark.parametrize("kinds", [("additive",) * 2, ("override", "additive"), ("additive", "override")])
@pytest.mark.parametrize("weight", [0.4, RISING])
def test_merging_a_layer_down_leaves_every_frame_as_it_is(kinds: tuple[str, str], weight: float | Curve) -> None:
    low = Layer("low", kinds[0], SOME, 0.5)  # type: ignore[arg-type]
    high = Layer("high", kinds[1], {"jaw": RISING, "smile": RISING}, weight)  # type: ignore[arg-type]
    clip = clip_with(low, high, Layer("top", "additive", {"brow": RISING}))
    for name in ("high", "low"):
        merged = merged_down(clip, name)
        assert [layer.name for layer in merged.layers] == (["low", "top"] if name == "high" else ["high", "top"])
        np.testing.assert_allclose(merged.sample(NAMES, clip.times()), clip.sample(NAMES), atol=3e-5)
        assert merged.layers[0].kind == (
            "additive" if set(kinds) == {"additive"} or (name == "low" and kinds[1] == "additive") else "override"
        )


def test_mistakes_are_told() -> None:
    with pytest.raises(BadValue, match="from 0 to 1, not 1"):
        Layer("more", weight=1.5)
    with pytest.raises(BadValue, match="two layers named 'more'"):
        clip_with(Layer("more"), Layer("more"))
    with pytest.raises(UnknownName, match="additive, override"):
        Layer("more", "mixed")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="unmute it"):
        merged_down(clip_with(Layer("more", muted=True)), "more")
    with pytest.raises(UnknownName, match="more"):
        merged_down(clip_with(Layer("more")), "mroe")


def test_a_clip_lasts_as_long_as_its_layers() -> None:
    clip = clip_with(Layer("late", "additive", {"brow": Curve([-1.0, 5.0], [0, 1])}))
    assert (clip.start, clip.end) == (-1.0, 5.0)
    assert clip.moved == ("smile", "blink", "jaw", "brow")
