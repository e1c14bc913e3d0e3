"""Takes of markers in files: load_take and save_take."""

from __future__ import annotations

from pathlib import Path

from facewright.errors import UnknownFormat, UnknownName
from facewright.formats.csv_table import read_rows
from facewright.formats.files import Source, Target, open_ordinary
from facewright.formats.sources import Readable, Writable, check_exists, naming, source_of, target_of
from facewright.formats.takes import c3d, c3d_write, csv, trc
from facewright.motion.take import METRES, Take
from facewright.options import suggests_options

SUFFIXES = (".c3d", ".trc", ".csv")
_ROW = 1 << 20  # bytes of a table's first row


def is_marker_file(path: Path) -> bool:
    """Whether a file is one of markers: by its suffix and, where others have that too, by its first row."""
    suffix = path.suffix.lower()
    if suffix != ".csv":
        return suffix in SUFFIXES
    with naming(path), open_ordinary(path) as file:
        first = file.readline(_ROW)
    return csv.is_marker_table(next(read_rows(first), (0, []))[1])


@suggests_options
def load_take(source: Readable, *, rate: float | None = None, unit: str = "", format: str = "") -> Take:
    """The take of markers in a file: its path, its bytes, or a binary file object.

    `rate` and `unit` are given where the file does not state them, or states wrong ones.
    """
    found, suffix = source_of(source, format, SUFFIXES, _recognise)
    check_exists(found)
    if unit and unit not in METRES:
        raise UnknownName("unit", unit, METRES)
    _check(suffix, found)
    with naming(found):
        return _read(found, suffix, rate, unit)


@suggests_options
def save_take(take: Take, target: Writable, *, format: str = "") -> None:
    """Write a take to a path, in the format of its suffix, or to a binary file object."""
    writers = {".csv": csv.write, ".trc": trc.write, ".c3d": c3d_write.write}
    with target_of(target, format, SUFFIXES) as found:
        _check(found.suffix.lower(), found)
        writers[found.suffix.lower()](take, found)


def _recognise(data: bytes) -> str:
    """The suffix of a file with these bytes; every other text is taken for a table."""
    if data.startswith((b"PathFileType", b"\xef\xbb\xbfPathFileType")):
        return ".trc"
    return ".c3d" if c3d.is_c3d(data) else ".csv"


def _read(source: Source, suffix: str, rate: float | None, unit: str) -> Take:
    if suffix == ".csv":
        return csv.read(source, rate=rate, unit=unit)
    read = trc.read if suffix == ".trc" else c3d.read
    return read(source, rate=rate, unit=unit)


def _check(suffix: str, file: Source | Target) -> None:
    if suffix not in SUFFIXES:
        raise UnknownFormat(f"{file}: takes of markers are kept in {', '.join(SUFFIXES)}, not {suffix!r}")
