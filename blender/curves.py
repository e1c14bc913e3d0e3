"""Clips as F-curves of shape keys, and back. Blender keeps them in layered actions, one slot for the shape keys."""

from collections.abc import Collection, Mapping
from typing import Any

import bpy
import numpy as np

from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.tangents import STEP

from .drivers import key_of_path, value_path

_CONSTANT, _LINEAR, _BEZIER = 0, 1, 2  # as Blender numbers interpolations
_FREE = 0  # and handles
_CYCLES = {"cycle": "REPEAT", "offset": "REPEAT_OFFSET"}


def frame_rate(scene: Any) -> float:
    return float(scene.render.fps / scene.render.fps_base)


def write_clip(keys: Any, clip: Clip, rate: float, start: float, driven: Collection[str] = ()) -> Any:
    """A new action with the curves of a clip whose names are keys; it is played from a frame on. Returns the action.

    The action that was there is kept in the file. Keys in `driven` are left out.
    """
    data = keys.animation_data or keys.animation_data_create()
    if data.action is not None:
        data.action.use_fake_user = True
    action = bpy.data.actions.new(clip.name)
    slot = action.slots.new(id_type="KEY", name=keys.name)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    bag = strip.channelbag(slot, ensure=True)
    for name, curve in clip.curves.items():
        if name in keys.key_blocks and name not in driven:
            _write_curve(bag.fcurves.new(value_path(name)), curve, rate, start)
    data.action, data.action_slot = action, slot
    return action


def _write_curve(target: Any, curve: Curve, rate: float, start: float) -> None:
    frames = start + curve.times * rate
    count = len(frames)
    target.keyframe_points.add(count)
    points = target.keyframe_points
    places = np.stack([frames, curve.values], axis=1)
    points.foreach_set("co", places.astype(np.float32).ravel())
    kinds = {"step": _CONSTANT, "linear": _LINEAR, "cubic": _BEZIER}
    kind = np.full(count, kinds[curve.interpolation], np.int32)
    if curve.tangents is not None:
        kind[curve.tangents == STEP] = _CONSTANT
    points.foreach_set("interpolation", kind)
    if curve.slopes is not None:
        # A cubic piece with both handles at a third of the way is the Hermite spline of the same slopes.
        thirds = np.diff(frames, prepend=frames[0] - 3.0, append=frames[-1] + 3.0) / 3
        left, right = thirds[:-1], thirds[1:]
        for name, step, slope in (("left", -left, curve.slopes[:, 0]), ("right", right, curve.slopes[:, 1])):
            points.foreach_set(f"handle_{name}_type", np.full(count, _FREE, np.int32))
            handles = places + np.stack([step, step * slope / rate], axis=1)
            points.foreach_set(f"handle_{name}", handles.astype(np.float32).ravel())
    if curve.outside in _CYCLES:
        cycles = target.modifiers.new("CYCLES")
        cycles.mode_before = cycles.mode_after = _CYCLES[curve.outside]
    target.update()


def curves_of(keys: Any) -> Mapping[str, Any]:
    """The F-curves of the present action, by the key that each moves."""
    data = keys.animation_data
    if data is None or data.action is None or data.action_slot is None:
        return {}
    found = {}
    for layer in data.action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(data.action_slot)
            for curve in () if bag is None else bag.fcurves:
                name = key_of_path(curve.data_path)
                if name is not None and name in keys.key_blocks and not curve.mute:
                    found[name] = curve
    return found


def read_clip(keys: Any, rate: float, start: float) -> Clip | None:
    """The present action of shape keys as a clip with a key on every frame; None where nothing is animated."""
    curves = curves_of(keys)
    ends = [curve.range() for curve in curves.values()]
    if not ends:
        return None
    first, last = int(np.floor(min(low for low, _ in ends))), int(np.ceil(max(high for _, high in ends)))
    frames = np.arange(first, last + 1)
    times = (frames - start) / rate
    table = {name: Curve(times, [curve.evaluate(float(frame)) for frame in frames]) for name, curve in curves.items()}
    return Clip(keys.animation_data.action.name, table, rate)
