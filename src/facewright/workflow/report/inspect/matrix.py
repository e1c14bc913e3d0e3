"""The matrix of all pairs as a picture with labels; the numbers behind it appear under the pointer."""

from __future__ import annotations

import base64
from itertools import groupby

import msgspec
import numpy as np

from facewright.arrays import Floats
from facewright.report.interference import Interference
from facewright.workflow.report.html import Html, join, tag
from facewright.workflow.report.inspect.pictures import data_address, map_colors

_WIDE = 860.0  # of the squares together, in pixels
_LABELLED = 90  # sliders; of more, only groups are named
_LETTERS = 20


def matrix(found: Interference) -> Html:
    """The drawing, its legend and the place where the numbers appear."""
    if not found.sliders:
        return tag("p", "The rig has no sliders.", class_="quiet")
    legend = tag(
        "div",
        tag("div", class_="scale", style=f"background:linear-gradient(90deg,{_stops()})"),
        tag("div", tag("span", "−1 against"), tag("span", "0"), tag("span", "+1 alike"), class_="ticks"),
        tag("div", "Point at a square.", class_="readout", id="readout"),
        tag("div", "Darker squares: the two sliders leave each other alone.", class_="quiet"),
        class_="legend",
    )
    return tag("div", _drawing(found), legend, _numbers(found), class_="matrix")


def _drawing(found: Interference) -> Html:
    n = len(found.sliders)
    cell = min(_WIDE / n, 18.0)
    labelled = n <= _LABELLED
    left, top = (_room(found, cell),) * 2 if labelled else (64.0, 30.0)
    side = cell * n
    values = np.array(found.matrix)[np.ix_(found.order, found.order)]
    picture = tag(
        "image", href=data_address(matrix_pixels(values)), x=left, y=top, width=f"{side:.6g}", height=f"{side:.6g}",
        preserveAspectRatio="none", style="image-rendering:pixelated",
    )  # fmt: skip
    shown = (_labels(found, left, top, cell) if labelled else Html(""), _groups(found, left, top, cell, labelled))
    marks = (
        tag("rect", id="row", class_="cross", x=left, width=f"{side:.6g}", height=f"{cell:.6g}", y=-99),
        tag("rect", id="column", class_="cross", y=top, height=f"{side:.6g}", width=f"{cell:.6g}", x=-99),
    )
    wide, high = left + side + 4, top + side + 4
    return tag(
        "svg", picture, *shown, *marks, id="squares", viewBox=f"0 0 {wide:.6g} {high:.6g}", width=f"{wide:.6g}",
        role="img", aria_label="interference of every slider with every other", data_left=left, data_top=top,
        data_cell=f"{cell:.9g}",
    )  # fmt: skip


def matrix_pixels(values: Floats) -> np.ndarray:
    """One pixel (n, n, 3) for each pair; a slider with itself is left grey."""
    colors = map_colors((1 + values.ravel()) / 2, "diverging").reshape(*values.shape, 3) * _depth(values)[..., None]
    colors[np.arange(len(values)), np.arange(len(values))] = 0.22
    return np.rint(255 * colors).astype(np.uint8)


def _depth(values: Floats) -> Floats:
    """Colours that fade into the page where two sliders do not interfere."""
    return np.asarray(0.45 + 0.55 * np.minimum(np.abs(values) / 0.35, 1))


def _stops() -> str:
    values = np.linspace(-1, 1, 21)
    colors = np.rint(255 * map_colors((1 + values) / 2, "diverging") * _depth(values)[:, None]).astype(int)
    return ",".join(f"rgb({r} {g} {b})" for r, g, b in colors.tolist())


def _letter_size(cell: float) -> float:
    return min(cell * 0.74, 11)


def _room(found: Interference, cell: float) -> float:
    """Pixels for the longest label."""
    letters = max(min(len(slider.name), _LETTERS) for slider in found.sliders)
    return round(0.64 * _letter_size(cell) * letters) + 12


def _labels(found: Interference, left: float, top: float, cell: float) -> Html:
    size = _letter_size(cell)
    labels = []
    for place, i in enumerate(found.order):
        name = found.sliders[i].name
        short = name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"
        middle = (place + 0.5) * cell
        style = f"font-size:{size:.3g}px"
        labels.append(
            tag("text", tag("title", name), short, x=left - 6, y=f"{top + middle + 0.35 * size:.5g}", class_="end",
                style=style)
        )  # fmt: skip
        x, y = left + middle + 0.35 * size, top - 6
        turned = f"translate({x:.5g} {y:.5g}) rotate(-90)"
        labels.append(tag("text", tag("title", name), short, transform=turned, style=style))
    return join(*labels)


def _groups(found: Interference, left: float, top: float, cell: float, labelled: bool) -> Html:
    """Lines between groups; and their names, where the sliders' own have no room."""
    drawn, at, side = [], 0, cell * len(found.order)
    for name, members in groupby(found.sliders[i].group for i in found.order):
        count = len(list(members))
        if at:
            place = f"{at * cell:.5g}"
            drawn.append(tag("path", d=f"M{left} {top}m0 {place}h{side:.5g}", class_="line"))
            drawn.append(tag("path", d=f"M{left} {top}m{place} 0v{side:.5g}", class_="line"))
        if not labelled and count * cell >= 12:
            middle = (at + count / 2) * cell
            drawn.append(tag("text", name, x=left - 6, y=f"{top + middle + 4:.5g}", class_="end group"))
            drawn.append(tag("text", name, x=f"{left + middle:.5g}", y=top - 8, class_="middle group"))
        at += count
    return join(*drawn)


def _numbers(found: Interference) -> Html:
    """Hundredths of the interference and of the shared motion, a byte each, and the names, for the pointer."""
    both = np.array([found.matrix, found.shared])[:, found.order][:, :, found.order]
    data = {
        "names": [found.sliders[i].name for i in found.order],
        "interference": base64.b64encode(np.rint(100 * both[0]).astype(np.int8).tobytes()).decode(),
        "shared": base64.b64encode(np.rint(100 * both[1]).astype(np.int8).tobytes()).decode(),
    }
    # Inside a script element nothing is unescaped, but a "<" could end it.
    text = msgspec.json.encode(data).decode().replace("<", "\\u003c")
    return tag("script", Html(text), type="application/json", id="numbers")
