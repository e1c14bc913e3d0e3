"""The motion of the head: curves of a clip or values of controls to rotations and offsets, and back.

The head turns about its pivot p and is shifted by o = (HeadX, HeadY, HeadZ): x goes to R (x - p) + p + o. R is the
rotation about y by HeadYaw, times that about x by HeadPitch, times that about z by HeadRoll. Then the neck turns all of
it about its own pivot. Without a `HeadRig` both pivots are the origin, as in takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from facewright.arrays import Floats
from facewright.motion.bake_layers import baked_clip
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.controls import CONTROLS, HEAD_ANGLES, HEAD_OFFSETS, LENGTHS, NECK_ANGLES
from facewright.rig.head_rig import ABOUT_ORIGIN, HeadRig

ANGLES = HEAD_ANGLES
OFFSETS = HEAD_OFFSETS
CURVES: Final = (*HEAD_ANGLES, *HEAD_OFFSETS, *NECK_ANGLES)
PHONE_EYE: Final = "LeftEyeYaw"  # a clip with such a curve is a phone's, and its angles are not the rig's
_ORDER: Final = "YXZ"


def head_curves(times: Floats, rotations: Floats, offsets: Floats, head: HeadRig = ABOUT_ORIGIN) -> dict[str, Curve]:
    """Curves for motions x -> R x + t with R (frames, 3, 3) and t (frames, 3), about the pivot of a head.

    Angles have no jumps of a full turn.
    """
    if not len(times):
        return {}
    from scipy.spatial.transform import Rotation

    angles = np.unwrap(Rotation.from_matrix(np.array(rotations)).as_euler(_ORDER), axis=0)
    moved = offsets + rotations @ head.head - head.head
    columns = np.concatenate([angles, moved], axis=1)
    return {name: Curve(times, column) for name, column in zip((*ANGLES, *OFFSETS), columns.T, strict=True)}


def scaled_head_motion(clip: Clip, factor: float) -> Clip:
    """The clip with the lengths of the head and of what the eyes look at multiplied; angles stay."""
    if factor == 1.0:
        return clip
    return clip.with_each(
        lambda curves: {name: one.scaled(factor) if name in LENGTHS else one for name, one in curves.items()}
    )


def has_head_motion(clip: Clip) -> bool:
    """Whether a clip moves the head or the neck. Angles as a phone records them do not count before `retarget`."""
    if any(name in clip.moved for name in OFFSETS):
        return True
    return PHONE_EYE not in clip.moved and any(name in clip.moved for name in CURVES)


def clip_controls(clip: Clip, time: float) -> dict[str, float]:
    """The values of all controls that a clip moves at a time, seconds; none of a phone's before `retarget`."""
    names = controls_of(clip)
    return dict(zip(names, clip.sample(names, [time])[0].tolist(), strict=True)) if names else {}


def controls_of(clip: Clip) -> tuple[str, ...]:
    """The controls that a clip or its layers move; none of a phone's before `retarget`."""
    if PHONE_EYE in clip.curves and not has_head_motion(clip):
        return ()
    moved = set(clip.moved)
    return tuple(name for name in CONTROLS if name in moved)


def head_motion_of(clip: Clip, times: Floats, head: HeadRig | None = None) -> tuple[Floats, Floats]:
    """Quaternions (frames, 4), x y z w, each on the hemisphere of the one before, and t (frames, 3): x -> R x + t."""
    from scipy.spatial.transform import Rotation

    rotations, offsets = rigid_motion(clip.sample(CURVES, times), head)
    found = Rotation.from_matrix(rotations).as_quat()
    turned = np.cumprod(np.where((found[1:] * found[:-1]).sum(axis=1) < 0, -1.0, 1.0))
    found[1:] *= turned[:, None]
    return found, offsets


def rigid_motion(values: Floats, head: HeadRig | None = None) -> tuple[Floats, Floats]:
    """R (frames, 3, 3) and t (frames, 3) of x -> R x + t for values (frames, 9) in the order of CURVES."""
    from scipy.spatial.transform import Rotation

    head = head or ABOUT_ORIGIN
    turn = Rotation.from_euler(_ORDER, values[:, :3]).as_matrix()
    neck = Rotation.from_euler(_ORDER, values[:, 6:]).as_matrix()
    offsets = values[:, 3:6] + head.head - turn @ head.head
    return neck @ turn, np.einsum("fab,fb->fa", neck, offsets - head.neck) + head.neck


def posed_head(controls: Mapping[str, float], head: HeadRig | None) -> tuple[Floats, Floats] | None:
    """R (3, 3) and t (3,) of the head as the controls have it; None where none of them moves it."""
    values = np.array([[controls.get(name, 0.0) for name in CURVES]])
    if not values.any():
        return None
    rotations, offsets = rigid_motion(values, head)
    return rotations[0], offsets[0]


def key_times(clip: Clip, curves: tuple[str, ...] = CURVES) -> Floats:
    """Times (k,) of all keys of the head's curves; of all frames, too, where straight lines do not suffice."""
    found = [clip.curves[name] for name in curves if name in clip.curves]
    is_plain = all(curve.interpolation == "linear" and curve.outside == "hold" for curve in found)
    at_once = len({len(curve.times) for curve in found}) == 1
    frames = [] if is_plain and at_once else [clip.times()]
    return np.unique(np.concatenate([np.zeros(0), *(curve.times for curve in found), *frames]))


def about(clip: Clip, before: HeadRig | None, after: HeadRig | None) -> Clip:
    """The clip with the same motion of the head by curves about other pivots. Those of the neck become the head's."""
    if not has_head_motion(clip) or _same_pivots(before, after):
        return clip
    from scipy.spatial.transform import Rotation

    if any(name in layer.curves for layer in clip.layers for name in CURVES):
        clip = baked_clip(clip)
    times = key_times(clip)
    turns, offsets = head_motion_of(clip, times, before)
    made = head_curves(times, Rotation.from_quat(turns).as_matrix(), offsets, after or ABOUT_ORIGIN)
    kept = {name: curve for name, curve in clip.curves.items() if name not in CURVES}
    return replace(clip, curves={**kept, **made})


def _same_pivots(one: HeadRig | None, other: HeadRig | None) -> bool:
    one, other = one or ABOUT_ORIGIN, other or ABOUT_ORIGIN
    return np.array_equal(one.head, other.head) and np.array_equal(one.neck, other.neck)
