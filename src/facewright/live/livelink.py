"""Packets of Live Link Face (UDP, port 11111): a device, a subject, a time, 52 weights and nine angles, big-endian.

The weights are in Apple's order, jaw and mouth left first; the files that the app writes have the right first. Device
and subject have any length. A packet without values says that no face is seen.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from facewright.live.frame import LARGEST, BadPacket, Reading, clean_name
from facewright.rig.name_tables import ARKIT

VERSION: Final = 6
PORT: Final = 11111
# The nine angles in the order of the packet: our control and the factor to it; an eye's roll cannot be seen.
_ANGLES: Final = (
    ("HeadYaw", -1.0),
    ("HeadPitch", 1.0),
    ("HeadRoll", 1.0),
    ("EyeYawLeft", -1.0),
    ("EyePitchLeft", 1.0),
    ("", 0.0),
    ("EyeYawRight", -1.0),
    ("EyePitchRight", 1.0),
    ("", 0.0),
)
COUNT: Final = len(ARKIT) + len(_ANGLES)
_LONGEST = 1024  # bytes of a device or a subject
_FINEST = 1001  # the largest denominator of a rate that is sent
_LENGTH, _TIME, _VALUES = struct.Struct(">i"), struct.Struct(">ifii"), struct.Struct(f">{COUNT}f")


def read_livelink(packet: bytes) -> list[Reading]:
    """The face of a packet; a damaged packet raises BadPacket."""
    if not packet or packet[0] != VERSION:
        raise BadPacket(f"a Live Link packet begins with the byte {VERSION}")
    _, at = _text(packet, 1)
    subject, at = _text(packet, at)
    number, time, at = _time(packet, at)
    rest = len(packet) - at
    count = packet[at] if rest else 0
    if count not in (0, COUNT) or rest not in (0, 1 + _LENGTH.size * count):
        raise BadPacket(f"{count} values in {rest} bytes; a packet has {COUNT}")
    values = _values(_VALUES.unpack_from(packet, at + 1)) if count else {}
    return [Reading(values, subject, number, time)]


def write_livelink(
    values: Mapping[str, float],
    *,
    frame: int,
    part: float = 0.0,
    rate: float = 60.0,
    subject: str = "Facewright",
    device: str = "Facewright",
) -> bytes:
    """The packet of a face: weights by ARKit's names, and controls of head and eyes in radians."""
    speed = Fraction(rate).limit_denominator(_FINEST)  # 23.976 is 24000/1001
    named = [str(text).encode()[:_LONGEST] for text in (device, subject)]
    numbers = [values.get(name, 0.0) for name in ARKIT]
    numbers += [values.get(name, 0.0) * factor for name, factor in _ANGLES]
    head = b"".join([bytes([VERSION]), *(_LENGTH.pack(len(text)) + text for text in named)])
    return head + _TIME.pack(frame, part, speed.numerator, speed.denominator) + bytes([COUNT]) + _VALUES.pack(*numbers)


def _text(packet: bytes, at: int) -> tuple[str, int]:
    if len(packet) < at + _LENGTH.size:
        raise BadPacket("the packet ends inside its names")
    (length,) = _LENGTH.unpack_from(packet, at)
    end = at + _LENGTH.size + length
    if not 0 <= length <= _LONGEST or len(packet) < end:
        raise BadPacket(f"a name has {length} bytes in a packet of {len(packet)}")
    return clean_name(packet[at + _LENGTH.size : end].decode("utf8", "replace")), end


def _time(packet: bytes, at: int) -> tuple[int, float, int]:
    """The number of the frame, and its time in seconds."""
    if len(packet) < at + _TIME.size:
        raise BadPacket("the packet ends before its time")
    number, part, over, under = _TIME.unpack_from(packet, at)
    if not (over > 0 and under > 0 and 1 <= over / under <= 1000 and -1 <= part <= 2):
        raise BadPacket(f"frame {number} and {part:g} at {over}/{under} a second is no time")
    return number, (number + part) * under / over, at + _TIME.size


def _values(numbers: tuple[float, ...]) -> dict[str, float]:
    worst = max(map(abs, numbers))
    if not worst <= LARGEST or any(map(math.isnan, numbers)):
        raise BadPacket(f"the packet has a value that no face has ({worst:g})")
    found = dict(zip(ARKIT, numbers, strict=False))
    angles = numbers[len(ARKIT) :]
    for first in range(0, len(angles), 3):  # a phone that does not follow head or eyes sends zeros: the pose decides
        if any(angles[first : first + 3]):
            for (name, factor), angle in zip(_ANGLES[first : first + 3], angles[first : first + 3], strict=True):
                if name:
                    found[name] = angle * factor
    return found
