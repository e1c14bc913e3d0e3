"""The report of a build."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.build.builder import Built
from facewright.build.example_fit import ExampleFit
from facewright.build.missing_shapes import ShapeProposal
from facewright.build.reach import Reach
from facewright.rig.rig import Rig
from facewright.workflow.build.result import BuildResult
from facewright.workflow.report.build.album import TILE, BuildAlbum
from facewright.workflow.report.html import Html, bar, html_page, join, name_tag, section, table, tag

_ON = 0.005  # smaller weights are not listed
_MOST = 8  # lines of weights on a card
_CHANGED = 0.02  # of a shape: less is not listed
_STYLE = (
    "nav{grid-template-columns:repeat(6,1fr)}.card td.number{font-size:12px}.card table{margin-top:8px}"
    ".wide{overflow-x:auto}.took th{font-weight:normal;font-size:12px}.took td.number{font-size:12px}"
)
_MEANING = {
    "poses": "Each example beside the rig's own version of it, and how far they are apart. The number: what is left of"
    " the pose's motion, root mean square, as a share of it. Before any shape changed, free weights were fitted to each"
    " pose: a slider that was not named may be on as well, and what no shape of the template makes is set aside.",
    "missing": "What the template's shapes cannot make of a pose, within the bounds of their sliders: a shape that it"
    " lacks. The poses tell nothing about other shapes where this one moves.",
    "took": "How far each shape is from the template's because of each pose, as a share of the shape. What all poses"
    " have in common is learned from them together, and has a column of its own. The sum over a row is how far the"
    " shape went.",
    "steps": "Shapes and weights are solved for in turn. Beta: how firmly shapes keep to the template. Gamma: how"
    " firmly weights keep to the guess. Both have no unit.",
}


def build_report(name: str, result: BuildResult) -> str:
    """The report as one self-contained HTML file; name is that of the neutral's file."""
    built, plan = result.built, result.plan
    template = result.checked.template or plan.template.rig
    guesses = {pose.name: pose.guess or result.checked.guesses.get(pose.name, {}) for pose in plan.poses}
    album = BuildAlbum(built.rig)
    highest = max((float(fit.distances.max(initial=0.0)) for fit in built.errors), default=0.0)
    cards = [
        _card(
            fit,
            built.rig,
            template.weights(guesses[fit.name]),
            solved,
            album.pose(result.fits[fit.name].example, solved, fit.distances, highest),
            reach,
        )
        for fit, solved, reach in zip(built.errors, built.weights, built.reach, strict=True)
    ]
    return html_page(
        f"{name}: build report",
        _top(name, template, built, album),
        _tiles(built, highest),
        section("Poses", _MEANING["poses"], tag("div", *cards, class_="cards"), id="poses"),
        _missing(built.proposals, album),
        section("What shapes took", _MEANING["took"], _took(built), id="took"),
        section("Iterations", _MEANING["steps"], _steps(built), id="steps"),
        style=_STYLE,
    )


def _top(name: str, template: Rig, built: Built, album: BuildAlbum) -> Html:
    rig = built.rig
    facts = {
        "vertices": f"{rig.vertex_count:,}",
        "shapes": f"{len(rig.shapes)}, on {len(rig.sliders)} sliders",
        "size": f"{rig.size:.4g} scene units across; the template {template.size:.4g}",
        "examples": f"{len(built.errors)}",
        "state": "finished" if built.finished else f"stopped after iteration {len(built.history)}",
    }
    listing = tag("dl", *(join(tag("dt", key), tag("dd", value)) for key, value in facts.items()))
    said = tag("div", tag("p", "build report", class_="quiet"), tag("h1", name_tag(name)), listing)
    figures = join(_figure(album.neutral(), "neutral"), _figure(album.lively(), "moved by all sliders together"))
    return tag("header", said, tag("div", figures, class_="portraits"), class_="top")


def _tiles(built: Built, highest: float) -> Html:
    mean = sum(fit.relative for fit in built.errors) / max(len(built.errors), 1)
    out_of_reach = sum(not fit.reached for fit in built.errors)
    tiles = (
        (f"{mean:.1%}", "of the poses' motion left, mean", "#poses"),
        (f"{max((fit.relative for fit in built.errors), default=0.0):.1%}", "left of the worst pose", "#poses"),
        (f"{highest:.3g}", "furthest point, scene units", "#poses"),
        (str(out_of_reach), f"pose{'s' * (out_of_reach != 1)} out of reach", "#missing"),
        (str(len(built.proposals)), f"shape{'s' * (len(built.proposals) != 1)} proposed", "#missing"),
        (str(len(built.history)), "iterations", "#steps"),
    )
    return tag("nav", *(tag("a", tag("b", value), text, href=where) for value, text, where in tiles))


def _card(fit: ExampleFit, rig: Rig, guess: Floats, solved: Floats, shots: tuple[str, str, str], reach: Reach) -> Html:
    captions = ("example", "the rig's version", "how far apart")
    pictures = tag("div", *(_figure(*pair) for pair in zip(shots, captions, strict=True)), class_="pictures")
    left = tag("span", f"{fit.relative:.1%}", class_="number" if fit.reached else "number warm")
    plain = reach.verdict == "expressible"
    words = None if plain else tag("p", reach.words, class_=None if reach.expressible else "warm")
    title = tag("header", tag("h3", name_tag(fit.name)), left)
    return tag("article", title, pictures, words, _weights(rig.sliders, guess, solved), class_="card")


def _weights(sliders: Sequence[str], guess: Floats, solved: Floats) -> Html:
    """Guessed and solved weights, those that were guessed first, then by size."""
    pairs = zip(sliders, guess.tolist(), solved.tolist(), strict=True)
    on = sorted((pair for pair in pairs if max(map(abs, pair[1:])) > _ON), key=lambda p: (-abs(p[1]), -abs(p[2])))
    rows = [(name_tag(name), *(bar(abs(one), one, f"{one:.2f}") for one in both)) for name, *both in on[:_MOST]]
    rest = f"and {len(on) - _MOST} smaller" if len(on) > _MOST else None
    return join(table(("slider", "guessed", "solved"), rows), tag("p", rest, class_="quiet") if rest else None)


def _missing(found: Sequence[ShapeProposal], album: BuildAlbum) -> Html:
    if not found:
        nothing = tag("p", "Every pose is within reach of the template's shapes.", class_="quiet")
        return section("Missing shapes", _MEANING["missing"], nothing, id="missing")
    cards = (
        tag(
            "article",
            tag("header", tag("h3", name_tag(one.shape.name)), tag("span", f"{one.gain:.0%}", class_="number")),
            tag("div", *(_figure(shot, text) for shot, text in album.proposal(one)), class_="pictures"),
            tag("p", "makes this share of what ", name_tag(one.pose), " lacks", class_="quiet"),
            tag("p", f"the template's sliders leave {one.own:.0%} of it", class_="quiet"),
            class_="card",
        )
        for one in found
    )
    return section("Missing shapes", _MEANING["missing"], tag("div", *cards, class_="cards"), id="missing")


def _took(built: Built) -> Html:
    """A table of shapes by poses; shapes that hardly changed are left out."""
    rows = []
    totals = built.took.sum(axis=1) + built.learned
    for i in np.argsort(-totals):
        total = float(totals[i])
        if total < _CHANGED:
            break
        cells = (_share(value) for value in (built.learned[i], *built.took[i]))
        rows.append((name_tag(built.rig.shape_names[i]), bar(total, total, f"{total:.0%}"), *cells))
    if not rows:
        return tag("p", "No shape is far from the template's.", class_="quiet")
    head = ("shape", "in all", "all poses together", *(fit.name for fit in built.errors))
    return tag("div", table(head, rows, class_="took"), class_="wide")


def _share(value: float) -> Html:
    """A cell that is the darker, the larger its share."""
    shade = f"background:color-mix(in srgb,currentColor {min(60.0, 60 * max(value, 0.0)):.0f}%,transparent)"
    return tag("td", f"{value:.0%}" if value >= _CHANGED else "", class_="number", style=shade)


def _steps(built: Built) -> Html:
    rows = (
        (
            str(step.iteration),
            f"{step.beta:.3g}",
            f"{step.gamma:.3g}",
            bar(step.error, step.error, f"{step.error:.1%}"),
            *(f"{left:.1%}" for left in step.poses),
        )
        for step in built.history
    )
    names = (f"left of {fit.name}" for fit in built.errors)
    return tag("div", table(("iteration", "beta", "gamma", "left of all motion", *names), rows), class_="wide")


def _figure(address: str, caption: str) -> Html:
    picture = tag("img", src=address, width=TILE[0], height=TILE[1], alt="")
    return tag("figure", picture, tag("figcaption", caption))
