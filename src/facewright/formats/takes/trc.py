"""Takes of markers as TRC: five header lines, then a tab-separated row for every frame; an empty cell is a gap.

Also read are files with doubled tabs, with commas or semicolons in place of tabs, and with decimal commas.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue, shortened
from facewright.formats import limits
from facewright.formats.csv_table import is_gap
from facewright.formats.files import Source, Target, read_up_to, write_atomically
from facewright.motion.take import METRES, Take, repeated

_KEYS = ("DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate", "OrigDataStartFrame",
         "OrigNumFrames")  # fmt: skip
_FREELY = 1 << 22  # coordinates that a table may have without a cell for each,
_MOST_GAPS = 8  # beyond, so many for each cell
_TRIED = 50  # rows that show whether separators are doubled
_NAMES = {"meters": "m", "metres": "m", "millimeters": "mm", "centimeters": "cm", "inches": "in", "feet": "ft"}


def read(source: Source, *, rate: float | None = None, unit: str = "") -> Take:
    """The take in a TRC file. A file that ends early gives the whole frames, and a note."""
    text = read_up_to(source, limits.TEXT).decode("utf-8-sig", "replace")
    lines = text.splitlines()
    if len(lines) < 5 or not lines[0].startswith("PathFileType"):
        raise BadFile("a TRC file starts with a line PathFileType and four more lines of header")
    separator = next((mark for mark in "\t;," if mark in lines[3]), "\t")
    facts = _facts(lines[1], lines[2], separator)
    names = _names(lines[3].split(separator))
    rows, notes = _rows(lines[5:], len(names), separator)
    stated = _count(facts.get("NumFrames", ""))
    if stated is not None and stated != len(rows):
        notes = (*notes, f"the header says {stated} frames, but there are {len(rows)}")
    unit = unit or _unit(facts.get("Units", ""))
    return Take(names, rows, _rate(facts) if rate is None else rate, unit, source.stem or "take", notes)


def write(take: Take, target: Target) -> None:
    """Write a take; coordinates have the fewest digits that give them back."""
    wrong = next((name for name in take.names if not name.strip() or "\t" in name or "\n" in name), None)
    if wrong is not None:
        raise BadValue(f"a TRC file cannot name a marker {wrong!r}; rename it")
    rate, frames = f"{take.rate:g}", len(take)
    facts = [rate, rate, str(frames), str(len(take.names)), take.unit, rate, "1", str(frames)]
    axes = "\t".join(f"{axis}{i}" for i in range(1, len(take.names) + 1) for axis in "XYZ")
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{target.name}",
        "\t".join(_KEYS),
        "\t".join(facts),
        "Frame#\tTime\t" + "".join(f"{name}\t\t\t" for name in take.names),
        f"\t\t{axes}",
        "",
    ]
    for number, (time, row) in enumerate(zip(take.times.tolist(), take.positions.reshape(frames, -1), strict=True), 1):
        cells = ("" if np.isnan(value) else repr(float(value)) for value in row)
        lines.append("\t".join([str(number), repr(time), *cells]))
    write_atomically(target, ("\n".join(lines) + "\n").encode())


def _facts(keys: str, values: str, separator: str) -> dict[str, str]:
    """The header's values by name; some programs put spaces between them, or doubled separators."""
    cells = values.split(separator if separator in values else None)
    if 2 * separator in keys.strip():
        cells = [cell for cell in cells if cell.strip()]
    return dict(zip(keys.replace(separator, " ").split(), cells, strict=False))


def _names(cells: Sequence[str]) -> tuple[str, ...]:
    """The markers of line 4: the cells that are not empty, without the two columns before them."""
    named = [cell.strip() for cell in cells if cell.strip()]
    first = 2 if cells[0].strip() else 0
    names = tuple(named[first:])
    if not names:
        raise BadFile("line 4 names no marker; after Frame# and Time come their names, one for three columns")
    twice = repeated(names)
    if twice is not None:
        raise BadFile(f"two markers are named {shortened(twice)!r}")
    return names


def _rows(lines: list[str], markers: int, separator: str) -> tuple[Floats, tuple[str, ...]]:
    """Coordinates (frames, markers, 3); a last row that is cut off is left out."""
    table: list[array[float]] = []
    filled = [(number, line) for number, line in enumerate(lines, 6) if line.strip(f" {separator}")]
    width = 2 + 3 * markers
    claimed, there = 3 * markers * len(filled), sum(line.count(separator) for _, line in filled)
    if claimed > max(_FREELY, _MOST_GAPS * there):
        raise BadFile(f"line 4 names {markers} markers, but the rows have cells for few of them")
    columns = _columns([line for _, line in filled], separator, width)
    for number, line in filled:
        cells = line.split(separator)
        cells = cells if columns is None else [cells[column] for column in columns if column < len(cells)]
        row = array("d", (_coordinate(number, cell) for cell in cells[2:width]))
        row.extend([float("nan")] * (3 * markers - len(row)))
        if len(cells) < width and number == filled[-1][0] and len(cells) < 3 * markers:
            return _shaped(table, markers), (f"the last row ends after {len(cells)} cells: left out",)
        table.append(row)
    return _shaped(table, markers), ()


def _columns(lines: Sequence[str], separator: str, width: int) -> list[int] | None:
    """The columns of rows whose separators are doubled everywhere, or after some columns; None for usual rows."""
    tried = [line.split(separator) for line in lines[:_TRIED]]
    if not any(cell.strip() for cells in tried for cell in cells[width:]):
        return None
    if not any(cell.strip() for cells in tried for cell in cells[1::2]):
        return list(range(0, 2 * width, 2))
    filled = sorted({at for line in lines for at, cell in enumerate(line.split(separator)) if cell.strip()})
    return filled if len(filled) == width else None


def _shaped(table: list[array[float]], markers: int) -> Floats:
    if not table:
        raise BadFile("there is a header but no whole row; a take has a row for every frame")
    return np.array(table).reshape(len(table), markers, 3)


def _coordinate(row: int, cell: str) -> float:
    if is_gap(cell):
        return float("nan")
    try:
        return float(cell.replace(",", "."))  # a comma is that of a decimal fraction
    except ValueError:
        raise BadFile(f"line {row}: {cell[:40]!r} is no number") from None


def _rate(facts: dict[str, str]) -> float:
    try:
        rate = float(facts.get("DataRate", "").replace(",", "."))
    except ValueError:
        rate = 0.0
    if not 0 < rate < 1e6:
        raise BadFile(f"DataRate is {facts.get('DataRate', 'missing')!r}; it is the number of frames a second")
    return rate


def _unit(text: str) -> str:
    name = _NAMES.get(text.strip().lower(), text.strip().lower())
    if name and name not in METRES:
        raise BadFile(f"the unit is {text!r}; known are {', '.join(METRES)}")
    return name


def _count(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() else None
