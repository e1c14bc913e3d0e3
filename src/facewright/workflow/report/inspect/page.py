"""The interference report of a rig."""

from __future__ import annotations

from facewright.report.interference import Interference
from facewright.report.lint import Finding
from facewright.report.overlap import STRONG
from facewright.report.summary import Summary
from facewright.rig.rig import Rig
from facewright.workflow.report.html import Html, html_page, join, name_tag, section, tag
from facewright.workflow.report.inspect import tables, words
from facewright.workflow.report.inspect.cards import card, signed
from facewright.workflow.report.inspect.matrix import matrix
from facewright.workflow.report.inspect.pictures import PORTRAIT, Album

CARDS = 10
_MANY = 120  # shapes in a table before it is folded away


def inspect_report(name: str, rig: Rig, summary: Summary, found: Interference, findings: tuple[Finding, ...]) -> str:
    """The report as one self-contained HTML file; the same rig gives the same bytes."""
    album = Album(rig) if len(rig.triangles) else None
    return html_page(
        f"{name}: interference report",
        _top(name, summary, album),
        _tiles(found, findings),
        section("Findings", "What is worth a look, the most serious first.", tables.findings(findings), id="findings"),
        section("Every slider with every other", words.MATRIX, matrix(found), id="matrix"),
        _pairs(found, album),
        _faults(summary, found),
        _shapes(summary, found),
        tag("footer", words.FORMULAE),
        script=True,
    )


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
        return section("Worst pairs", words.PAIRS, tag("p", "No two sliders meet.", class_="quiet"), id="pairs")
    cards = tag("div", *(card(pair, album) for pair in found.pairs[:CARDS]), class_="cards") if album else None
    rest = found.pairs[CARDS if album else 0 :]
    return section("Worst pairs", words.PAIRS, cards, tables.more_pairs(rest) if rest else None, id="pairs")


def _faults(summary: Summary, found: Interference) -> Html:
    parts = (
        ("Asymmetric", words.ASYMMETRIC, tables.asymmetric(found)),
        ("Dependent", words.DEPENDENT, tables.dependent(found.dependent)),
        ("Duplicate", words.DUPLICATE, tables.duplicates(found.duplicates)),
        ("Dead", words.DEAD, tables.dead(found.dead)),
        ("Rules", words.RULES, tables.rules(found.breaches, summary.rules)),
    )
    return tag("div", *(section(*part) for part in parts), class_="faults", id="faults")


def _shapes(summary: Summary, found: Interference) -> Html:
    listing = tables.shapes(summary, found) if summary.shapes else tag("p", "The rig has no shapes.", class_="quiet")
    if len(summary.shapes) > _MANY:
        listing = tag("details", tag("summary", f"All {len(summary.shapes)} shapes"), listing)
    return section("Shapes", words.SHAPES, listing)
