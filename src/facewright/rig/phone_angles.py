"""The angles of head and eyes that phones record (Live Link Face) as controls of the rig, and back.

A phone's yaw is positive to the face's right, ours to its left; pitch and roll have the same sense. In recordings the
eyes' yaw and pitch agree with the gaze weights beside them in this sense (correlation above 0.99).
"""

from __future__ import annotations

from dataclasses import replace

from facewright.motion.clip import Clip
from facewright.rig.head_motion import PHONE_EYE

# A phone's name, ours, and the factor between them. The roll of an eye cannot be seen and is left as it is.
_PAIRS = (
    ("HeadYaw", "HeadYaw", -1),
    ("HeadPitch", "HeadPitch", 1),
    ("HeadRoll", "HeadRoll", 1),
    ("LeftEyeYaw", "EyeYawLeft", -1),
    ("LeftEyePitch", "EyePitchLeft", 1),
    ("RightEyeYaw", "EyeYawRight", -1),
    ("RightEyePitch", "EyePitchRight", 1),
)


def from_phone(clip: Clip) -> Clip:
    """A phone's recording with its angles as controls of the rig; another clip as it is.

    Angles that are 0 all the time were not recorded, and are left out, so that the pose decides.
    """
    if PHONE_EYE not in clip.curves:
        return clip
    names = {theirs: (ours, factor) for theirs, ours, factor in _PAIRS}
    curves = {}
    for name, curve in clip.curves.items():
        ours, factor = names.get(name, (name, 1))
        if name not in names or curve.values.any():
            curves[ours] = curve.scaled(factor)
    return replace(clip, curves=curves)


def to_phone(clip: Clip) -> Clip:
    """A clip with the angles of its controls as a phone would record them; a phone's own recording as it is."""
    if PHONE_EYE in clip.curves:
        return clip
    names = {ours: (theirs, factor) for theirs, ours, factor in _PAIRS}
    curves = {}
    for name, curve in clip.curves.items():
        theirs, factor = names.get(name, (name, 1))
        curves[theirs] = curve.scaled(factor)
    return replace(clip, curves=curves)
