"""Contact sheets: many pictures in rows, each with its name."""

import math
from collections.abc import Sequence

import numpy as np

from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.render.text import draw_text, fit_text, text_width
from facewright.render.tone import Bytes, Color

_PAPER = (0.075, 0.078, 0.086)
_INK = (0.80, 0.81, 0.83)


@suggests_options
def contact_sheet(
    pictures: Sequence[Bytes],
    labels: Sequence[str] = (),
    *,
    columns: int | None = None,
    title: str = "",
    paper: Color = _PAPER,
) -> Bytes:
    """A sheet (H, W, 3) of pictures (h, w, 3 or 4) of one size, each above its label."""
    _check(pictures, labels, columns)
    height, width = pictures[0].shape[:2]
    columns = columns or _columns(len(pictures), width / height)
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    cap = int(np.clip(round(width / 22), 8, 18))
    gap, strip = max(width // 50, 3), round(2.4 * cap) if labels else 0
    head = round(3.2 * cap) if title else 0
    cell_high, cell_wide = height + strip + gap, width + gap
    sheet = np.empty((head + rows * cell_high + gap, columns * cell_wide + gap, 3), np.uint8)
    sheet[:] = np.rint(255 * np.array(paper))
    if title:
        draw_text(sheet, title, (2 * gap, gap + round(2.2 * cap)), cap=round(1.25 * cap), color=_INK)
    for i, picture in enumerate(pictures):
        top, left = head + gap + i // columns * cell_high, gap + i % columns * cell_wide
        _paste(sheet[top : top + height, left : left + width], picture)
        if labels:
            label = fit_text(labels[i], cap, width)
            start = left + (width - text_width(label, cap)) // 2
            draw_text(sheet, label, (start, top + height + round(1.6 * cap)), cap=cap, color=_INK)
    return sheet


def _paste(place: Bytes, picture: Bytes) -> None:
    if picture.shape[2] == 3:
        place[:] = picture
    else:
        share = picture[:, :, 3:] / 255
        place[:] = np.rint(picture[:, :, :3] * share + place * (1 - share)).astype(np.uint8)


def _columns(count: int, aspect: float) -> int:
    """The number of columns for a sheet about 1.5 times as wide as high."""
    return max(1, round(math.sqrt(1.5 * count / aspect)))


def _check(pictures: Sequence[Bytes], labels: Sequence[str], columns: int | None) -> None:
    if not pictures:
        raise BadValue("a contact sheet needs at least one picture")
    for picture in pictures:
        if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] not in (3, 4):
            raise BadValue(f"a picture is bytes of shape (h, w, 3) or (h, w, 4), not {picture.dtype} {picture.shape}")
        if picture.shape[:2] != pictures[0].shape[:2]:
            raise BadValue(f"pictures on one sheet are of one size; {picture.shape[:2]} is not {pictures[0].shape[:2]}")
    if labels and len(labels) != len(pictures):
        raise BadValue(f"there are {len(pictures)} pictures but {len(labels)} labels")
    if columns is not None and columns < 1:
        raise BadValue(f"a sheet has at least one column, not {columns}")
