"""Animations of a stage as clips, and the motion of the head."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.errors import FacewrightWarning
from facewright.formats.channels.block import stated_clips
from facewright.formats.channels.head import rigid_head_curves
from facewright.formats.channels.rig import ChannelRig
from facewright.formats.unique_names import unique
from facewright.formats.usd.block import kept_value
from facewright.formats.usd.process import StageFile
from facewright.formats.usd.scene.parts import UsdPart, axes_of
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.head_motion import ANGLES, OFFSETS
from facewright.rig.rig import Rig

_OPERATIONS = {
    "xformOp:rotateZXY": ((ANGLES[1], ANGLES[0], ANGLES[2]), np.pi / 180),
    "xformOp:translate": (OFFSETS, 1.0),
}
_MOTION = "motion"  # name of a clip that has that of the head alone


def rest_weights(stage: StageFile) -> dict[str, dict[str, float]]:
    """Weights without a time, by animation and channel: the pose."""
    found = {}
    for one in stage.description["animations"]:
        if one["rest"] is not None:
            values = map(kept_value, stage.array(one["rest"]).astype(np.float64).ravel())
            found[str(one["path"])] = dict(zip(one["channels"], values, strict=False))
    return found


def read_clips(
    stage: StageFile, parts: Sequence[UsdPart], source: ChannelRig, block: dict[str, Any]
) -> tuple[Clip, ...]:
    """The clips: all animations that are bound as one, each other by itself, with what our block states of them."""
    rate = float(stage.description["rate"])
    frames = float(stage.description["frames"])
    frames = frames if 0 < frames <= 10_000 else 24.0
    stated = stated_clips(block)
    described = [one for one in stage.description["animations"] if one["weights"] is not None or one["name"] in stated]
    bound = [one for one in described if one["is_bound"]]
    groups = [bound] * bool(bound) + [[one] for one in described if not one["is_bound"]]
    groups.sort(key=lambda group: described.index(group[0]))
    names = list(unique(str(group[0]["name"]) or "clip" for group in groups))
    curves = [
        _curves(stage, group, source.rig, rate, stated[name].order if name in stated else ())
        for name, group in zip(names, groups, strict=True)
    ]
    if any(one["moves_joints"] for one in stage.description["animations"]):
        warnings.warn("the motion of joints is left out; that of shapes is read", FacewrightWarning, stacklevel=4)
    for name in stated:
        if name not in names:  # what moves no shape has no animation
            names.append(name)
            curves.append({})
    head = _head(stage, parts, source.rig.size, rate)
    if head:
        if not names:
            names, curves = [_MOTION], [{}]
        number = groups.index(bound) if bound else 0
        curves[number] |= head
    found = [Clip(name, own, frames) for name, own in zip(names, curves, strict=True)]
    found = [stated[clip.name].completed(clip) if clip.name in stated else clip for clip in found]
    return tuple(clip for clip in found if clip.curves or clip.name in stated)


def _curves(
    stage: StageFile, group: Sequence[dict[str, Any]], rig: Rig, rate: float, known: Sequence[str]
) -> dict[str, Curve]:
    """A curve for each slider with a weight that is not 0 all the time; of two animations of one the first wins."""
    own: dict[str, Curve] = {}
    for one in group:
        if one["weights"] is None:
            continue
        times = _seconds(one["times"], rate)
        weights = stage.array(one["weights"]).astype(np.float64)
        for column, name in enumerate(one["channels"]):
            if name in rig.sliders and name not in own and (name in known or weights[:, column].any()):
                own[name] = Curve(times, [kept_value(value) for value in weights[:, column].tolist()])
    return {name: own[name] for name in rig.sliders if name in own}


def _seconds(codes: Sequence[float], rate: float) -> Floats:
    return np.array(codes, np.float64) / (rate if rate > 0 else 24.0)


def _head(stage: StageFile, parts: Sequence[UsdPart], size: float, rate: float) -> dict[str, Curve]:
    motion = stage.description["motion"]
    if motion is None:
        return {}
    if "direct" in motion:
        return _own_curves(motion["direct"], rate)
    if "too_long" in motion or any(part.is_skinned for part in parts):
        _warn("that is too long, or of a skeleton,")
        return {}
    worlds = stage.array(motion["worlds"]).swapaxes(2, 3)[:, [part.number for part in parts]]
    rest = np.stack([part.world for part in parts])
    found = rigid_head_curves(_seconds(motion["times"], rate), worlds, rest, axes_of(stage), size)
    if found is None:
        _warn("of single meshes, or that is not rigid,")
    return found or {}


def _own_curves(direct: dict[str, Any], rate: float) -> dict[str, Curve]:
    found: dict[str, Curve] = {}
    for operation, (names, factor) in _OPERATIONS.items():
        one = direct.get(operation)
        if one is not None and one["times"]:
            values = factor * np.array(one["values"], np.float64)
            times = _seconds(one["times"], rate)
            found |= {name: Curve(times, column) for name, column in zip(names, values.T, strict=True) if column.any()}
    return {name: found[name] for name in (*ANGLES, *OFFSETS) if name in found}


def _warn(what: str) -> None:
    words = f"motion {what} is left out; the shapes' is read"
    warnings.warn(words, FacewrightWarning, stacklevel=5)
