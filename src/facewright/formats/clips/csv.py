"""Clips as CSV tables of weights: Live Link Face recordings, and plain ones with a `time` or `frame` column."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Literal, get_args

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue, UnknownName
from facewright.formats import limits
from facewright.formats.clips import livelink, openface
from facewright.formats.csv_table import check_header, check_length, numbers, read_rows
from facewright.formats.files import Source, Target, read_up_to, write_atomically
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.name_tables import LIVE_LINK
from facewright.rig.names import convention_names
from facewright.rig.phone_angles import to_phone

Style = Literal["plain", "livelink"]
_TIME, _FRAME, _TIMECODE, _COUNT = "time", "frame", "timecode", "blendshapecount"
_LATEST = 1e9  # seconds or frames
_RESERVED = {_TIME, _FRAME, _TIMECODE, _COUNT}
_Rows = Iterator[tuple[int, list[str]]]


def read_clip(source: Source, *, rate: float = 30.0) -> Clip:
    """The clip in a CSV file. It is named like the file, and its curves like the columns."""
    rows = read_rows(read_up_to(source, limits.TEXT))
    _, header = next(rows, (0, []))
    if not header:
        raise BadFile("the file is empty; a clip has a header row and a row for every frame")
    blank = header[-1] == ""  # a comma after the last column
    names = header[:-1] if blank else header
    check_header(names)
    found = {column.strip().lower() for column in names}
    name = source.stem or "clip"
    if openface.is_openface(names):
        return _read_openface(name, names, rows, blank)
    if _TIMECODE in found:
        return _read_livelink(name, names, rows, blank)
    if _TIME in found or _FRAME in found:
        return _read_plain(name, names, rows, blank=blank, rate=rate)
    raise BadFile(f"there is no column time, frame or Timecode; the columns are {', '.join(names[:8])}")


def write_clip(clip: Clip, target: Target, *, style: Style = "plain", start: str = "00:00:00:00.000") -> None:
    """Write a clip as a table; `start` is the timecode of a Live Link file's first row."""
    if style not in get_args(Style):
        raise UnknownName("style of a CSV file", str(style), get_args(Style))
    if not clip.curves:
        raise BadValue(f"clip {clip.name!r} has no curves, so there is no table to write")
    taken = [name for name in clip.curves if not name or name.strip().lower() in _RESERVED]
    if taken:
        raise BadValue(f"a curve named {taken[0]!r} cannot be a column of a table; rename it")
    table = _livelink_table(clip, start) if style == "livelink" else _plain_table(clip)
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(table)
    write_atomically(target, stream.getvalue().encode())


def _read_livelink(name: str, header: list[str], rows: _Rows, blank: bool) -> Clip:
    at = next(i for i, column in enumerate(header) if column.strip().lower() == _TIMECODE)
    chosen = [i for i, column in enumerate(header) if column.strip().lower() not in (_TIMECODE, _COUNT)]
    columns = [header[i] for i in chosen]
    lines, codes, table = [], [], []
    for row, cells in rows:
        if not any(cells[i] for i in chosen if i < len(cells)) and _is_lost(cells, header):
            continue
        table.append(_values(row, cells, header, chosen, blank))
        lines.append(row)
        codes.append(cells[at])
    _check_some(table, columns)
    times, rate = livelink.seconds(lines, codes)
    return _clip(name, columns, times, table, rate)


def _read_openface(name: str, header: list[str], rows: _Rows, blank: bool) -> Clip:
    clock, *chosen = openface.selected(header)
    rows = openface.with_face(header, rows)
    return _read_timed(name, [column.strip() for column in header], rows, clock, chosen, blank=blank, rate=None)


def _is_lost(cells: list[str], header: list[str]) -> bool:
    """Whether the phone saw no face: a row without values that is complete, or that counts 0 of them."""
    counts = [cell.strip() for name, cell in zip(header, cells, strict=False) if name.strip().lower() == _COUNT]
    return counts == ["0"] or len(cells) >= len(header)


def _read_plain(name: str, header: list[str], rows: _Rows, *, blank: bool, rate: float) -> Clip:
    if not rate > 0:
        raise BadValue(f"the rate is a positive number of frames a second, not {rate}")
    lower = [column.strip().lower() for column in header]
    clock = lower.index(_TIME if _TIME in lower else _FRAME)
    chosen = [i for i, column in enumerate(lower) if column not in (_TIME, _FRAME)]
    counted = rate if lower[clock] == _FRAME else None
    return _read_timed(name, header, rows, clock, chosen, blank=blank, rate=counted)


def _read_timed(
    name: str,
    header: list[str],
    rows: _Rows,
    clock: int,
    chosen: Sequence[int],
    *,
    blank: bool,
    rate: float | None,
) -> Clip:
    """The chosen columns over a column of seconds, or with a rate over one of frames."""
    at: list[float] = []
    table = []
    for row, cells in rows:
        values = _values(row, cells, header, [clock, *chosen], blank)
        at.append(values.pop(0))
        table.append(values)
        if len(at) > 1 and at[-1] <= at[-2]:
            raise BadFile(f"row {row}, column {header[clock]!r}: {at[-1]} does not come after {at[-2]}")
        if abs(at[-1]) > _LATEST:
            raise BadFile(f"row {row}, column {header[clock]!r}: {at[-1]} is later than any clip; at most {_LATEST:g}")
    columns = [header[i] for i in chosen]
    _check_some(table, columns)
    if rate is not None:
        return _clip(name, columns, np.array(at) / rate, table, rate)
    step = float(np.median(np.diff(at))) if len(at) > 1 else 1 / 30
    return _clip(name, columns, np.array(at), table, _rounded(1 / step))


def _values(row: int, cells: list[str], header: list[str], chosen: Sequence[int], blank: bool) -> list[float]:
    cells = cells[:-1] if blank and len(cells) > len(header) and not cells[-1] else cells
    check_length(row, cells, header)
    return numbers(row, [cells[i] for i in chosen], [header[i] for i in chosen]).tolist()


def _check_some(table: list[list[float]], columns: Sequence[str]) -> None:
    if not columns:
        raise BadFile("there is no column of values; a clip has one for every slider")
    if not table:
        raise BadFile("there is a header but no row with values; a clip has a row for every frame")


def _clip(name: str, columns: Sequence[str], times: Floats, table: list[list[float]], rate: float) -> Clip:
    values = np.array(table).reshape(len(times), len(columns))
    return Clip(name, {column: Curve(times, values[:, i]) for i, column in enumerate(columns)}, rate)


def _rounded(rate: float) -> float:
    """The rate, rounded where it differs from a whole number only by the rounding of seconds."""
    return float(round(rate)) if rate < _LATEST and abs(rate - round(rate)) < 1e-6 * rate else rate


def _sampled(clip: Clip) -> Floats:
    """Times of the rows: every key where curves are straight between keys, else every frame."""
    curves = clip.curves.values()
    if all(curve.interpolation == "linear" for curve in curves):
        return np.unique(np.concatenate([curve.times for curve in curves]))
    return np.unique([*clip.times(), clip.end])


def _plain_table(clip: Clip) -> Iterator[list[str]]:
    times = _sampled(clip)
    yield [_TIME, *clip.curves]
    for time, row in zip(times.tolist(), clip.sample(list(clip.curves), times).tolist(), strict=True):
        yield [repr(time), *map(repr, row)]


def _livelink_table(clip: Clip, start: str) -> Iterator[list[str]]:
    """The columns of a Live Link file, 0 where the clip has no curve, then the other curves."""
    clip = to_phone(clip)
    columns = [*LIVE_LINK, *livelink.ANGLES]
    spelled = convention_names([name for name in clip.curves if name not in columns], "live link")
    spelled = {name: new for name, new in spelled.items() if new not in clip.curves}
    curves = {spelled.get(name, name): name for name in clip.curves}
    columns += [name for name in curves if name not in columns]
    times = _sampled(clip)
    rows, codes = livelink.timecodes(times, start)
    values = clip.sample([curves.get(column, "") for column in columns], times[rows])
    yield ["Timecode", "BlendShapeCount", *columns]
    for code, row in zip(codes, values.tolist(), strict=True):
        yield [code, str(len(columns)), *map(_ten_digits, row)]


def _ten_digits(value: float) -> str:
    text = f"{value:.10f}"  # as the phone writes it, unless that would lose something
    return text if float(text) == value else repr(value)
