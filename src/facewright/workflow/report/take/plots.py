"""Lines over time as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from facewright.arrays import Floats
from facewright.workflow.report.html import Html, join, tag

WIDTH = 1180
_POINTS = 1180  # of a line; more would fall on the same pixels


def over_time(times: Floats, lines: Sequence[tuple[str, Floats]], *, height: int, unit: str) -> Html:
    """Lines (class, values) on one scale from 0, with a ruler of seconds; NaN breaks a line."""
    top = float(np.nanmax([np.nanmax(values, initial=0.0) for _, values in lines], initial=0.0)) or 1.0
    left, bottom = 44, 18
    steps = [*_ruler(top)]
    marks = [
        join(
            tag("line", x1=left, x2=WIDTH, y1=_y(step, top, height), y2=_y(step, top, height), class_="grid"),
            tag("text", f"{step:g}", x=left - 6, y=_y(step, top, height) + 4, class_="end"),
        )
        for step in steps
    ]
    drawn = [
        tag("path", d=path(times, values, (left, WIDTH - left), top, height), class_=kind) for kind, values in lines
    ]
    seconds = _seconds(times, left, height + bottom - 4)
    legend = tag("text", unit, x=left + 6, y=12, class_="unit")
    box = f"0 0 {WIDTH} {height + bottom}"
    return tag("svg", *marks, *drawn, *seconds, legend, viewBox=box, class_="plot", role="img")


def sparkline(times: Floats, values: Floats, *, low: float, high: float, width: int = 360, height: int = 44) -> Html:
    """One curve in its own frame, from low to high."""
    span = (high - low) or 1.0
    line = path(times, (values - low) / span, (0, width), 1.0, height)
    return tag("svg", tag("path", d=line, class_="curve"), viewBox=f"0 0 {width} {height}", class_="spark", role="img")


def path(times: Floats, values: Floats, across: tuple[int, int], top: float, height: int) -> str:
    """The path of a line through the least and the largest value at every pixel, so that no spike is lost."""
    start, width = across
    if not len(times):
        return ""
    x = start + width * (times - times[0]) / ((times[-1] - times[0]) or 1.0)
    if len(times) > _POINTS:
        x, values = _thinned(x, values)
    pieces, pen = [], "M"
    for at, value in zip(x.tolist(), values.tolist(), strict=True):
        if np.isnan(value):
            pen = "M"
            continue
        pieces.append(f"{pen}{at:.1f} {_y(value, top, height):.1f}")
        pen = "L"
    return "".join(pieces)


def _thinned(x: Floats, values: Floats) -> tuple[Floats, Floats]:
    edges = np.linspace(0, len(x), _POINTS // 2 + 1).astype(int)
    chosen: list[int] = []
    for start, stop in pairwise(edges):
        some = values[start:stop]
        if np.isnan(some).all():
            chosen.append(start)
        else:
            chosen += sorted({start + int(np.nanargmin(some)), start + int(np.nanargmax(some))})
    return x[chosen], values[chosen]


def _y(value: float, top: float, height: int) -> float:
    return height - 2 - (height - 6) * value / top


def _ruler(top: float) -> list[float]:
    """Two to five round steps from 0 to the top."""
    unit = 10.0 ** np.floor(np.log10(top))
    step = next(unit * share for share in (0.2, 0.5, 1.0, 2.0) if top / (unit * share) < 6)
    return [step * i for i in range(int(top / step) + 1)]


def _seconds(times: Floats, left: int, y: float) -> list[Html]:
    if len(times) < 2:
        return []
    end = float(times[-1])
    step = _ruler(end)[1] if len(_ruler(end)) > 1 else end
    marks = np.arange(0, end + 1e-9, step)
    return [
        tag("text", f"{mark:g} s", x=f"{left + (WIDTH - left) * mark / end:.0f}", y=y, class_="middle")
        for mark in marks.tolist()
    ]
