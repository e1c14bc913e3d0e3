"""Takes of markers as TRC: five header lines, then a tab-separated row for every frame; an empty cell is a gap."""

from __future__ import annotations

from array import array

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue, shortened
from facewright.formats import limits
from facewright.formats.files import Source, Target, read_up_to, write_atomically
from facewright.motion.take import METRES, Take, repeated

_KEYS = ("DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate", "OrigDataStartFrame",
         "OrigNumFrames")  # fmt: skip
_FREELY = 1 << 22  # coordinates that a table may have without a cell for each,
_MOST_GAPS = 8  # beyond, so many for each cell
_NAMES = {"meters": "m", "metres": "m", "millimeters": "mm", "centimeters": "cm", "inches": "in", "feet": "ft"}


def read(source: Source, *, unit: str = "") -> Take:
    """The take in a TRC file. A file that ends early gives the whole frames, and a note."""
    text = read_up_to(source, limits.TEXT).decode("utf-8-sig", "replace")
    lines = text.splitlines()
    if len(lines) < 5 or not lines[0].startswith("PathFileType"):
        raise BadFile("a TRC file starts with a line PathFileType and four more lines of header")
    facts = dict(zip(lines[1].split(), lines[2].split("\t" if "\t" in lines[2] else None), strict=False))
    names = _names(lines[3])
    rows, notes = _rows(lines[5:], len(names))
    stated = _count(facts.get("NumFrames", ""))
    if stated is not None and stated != len(rows):
        notes = (*notes, f"the header says {stated} frames, but there are {len(rows)}")
    unit = unit or _unit(facts.get("Units", ""))
    return Take(names, rows, _rate(facts), unit, source.stem or "take", notes)


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


def _names(line: str) -> tuple[str, ...]:
    cells = [cell.strip() for cell in line.split("\t")]
    names = tuple(cell for cell in cells[2:] if cell)
    if not names:
        raise BadFile("line 4 names no marker; after Frame# and Time come their names, one for three columns")
    twice = repeated(names)
    if twice is not None:
        raise BadFile(f"two markers are named {shortened(twice)!r}")
    return names


def _rows(lines: list[str], markers: int) -> tuple[Floats, tuple[str, ...]]:
    """Coordinates (frames, markers, 3); a last row that is cut off is left out."""
    table: list[array[float]] = []
    filled = [(number, line) for number, line in enumerate(lines, 6) if line.strip()]
    claimed, there = 3 * markers * len(filled), sum(line.count("\t") for _, line in filled)
    if claimed > max(_FREELY, _MOST_GAPS * there):
        raise BadFile(f"line 4 names {markers} markers, but the rows have cells for few of them")
    for number, line in filled:
        cells = line.split("\t")
        row = array("d", (_coordinate(number, cell) for cell in cells[2 : 2 + 3 * markers]))
        row.extend([float("nan")] * (3 * markers - len(row)))
        if len(cells) < 2 + 3 * markers and number == filled[-1][0] and len(cells) < 3 * markers:
            return _shaped(table, markers), (f"the last row ends after {len(cells)} cells: left out",)
        table.append(row)
    return _shaped(table, markers), ()


def _shaped(table: list[array[float]], markers: int) -> Floats:
    if not table:
        raise BadFile("there is a header but no whole row; a take has a row for every frame")
    return np.array(table).reshape(len(table), markers, 3)


def _coordinate(row: int, cell: str) -> float:
    text = cell.strip()
    if not text or text.lower() == "nan":
        return float("nan")
    try:
        return float(text)
    except ValueError:
        raise BadFile(f"line {row}: {cell[:40]!r} is no number") from None


def _rate(facts: dict[str, str]) -> float:
    try:
        rate = float(facts.get("DataRate", ""))
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
    return int(text) if text.strip().isdigit() else None
