"""Sizes, views, points and small files that `facewright render` is given."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue, FacewrightError, UnknownFormat, UnknownName
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.image.srgb import Bytes
from facewright.render.camera import VIEWS
from facewright.render.film_files import FILMS, is_folder
from facewright.render.heat import Heat
from facewright.render.sample_grid import LARGEST
from facewright.workflow.open import open_as

_LEAST, _MOST = 16, LARGEST // 4  # pixels, with four samples each


def size_from(text: str) -> tuple[int, int]:
    """Width and height from a text such as 1080 or 1920x1080."""
    found = re.fullmatch(r"(\d{1,6})(?:x(\d{1,6}))?", text.strip().lower())
    if not found:
        raise BadValue(f"a size is a number of pixels, such as 1080 or 1920x1080, not {text!r}")
    width, height = int(found[1]), int(found[2] or found[1])
    if not (min(width, height) >= _LEAST and max(width, height) <= _MOST):
        raise BadValue(f"a picture is {_LEAST} to {_MOST} pixels wide and high, not {width} x {height}")
    return width, height


def view_from(text: str, kept: Iterable[str] = ()) -> str | float:
    """A named view, or degrees round the face; `kept` are the names of those that a file keeps, for the message."""
    if text in VIEWS:
        return text
    try:
        degrees = float(text)
    except ValueError:
        raise UnknownName("view", text, (*VIEWS, "degrees such as 20", *kept)) from None
    if not np.isfinite(degrees):
        raise BadValue(f"a view is an angle in degrees, not {text}")
    return degrees


def point_from(text: str) -> Floats | None:
    """A point in space from a text such as 0,10,200; None for `camera`."""
    if text == "camera":
        return None
    try:
        point = np.array([float(word) for word in text.split(",")])
    except ValueError:
        point = np.zeros(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise BadValue(f"eyes look at `camera` or at a point in scene units, such as 0,10,200, not at {text!r}")
    return point


class HeatFile:
    """Numbers to show as colours: one for each vertex, or one for each vertex and frame."""

    def __init__(self, path: Path, vertices: int) -> None:
        values = open_as(path, np.ndarray)
        if values.ndim not in (1, 2) or values.shape[-1] != vertices:
            raise BadFile(
                f"{path}: heat is one number for each of the {vertices} vertices, shape ({vertices},) or"
                f" (frames, {vertices}), not {values.shape}"
            )
        if not np.isfinite(values).all():
            raise BadFile(f"{path}: heat has a value that is not finite")
        self._path, self._values = path, np.atleast_2d(values)

    def at(self, frame: int = 0) -> Heat:
        """The heat of a frame, on the scale of all frames."""
        low = min(float(self._values.min(initial=0.0)), 0.0)
        signed = low < 0
        high = float(np.abs(self._values).max(initial=0.0)) if signed else float(self._values.max(initial=0.0))
        row = self._values[min(frame, len(self._values) - 1)]
        return Heat(row, low=-high if signed else 0.0, high=high, map="diverging" if signed else "sequential")

    def check(self, frames: int) -> None:
        if len(self._values) not in (1, frames):
            raise BadFile(f"{self._path}: there is heat for {len(self._values)} frames, but the clip has {frames}")


def check_out(out: Path, *, moving: bool) -> None:
    """Refuse names that cannot be written to before the work, not after it."""
    suffix = out.suffix.lower()
    if moving and suffix == ".png" and not out.is_dir():
        raise UnknownFormat(f"{out}: a clip is written as {', '.join(FILMS)}; --time makes a picture of one moment")
    if moving and not is_folder(out) and suffix not in FILMS:
        raise UnknownFormat(f"{out}: a clip is written as {', '.join(FILMS)}")
    if not moving and suffix != ".png":
        films = is_folder(out) or suffix in FILMS
        raise UnknownFormat(f"{out}: a picture is written as .png" + ("; films need --clip" if films else ""))
    if out.is_dir() and not (moving and is_folder(out)):
        raise BadValue(f"{out} is a folder")
    folder = out if moving and is_folder(out) else out.parent
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise BadFile(f"{out}: nothing can be written into {there}")


def load_picture(path: Path) -> Bytes:
    """The pixels (h, w, 3) of a PNG, JPEG, WebP or KTX2 file."""
    if not path.exists():
        raise BadFile(f"{path}: there is no such file")
    try:
        return pixels(open_as(path, Encoded))
    except FacewrightError as problem:
        raise problem if str(path) in str(problem) else BadFile(f"{path}: {problem}") from None
