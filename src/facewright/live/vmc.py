"""The VMC protocol over OSC (UDP, port 39539): values of expressions one by one, then `Apply`; bones of head and eyes.

Rotations are quaternions x y z w in the axes of Unity, whose x goes to the face's right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from facewright.live.frame import MOST_VALUES, BadPacket, Reading, checked_number, clean_name
from facewright.live.osc import Argument, read_osc, write_osc
from facewright.rig.name_tables import LIVE_LINK

PORT: Final = 39539
_VALUE, _APPLY, _BONE = "/VMC/Ext/Blend/Val", "/VMC/Ext/Blend/Apply", "/VMC/Ext/Bone/Pos"
_TIME, _OK = "/VMC/Ext/T", "/VMC/Ext/OK"
_BONES: Final = {
    "head": ("HeadYaw", "HeadPitch", "HeadRoll"),
    "neck": ("NeckYaw", "NeckPitch", "NeckRoll"),
    "lefteye": ("EyeYawLeft", "EyePitchLeft", ""),
    "righteye": ("EyeYawRight", "EyePitchRight", ""),
}
_SENT: Final = (("Head", "head"), ("LeftEye", "lefteye"), ("RightEye", "righteye"))
_ONE = 0.05  # by which the length of a rotation's quaternion may differ from 1


class VmcReader:
    """Gathers what a sender sends until it says that this is a face."""

    def __init__(self) -> None:
        self._values: dict[str, float] = {}
        self._turns: dict[str, float] = {}
        self._time: float | None = None

    def __call__(self, packet: bytes) -> list[Reading]:
        """The faces that a packet completes; a damaged packet raises BadPacket, and nothing of it is kept."""
        messages = read_osc(packet)
        before = dict(self._values), dict(self._turns), self._time
        try:
            return [found for address, arguments in messages if (found := self._take(address, arguments)) is not None]
        except BadPacket:
            self._values, self._turns, self._time = before
            raise

    def _take(self, address: str, arguments: Sequence[Argument]) -> Reading | None:
        if address == _VALUE:
            name, value = _typed(arguments, (str, float), address)
            self._values[clean_name(str(name))] = checked_number(float(value), str(name))
            if len(self._values) > MOST_VALUES:
                raise BadPacket(f"more than {MOST_VALUES} different expressions")
        elif address == _BONE:
            bone, *_, x, y, z, w = _typed(arguments, (str, *[float] * 7), address)
            self._turns |= _angles(str(bone), *(float(one) for one in (x, y, z, w)))
        elif address == _TIME:
            (time,) = _typed(arguments, (float,), address)
            self._time = float(time)
        elif address == _APPLY and self._values:
            return Reading({**self._values, **self._turns}, time=self._time)
        return None


def write_vmc(values: Mapping[str, float], *, time: float = 0.0) -> bytes:
    """The packet of a face: weights by any names, ARKit's as programs with 52 shapes have them, and controls."""
    names = {name[0].lower() + name[1:]: name for name in LIVE_LINK}
    angles = {name for bone in _BONES.values() for name in bone}
    messages: list[tuple[str, Sequence[Argument]]] = [(_OK, (1,)), (_TIME, (float(time),))]
    for bone, key in _SENT:
        yaw, pitch, roll = (float(values.get(name, 0.0)) for name in _BONES[key])
        messages.append((_BONE, (bone, 0.0, 0.0, 0.0, *_quaternion(yaw, pitch, roll))))
    messages += [(_VALUE, (names.get(name, name), float(one))) for name, one in values.items() if name not in angles]
    return write_osc([*messages, (_APPLY, ())])


def _typed(arguments: Sequence[Argument], kinds: Sequence[type], address: str) -> Sequence[Argument]:
    fits = len(arguments) == len(kinds) and all(
        isinstance(value, str) == (kind is str) for value, kind in zip(arguments, kinds, strict=True)
    )
    if not fits:
        raise BadPacket(f"{address} has {len(kinds)} arguments, not {len(arguments)}, or others than these")
    return arguments


def _angles(bone: str, x: float, y: float, z: float, w: float) -> dict[str, float]:
    """Yaw, pitch and roll of a bone that a face has; none of others."""
    names = _BONES.get(bone.lower())
    if names is None:
        return {}
    if not abs(math.sqrt(x * x + y * y + z * z + w * w) - 1) < _ONE:
        raise BadPacket(f"the rotation of {bone[:40]} is no quaternion of length 1")
    y, z = -y, -z  # to our axes, whose x goes to the face's left
    # R = Ry(yaw) Rx(pitch) Rz(roll), so that R[1, 2] = -sin(pitch).
    pitch = math.asin(max(-1.0, min(1.0, 2 * (w * x - y * z))))
    yaw = math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y))
    roll = math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z))
    return {name: angle for name, angle in zip(names, (yaw, pitch, roll), strict=True) if name}


def _quaternion(yaw: float, pitch: float, roll: float) -> tuple[float, float, float, float]:
    """X y z w in Unity's axes of Ry(yaw) Rx(pitch) Rz(roll) in ours."""
    a, b, c = math.cos(yaw / 2), math.cos(pitch / 2), math.cos(roll / 2)
    d, e, f = math.sin(yaw / 2), math.sin(pitch / 2), math.sin(roll / 2)
    x, y, z, w = a * e * c + d * b * f, d * b * c - a * e * f, a * b * f - d * e * c, a * b * c + d * e * f
    return x, -y, -z, w
