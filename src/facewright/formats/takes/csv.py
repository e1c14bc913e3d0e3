"""Takes of markers as CSV tables: a `frame` or `time` column, and three columns NAME_x, NAME_y, NAME_z for each marker.

An empty cell, NA, NaN, null, - or -- is a marker that was not seen. Rows missing from a regular count are frames
without markers.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.clips.openface import is_openface
from facewright.formats.csv_table import check_header, check_length, is_gap, read_rows
from facewright.formats.files import Source, Target, read_up_to, write_atomically
from facewright.motion.take import Take

_BETWEEN = "_.:-"  # a marker's name and an axis, as spaces may
_FILM = 24.0  # frames a second, where frames are counted in fractions
_USUAL = 60.0  # frames a second, where whole frames are counted, as optical systems do
_SPREAD = 100  # missing frames that are accepted, for each frame that a table has,
_MOST_GAPS = 8  # or so many where there are many markers,
_FREELY = 1 << 24  # that is, beyond so many coordinates of all frames


def read(source: Source, *, rate: float | None = None, unit: str = "") -> Take:
    """The take in a CSV file; `rate` is that of the frames counted by a `frame` column, where it is not 24 or 60."""
    rows = read_rows(read_up_to(source, limits.TEXT))
    _, header = next(rows, (0, []))
    if not header:
        raise BadFile("the file is empty; a take has a header row and a row for every frame")
    names = header[:-1] if header[-1] == "" else header
    check_header(names)
    clock, columns = _columns(names)
    at, table = _table(rows, names, clock, columns)
    step = float(np.median(np.diff(at))) if len(at) > 1 else 1.0
    sampled, notes = _rate(names[clock].strip().lower(), step, rate)
    positions = _regular(at, table.reshape(len(table), -1, 3), step)
    return Take(tuple(columns), positions, sampled, unit, source.stem or "take", notes)


def write(take: Take, target: Target) -> None:
    """Write a `time` column in seconds and three columns for each marker; gaps are empty."""
    stream = io.StringIO(newline="")
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(["time", *(f"{name}_{axis}" for name in take.names for axis in "xyz")])
    for time, row in zip(take.times.tolist(), take.positions.reshape(len(take), -1), strict=True):
        table.writerow([repr(time), *("" if np.isnan(value) else repr(float(value)) for value in row)])
    write_atomically(target, stream.getvalue().encode())


def is_marker_table(header: list[str]) -> bool:
    """Whether a header row is that of markers, with three columns for each."""
    if is_openface(header):  # its gaze has columns x, y and z
        return False
    try:
        return bool(_columns([name for name in header if name])[1])
    except BadFile:
        return False


def _columns(header: list[str]) -> tuple[int, dict[str, list[int]]]:
    """Which column counts time, and the columns x, y, z of each marker, in the table's order."""
    lower = [name.strip().lower() for name in header]
    clock = next((lower.index(name) for name in ("time", "frame") if name in lower), None)
    if clock is None:
        raise BadFile(f"there is no column time or frame; the columns are {', '.join(header[:8])}")
    markers: dict[str, dict[str, int]] = {}
    for column, name in enumerate(header):
        marker, axis = _split(name.strip())
        if axis and lower[column] not in ("time", "frame"):
            markers.setdefault(marker, {})[axis] = column
    whole = {name: [axes[axis] for axis in "xyz"] for name, axes in markers.items() if len(axes) == 3}
    if not whole:
        raise BadFile(
            "no marker has columns for x, y and z, such as Chin_x, Chin_y, Chin_z; "
            "a table of weights is a clip: facewright.load_clip reads it"
        )
    return clock, whole


def _split(column: str) -> tuple[str, str]:
    """A column's name as that of a marker and x, y or z; without an axis, nothing."""
    axis, end = column[-1:].lower(), len(column) - 1
    if axis not in ("x", "y", "z") or end < 1:
        return "", ""
    while end > 1 and (column[end - 1] in _BETWEEN or column[end - 1].isspace()):
        end -= 1
    return column[:end], axis


def _table(
    rows: Iterator[tuple[int, list[str]]], header: list[str], clock: int, columns: dict[str, list[int]]
) -> tuple[Floats, Floats]:
    """Times or frame numbers (rows,) and coordinates (rows, 3m)."""
    chosen = [column for three in columns.values() for column in three]
    at: list[float] = []
    table: list[array[float]] = []
    for number, cells in rows:
        cells = cells[:-1] if len(cells) == len(header) + 1 and not cells[-1] else cells
        check_length(number, cells, header)
        at.append(_number(number, header[clock], cells[clock]))
        if len(at) > 1 and at[-1] <= at[-2]:
            raise BadFile(f"row {number}, column {header[clock]!r}: {at[-1]:g} does not come after {at[-2]:g}")
        table.append(array("d", (_number(number, header[i], cells[i], gap=True) for i in chosen)))
    if not table:
        raise BadFile("there is a header but no row with values; a take has a row for every frame")
    return np.array(at), np.array(table)


def _number(row: int, column: str, cell: str, *, gap: bool = False) -> float:
    text = cell.strip()
    if gap and is_gap(text):
        return float("nan")
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise BadFile(f"row {row}, column {column!r}: {cell[:40]!r} is no finite number")
    return value


def _rate(clock: str, step: float, rate: float | None) -> tuple[float, tuple[str, ...]]:
    """Frames a second, and what was guessed."""
    if rate is not None and not (np.isfinite(rate) and rate > 0):
        raise BadValue(f"the rate is a positive number of frames a second, not {rate}")
    if clock == "time":
        return _rounded(1 / step), ()
    if rate is not None:
        return _rounded(rate / step), ()
    usual = _FILM if step < 0.999 else _USUAL
    found = _rounded(usual / step)
    return found, (f"the frame column goes by {step:g}: taken as {found:g} frames a second; `rate` overrides it",)


def _rounded(rate: float) -> float:
    return float(round(rate)) if abs(rate - round(rate)) < 1e-3 * rate and round(rate) else rate


def _regular(at: Floats, positions: Floats, step: float) -> Floats:
    """Positions (frames, m, 3) with a frame for every step; frames without a row have no markers."""
    steps = (at - at[0]) / step
    if steps[-1] > _SPREAD * len(at) + 1000:
        raise BadFile(f"the rows leap over {steps[-1] - len(at):.0f} frames; a take goes by even steps")
    index = np.rint(steps).astype(np.int64)
    frames = int(index[-1]) + 1
    if frames * positions[0].size > max(_FREELY, _MOST_GAPS * positions.size):
        raise BadFile(f"{len(at)} rows leave gaps in {frames} frames; most of a take's frames have a row")
    whole = np.full((frames, *positions.shape[1:]), np.nan)
    whole[index] = positions
    return whole
