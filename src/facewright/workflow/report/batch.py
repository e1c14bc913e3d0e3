"""The page over all takes of a batch: how well they were solved, what failed and why, and where each report is."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import msgspec
import numpy as np

from facewright.workflow.batch.record import JobRecord
from facewright.workflow.report.html import Html, bar, html_page, join, name_tag, resource, section, table, tag
from facewright.workflow.take.files import TakeFigures

_WORST = 12  # frames that are listed
_HEIGHT, _WIDTH = 120, 1200  # of the plot
_MOST = 1e12  # that a count in a record may be
_MEANING = {
    "failed": "Takes without a result, and why. The command does them again, and leaves what is whole as it is.",
    "residuals": "Mean distance of the markers from where the sliders bring them, in millimetres of the actor: a bar"
    " for each take, the worst first. The line is the median.",
    "frames": "The frames that the sliders meet worst, one of a take; its report shows more of them, as pictures.",
    "takes": "Every take; a click on a head sorts. Residuals: the mean, and what 95 % and all markers do not exceed.",
}


@dataclass(frozen=True)
class TakeRow:
    """A take, with its figures if it has markers."""

    record: JobRecord
    figures: TakeFigures | None
    report: str  # address of its report as seen from the page; "" where there is none

    @property
    def frames(self) -> int:
        return int(_number(self.record.facts.get("frames")))

    @property
    def seconds(self) -> float:
        return _number(self.record.facts.get("seconds"))

    def linked(self) -> Html:
        """The take's name, which leads to its report."""
        shown = name_tag(self.record.name)
        return tag("a", shown, href=self.report) if self.report else shown


def batch_report(folder: Path, records: list[JobRecord], page: Path) -> str:
    """The page as one self-contained HTML file. folder: of the batch. page: where it is to be written, for links."""
    rows = [TakeRow(record, _figures(record), _address(folder, record.report, page)) for record in records]
    solved = sorted((row for row in rows if row.figures is not None), key=_mean, reverse=True)
    return html_page(
        f"{folder.absolute().name}: {len(rows)} takes",
        _top(folder, rows),
        _tiles(rows, solved),
        _failed(folder, rows),
        section("Residuals", _MEANING["residuals"], _bars(solved), id="residuals") if solved else None,
        section("Worst frames", _MEANING["frames"], _frames(solved), id="frames") if solved else None,
        section("Takes", _MEANING["takes"], _takes(rows), id="takes"),
        style=resource("batch.css"),
        script=True,
    )


def _top(folder: Path, rows: list[TakeRow]) -> Html:
    ends = Counter(row.record.status for row in rows)
    facts = {
        "takes": ", ".join(f"{count:,} {status}" for status, count in sorted(ends.items())) or "none",
        "commands": ", ".join(sorted({row.record.command for row in rows})) or "none",
        "version": ", ".join(sorted({row.record.version for row in rows})) or "none",
    }
    listing = tag("dl", *(join(tag("dt", key), tag("dd", value)) for key, value in facts.items()))
    title = tag("h1", name_tag(folder.absolute().name))
    return tag("header", tag("div", tag("p", "batch of takes", class_="quiet"), title, listing), class_="top")


def _tiles(rows: list[TakeRow], solved: list[TakeRow]) -> Html:
    ends, frames = Counter(row.record.status for row in rows), sum(row.frames for row in rows)
    seconds, means = sum(row.seconds for row in rows), [_mean(row) for row in solved]
    failed = ends["failed"] + ends["stopped"]
    tiles = [
        (f"{ends['done']:,}", "takes are whole", "#takes"),
        (f"{failed:,}", "failed or stopped", "#failed" if failed else "#takes"),
        (f"{frames:,}", "frames", "#takes"),
        (f"{frames / seconds:,.0f}" if seconds else "-", "frames a second of work", "#takes"),
    ]
    if means:
        worst = max(row.figures.worst for row in solved if row.figures)
        tiles += [
            (f"{np.median(means):.2f} mm", "median of the mean residuals", "#residuals"),
            (f"{means[0]:.2f} mm", "mean residual of the worst take", "#residuals"),
            (f"{worst:.1f} mm", "the worst marker", "#frames"),
        ]
    return tag("nav", *(tag("a", tag("b", value), text, href=where) for value, text, where in tiles))


def _failed(folder: Path, rows: list[TakeRow]) -> Html | None:
    wrong = [row for row in rows if row.record.status != "done"]
    if not wrong:
        return None
    again = tag("p", tag("code", f"facewright batch retry {_quoted(str(folder))}"), class_="command")
    lines = (
        (name_tag(row.record.name), tag("span", row.record.status, class_="kind"), row.record.words) for row in wrong
    )
    listed = table(("take", "", "why"), lines, class_="findings")
    return section("Without a result", _MEANING["failed"], again, listed, id="failed")


def _bars(solved: list[TakeRow]) -> Html:
    most, width = _mean(solved[0]) or 1.0, _WIDTH / len(solved)
    drawn = []
    for i, row in enumerate(solved):
        high = max(_HEIGHT * _mean(row) / most, 1.0)
        words = tag("title", f"{row.record.name}: {_mean(row):.2f} mm")
        gap = 1.0 if width > 4 else 0.0
        place = {"x": f"{i * width:.2f}", "y": f"{_HEIGHT - high:.1f}"}
        shape = tag("rect", words, width=f"{width - gap:.2f}", height=f"{high:.1f}", **place)
        drawn.append(tag("a", shape, href=row.report) if row.report else shape)
    middle = _HEIGHT * (1 - float(np.median([_mean(row) for row in solved])) / most)
    line = tag("line", x1=0, x2=_WIDTH, y1=f"{middle:.1f}", y2=f"{middle:.1f}")
    view = f"0 0 {_WIDTH} {_HEIGHT}"
    scale = tag("p", f"from 0 to {most:.2f} mm", class_="quiet")
    return join(tag("svg", *drawn, line, viewBox=view, preserveAspectRatio="none", class_="residuals"), scale)


def _frames(solved: list[TakeRow]) -> Html:
    found = [(frame, row) for row in solved if row.figures for frame in row.figures.frames[:1]]
    found.sort(key=lambda pair: -pair[0].residual)
    most = found[0][0].residual if found else 1.0
    rows = (
        (row.linked(), f"{frame.seconds:.2f} s", f"frame {frame.frame:,}", _millimetres(frame.residual, most))
        for frame, row in found[:_WORST]
    )
    return table(("take", "time", "", "mean of its markers"), rows)


def _takes(rows: list[TakeRow]) -> Html:
    most = max((_mean(row) for row in rows), default=0.0) or 1.0
    ordered = sorted(rows, key=lambda row: (row.record.status == "done", -_mean(row), row.record.name))
    head = ("take", "", "mean", "95 %", "worst", "worst at", "frames", "frames/s", "notes")
    return table(head, [_take(row, most) for row in ordered], class_="sortable")


def _take(row: TakeRow, most: float) -> tuple[str, ...]:
    figures, notes = row.figures, row.record.facts.get("notes")
    status = tag("span", row.record.status, class_="quiet" if row.record.status == "done" else "kind")
    speed = row.frames / row.seconds if row.seconds else 0.0
    said = "; ".join(map(str, notes)) if isinstance(notes, list) else ""
    if figures is None:
        said = row.record.words
        mean = spread = worst = at = _cell(-1.0, "")
    else:
        mean, spread = _millimetres(figures.mean, most), _cell(figures.most, f"{figures.most:.2f}")
        worst = _cell(figures.worst, f"{figures.worst:.1f}")
        first = figures.frames[0].seconds if figures.frames else -1.0
        at = _cell(first, f"{first:.2f} s" if figures.frames else "")
    counts = (
        _cell(row.frames, f"{row.frames:,}" if row.frames else ""),
        _cell(speed, f"{speed:,.0f}" if speed else ""),
    )
    return (row.linked(), status, mean, spread, worst, at, *counts, said)


def _millimetres(value: float, most: float) -> Html:
    return bar(value / most if most else 0.0, value, f"{value:.2f} mm")


def _cell(value: float, text: str) -> Html:
    return tag("td", text, class_="number", data_value=f"{value:.9g}")


def _mean(row: TakeRow) -> float:
    return row.figures.mean if row.figures else 0.0


def _figures(record: JobRecord) -> TakeFigures | None:
    try:
        return msgspec.convert(record.facts.get("figures"), TakeFigures | None)
    except msgspec.ValidationError:  # of another version
        return None


def _number(value: object) -> float:
    """A count that may be true, as others wrote it."""
    return value if isinstance(value, int | float) and 0 <= value < _MOST else 0.0


def _address(folder: Path, report: str, page: Path) -> str:
    return quote(Path(os.path.relpath(folder / report, page.parent)).as_posix()) if report else ""


def _quoted(path: str) -> str:
    return f"'{path}'" if " " in path else path
