"""CSV text as rows of numbers under named columns; errors name the row and the column."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator, Sequence
from math import isfinite

from facewright.errors import BadFile

_GAPS = frozenset({"", "-", "--", "na", "n/a", "nan", "null", "none"})


def is_gap(cell: str) -> bool:
    """Whether a cell says that a value is missing: empty, NA, NaN, null, a dash."""
    return cell.strip().lower() in _GAPS


def read_rows(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """The line number and the cells of every row that is not empty; the header comes first."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadFile(f"the CSV is not UTF-8 text: {problem}") from problem
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    try:
        for cells in reader:
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as problem:
        raise BadFile(f"row {reader.line_num}: {problem}") from problem


def check_header(header: Sequence[str]) -> None:
    """Raise where a column has no name, or that of another."""
    seen: dict[str, int] = {}
    for column, name in enumerate(header, 1):
        if not name:
            raise BadFile(f"column {column} has no name")
        if seen.setdefault(name, column) != column:
            raise BadFile(f"columns {seen[name]} and {column} are both named {name!r}")


def check_length(row: int, cells: Sequence[str], header: Sequence[str]) -> None:
    if len(cells) != len(header):
        raise BadFile(f"row {row} has {len(cells)} cells, but the header has {len(header)} columns")


def numbers(row: int, cells: Sequence[str], names: Sequence[str]) -> array[float]:
    """The cells of a row as finite numbers."""
    try:
        found = array("d", map(float, cells))
        if all(map(isfinite, found)):
            return found
    except ValueError:
        pass
    name, cell = next((name, cell) for name, cell in zip(names, cells, strict=True) if not _is_number(cell))
    raise BadFile(f"row {row}, column {name!r}: {cell[:40]!r} is no finite number")


def _is_number(cell: str) -> bool:
    try:
        return isfinite(float(cell))
    except ValueError:
        return False
