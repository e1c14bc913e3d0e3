"""Live Link Face recordings: a timecode, a count, 52 ARKit weights and nine angles a row.

The timecode's last field counts frames of a clock (60 a second on a phone), not the rows (30 a second), and
carries thousandths. Rows may be missing; times come from the timecode alone, so that a gap stays a gap.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile, BadValue

ANGLES = tuple(f"{part}{turn}" for part in ("Head", "LeftEye", "RightEye") for turn in ("Yaw", "Pitch", "Roll"))

CLOCK = 60  # frames a second of a phone's timecode
_CLOCKS = (24, 25, 30, 48, 50, 60, 100, 120, 1000)
_PARTS = 10**6  # of a frame: timecodes are counted in whole numbers of them, without rounding
_DAY = 24 * 60 * 60
_TIMECODE = re.compile(r"\s*(\d{1,2}):(\d{2}):(\d{2})[:;](\d{1,3})(?:\.(\d{1,6}))?\s*", re.ASCII)


def seconds(rows: Sequence[int], timecodes: Sequence[str]) -> tuple[Floats, float]:
    """Times (frames,) in seconds from the first row, and the rows' rate; row numbers are for messages."""
    whole, parts = np.array([_fields(row, text) for row, text in zip(rows, timecodes, strict=True)], np.int64).T
    clock = _clock(whole, parts)
    ticks = whole * (clock * _PARTS) + parts
    steps = np.diff(ticks)
    steps[steps < -_DAY // 2 * clock * _PARTS] += _DAY * clock * _PARTS  # past midnight
    if (steps <= 0).any():
        at = int((steps <= 0).argmax())
        later, earlier = timecodes[at + 1], timecodes[at]
        raise BadFile(f"row {rows[at + 1]}, column 'Timecode': {later} does not come after {earlier}")
    times = np.concatenate([[0], np.cumsum(steps)]) / (clock * _PARTS)
    return times, clock * _PARTS / float(np.median(steps)) if len(steps) else 30.0


def timecodes(times: Floats, start: str) -> tuple[Ints, list[str]]:
    """Indices of the times that have different timecodes, and these timecodes; the first is `start`."""
    whole, parts = _fields(0, start)
    if times[-1] - times[0] > _DAY:
        raise BadValue(f"the clip is {times[-1] - times[0]:g} s long; a timecode counts at most a day")
    resolution = CLOCK * 1000
    begin = whole * resolution + parts // (_PARTS // 1000)
    ticks, chosen = np.unique(np.rint((times - times[0]) * resolution).astype(np.int64), return_index=True)
    return chosen, [_text(tick) for tick in ((ticks + begin) % (_DAY * resolution)).tolist()]


def _text(tick: int) -> str:
    whole, thousandths = divmod(tick, CLOCK * 1000)
    minutes, second = divmod(whole, 60)
    frame, part = divmod(thousandths, 1000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}:{frame:02d}.{part:03d}"


def _fields(row: int, text: str) -> tuple[int, int]:
    """Whole seconds, and parts of a frame."""
    found = _TIMECODE.fullmatch(text)
    if not found or int(found[1]) > 23 or int(found[2]) > 59 or int(found[3]) > 59:
        where = f"row {row}, column 'Timecode'" if row else "the start"
        problem = f"{where}: {text[:40]!r} is no timecode such as 13:04:59:31.652"
        raise BadFile(problem) if row else BadValue(problem)
    whole = (int(found[1]) * 60 + int(found[2])) * 60 + int(found[3])
    return whole, int(found[4]) * _PARTS + int((found[5] or "0").ljust(6, "0"))


def _clock(whole: Ints, parts: Ints) -> int:
    """Frames a second of the timecode's clock, from the step of the frame count at the end of a second."""
    possible = [clock for clock in _CLOCKS if clock * _PARTS > parts.max()]
    second, step = np.diff(whole), np.diff(parts)
    inside, over = step[second == 0], step[second == 1]
    if not possible:
        raise BadFile(f"a timecode's last field is {parts.max() // _PARTS}, more than any clock counts in a second")
    # Over a second's end a step is the usual one less the clock, or more where rows are missing.
    around = (np.median(inside) - over.min()) / _PARTS if len(inside) and len(over) else 0.0
    likely = [clock for clock in possible if abs(clock - around) < 0.4]  # of a frame, so that 24 and 25 differ
    return likely[0] if likely else CLOCK if CLOCK in possible else possible[0]
