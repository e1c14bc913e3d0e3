"""Text on pictures, in the stroke letters of `font`."""

from functools import lru_cache
from typing import cast

import numpy as np

from facewright.arrays import Floats
from facewright.options import suggests_options
from facewright.render.font import GLYPHS, UNKNOWN
from facewright.render.tone import Bytes, Color

_CAP = 12  # units
_GAP = 3.4  # units between letters
_SPACE = 4.0
_PEN = 1.45  # units
_ABOVE, _BELOW = 2.5, 5.5  # units above the capitals and below the baseline for brackets and descenders


def text_width(text: str, cap: int) -> int:
    """The width of a line of text in pixels, with capitals `cap` pixels high."""
    return sum(_advance(letter, cap) for letter in text)


def fit_text(text: str, cap: int, width: int) -> str:
    """The text, shortened with dots if it is wider than `width` pixels."""
    if text_width(text, cap) <= width:
        return text
    while text and text_width(text + "…", cap) > width:
        text = text[:-1]
    return text + "…" if text else ""


@suggests_options
def draw_text(
    picture: Bytes, text: str, at: tuple[int, int], *, cap: int = 12, color: Color = (0.85, 0.86, 0.88)
) -> None:
    """Draw a line of text into a picture (h, w, 3 or 4), in place; `at` is the left end of its baseline, x and y."""
    x, y = at
    top = y - round((_CAP + _ABOVE) * cap / _CAP)
    for letter in text:
        _stamp(picture, _glyph(letter, cap), (x - _margin(cap), top), color)
        x += _advance(letter, cap)


def _stamp(picture: Bytes, ink: Floats, corner: tuple[int, int], color: Color) -> None:
    (x, y), (rows, columns) = corner, ink.shape
    height, width, channels = picture.shape
    x0, x1, y0, y1 = max(x, 0), min(x + columns, width), max(y, 0), min(y + rows, height)
    if x0 >= x1 or y0 >= y1:
        return
    share = ink[y0 - y : y1 - y, x0 - x : x1 - x, None]
    paint = np.array([*color, 1.0][:channels]) * 255
    under = picture[y0:y1, x0:x1]
    under[:] = np.rint(under + share * (paint - under)).astype(np.uint8)


def _advance(letter: str, cap: int) -> int:
    if letter == " ":
        return round((_SPACE + _GAP) * cap / _CAP)
    return round((_extent(letter) + _GAP) * cap / _CAP)


def _margin(cap: int) -> int:
    return 1 + round(_PEN * cap / _CAP)


@lru_cache(maxsize=1024)
def _extent(letter: str) -> float:
    return max(float(stroke[:, 0].max()) for stroke in _strokes(letter))


@lru_cache(maxsize=1024)
def _glyph(letter: str, cap: int) -> Floats:
    """Ink (rows, columns) in [0, 1] of one letter, from the distance to its strokes."""
    scale = cap / _CAP
    rows = round((_CAP + _ABOVE) * scale) + round(_BELOW * scale)
    if letter == " ":
        return np.zeros((rows, 1))
    columns = round(_extent(letter) * scale) + 2 * _margin(cap) + 1
    y, x = np.mgrid[0:rows, 0:columns].astype(float)
    # The baseline runs through the centre of a row of pixels, so that horizontal strokes are sharp.
    place = np.stack([x - _margin(cap), round((_CAP + _ABOVE) * scale) - 1 - y], axis=-1).reshape(-1, 2)
    away = np.min([_distance(place, stroke * scale) for stroke in _strokes(letter)], axis=0)
    pen = max(_PEN * scale, 1.1) / 2
    return cast(Floats, np.clip(pen + 0.5 - away, 0, 1).reshape(rows, columns))


def _distance(place: Floats, stroke: Floats) -> Floats:
    start, along = stroke[:-1], np.diff(stroke, axis=0)
    length2 = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((place[:, None] - start) * along).sum(axis=2) / length2, 0, 1)
    return cast(Floats, np.linalg.norm(place[:, None] - start - share[:, :, None] * along, axis=2).min(axis=1))


@lru_cache(maxsize=1024)
def _strokes(letter: str) -> tuple[Floats, ...]:
    return tuple(_stroke(text) for text in GLYPHS.get(letter, UNKNOWN).split(";"))


def _stroke(text: str) -> Floats:
    points = np.array([[float(v) for v in point.split(",")] for point in text.removeprefix("~").split()])
    return _smooth(points) if text.startswith("~") else points


def _smooth(points: Floats, rounds: int = 3) -> Floats:
    """Chaikin's corner cutting with fixed ends; it approaches the quadratic B-spline of the points."""
    for _ in range(rounds):
        a, b = points[:-1], points[1:]
        cut = np.stack([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b], axis=1).reshape(-1, 2)
        points = np.concatenate([points[:1], cut[1:-1], points[-1:]])
    return points
