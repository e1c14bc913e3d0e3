"""Takes of markers as C3D: the points of a file. Analog channels, events and other groups are passed over.

Coordinates are written in single precision, as the format has them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.files import Source, read_up_to
from facewright.formats.takes.c3d_parameters import BLOCK, MAGIC, Parameters, read_parameters
from facewright.motion.take import METRES, Take

_SATURATED = 0xFFFF  # a count of frames that has no room in 16 bits
_MOST_LABELS = 300  # parameters LABELS, LABELS2, ... of at most 255 labels each


def is_c3d(data: bytes) -> bool:
    """Whether bytes start with the header of a C3D file."""
    return len(data) >= BLOCK and data[1] == MAGIC


def read(source: Source, *, rate: float | None = None, unit: str = "") -> Take:
    """The take in a C3D file. A file that ends early gives the whole frames, and a note."""
    data = read_up_to(source, limits.TEXT)
    if not is_c3d(data):
        raise BadFile("this is no C3D file: it does not start with its header")
    parameters = read_parameters(data)
    header = _header(data, parameters)
    layout = _layout(header, parameters, len(data))
    positions = _positions(data, layout, parameters)
    early = f"the file ends early: {len(positions)} of {layout.frames} frames are there"
    notes = (early,) if len(positions) < layout.frames else ()
    found = _rate(header, parameters) if rate is None else rate
    return Take(_labels(parameters, layout.points), positions, found, unit or _unit(parameters),
                source.stem or "take", notes)  # fmt: skip


@dataclass(frozen=True)
class _Header:
    """The fields of the first block that describe the data."""

    points: int
    analog: int  # values of all channels in a frame
    first: int  # number of the first frame
    last: int
    scale: float  # of integer coordinates; below 0: coordinates are floats
    start: int  # block of the data, the first being 1
    samples: int  # of each analog channel in a frame
    rate: float


@dataclass(frozen=True)
class _Layout:
    """Where the points of a file are."""

    points: int
    frames: int
    begin: int  # first byte of the data
    stride: int  # bytes of a frame
    scale: float


def _header(data: bytes, parameters: Parameters) -> _Header:
    processor = parameters.processor
    words = (processor.integers(data[2:24]) & 0xFFFF).tolist()
    scale, rate = processor.floats(data[12:16])[0], processor.floats(data[20:24])[0]
    return _Header(words[0], words[1], words[2], words[3], float(scale), words[7], words[8], float(rate))


def _layout(header: _Header, parameters: Parameters, size: int) -> _Layout:
    """Where header and parameters differ, the frame size that accounts for the length of the file is taken."""
    points = [int(parameters.number("POINT", "USED") or 0), header.points]
    points = [count for count in dict.fromkeys(points) if count]
    channels = int(parameters.number("ANALOG", "USED") or 0)
    if not points:
        only = ", only analog channels" if channels or header.analog else ""
        raise BadFile(f"the C3D file has no points{only}; a take of markers needs them")
    scale = parameters.number("POINT", "SCALE") or (header.scale if np.isfinite(header.scale) else 0.0)
    width = 4 if scale < 0 else 2
    begin = BLOCK * ((header.start or int(parameters.number("POINT", "DATA_START") or 0)) - 1)
    frames = _frames(header, parameters)
    if begin < BLOCK or begin >= size or frames == 0:
        raise BadFile(f"the C3D file ends before its first frame; {frames or 0} were announced")
    stated = (header.analog, channels * header.samples, channels * _per_frame(parameters))
    analog = [count for count, _ in Counter(stated).most_common()]  # what most say comes first
    strides = {(count, extra): width * (4 * count + extra) for count in points for extra in analog}
    there = size - begin
    fitting = [key for key, stride in strides.items() if frames is not None and 0 <= there - frames * stride < BLOCK]
    chosen = fitting[0] if fitting else next(iter(strides))
    stride = strides[chosen]
    return _Layout(chosen[0], there // stride if frames is None else frames, begin, stride, scale)


def _per_frame(parameters: Parameters) -> int:
    """Samples of an analog channel in a frame, by the rates."""
    points, analog = parameters.number("POINT", "RATE") or 0.0, parameters.number("ANALOG", "RATE") or 0.0
    return round(min(analog / points, _SATURATED)) if points > 0 and analog > 0 else 0


def _frames(header: _Header, parameters: Parameters) -> int | None:
    """How many frames the file announces; None where it only says that they are more than 16 bits can count."""
    first = parameters.long_number("TRIAL", "ACTUAL_START_FIELD")
    last = parameters.long_number("TRIAL", "ACTUAL_END_FIELD")
    if first is not None and last is not None and last >= max(first, header.last):
        return last - first + 1
    if header.last == _SATURATED:
        for name in ("LONG_FRAMES", "FRAMES"):
            stated = parameters.number("POINT", name) or 0.0
            if stated > _SATURATED:
                return int(stated)
        return None
    return max(header.last - header.first + 1, 0)


def _positions(data: bytes, layout: _Layout, parameters: Parameters) -> Floats:
    """Coordinates (frames, points, 3); a residual below 0, and a point at zero, are gaps."""
    count = min(layout.frames, (len(data) - layout.begin) // layout.stride)
    if not count:
        raise BadFile(f"the C3D file ends before its first frame; {layout.frames} were announced")
    used = (16 if layout.scale < 0 else 8) * layout.points
    frames = np.frombuffer(data, np.uint8, count * layout.stride, layout.begin).reshape(count, layout.stride)
    points = frames[:, :used].tobytes()
    values = parameters.processor.floats(points) if layout.scale < 0 else parameters.processor.integers(points)
    values = values.reshape(count, layout.points, 4).astype(np.float64)
    gaps: NDArray[np.bool_] = ~(values[:, :, 3] >= 0) | ~values[:, :, :3].any(axis=2)
    positions = values[:, :, :3] * (1.0 if layout.scale < 0 else layout.scale)
    positions[gaps] = np.nan
    return np.asarray(positions)


def _rate(header: _Header, parameters: Parameters) -> float:
    rate = parameters.number("POINT", "RATE") or header.rate
    if not (np.isfinite(rate) and 0 < rate < 1e6):
        raise BadFile(f"the C3D file says {rate} frames a second")
    return float(rate)


def _labels(parameters: Parameters, count: int) -> tuple[str, ...]:
    """A name for every point: its label, or *number where it has none of its own."""
    labels = parameters.texts("POINT", "LABELS")
    for number in range(2, _MOST_LABELS):
        more = parameters.texts("POINT", f"LABELS{number}")
        if not more:
            break
        labels = labels + more
    labels = (labels + [""] * count)[:count]
    given = set(labels)
    found: dict[str, None] = {}  # a set in order
    for number, label in enumerate(labels):
        name = label
        if not name or name in found:
            name = f"*{number}"
            while name in given or name in found:
                name += "'"
        found[name] = None
    return tuple(found)


def _unit(parameters: Parameters) -> str:
    name = next(iter(parameters.texts("POINT", "UNITS")), "").lower()
    return name if name in METRES else ""
