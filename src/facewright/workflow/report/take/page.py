"""The report of a solved take."""

from __future__ import annotations

import numpy as np

from facewright.capture.solution import FrameStatus, TakeSolution
from facewright.capture.statistics import TakeStatistics, largest_step, take_statistics
from facewright.rig.head_motion import ANGLES, OFFSETS
from facewright.workflow.report.html import Html, bar, html_page, join, name_tag, resource, section, table, tag
from facewright.workflow.report.take import plots
from facewright.workflow.report.take.album import PORTRAIT, TILE, TakeAlbum

_WORST = 8  # frames shown as pictures
_MOVES = 0.02  # sliders whose weights have a smaller range get no curve
_MEANING = {
    "time": "How far markers are from where the sliders bring them, in millimetres of the actor: the mean of each"
    " frame, and behind it the worst marker. What is left is spread over the skin afterwards: then markers are met.",
    "map": "The same for each marker: time across, brighter is further; black where it was not seen or not believed.",
    "markers": "Mean and worst distance from where the sliders bring it, how far the marker moves, and how often it was"
    " seen. A marker with a large mean is bound to the wrong place, or does what no slider can.",
    "frames": "The frames that the sliders meet worst, as the sliders make them.",
    "sliders": "Every slider that moves, the liveliest first, from its lowest to its highest value.",
    "head": "The head's own motion, found together with the face and kept apart from it: degrees, and millimetres.",
}


def take_report(rig: str, solved: TakeSolution) -> str:
    """The report as one self-contained HTML file; the same result gives the same bytes."""
    figures, album = take_statistics(solved), TakeAlbum(solved)
    return html_page(
        f"{solved.name}: solved take",
        _top(rig, solved, figures, album),
        _tiles(solved, figures),
        _notes(solved),
        section("Residual over time", _MEANING["time"], _over_time(solved, figures), id="time"),
        section("By marker and time", _MEANING["map"], _map(solved, figures, album)),
        section("Worst frames", _MEANING["frames"], _frames(solved, figures, album), id="frames"),
        section("Sliders", _MEANING["sliders"], _sliders(solved), id="sliders"),
        section("Markers", _MEANING["markers"], _markers(solved, figures), id="markers"),
        section("Head", _MEANING["head"], _head(solved)),
        style=resource("take/style.css"),
        script=True,
    )


def _top(rig: str, solved: TakeSolution, figures: TakeStatistics, album: TakeAlbum) -> Html:
    gaps = 1 - solved.believed.mean() if solved.believed.size else 0.0
    facts = {
        "rig": name_tag(rig),
        "frames": f"{len(solved):,} at {solved.rate:g} a second: {len(solved) / solved.rate:.1f} s",
        "markers": f"{len(solved.binding)} bound, {gaps:.1%} of them not seen",
        "noise": f"{figures.noise:.3f} mm",
        "motion": f"{np.nanmean(figures.motion):.2f} mm on average" if figures.motion.size else "none",
        "regions": "the whole face" if solved.regions is None else f"{len(solved.regions.nodes(solved.level))} regions",
    }
    listing = tag("dl", *(join(tag("dt", key), tag("dd", value)) for key, value in facts.items()))
    said = tag("div", tag("p", "solved take", class_="quiet"), tag("h1", name_tag(solved.name)), listing)
    picture = tag("img", src=album.bound(), width=PORTRAIT[0], height=PORTRAIT[1], alt="")
    figure = tag("figure", picture, tag("figcaption", "where the markers are bound"))
    return tag("header", said, tag("div", figure, class_="portraits"), class_="top")


def _tiles(solved: TakeSolution, figures: TakeStatistics) -> Html:
    moving = int((np.ptp(solved.weights, axis=0) > _MOVES).sum()) if len(solved) else 0
    good = figures.statuses.get(FrameStatus.SOLVED, 0)
    tiles = (
        (f"{figures.mean():.2f} mm", "mean residual", "#time"),
        (f"{figures.quantile(0.95):.2f} mm", "95 % of markers are nearer", "#time"),
        (f"{figures.quantile(1.0):.1f} mm", "the worst marker", "#frames"),
        (f"{figures.mean_after():.2f} mm", "with the residual spread", "#time"),
        (str(moving), "sliders move", "#sliders"),
        (f"{largest_step(solved):.2f}", "largest step in a frame", "#sliders"),
        (f"{good / max(len(solved), 1):.1%}", "of the frames well seen", "#markers"),
    )
    return tag("nav", *(tag("a", tag("b", value), text, href=where) for value, text, where in tiles))


def _notes(solved: TakeSolution) -> Html | None:
    if not solved.notes:
        return None
    rows = ((tag("span", "note", class_="kind"), note) for note in solved.notes)
    return tag("section", tag("h2", "Notes"), table((), rows, class_="findings"))


def _over_time(solved: TakeSolution, figures: TakeStatistics) -> Html:
    worst = np.where(np.isnan(figures.before), -np.inf, figures.before).max(axis=1, initial=-np.inf)
    lines = [("worst", np.where(np.isneginf(worst), np.nan, worst)), ("mean", figures.of_frames)]
    return plots.over_time(solved.times, lines, height=170, unit="mm")


def _map(solved: TakeSolution, figures: TakeStatistics, album: TakeAlbum) -> Html:
    names = tag("ol", *(tag("li", name_tag(name)) for name in solved.binding.markers))
    picture = tag("img", src=album.map(figures.before, figures.quantile(0.99)), alt="")
    scale = tag("p", f"from 0 to {figures.quantile(0.99):.1f} mm", class_="quiet")
    return join(tag("div", names, picture, class_="map"), scale)


def _frames(solved: TakeSolution, figures: TakeStatistics, album: TakeAlbum) -> Html:
    shots = []
    for number in figures.worst_frames(_WORST, solved.rate).tolist():
        row = figures.before[number]
        worst = int(np.nan_to_num(row).argmax()) if row.size else 0
        name = solved.binding.markers[worst] if row.size else ""
        far = f"{figures.of_frames[number]:.1f} mm, {np.nan_to_num(row[worst]):.1f} at {name}"
        text = f"{solved.times[number]:.2f} s: {far}"
        picture = tag("img", src=album.frame(number), width=TILE[0], height=TILE[1], alt="")
        shots.append(tag("figure", picture, tag("figcaption", text)))
    key = tag(
        "p",
        tag("i", style="background:#ffbe5a"), "marker of the take",
        tag("i", style="background:#6ec8ff"), "the same on the rig",
        class_="key quiet",
    )  # fmt: skip
    return join(tag("div", *shots, class_="frames"), key)


def _sliders(solved: TakeSolution) -> Html:
    spans = np.ptp(solved.weights, axis=0) if len(solved) else np.zeros(0)
    cells = []
    for i in np.argsort(-spans, kind="stable"):
        if spans[i] <= _MOVES:
            break
        low, high = solved.rig.bounds[i]
        values = solved.weights[:, i]
        title = tag("h3", name_tag(solved.rig.sliders[i]), tag("span", f"{values.max():.2f}", class_="quiet"))
        cells.append(tag("div", title, plots.sparkline(solved.times, values, low=low, high=high)))
    return tag("div", *cells, class_="curves") if cells else tag("p", "No slider moves.", class_="quiet")


def _markers(solved: TakeSolution, figures: TakeStatistics) -> Html:
    seen = solved.believed.mean(axis=0) if len(solved) else np.zeros(len(solved.binding))
    mean, worst = np.nan_to_num(figures.of_markers), figures.worst_of_markers
    motion = np.nan_to_num(np.array([_usual(column) for column in figures.motion.T]))
    most = float(mean.max(initial=0.0)) or 1.0
    rows = [
        (
            name_tag(name),
            bar(mean[i] / most, mean[i], f"{mean[i]:.2f} mm"),
            f"{worst[i]:.1f} mm",
            f"{motion[i]:.1f} mm",
            f"{seen[i]:.0%}",
        )
        for i, name in enumerate(solved.binding.markers)
    ]
    order = np.argsort(-mean, kind="stable")
    return table(("marker", "mean", "worst", "moves", "seen"), [rows[i] for i in order], class_="sortable")


def _usual(values: np.ndarray) -> float:
    known = values[~np.isnan(values)]
    return float(np.quantile(known, 0.95)) if len(known) else 0.0


def _head(solved: TakeSolution) -> Html:
    curves = solved.clip.curves
    if not curves:
        return tag("p", "There are no frames.", class_="quiet")
    turns = np.degrees(np.stack([curves[name].values for name in ANGLES]))
    moves = solved.millimetres * np.stack([curves[name].values for name in OFFSETS])
    kinds = ("one", "two", "three")
    drawn = []
    for values, names in ((turns, "degrees: yaw red, pitch green, roll blue"), (moves, "mm: x red, y green, z blue")):
        from_lowest = values - values.min()
        lines = [(kind, row) for kind, row in zip(kinds, from_lowest, strict=True)]
        drawn.append(plots.over_time(solved.times, lines, height=110, unit=names + f", from {values.min():.1f}"))
    return join(*drawn)
