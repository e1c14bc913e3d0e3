"""The report of a recording of weights that was mapped to a rig by names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.motion.clip import Clip
from facewright.render.face_renderer import FaceRenderer
from facewright.rig.retarget import Retargeted
from facewright.rig.rig import Rig
from facewright.workflow.report.html import Html, bar, html_page, join, name_tag, resource, section, table, tag
from facewright.workflow.report.inspect.pictures import data_address
from facewright.workflow.report.take import plots
from facewright.workflow.report.take.album import TILE

_SHOWN = 8  # frames shown as pictures
_MOVES = 0.02  # sliders whose values have a smaller range get no curve
_MEANING = {
    "mapped": "Which curves of the recording drive which slider; several are added, each times its factor. The highest"
    " value, and how much of the time the slider is at its upper bound, where the recording may go further.",
    "left": "Curves that drive nothing, the liveliest first: no slider has their name. A map of names can give them"
    " one.",
    "idle": "Sliders that no curve drives.",
    "frames": "Frames that are furthest from the neutral and from each other.",
    "sliders": "Every slider that moves, the liveliest first, from its lowest to its highest value.",
}


@dataclass(frozen=True, eq=False)
class _Mapped:
    """A clip on the rig, sampled in its own frames."""

    source: Clip
    found: Retargeted
    clip: Clip  # calibrated and finished
    times: Floats  # (frames,)
    values: Floats  # (frames, sliders of the rig)


def weights_report(
    name: str, rig: Rig, sources: Sequence[Clip], found: Sequence[Retargeted], clips: Sequence[Clip]
) -> str:
    """The report as one self-contained HTML file: `sources` as recorded, `found` by names, `clips` as written."""
    all = [_mapped(rig, *each) for each in zip(sources, found, clips, strict=True)]
    title = ", ".join(clip.name for clip in clips)
    parts = [part for one in all for part in _parts(rig, one, several=len(all) > 1)]
    return html_page(
        f"{title}: retargeted take",
        _top(name, rig, all, title),
        *parts,
        style=resource("take/style.css"),
        script=True,
    )


def _mapped(rig: Rig, source: Clip, found: Retargeted, clip: Clip) -> _Mapped:
    times = clip.times()
    there = [slider for slider in rig.sliders if slider in clip.curves]
    values = np.zeros((len(times), len(rig.sliders)))
    values[:, [rig.slider_index(slider) for slider in there]] = clip.sample(there, times)
    return _Mapped(source, found, clip, times, values)


def _top(name: str, rig: Rig, all: Sequence[_Mapped], title: str) -> Html:
    facts = {
        "rig": name_tag(name),
        "clips": "; ".join(
            f"{one.clip.name}: {len(one.times):,} frames at {one.clip.rate:g} a second, {one.clip.end:.1f} s"
            for one in all
        ),
        "curves": f"{sum(one.found.mapped for one in all)} mapped, {sum(len(one.found.left) for one in all)} not",
        "sliders": f"{len(all[-1].found.sources)} of {len(rig.sliders)} driven",
    }
    listing = tag("dl", *(join(tag("dt", key), tag("dd", value)) for key, value in facts.items()))
    said = tag("div", tag("p", "retargeted take", class_="quiet"), tag("h1", name_tag(title)), listing)
    return tag("header", said, class_="top")


def _parts(rig: Rig, one: _Mapped, *, several: bool) -> list[Html]:
    of = f" of {one.clip.name}" if several else ""
    left = section(f"Curves without a slider{of}", _MEANING["left"], _left(one)) if one.found.left else None
    idle = join(*(join(name_tag(slider), " ") for slider in one.found.idle))
    none = section(f"Sliders without a curve{of}", _MEANING["idle"], tag("p", idle)) if one.found.idle else None
    parts = (
        section(f"Mapped{of}", _MEANING["mapped"], _table(rig, one)),
        left,
        none,
        section(f"Frames{of}", _MEANING["frames"], _frames(rig, one)),
        section(f"Sliders{of}", _MEANING["sliders"], _sliders(rig, one)),
    )
    return [part for part in parts if part is not None]


def _table(rig: Rig, one: _Mapped) -> Html:
    rows = []
    for slider, sources in one.found.sources.items():
        at = rig.slider_index(slider)
        values, high = one.values[:, at], float(rig.bounds[at, 1])
        most = float(values.max(initial=0.0))
        full = float((values >= high - 1e-9).mean()) if len(values) else 0.0
        curves = join(*(join(name_tag(source), " ") for source in sources))
        rows.append((curves, name_tag(slider), bar(most / (high or 1.0), most, f"{most:.2f}"), f"{full:.1%}"))
    return table(("curves", "slider", "highest", "at its bound"), rows, class_="sortable")


def _left(one: _Mapped) -> Html:
    spans = {name: float(np.ptp(one.source.curves[name].values)) for name in one.found.left}
    rows = [(name_tag(name), f"{span:.3g}") for name, span in sorted(spans.items(), key=lambda pair: -pair[1])]
    return table(("curve", "range"), rows, class_="sortable")


def _frames(rig: Rig, one: _Mapped) -> Html:
    chosen = _different(one.values)
    if not chosen:
        return tag("p", "No slider moves.", class_="quiet")
    render = FaceRenderer(rig, size=TILE)
    shots = [
        tag(
            "figure",
            tag("img", src=data_address(render(one.values[number])), width=TILE[0], height=TILE[1], alt=""),
            tag("figcaption", f"{one.times[number]:.2f} s"),
        )
        for number in chosen
    ]
    return tag("div", *shots, class_="frames")


def _different(values: Floats) -> list[int]:
    """Frames of values (frames, n) whose poses are furthest from the neutral and from each other, in order of time."""
    chosen: list[int] = []
    nearest = np.linalg.norm(values, axis=1)
    while len(chosen) < _SHOWN and nearest.max(initial=0.0) > _MOVES:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, np.linalg.norm(values - values[chosen[-1]], axis=1))
    return sorted(chosen)


def _sliders(rig: Rig, one: _Mapped) -> Html:
    spans = np.ptp(one.values, axis=0) if len(one.values) else np.zeros(0)
    cells = []
    for i in np.argsort(-spans, kind="stable"):
        if spans[i] <= _MOVES:
            break
        low, high = rig.bounds[i]
        values = one.values[:, i]
        title = tag("h3", name_tag(rig.sliders[i]), tag("span", f"{values.max():.2f}", class_="quiet"))
        cells.append(tag("div", title, plots.sparkline(one.times, values, low=low, high=high)))
    return tag("div", *cells, class_="curves") if cells else tag("p", "No slider moves.", class_="quiet")
