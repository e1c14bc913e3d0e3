"""Packets of iFacialMocap (UDP, port 49983) and Facemotion3D (49993): text such as `jawOpen-25|=head#1,2,3,0,0,0|`.

Weights are in hundredths, after `-` or, in the second version, after `&`. Angles are in degrees about the axes of
Unity, whose x goes to the face's right: pitch has our sense, yaw and roll the opposite one.
"""

from __future__ import annotations

import math
import re
from typing import Final

from facewright.live.frame import MOST_VALUES, BadPacket, Reading, checked_number

IFACIALMOCAP_PORT: Final = 49983
FACEMOTION3D_PORT: Final = 49993
# What the apps wait for at these ports before they send to whoever has sent it.
IFACIALMOCAP_CALL: Final = b"iFacialMocap_sahuasouryya9218sauhuiayeta91555dy3719|sendDataVersion=v2"
FACEMOTION3D_CALL: Final = b"FACEMOTION3D_OtherStreaming"
FACEMOTION3D_FAREWELL: Final = b"StopStreaming_FACEMOTION3D"
# A part's name, and our controls of its second (yaw), first (pitch) and third angle.
_PARTS: Final = {
    "head": ("HeadYaw", "HeadPitch", "HeadRoll"),
    "leftEye": ("EyeYawLeft", "EyePitchLeft", ""),
    "rightEye": ("EyeYawRight", "EyePitchRight", ""),
}
_NOT_WEIGHTS: Final = frozenset(("trackingStatus", "hapihapi"))  # whether a face is seen, and a switch of the app
_WEIGHT = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,99})(?:&|-)(-?\d{1,6}(?:\.\d{1,20})?(?:[eE]-?\d{1,3})?)")
_SENDER = re.compile(r"___[A-Za-z0-9]{1,40}")  # the app's name, at the end of packets of some versions
_ANGLES = re.compile(r"=?(head|leftEye|rightEye)#([-+.,0-9eE]{1,400})")


def read_facial_text(packet: bytes) -> list[Reading]:
    """The face of a packet; a damaged packet raises BadPacket."""
    try:
        parts = packet.decode("ascii").split("|")
    except UnicodeDecodeError:
        raise BadPacket("the packet is no plain text") from None
    if len(parts) > MOST_VALUES:
        raise BadPacket(f"the packet has {len(parts)} parts; a face has fewer than {MOST_VALUES}")
    values: dict[str, float] = {}
    is_seen = True
    for part in filter(None, map(str.strip, parts)):
        if weight := _WEIGHT.fullmatch(part):
            name, number = weight[1], float(weight[2])
            is_seen = is_seen and not (name == "trackingStatus" and number == 0)
            if name not in _NOT_WEIGHTS:
                values[name] = checked_number(number / 100, name)
        elif angles := _ANGLES.fullmatch(part):
            values |= _turns(angles[1], angles[2])
        elif not _SENDER.fullmatch(part):
            raise BadPacket(f"{part[:40]!r} is neither a weight nor angles of head or eyes")
    if not values:
        raise BadPacket("the packet has no weights")
    return [Reading(values if is_seen else {})]


def _turns(part: str, text: str) -> dict[str, float]:
    try:
        numbers = [float(number) for number in text.split(",") if number]
    except ValueError:
        raise BadPacket(f"{text[:40]!r} are no angles of {part}") from None
    if len(numbers) not in (3, 6):
        raise BadPacket(f"{part} has {len(numbers)} numbers; it has 3 angles, and perhaps a place")
    pitch, yaw, roll = (checked_number(math.radians(number), part) for number in numbers[:3])
    yaw_name, pitch_name, roll_name = _PARTS[part]
    found = {yaw_name: -yaw, pitch_name: pitch}
    return {**found, roll_name: -roll} if roll_name else found
