"""What arrives live: a packet as it was read, and the frame that is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from facewright.errors import BadValue

LARGEST = 16.0  # of a weight, or of an angle in radians: beyond any face, and a sign of a damaged packet
MOST_VALUES = 1024  # in a frame
PACKET_BYTES = 64 << 10  # of a packet or a line
_NAME = 100  # characters of a name that is shown


class BadPacket(BadValue):
    """A packet that is not what its kind says. It is counted, and nothing else comes of it."""


@dataclass(frozen=True)
class Reading:
    """One face of a packet. Angles of head and eyes have the names and the sense of the rig's controls."""

    values: Mapping[str, float]  # weights and controls by name; none: no face was seen
    name: str = ""  # of the source, as it calls itself
    number: int | None = None  # counts the source's frames
    time: float | None = None  # seconds by the source's own clock


@dataclass(frozen=True)
class LiveFrame:
    """A face at a moment."""

    source: str
    values: Mapping[str, float] = field(repr=False)  # weights by name, and controls of head and eyes in radians
    time: float  # seconds by the clock of the source, or of this machine where it has none
    arrived: float  # seconds by this machine's steady clock
    number: int | None = None  # of the frame, where the source counts
    lost: int = 0  # frames that are missing directly before this one
    delay: float = 0.0  # seconds by which it came later than the quickest packet of the last seconds


Reader = Callable[[bytes], list[Reading]]


def checked_number(value: float, what: str) -> float:
    """A weight or an angle that a face can have."""
    if not abs(value) <= LARGEST:  # also where it is not a number
        raise BadPacket(f"{what[:_NAME]!r} is {value:g}; weights and angles are within {LARGEST:g}")
    return float(value)


def clean_name(text: str) -> str:
    """A name as it is shown: printable, on one line, and not long."""
    kept = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * _NAME])
    return " ".join(kept.split())[:_NAME]
