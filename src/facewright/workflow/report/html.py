"""HTML of reports: elements whose text is escaped, sections, tables, and the page around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

_VOID = {"img", "meta", "br", "col"}
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"  # the page loads nothing from elsewhere
_SCRIPTS = "; script-src 'unsafe-inline'"


class Html(str):
    """Text that is markup already, and is not escaped again."""

    __slots__ = ()


def tag(name: str, /, *inside: str | None, **attributes: str | float | None) -> Html:
    """An element. An underscore after an attribute's name is dropped, one inside it is a hyphen; None leaves it out."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{shown}>" if name in _VOID else f"<{name}{shown}>{join(*inside)}</{name}>")


def join(*inside: str | None) -> Html:
    """One after the other."""
    return Html("".join(text if isinstance(text, Html) else escape(_visible(text)) for text in inside if text))


def name_tag(name: str) -> Html:
    """A name from a file, kept to itself whatever direction its letters run in."""
    return tag("bdi", name, class_="name")


def html_page(title: str, *body: str | None, style: str = "", script: bool = False) -> str:
    """A whole page as one self-contained file.

    style: added to that of all reports.
    script: with sorting of tables and the values under the pointer.
    """
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY + (_SCRIPTS if script else "")),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Html(resource("style.css") + style)),
    )
    behaviour = tag("script", Html(resource("behaviour.js"))) if script else None
    return "<!doctype html>\n" + tag("html", head, tag("body", *body, behaviour), lang="en") + "\n"


def resource(name: str) -> str:
    """The text of a file beside this one, such as style.css."""
    return (files("facewright.workflow.report") / name).read_text("utf8")


def section(title: str, meaning: str, *inside: str | None, id: str | None = None) -> Html:
    """A part of the page under its title, with a line that says what its numbers mean."""
    return tag("section", tag("h2", title), tag("p", meaning, class_="meaning"), *inside, id=id)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], class_: str | None = None) -> Html:
    """A table; cells that are numbers already carry their own element."""
    top = tag("thead", tag("tr", *(tag("th", title) for title in head))) if head else None
    body = (tag("tr", *(cell if cell.startswith("<td") else tag("td", cell) for cell in row)) for row in rows)
    return tag("table", top, tag("tbody", *body), class_=class_)


def bar(share: float, value: float, text: str) -> Html:
    """A cell with a number and a bar as long as its share."""
    fill = tag("i", style=f"width:{100 * min(max(share, 0), 1):.3g}%")
    return tag("td", tag("span", fill, class_="bar"), text, class_="number", data_value=f"{value:.9g}")


def _visible(text: str) -> str:
    """Control characters and halves of characters shown as their codes: a page cannot hold them."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
