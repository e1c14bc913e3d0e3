"""Which format a take's path means: load_take and save_take."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path

from facewright.errors import BadFile, FacewrightError, MissingExtra, UnknownFormat, UnknownName
from facewright.formats.csv_table import read_rows
from facewright.formats.takes import c3d, trc
from facewright.formats.takes import csv as markers_csv
from facewright.motion.take import METRES, Take

SUFFIXES = (".c3d", ".trc", ".csv")
_ROW = 1 << 20  # bytes of a table's first row


def is_marker_file(path: Path) -> bool:
    """Whether a file is one of markers, by its suffix and, where that leaves it open, by its first row."""
    suffix = path.suffix.lower()
    if suffix != ".csv":
        return suffix in SUFFIXES
    if not path.is_file():
        raise BadFile(f"{path}: there is no such file")
    with path.open("rb") as file:
        first = file.readline(_ROW)
    return markers_csv.is_marker_table(next(read_rows(first), (0, []))[1])


def load_take(path: str | PathLike[str], *, rate: float | None = None, unit: str = "") -> Take:
    """The take of markers in a file. `rate` and `unit` say what the file does not, or says wrongly."""
    where = Path(path)
    if not where.is_file():
        raise BadFile(f"{where}: there is no such file")
    if unit and unit not in METRES:
        raise UnknownName("unit", unit, METRES)
    suffix = _suffix(where)
    try:
        return _read(where, suffix, rate, unit)
    except MissingExtra:
        raise
    except FacewrightError as problem:
        text = str(problem)
        raise (problem if str(where) in text else BadFile(f"{where}: {text}")) from problem
    except (OSError, MemoryError) as problem:
        raise BadFile(f"{where}: {problem or type(problem).__name__}") from problem


def save_take(take: Take, path: str | PathLike[str]) -> None:
    """Write a take in the format of the path's suffix."""
    where = Path(path)
    writers = {".csv": markers_csv.write, ".trc": trc.write, ".c3d": c3d.write}
    writers[_suffix(where)](take, where)


def _read(path: Path, suffix: str, rate: float | None, unit: str) -> Take:
    if suffix == ".csv":
        return markers_csv.read(path, rate=rate, unit=unit)
    take = trc.read(path, unit=unit) if suffix == ".trc" else c3d.read(path, unit=unit)
    return take if rate is None else replace(take, rate=rate)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UnknownFormat(f"{path}: takes of markers are kept in {', '.join(SUFFIXES)}, not {suffix!r}")
    return suffix
