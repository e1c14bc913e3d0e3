"""Takes of markers as C3D, through the package c3d; coordinates are single precision, as the format has them."""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue, MissingExtra
from facewright.formats import limits
from facewright.formats.files import Source, Target, read_up_to, write_atomically
from facewright.motion.take import METRES, Take

_MAGIC = 0x50  # the second byte of every C3D file
_LONGEST = 127  # characters of a label
_MOST = 255  # labels that the package writes; it reads more


def is_c3d(data: bytes) -> bool:
    """Whether bytes start with the header of a C3D file."""
    return len(data) >= 512 and data[1] == _MAGIC


def read(source: Source, *, unit: str = "") -> Take:
    """The take in a C3D file. A file that ends early gives the whole frames, and a note."""
    c3d = _package()
    data = read_up_to(source, limits.TEXT)
    if not is_c3d(data):
        raise BadFile("this is no C3D file: it does not start with its header")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reader = c3d.Reader(io.BytesIO(data))
            names = _labels(reader)
            stated = int(reader.last_frame) - int(reader.first_frame) + 1
            frames = [points[:, :4] for _, points, _ in reader.read_frames()]
            rate, said = float(reader.point_rate), _said_unit(reader)
        except Exception as problem:  # the package raises many types of errors on a damaged file
            raise BadFile(f"the C3D file is damaged: {type(problem).__name__}: {problem}") from problem
    if not frames:
        raise BadFile(f"the C3D file ends before its first frame; {stated} were announced")
    notes = () if len(frames) == stated else (f"the file ends early: {len(frames)} of {stated} frames are there",)
    if not (np.isfinite(rate) and 0 < rate < 1e6):
        raise BadFile(f"the C3D file says {rate} frames a second")
    return Take(names, _positions(np.array(frames, np.float64)), rate, unit or said, source.stem or "take", notes)


def write(take: Take, target: Target) -> None:
    """Write a take; gaps are marked as the format does, by a residual of -1."""
    c3d = _package()
    if not len(take) or not take.names:
        raise BadValue("a C3D file needs at least one frame and one marker")
    if len(take.names) > _MOST:
        raise BadValue(f"a C3D file names at most {_MOST} markers, not {len(take.names)}; TRC and CSV take any number")
    long = next((name for name in take.names if len(name.encode()) > _LONGEST), None)
    if long is not None:
        raise BadValue(f"a C3D label has at most {_LONGEST} bytes, and {long[:40]!r}... has more; rename it")
    writer = c3d.Writer(point_rate=take.rate, point_units=take.unit.ljust(4))
    writer.set_point_labels(list(take.names))
    writer.set_analog_labels([""])
    points = np.zeros((len(take), len(take.names), 5), np.float32)
    points[:, :, :3] = np.nan_to_num(take.positions)
    points[~take.seen, 3:] = -1
    writer.add_frames([(frame, np.zeros((0, 0))) for frame in points])
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        writer.write(stream)
    write_atomically(target, stream.getvalue())


def _package() -> Any:
    try:
        import c3d
    except ImportError:
        raise MissingExtra("reading and writing C3D files", "c3d", "capture") from None
    return c3d


def _labels(reader: Any) -> tuple[str, ...]:
    """A name for every point: its label, or *number where it has none of its own."""
    labels = [str(label).strip(" \x00") for label in reader.point_labels]
    for number in range(2, 300):  # 255 labels a parameter
        more = reader.get(f"POINT:LABELS{number}")
        if more is None:
            break
        labels += [str(label).strip(" \x00") for label in more.string_array]
    count = int(reader.point_used)
    labels = (labels + [""] * count)[:count]
    found: dict[str, None] = {}  # a set in order
    for number, label in enumerate(labels):
        found[label if label and label not in found else f"*{number}"] = None
    return tuple(found)


def _said_unit(reader: Any) -> str:
    stated = reader.get("POINT:UNITS")
    name = stated.string_value.strip(" \x00").lower() if stated is not None else ""
    return name if name in METRES else ""


def _positions(points: Floats) -> Floats:
    """Coordinates (frames, m, 3) of points (frames, m, 4); those with a residual below 0, or all zero, are gaps."""
    positions = points[:, :, :3].copy()
    positions[(points[:, :, 3] < 0) | ~points[:, :, :3].any(axis=2)] = np.nan
    return positions
