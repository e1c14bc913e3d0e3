"""The page, from top to bottom."""

from __future__ import annotations

from importlib.resources import files

from facewright.cli.report_page import tables, words
from facewright.cli.report_page.cards import card, signed
from facewright.cli.report_page.html import Html, join, name_tag, tag
from facewright.cli.report_page.matrix import matrix
from facewright.cli.report_page.pictures import PORTRAIT, Album
from facewright.report.interference import Interference
from facewright.report.lint import Finding
from facewright.report.overlap import STRONG
from facewright.report.summary import Summary
from facewright.rig.rig import Rig

CARDS = 10
_MANY = 120  # shapes in a table before it is folded away
# The page asks nobody for anything.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(name: str, rig: Rig, summary: Summary, found: Interference, findings: tuple[Finding, ...]) -> str:
    """The report as one self-contained HTML file; the same rig gives the same bytes."""
    album = Album(rig) if len(rig.triangles) else None
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{name}: interference report"),
        tag("style", _resource("style.css")),
    )
    body = tag(
        "body",
        _top(name, summary, album),
        _tiles(found, findings),
        _section("Findings", "What is worth a look, the most serious first.", tables.findings(findings), id="findings"),
        _section("Every slider with every other", words.MATRIX, matrix(found), id="matrix"),
        _pairs(found, album),
        _faults(summary, found),
        _shapes(summary, found),
        tag("footer", words.FORMULAE),
        tag("script", _resource("behaviour.js")),
    )
    return "<!doctype html>\n" + tag("html", head, body, lang="en") + "\n"


def _resource(name: str) -> Html:
    return Html((files("facewright.cli.report_page") / name).read_text("utf8"))


def _section(title: str, meaning: str, *inside: str | None, id: str | None = None) -> Html:
    return tag("section", tag("h2", title), tag("p", meaning, class_="meaning"), *inside, id=id)


def _top(name: str, summary: Summary, album: Album | None) -> Html:
    faces = ", ".join(f"{count:,} {kind}" for kind, count in summary.polygons.items() if count) or "none"
    kinds = [shape.kind for shape in summary.shapes]
    extra = [f"{kinds.count(kind)} {kind}s" for kind in ("in-between", "combination") if kind in kinds]
    facts = {
        "vertices": f"{summary.vertices:,}",
        "polygons": faces,
        "size": f"{summary.size:.4g} scene units across",
        "sliders": f"{len(summary.sliders)}",
        "shapes": ", ".join([f"{len(summary.shapes)}", *extra]),
        "names": str(summary.names),
        "exclusive": f"{len(summary.exclusive)} pairs" if summary.exclusive else "no pairs",
        "parts": ", ".join(part.name for part in summary.parts),
    }
    listing = tag("dl", *(join(tag("dt", key), tag("dd", value)) for key, value in facts.items()))
    said = tag("div", tag("p", "interference report", class_="quiet"), tag("h1", name_tag(name)), listing)
    shots: tuple[tuple[str, str], ...] = ()
    if album is not None:
        shots = ((album.neutral(), "neutral"), (album.lively(), "moved by all sliders together"))
    figures = (
        tag("figure", tag("img", src=shot, width=PORTRAIT[0], height=PORTRAIT[1], alt=""), tag("figcaption", text))
        for shot, text in shots
    )
    return tag("header", said, tag("div", *figures, class_="portraits"), class_="top")


def _tiles(found: Interference, findings: tuple[Finding, ...]) -> Html:
    uneven = found.asymmetry.shapes[0].difference if found.asymmetry and found.asymmetry.shapes else None
    tiles: list[tuple[str, str, str]] = [
        (*_counted(len(findings), "finding"), "#findings"),
        (signed(found.pairs[0].interference) if found.pairs else "0", "strongest interference", "#pairs"),
        (*_counted(found.fighting, "pair", f" at {STRONG:g} or more"), "#pairs"),
        (*_counted(len(found.dead), "dead shape"), "#faults"),
        (*_counted(len(found.duplicates), "duplicate"), "#faults"),
        (*_counted(len(found.dependent), "dependent shape"), "#faults"),
        ("–" if uneven is None else f"{uneven:.1%}", "largest asymmetry", "#faults"),
        (*_counted(len(found.breaches), "broken rule"), "#faults"),
    ]
    return tag("nav", *(tag("a", tag("b", value), text, href=where) for value, text, where in tiles))


def _counted(count: int, what: str, then: str = "") -> tuple[str, str]:
    return str(count), what + "s" * (count != 1) + then


def _pairs(found: Interference, album: Album | None) -> Html:
    if not found.pairs:
        return _section("Worst pairs", words.PAIRS, tag("p", "No two sliders meet.", class_="quiet"), id="pairs")
    cards = tag("div", *(card(pair, album) for pair in found.pairs[:CARDS]), class_="cards") if album else None
    rest = found.pairs[CARDS if album else 0 :]
    return _section("Worst pairs", words.PAIRS, cards, tables.more_pairs(rest) if rest else None, id="pairs")


def _faults(summary: Summary, found: Interference) -> Html:
    parts = (
        ("Asymmetric", words.ASYMMETRIC, tables.asymmetric(found)),
        ("Dependent", words.DEPENDENT, tables.dependent(found.dependent)),
        ("Duplicate", words.DUPLICATE, tables.duplicates(found.duplicates)),
        ("Dead", words.DEAD, tables.dead(found.dead)),
        ("Rules", words.RULES, tables.rules(found.breaches, summary.rules)),
    )
    return tag("div", *(_section(*part) for part in parts), class_="faults", id="faults")


def _shapes(summary: Summary, found: Interference) -> Html:
    listing = tables.shapes(summary, found) if summary.shapes else tag("p", "The rig has no shapes.", class_="quiet")
    if len(summary.shapes) > _MANY:
        listing = tag("details", tag("summary", f"All {len(summary.shapes)} shapes"), listing)
    return _section("Shapes", words.SHAPES, listing)
