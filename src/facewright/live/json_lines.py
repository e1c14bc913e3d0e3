"""Faces as JSON, one object a packet or a line: `{"time": 0.5, "frame": 30, "blendShapes": {"jawOpen": 0.2}}`.

Weights are an object or MediaPipe's list of categories, as in files. `time` is in seconds; `source` names the sender.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec

from facewright.errors import BadFile
from facewright.formats.clips.weights_json import frame_weights
from facewright.live.frame import MOST_VALUES, BadPacket, Reading, checked_number, clean_name


def read_json_lines(packet: bytes) -> list[Reading]:
    """The faces of a packet, one a line; a damaged line raises BadPacket."""
    lines = [line for line in packet.splitlines() if line.strip()]
    if not lines:
        raise BadPacket("the packet is empty")
    return [_reading(line) for line in lines]


def _reading(line: bytes) -> Reading:
    try:
        frame = msgspec.json.decode(line)
        if not isinstance(frame, dict):
            raise BadPacket("a line is one JSON object")
        weights = frame_weights(0, frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadFile) as problem:
        raise BadPacket(f"a line cannot be read: {problem}") from None
    if len(weights) > MOST_VALUES:
        raise BadPacket(f"a line has {len(weights)} weights; at most {MOST_VALUES} are read")
    values = {clean_name(name): checked_number(value, name) for name, value in weights.items()}
    name = frame.get("source", "")
    number, time = _number(frame.get("frame")), _number(frame.get("time"))
    return Reading(
        {key: value for key, value in values.items() if key},
        clean_name(name) if isinstance(name, str) else "",
        None if number is None else int(number),
        time,
    )


def _number(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53 or math.isnan(value):
        raise BadPacket("frame and time are numbers")
    return value
