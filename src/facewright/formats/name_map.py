"""Maps of names as CSV: rows of a curve's name, a slider's name and, if it is not 1, a factor."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.csv_table import numbers, read_rows
from facewright.formats.files import read_up_to
from facewright.formats.sources import naming
from facewright.rig.retarget import MappedName

_HEADER = ["source", "target"]
_LIKE = "a map of names has rows such as EyeBlinkLeft,blink_L or JawOpen,mouth_open,0.8"


def load_name_map(path: str | PathLike[str]) -> tuple[MappedName, ...]:
    """The rows of a map, with or without the header source,target,factor; an empty target leaves a curve out."""
    where = Path(path)
    with naming(where):
        data = read_up_to(where, limits.TEXT)
    return read_name_map(data, where)


def read_name_map(data: bytes, name: str | PathLike[str]) -> tuple[MappedName, ...]:
    """The same of the bytes of a file of some name."""
    with naming(Path(name)):
        rows = [(number, [cell.strip() for cell in cells]) for number, cells in read_rows(data)]
        if rows and [cell.lower() for cell in rows[0][1][:2]] == _HEADER:
            rows = rows[1:]
        if not rows:
            raise BadFile(f"the file has no rows; {_LIKE}")
        return tuple(_row(number, cells) for number, cells in rows)


def _row(number: int, cells: list[str]) -> MappedName:
    if not 2 <= len(cells) <= 3 or not cells[0]:
        raise BadFile(f"row {number} is no curve, slider and perhaps factor; {_LIKE}")
    factor = numbers(number, cells[2:], ["factor"])[0] if len(cells) > 2 and cells[2] else 1.0
    return MappedName(cells[0], cells[1], factor)
