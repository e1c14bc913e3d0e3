"""The motion of the head: that of the models above all parts, where the whole face moves as one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, FacewrightWarning
from facewright.formats.channels.head import rigid_head_curves
from facewright.formats.fbx.scene.animation import FbxMotion
from facewright.formats.fbx.scene.keys import FbxKeys
from facewright.formats.fbx.scene.objects import FbxObject, FbxScene, Id
from facewright.formats.fbx.scene.parts import FbxPart
from facewright.formats.fbx.scene.transforms import Transforms, Values, parent_of, to_our_axes
from facewright.motion.curve import Curve
from facewright.rig.head_motion import ANGLES, OFFSETS

ORDER_OF_HEAD = 4  # of rotations: about z first, then x, then y, as `rig/head_motion.py` has it
_OURS = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
_MOST = 100_000  # frames that are placed
_DEFAULTS = {"Lcl Translation": (0.0, 0.0, 0.0), "Lcl Rotation": (0.0, 0.0, 0.0), "Lcl Scaling": (1.0, 1.0, 1.0)}


def head_motion(
    scene: FbxScene, motion: FbxMotion, parts: Sequence[FbxPart], rate: float, size: float
) -> dict[str, Curve]:
    """Curves of the head's angles and offsets; none where the face does not move as one rigid body, or not at all."""
    chains = [list(_above(scene, part.model)) for part in parts]
    moving = {one.id for chain in chains for one in chain if one.id in motion.models}
    times = _times(motion, moving, rate)
    if not moving or not len(times) or size == 0:
        return {}
    above = _head_model(scene, chains, moving)
    if above is not None:
        return _own_curves(motion, above)
    if any(part.skinned for part in parts):
        _warn(motion, "of joints")
        return {}
    worlds = _worlds(scene, motion, parts, times)  # (frames, parts, 4, 4)
    rest = np.stack([Transforms(scene).world(part.model) for part in parts])
    axes = np.eye(4)
    axes[:3, :3] = to_our_axes(scene.settings)
    found = rigid_head_curves(times, worlds, rest, axes, size)
    if found is None:
        _warn(motion, "of single parts, or that is not rigid,")
    return found or {}


def _head_model(scene: FbxScene, chains: Sequence[Sequence[FbxObject]], moving: set[Id]) -> FbxObject | None:
    """The one model that moves, if it is at the root, above all parts, and turned as heads are: its keys are curves."""
    top = chains[0][-1]
    alone = moving == {top.id} and all(chain[-1] is top and len(chain) > 1 for chain in chains)
    as_head = top.number("RotationActive", 0.0) == 1 and top.number("RotationOrder", 0.0) == ORDER_OF_HEAD
    plain = np.array_equal(Transforms(scene).world(top), np.eye(4)) and to_our_axes(scene.settings).tolist() == _OURS
    return top if alone and as_head and plain else None


def _own_curves(motion: FbxMotion, model: FbxObject) -> dict[str, Curve]:
    places = motion.models[model.id]
    turned = {axis: keys.curve(np.pi / 180) for axis, keys in places.get("Lcl Rotation", {}).items()}
    moved = {axis: keys.curve() for axis, keys in places.get("Lcl Translation", {}).items()}
    named = [*zip(ANGLES, map(turned.get, "YXZ"), strict=True), *zip(OFFSETS, map(moved.get, "XYZ"), strict=True)]
    return {name: curve for name, curve in named if curve is not None}


def _warn(motion: FbxMotion, what: str) -> None:
    words = f"animation {motion.name[:60]!r}: motion {what} is left out; the shapes' is read"
    warnings.warn(words, FacewrightWarning, stacklevel=4)


def _above(scene: FbxScene, model: FbxObject) -> Iterator[FbxObject]:
    one: FbxObject | None = model
    for _ in range(1000):
        if one is None:
            return
        yield one
        one = parent_of(scene, one)


def _times(motion: FbxMotion, moving: set[Id], rate: float) -> Floats:
    """All keys of the models, and all frames between them."""
    keys = [axis.times for one in moving for place in motion.models[one].values() for axis in place.values()]
    keys = [times for times in keys if len(times)]
    if not keys:
        return np.zeros(0)
    low, high = min(times.min() for times in keys), max(times.max() for times in keys)
    if (high - low) * rate > _MOST or sum(map(len, keys)) > 10 * _MOST:
        raise BadFile(f"animation {motion.name[:60]!r} is {high - low:.3g} s long; at most {_MOST:,} frames are read")
    frames = low + np.arange(int((high - low) * rate) + 1) / rate
    found = np.unique(np.concatenate([*keys, frames]))
    return np.asarray(found[np.concatenate([[True], np.diff(found) > 1e-4])])


def _worlds(scene: FbxScene, motion: FbxMotion, parts: Sequence[FbxPart], times: Floats) -> Floats:
    tables = {
        one: {name: _table(scene.objects[one], name, axes, times) for name, axes in places.items()}
        for one, places in motion.models.items()
        if one in scene.objects
    }
    found = np.empty((len(times), len(parts), 4, 4))
    for frame in range(len(times)):
        moved: dict[Id, dict[str, Values]] = {
            one: {name: tuple(table[frame].tolist()) for name, table in places.items()}
            for one, places in tables.items()
        }
        transforms = Transforms(scene, moved)
        for number, part in enumerate(parts):
            found[frame, number] = transforms.world(part.model)
    return found


def _table(model: FbxObject, name: str, axes: Mapping[str, FbxKeys], times: Floats) -> Floats:
    """The three numbers (frames, 3) of a property over time; an axis without keys keeps its value."""
    columns = []
    for axis, rest in zip("XYZ", model.numbers(name, _DEFAULTS[name]), strict=True):
        curve = axes[axis].curve() if axis in axes else None
        columns.append(np.full(len(times), rest) if curve is None else curve(times))
    return np.stack(columns, axis=1)
