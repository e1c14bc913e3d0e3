"""Clips as animations of weights: every key of a mesh's weights has a time and a value for all its targets."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.formats.gltf.accessors.encode import Builder
from facewright.formats.gltf.animation.clips import AnimationEntry, entry_json, guessed_rate
from facewright.formats.gltf.animation.key_rows import KeyRows, key_rows, telling_shapes
from facewright.formats.gltf.container.extras import set_block
from facewright.formats.gltf.container.fields import Json
from facewright.formats.schema.clip import CurveEntry
from facewright.formats.write_options import Keys
from facewright.motion.clip import Clip
from facewright.motion.curve import Interpolation
from facewright.motion.fit import cubic_keys, straight_keys
from facewright.motion.spline import divided, steps_of, unrolled
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig

_NAMES: dict[Interpolation, str] = {"linear": "LINEAR", "step": "STEP", "cubic": "CUBICSPLINE"}
_JUST = 2.0**-22
_APART = 0.05  # frames


@dataclass(frozen=True, eq=False)
class Baked:
    """A clip as values of shapes, all with the same keys."""

    times: np.ndarray  # (k,) float32, from 0 up, increasing
    values: np.ndarray  # (k, 1 or 3, s) float32: values, or arriving slopes, values, leaving slopes
    interpolation: Interpolation
    exact: bool  # whether the keys are those of the clip, and say all about them


def can_animate(document: Document, targets: Mapping[int, Sequence[str]]) -> bool:
    """Whether there are weights to animate; warns where there are clips but no weights."""
    if document.clips and not any(targets.values()):
        warnings.warn(
            "a glTF file animates weights of shapes, and there are none: the clips are left out",
            FacewrightWarning,
            stacklevel=2,
        )
    return any(targets.values())


def add_clip(
    animation: Json, clip: Clip, rig: Rig, targets: Mapping[int, Sequence[str]], builder: Builder, keys: Keys = "exact"
) -> None:
    """Write a clip into an animation: channels for the nodes, whose meshes have the given targets, and our block."""
    baked = _baked(clip, rig, keys)
    moving = _moving(clip, rig, targets)
    animation["name"] = clip.name
    times = builder.scalars(baked.times, bounds=True)
    column = {name: number for number, name in enumerate(rig.shape_names)}
    for node, names in moving.items():
        output = builder.scalars(baked.values[:, :, [column[name] for name in names]].ravel())
        samplers = animation.setdefault("samplers", [])
        samplers.append({"input": times, "output": output, "interpolation": _NAMES[baked.interpolation]})
        target = {"node": node, "path": "weights"}
        animation.setdefault("channels", []).append({"sampler": len(samplers) - 1, "target": target})
    readable = {name for names in moving.values() for name in names}
    set_block(animation, entry_json(_entry(clip, rig, baked, readable)))


def _moving(clip: Clip, rig: Rig, targets: Mapping[int, Sequence[str]]) -> dict[int, Sequence[str]]:
    """The nodes that have a shape which the clip moves; any node where there is none, as an animation needs one."""
    moved = {shape.name for shape in rig.shapes if any(slider in clip.curves for slider in shape.sliders)}
    having = {node: names for node, names in targets.items() if names}
    found = {node: names for node, names in having.items() if moved & set(names)}
    return found or dict(list(having.items())[:1])


def _entry(clip: Clip, rig: Rig, baked: Baked, readable: set[str]) -> AnimationEntry:
    start = min(clip.start, 0.0)
    if not baked.exact:
        rows = _rows(clip, rig, baked, readable)
        listed = {one.slider for one in rows}
        curves = [CurveEntry.of(name, curve) for name, curve in clip.curves.items() if name not in listed]
        return AnimationEntry(clip.rate, start, curves=curves, rows=rows or None, times=_exact(clip, baked, rows))
    rate = 0.0 if clip.rate == guessed_rate(clip.curves.values()) else clip.rate
    sliders = {shape.sliders[0] for shape in rig.shapes if shape.name in readable}
    return AnimationEntry(rate, start, sliders=None if sliders == set(clip.curves) else list(clip.curves))


def _exact(clip: Clip, baked: Baked, rows: Sequence[KeyRows]) -> list[float] | None:
    """The times of all keys in double precision; None where no curve is stated by rows, or where they are the same."""
    if not rows:
        return None
    start = min(clip.start, 0.0)
    times = baked.times.astype(np.float64) + start
    for one in rows:
        times[one.rows(len(times))] = clip.curves[one.slider].times
    return None if np.array_equal(times, baked.times + start) else times.tolist()


def _rows(clip: Clip, rig: Rig, baked: Baked, readable: set[str]) -> list[KeyRows]:
    """The curves that are stated by their keys in the animation."""
    telling, start = telling_shapes(rig), min(clip.start, 0.0)
    column = {name: number for number, name in enumerate(rig.shape_names)}
    found = []
    for name, curve in clip.curves.items():
        shape = telling.get(name)
        if shape is not None and shape.name in readable:
            moved = curve if start == 0 else replace(curve, times=curve.times - start)
            rows = key_rows(name, moved, baked.times, baked.values[:, :, column[shape.name]], shape.at[0])
            found += [] if rows is None else [rows]
    return found


def _baked(clip: Clip, rig: Rig, keys: Keys) -> Baked:
    curves = list(clip.curves.values())
    curved = any(curve.interpolation == "cubic" for curve in curves)
    if _is_direct(clip, rig) and (keys == "exact" or not curved) and not (curved and len(curves[0].times) == 1):
        times = (curves[0].times - min(clip.start, 0.0)).astype(np.float32)
        if (np.diff(times) > 0).all():
            exact = all(curve.tangents is None and curve.outside == "hold" for curve in curves)
            return Baked(times, _direct(clip, rig), curves[0].interpolation, exact)
    clip = Clip(clip.name, {name: unrolled(c, clip.start, clip.end) for name, c in clip.curves.items()}, clip.rate)
    at = _key_times(clip, frames=keys != "exact" and (curved or not rig.is_linear), apart=keys != "exact")
    times, first = np.unique((at - min(clip.start, 0.0)).astype(np.float32), return_index=True)
    at = at[first]
    if keys == "exact" and curved and len(at) > 1 and _is_proportional(clip, rig):
        same = {name: divided(curve, at) for name, curve in clip.curves.items()}
        return Baked(times, _direct(replace(clip, curves=same), rig), "cubic", False)
    combine = Combine(rig)
    values = combine(clip.sample(rig.sliders, at))
    if curves and all(curve.interpolation == "step" for curve in curves):
        return Baked(*_stepped(times, values), "step", False)
    if keys == "exact" and len(at) > 1 and (curved or not rig.is_linear):
        at, rows = cubic_keys(lambda moments: combine(clip.sample(rig.sliders, moments)), at)
        times, first = np.unique((at - min(clip.start, 0.0)).astype(np.float32), return_index=True)
        return Baked(times, rows[first].astype(np.float32), "cubic", False)
    if keys == "straight":
        kept = straight_keys(at, values)
        times, values = times[kept], values[kept]
    return Baked(times, values[:, None].astype(np.float32), "linear", not curves)


def _stepped(times: np.ndarray, values: Floats) -> tuple[np.ndarray, np.ndarray]:
    """Keys of steps, without those at which nothing changes."""
    changes = np.ones(len(times), bool)
    changes[1:] = (values[1:] != values[:-1]).any(axis=1)
    return times[changes], values[changes][:, None].astype(np.float32)


def _is_proportional(clip: Clip, rig: Rig) -> bool:
    """Whether every curve drives shapes in proportion."""
    return rig.is_linear and set(clip.curves) <= {shape.sliders[0] for shape in rig.shapes}


def _is_direct(clip: Clip, rig: Rig) -> bool:
    """Whether all curves have the same keys, as glTF has them, and each drives shapes in proportion."""
    curves = list(clip.curves.values())
    if not curves or not _is_proportional(clip, rig):
        return False
    first = curves[0]
    return all(
        curve.interpolation == first.interpolation
        and np.array_equal(curve.times, first.times)
        and (curve.interpolation == "step" or not len(steps_of(curve)))
        for curve in curves
    )


def _direct(clip: Clip, rig: Rig) -> np.ndarray:
    first = next(iter(clip.curves.values()))
    table = np.zeros((len(first.times), 3 if first.interpolation == "cubic" else 1, len(rig.shapes)), np.float32)
    for column, shape in enumerate(rig.shapes):
        curve = clip.curves.get(shape.sliders[0])
        if curve is not None:
            rows = [curve.values] if curve.slopes is None else [curve.slopes[:, 0], curve.values, curve.slopes[:, 1]]
            table[:, :, column] = np.stack(rows, axis=1) / shape.at[0]
    return table


def _key_times(clip: Clip, *, frames: bool, apart: bool) -> Floats:
    """Times at which lines or cubics follow the shapes: all keys, just before each step, and all frames if asked.

    apart: whether the key before a step is some hundredths of a frame away from it. Blender takes keys for one that are
    less than a hundredth of a frame apart.
    """
    if not clip.curves:
        return np.zeros(1)
    curves = list(clip.curves.values())
    keys = [curve.times for curve in curves]
    steps = [steps_of(curve) for curve in curves]
    if frames:
        keys.append(clip.times())
    # The moment before a step must differ from the step in single precision, and no key may be between.
    before = [at - _JUST * np.maximum(np.abs(at - min(clip.start, 0.0)), 1e-3) for at in steps]
    if apart:
        every = np.unique(np.concatenate(keys))
        gaps = [np.minimum(_APART / clip.rate, _to_last(every, at) / 2) for at in steps]
        before = [np.minimum(one, at - gap) for one, at, gap in zip(before, steps, gaps, strict=True)]
    return np.concatenate(keys + before)


def _to_last(times: Floats, at: Floats) -> Floats:
    """How long before each of some times the last of increasing times is that is earlier; the first has none."""
    return np.asarray(at - times[np.maximum(np.searchsorted(times, at) - 1, 0)])
