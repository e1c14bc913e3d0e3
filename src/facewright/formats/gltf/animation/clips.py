"""Weight animations as clips: curves of sliders, completed by our block in the extras of an animation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np

from facewright.errors import BadValue
from facewright.formats.gltf.accessors.budget import Budget
from facewright.formats.gltf.animation.key_rows import KeyRows, telling_shapes
from facewright.formats.gltf.animation.packed import DOUBLE, numbers, packed_curves, packed_times, unpacked_curves
from facewright.formats.gltf.animation.tracks import Track, tracks
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import block_of
from facewright.formats.gltf.container.fields import Json, entries, text
from facewright.formats.schema.clip import CurveEntry
from facewright.formats.unique_names import unique
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig

_RATES = (10.0, 240.0)  # keys at a rate in this range are frames; others are keys of an animator
_USUAL_RATE = 30.0
_MOST_RATE = 10_000.0
_JUST = 1e-6
_SAMPLES = 500  # keys that are compared, at most,
_MOST_SAMPLES = 2**21  # and so many values of shapes at them
_STALE = 1e-3  # stated curves that differ more than this from the animated weights are out of date


class AnimationEntry(msgspec.Struct):
    """Our block in the extras of an animation: what the animated weights do not contain of its clip."""

    rate: float = 0.0  # 0: that of the keys
    start: float = 0.0  # seconds; 0 in the file, where no time is below 0
    sliders: list[str] | None = None  # those with a curve; an animation has keys for all weights of a mesh
    curves: list[CurveEntry] | None = None
    rows: list[KeyRows] | None = None  # curves whose keys are keys of the animation
    times: list[float] | None = None  # of its keys, in seconds, where single precision does not have them


@dataclass(frozen=True, eq=False)
class SourceClip:
    """A clip and the animation it comes from."""

    animation: int
    clip: Clip
    tracks: tuple[Track, ...]


def source_clips(asset: Asset, targets: Mapping[int, Sequence[str]], rig: Rig) -> tuple[SourceClip, ...]:
    """The animations that move the weights of parts: of nodes whose meshes have the given targets."""
    budget = Budget(asset)
    animations = entries(asset.json, "animations")
    found = [(number, tracks(asset, animation, targets, budget)) for number, animation in enumerate(animations)]
    moving = [(number, listed) for number, listed in found if listed]
    names = clip_names([text(animations[number], "name", f"animation {number}") for number, _ in moving])
    return tuple(
        SourceClip(number, _clip(name, animations[number], listed, rig), tuple(listed))
        for name, (number, listed) in zip(names, moving, strict=True)
    )


def clip_names(given: Sequence[str]) -> tuple[str, ...]:
    """Names of clips from those of their animations, all different."""
    return unique(name or f"clip {number}" for number, name in enumerate(given))


def _clip(name: str, animation: Json, listed: Sequence[Track], rig: Rig) -> Clip:
    of_shapes: dict[str, Curve] = {}
    for track in listed:
        for shape, curve in track.curves.items():
            of_shapes.setdefault(shape, curve)  # of parts with different curves the first wins
    entry = entry_of(animation)
    of_shapes = {name: _shifted(curve, entry.start) for name, curve in of_shapes.items()}
    stated = _stated_curves(entry, of_shapes, rig)
    curves = stated if stated is not None else _slider_curves(of_shapes, rig, entry)
    return Clip(name, curves, entry.rate if 0 < entry.rate <= _MOST_RATE else guessed_rate(curves.values()))


def entry_of(animation: Json) -> AnimationEntry:
    block = block_of(animation)
    try:
        times = numbers(block.get("times"), DOUBLE)
        return msgspec.convert(
            block | {"times": times, "curves": unpacked_curves(block.get("curves"), None)}, AnimationEntry
        )
    except (msgspec.ValidationError, BadValue):  # written by another program under our name
        return AnimationEntry()


def _stated_curves(entry: AnimationEntry, of_shapes: Mapping[str, Curve], rig: Rig) -> dict[str, Curve] | None:
    """The curves of the block; None where it has none, or another program has changed the weights since."""
    if entry.curves is None and entry.rows is None:
        return None
    try:
        curves = {one.slider: one.value() for one in entry.curves or ()}
        curves |= _of_rows(entry, of_shapes, rig)
    except BadValue:
        return None
    column = {name: number for number, name in enumerate(rig.shape_names)}
    shared = [name for name in of_shapes if name in column]
    times = next(iter(of_shapes.values())).times
    samples = min(len(times), _SAMPLES, max(_MOST_SAMPLES // max(len(column), 1), 1))
    times = times[np.linspace(0, len(times) - 1, samples).astype(int)]
    animated = np.column_stack([of_shapes[name](times) for name in shared])
    near = _JUST * (1 + np.abs(times))  # times are stored with seven digits, and a step may lie between
    combine, columns = Combine(rig), [column[name] for name in shared]
    apart = [
        np.abs(combine(Clip("", curves).sample(rig.sliders, times + by))[:, columns] - animated)
        for by in (0, near, -near)
    ]
    return curves if np.min(apart, axis=0).max(initial=0.0) <= _STALE else None


def _of_rows(entry: AnimationEntry, of_shapes: Mapping[str, Curve], rig: Rig) -> dict[str, Curve]:
    telling = telling_shapes(rig)
    times = None if entry.times is None else np.array(entry.times)
    found = {}
    for one in entry.rows or ():
        shape = telling.get(one.slider)
        animated = None if shape is None else of_shapes.get(shape.name)
        curve = None if shape is None or animated is None else one.curve(animated, shape.at[0], times)
        if curve is None:
            raise BadValue(f"the animation has no such keys of {one.slider} any more")
        found[one.slider] = curve
    return found


def _slider_curves(of_shapes: Mapping[str, Curve], rig: Rig, entry: AnimationEntry) -> dict[str, Curve]:
    """Each slider by the shape that it drives alone, the outermost where there are in-betweens."""
    chosen: dict[str, Any] = {}
    for shape in rig.shapes:
        slider = shape.sliders[0]
        outer = slider not in chosen or abs(shape.at[0]) > abs(chosen[slider].at[0])
        if not shape.additive and shape.name in of_shapes and outer:
            chosen[slider] = shape
    wanted = None if entry.sliders is None else set(entry.sliders)
    return {
        slider: _scaled(of_shapes[chosen[slider].name], chosen[slider].at[0])
        for slider in rig.sliders
        if slider in chosen and (wanted is None or slider in wanted)
    }


def _shifted(curve: Curve, by: float) -> Curve:
    return curve if by == 0 else replace(curve, times=curve.times + by)


def _scaled(curve: Curve, factor: float) -> Curve:
    slopes = None if curve.slopes is None else curve.slopes * factor
    return curve if factor == 1 else replace(curve, values=curve.values * factor, slopes=slopes)


def guessed_rate(curves: Any) -> float:
    """The rate of the keys, where they are as regular as frames."""
    steps = np.concatenate([np.diff(curve.times) for curve in curves] or [np.zeros(0)])
    rate = 1 / float(np.median(steps)) if len(steps) else _USUAL_RATE
    nearest = round(rate)
    rate = float(nearest) if abs(rate - nearest) < 1e-2 else rate  # times are stored with seven digits
    return rate if _RATES[0] <= rate <= _RATES[1] else _USUAL_RATE


def entry_json(entry: AnimationEntry) -> Json:
    """The entry as JSON, without defaults."""
    found = {key: value for key, value in msgspec.to_builtins(entry).items() if value not in (None, 0.0)}
    if entry.curves is not None:
        found["curves"] = packed_curves(entry.curves, None)
    if entry.times is not None:
        found["times"] = packed_times(entry.times)
    return found
