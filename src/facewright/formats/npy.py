"""Single arrays in .npy files, without pickles."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.arrays_zip import npy_header
from facewright.formats.files import read_up_to

_MOST = 1 << 30  # bytes


def load_numbers(path: Path) -> Floats:
    """The numbers in a .npy file, of any shape."""
    if not path.exists():
        raise BadFile(f"{path}: there is no such file")
    data = read_up_to(path, _MOST)
    header = npy_header(path.name, data, len(data), "fiu")
    flat = np.frombuffer(data, header.dtype, offset=header.start).astype(np.float64)
    return flat.reshape(header.shape, order="F" if header.by_columns else "C")
