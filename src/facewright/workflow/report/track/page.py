"""The report of a followed face: residuals over time and over the face, the worst frames, sliders, and the head."""

from __future__ import annotations

from collections import Counter

import numpy as np

from facewright.arrays import Floats
from facewright.motion.depth import ScanSequence
from facewright.rig.evaluate import evaluate
from facewright.rig.head_motion import ANGLES
from facewright.tracking.observed import observed
from facewright.tracking.refine import RefinedRig
from facewright.tracking.solution import TrackSolution
from facewright.tracking.solver import TrackStatus
from facewright.workflow.report.html import Html, html_page, join, name_tag, resource, section, table, tag
from facewright.workflow.report.take import plots
from facewright.workflow.report.track.album import TILE, TrackAlbum

_WORST = 6  # frames shown as pictures
_MOVES = 0.02  # sliders whose weights have a smaller range get no curve
_APART = 0.5  # seconds between frames that are shown
_MEANING = {
    "time": "How far what was measured is from the face along its normals, in millimetres: root mean square of each"
    " frame. The thin line is how much of the face that faces the camera lies on what was measured; the top is 100 %.",
    "frames": "The frames that the rig meets worst: what was measured as points, before the face as the rig makes it.",
    "status": "What was said of the frames.",
    "sliders": "Every slider that moves, the liveliest first, from its lowest to its highest value.",
    "head": "The head's own motion, in degrees: yaw red, pitch green, roll blue.",
}


def track_report(rig: str, found: TrackSolution, sequence: ScanSequence, refined: RefinedRig | None = None) -> str:
    """The report as one self-contained HTML file; refined: what refining the rig brought."""
    album = TrackAlbum(found)
    return html_page(
        f"{found.name}: followed face",
        _top(rig, found, album),
        _tiles(found),
        _notes(found),
        _refined(refined),
        section("Residual over time", _MEANING["time"], _over_time(found), id="time"),
        section("Worst frames", _MEANING["frames"], _frames(found, sequence, album), id="frames"),
        section("Frames", _MEANING["status"], _statuses(found), id="status"),
        section("Sliders", _MEANING["sliders"], _sliders(found), id="sliders"),
        section("Head", _MEANING["head"], _head(found)),
        style=resource("take/style.css"),
        script=True,
    )


def _top(rig: str, found: TrackSolution, album: TrackAlbum) -> Html:
    facts = {
        "rig": name_tag(rig),
        "frames": f"{len(found):,} at about {found.rate:.3g} a second",
        "noise": f"{1000 * found.noise:.2f} mm",
        "size": f"a scene unit is {1000 * found.scale:.4g} mm",
    }
    listing = tag("dl", *(join(tag("dt", key), tag("dd", value)) for key, value in facts.items()))
    said = tag("div", tag("p", "followed face", class_="quiet"), tag("h1", name_tag(found.name)), listing)
    picture = tag("img", src=album.map(), width=TILE[0], height=TILE[1], alt="")
    figure = tag("figure", picture, tag("figcaption", "mean residual over the face"))
    return tag("header", said, tag("div", figure, class_="portraits"), class_="top")


def _tiles(found: TrackSolution) -> Html:
    left = 1000 * found.residual[np.isfinite(found.residual)]
    seen = sum(each.seen for each in found.status)
    moving = int((np.ptp(found.weights, axis=0) > _MOVES).sum()) if len(found) else 0
    tiles = (
        (f"{np.median(left):.2f} mm" if len(left) else "-", "residual of most frames", "#time"),
        (f"{left.max():.2f} mm" if len(left) else "-", "in the worst frame", "#frames"),
        (f"{seen / max(len(found), 1):.1%}", "of the frames seen", "#status"),
        (str(moving), "sliders move", "#sliders"),
    )
    return tag("nav", *(tag("a", tag("b", value), text, href=where) for value, text, where in tiles))


def _notes(found: TrackSolution) -> Html | None:
    if not found.notes:
        return None
    rows = ((tag("span", "note", class_="kind"), note) for note in found.notes)
    return tag("section", tag("h2", "Notes"), table((), rows, class_="findings"))


def _refined(found: RefinedRig | None) -> Html | None:
    """What refining the rig brought in frames that were not used."""
    if found is None:
        return None
    gain = found.improvement
    rows = [
        (name, f"{1000 * before:.3f} mm", f"{1000 * after:.3f} mm", f"{after / before:.0%}" if before else "-")
        for name, (before, after) in (
            ("what neighbouring points have in common: what the rig does not make", gain.shape),
            ("root mean square of single points: mostly the camera's noise", gain.residual),
        )
    ]
    said = f"Of {gain.frames} frames that were not used. The rig was refined by {len(found.used)} others."
    return section("Refined rig", said, table(("along the normals", "before", "after", "left"), rows), id="refined")


def _over_time(found: TrackSolution) -> Html:
    left = 1000 * found.residual
    top = float(np.nanmax(left, initial=0.0)) or 1.0
    shares = np.where(np.isfinite(left), found.share * top, np.nan)
    return plots.over_time(found.times, [("worst", shares), ("mean", left)], height=170, unit="mm")


def worst_frames(found: TrackSolution, count: int) -> list[int]:
    """The frames of the largest residuals, some time apart."""
    chosen: list[int] = []
    for i in np.argsort(-np.nan_to_num(found.residual), kind="stable").tolist():
        apart = all(abs(found.times[i] - found.times[j]) >= _APART for j in chosen)
        if np.isfinite(found.residual[i]) and apart and len(chosen) < count:
            chosen.append(i)
    return sorted(chosen)


def _frames(found: TrackSolution, sequence: ScanSequence, album: TrackAlbum) -> Html:
    shots = []
    for i in worst_frames(found, _WORST):
        frame = sequence.frames[i]
        measured: Floats = observed(frame).places(12_000) if frame is not None else np.zeros((0, 3))
        picture = tag("img", src=album.frame(i, evaluate(found.rig, found.weights[i]), measured),
                      width=TILE[0], height=TILE[1], alt="")  # fmt: skip
        text = f"{found.times[i]:.2f} s: {1000 * found.residual[i]:.2f} mm, {found.share[i]:.0%} of the face"
        shots.append(tag("figure", picture, tag("figcaption", text)))
    return tag("div", *shots, class_="frames")


def _statuses(found: TrackSolution) -> Html:
    counts = Counter(found.status)
    rows = [(each.value, f"{counts[each]:,}") for each in TrackStatus if counts[each]]
    return table(("frames", "how many"), rows)


def _sliders(found: TrackSolution) -> Html:
    spans = np.ptp(found.weights, axis=0) if len(found) else np.zeros(0)
    cells = []
    for i in np.argsort(-spans, kind="stable"):
        if spans[i] <= _MOVES:
            break
        low, high = found.rig.bounds[i]
        title = tag(
            "h3", name_tag(found.rig.sliders[i]), tag("span", f"{found.weights[:, i].max():.2f}", class_="quiet")
        )
        cells.append(tag("div", title, plots.sparkline(found.times, found.weights[:, i], low=low, high=high)))
    return tag("div", *cells, class_="curves") if cells else tag("p", "No slider moves.", class_="quiet")


def _head(found: TrackSolution) -> Html:
    curves = found.clip.curves
    turns = np.degrees(np.stack([curves[name].values for name in ANGLES]))
    lines = [(kind, row - turns.min()) for kind, row in zip(("one", "two", "three"), turns, strict=True)]
    return plots.over_time(found.times, lines, height=110, unit=f"degrees, from {turns.min():.1f}")
