"""Arrays in .npy files, without pickles: the header, checked, and single files of numbers."""

from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.files import read_up_to
from facewright.formats.sources import naming

_MOST = 1 << 30  # bytes
_NUMBER = re.compile(r"[<>=|]?(f[248]|[iu][1248]|[US][1-9]\d{0,8})", re.ASCII)  # types of arrays that are read
_KINDS = {"f": "numbers", "fiu": "numbers", "iu": "whole numbers", "US": "text"}


@dataclass(frozen=True)
class Header:
    """The header of a .npy file, checked against the file's size."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    start: int  # bytes before the first number
    by_columns: bool


def load_numbers(path: Path) -> Floats:
    """The numbers in a .npy file, of any shape."""
    with naming(path):
        data = read_up_to(path, _MOST)
        header = npy_header(path.name, data, len(data), "fiu")
        flat = np.frombuffer(data, header.dtype, offset=header.start).astype(np.float64)
        return flat.reshape(header.shape, order="F" if header.by_columns else "C")


def npy_header(name: str, data: bytes, size: int, kind: str) -> Header:
    """The header of a .npy file. numpy's own reader also takes pickles, and fails on some headers without our error."""
    wide = data[6:7] in (b"\2", b"\3")
    start = 12 if wide else 10
    end = start + int.from_bytes(data[8:start], "little")
    try:
        said = ast.literal_eval(data[start:end].decode("latin1").strip())
        descr, shape, by_columns = (said[key] for key in ("descr", "shape", "fortran_order"))
        whole = all(type(n) is int and n >= 0 for n in shape)
    except (ValueError, TypeError, KeyError, SyntaxError, MemoryError, RecursionError) as problem:
        raise BadFile(f"{name} is no array that can be read: {problem}") from problem
    if data[:6] != b"\x93NUMPY" or end > len(data) or not whole or not isinstance(by_columns, bool):
        raise BadFile(f"{name} is no array that can be read")
    dtype = np.dtype(descr) if isinstance(descr, str) and _NUMBER.fullmatch(descr) else None
    if dtype is None or dtype.kind not in kind or dtype.itemsize == 0:
        raise BadFile(f"{name} must hold {_KINDS[kind]}, not {descr!s:.40}")
    claimed = math.prod(shape) * dtype.itemsize + end
    if claimed != size:
        raise BadFile(f"{name} claims shape {shape} of {dtype}, {claimed} bytes, but has {size}")
    return Header(dtype, tuple(shape), end, by_columns)
