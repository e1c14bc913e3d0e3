"""Controls beside the sliders: head, neck, eyes and what they look at. Curves of clips have these names.

Angles are in radians, right-handed about the rig's axes: yaw about y (positive to the face's left), pitch about x
(positive downwards), roll about z (positive to the face's right). Lengths are in scene units. An eye whose angles are
not set looks where the pose says; a control of the head or the neck that is not set is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from facewright.errors import BadValue, UnknownName

HEAD_ANGLES: Final = ("HeadYaw", "HeadPitch", "HeadRoll")
HEAD_OFFSETS: Final = ("HeadX", "HeadY", "HeadZ")
NECK_ANGLES: Final = ("NeckYaw", "NeckPitch", "NeckRoll")
LEFT_EYE: Final = ("EyeYawLeft", "EyePitchLeft")
RIGHT_EYE: Final = ("EyeYawRight", "EyePitchRight")
TARGET: Final = ("GazeX", "GazeY", "GazeZ")  # a place in the scene that the eyes look at
GAZE_WEIGHT: Final = "GazeWeight"  # how much they do: 0 as posed, 1 all the way; 1 where it is not set

LENGTHS: Final = frozenset((*HEAD_OFFSETS, *TARGET))

Unit = Literal["angle", "length", "share"]


@dataclass(frozen=True)
class Control:
    """A control: the range that it keeps to while it is edited, and what its numbers are."""

    name: str
    group: str
    low: float
    high: float
    unit: Unit = "angle"
    rest: float = 0.0


def _angles(names: tuple[str, ...], group: str, degrees: tuple[float, ...]) -> list[Control]:
    most = np.radians(degrees).tolist()
    return [Control(name, group, -by, by) for name, by in zip(names, most, strict=True)]


def _lengths(names: tuple[str, ...], group: str) -> list[Control]:
    return [Control(name, group, -np.inf, np.inf, "length") for name in names]


CONTROLS: Final[Mapping[str, Control]] = MappingProxyType(
    {
        control.name: control
        for control in (
            *_angles(HEAD_ANGLES, "head", (90, 60, 60)),
            *_lengths(HEAD_OFFSETS, "head"),
            *_angles(NECK_ANGLES, "neck", (60, 50, 40)),
            *_angles((*LEFT_EYE, *RIGHT_EYE), "eyes", (42, 32, 42, 32)),
            *_lengths(TARGET, "gaze"),
            Control(GAZE_WEIGHT, "gaze", 0.0, 1.0, "share", 1.0),
        )
    }
)

_OTHER_SIDE: Final = {
    **dict(zip(LEFT_EYE, RIGHT_EYE, strict=True)),
    **dict(zip(RIGHT_EYE, LEFT_EYE, strict=True)),
}


def checked_controls(values: Mapping[str, float]) -> Mapping[str, float]:
    """Values of controls by name, read-only; unknown names and numbers that are not finite are refused."""
    if isinstance(values, MappingProxyType):
        return values  # checked before
    for name, value in values.items():
        if name not in CONTROLS:
            raise UnknownName("control", name, CONTROLS)
        if not np.isfinite(value):
            raise BadValue(f"the control {name} is a finite number, not {value}")
    return MappingProxyType({name: float(values[name]) for name in CONTROLS if name in values})


def within_range(name: str, value: float) -> float:
    """The nearest value that a control has while it is edited."""
    if name not in CONTROLS:
        raise UnknownName("control", name, CONTROLS)
    return float(np.clip(value, CONTROLS[name].low, CONTROLS[name].high))


def mirrored_control(name: str) -> tuple[str, int]:
    """The control of the other side, and the sign that its values get there: yaw, roll and x change theirs."""
    other = _OTHER_SIDE.get(name, name)
    return other, -1 if "Yaw" in name or "Roll" in name or name in (HEAD_OFFSETS[0], TARGET[0]) else 1


def mirrored_controls(values: Mapping[str, float]) -> Mapping[str, float]:
    """Controls with left and right exchanged."""
    found = {}
    for name, value in values.items():
        other, sign = mirrored_control(name)
        found[other] = sign * value
    return checked_controls(found)
