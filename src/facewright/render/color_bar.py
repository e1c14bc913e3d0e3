"""The colour bar beside a heat picture."""

from typing import cast

import numpy as np

from facewright.arrays import Floats
from facewright.render.heat import Heat, heat_colors
from facewright.render.text import draw_text, text_width
from facewright.render.tone import Bytes, to_srgb


def draw_bar(picture: Bytes, heat: Heat) -> None:
    """Draw the scale of `heat` at the right edge of a picture (h, w, 3 or 4), in place."""
    height, width, _ = picture.shape
    cap = int(np.clip(round(height / 60), 7, 24))
    tall, wide = round(0.42 * height), max(round(0.9 * cap), 6)
    low, high = heat.range()
    ticks = _ticks(low, high)
    labels = [_label(tick, ticks) for tick in ticks]
    right = width - 2 * cap - max(text_width(label, cap) for label in labels)
    top = (height - tall) // 2
    shares = (tall - 0.5 - np.arange(tall)) / tall
    colors = np.rint(255 * to_srgb(heat_colors(shares, heat.map))).astype(np.uint8)
    left = max(right - wide, 0)
    picture[top : top + tall, left:right, :3] = colors[:, None]
    picture[top : top + tall, left:right, 3:] = 255
    for tick, label in zip(ticks, labels, strict=True):
        share = (tick - low) / (high - low) if high > low else 0.0
        row = top + round((1 - share) * (tall - 1))
        picture[row, right : right + cap // 3] = 200
        draw_text(picture, label, (right + round(0.9 * cap), row + cap // 2 + 1), cap=cap)
    if heat.label:
        start = max(width - 2 * cap - text_width(heat.label, cap), 0)
        draw_text(picture, heat.label, (start, top - round(1.4 * cap)), cap=cap)


def _ticks(low: float, high: float) -> Floats:
    """Up to six round numbers from low to high."""
    if high <= low:
        return np.array([low])
    rough = (high - low) / 5.5
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(m for m in (1, 2, 5, 10) if m * power >= rough)
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    return cast(Floats, step * np.arange(first, last + 1))


def _label(tick: float, ticks: Floats) -> str:
    largest = float(np.abs(ticks).max())
    if largest and not 1e-3 <= largest < 1e5:
        return f"{tick:.1e}".replace("e-0", "e-").replace("e+0", "e")
    step = float(ticks[1] - ticks[0]) if len(ticks) > 1 else largest
    places = 0 if not step else int(np.clip(-np.floor(np.log10(step) + 1e-9) + (f"{step:.1e}"[2] != "0"), 0, 6))
    return f"{tick + 0.0:.{places}f}"
