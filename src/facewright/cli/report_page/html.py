"""Markup in which text is text: whatever is not markup already is escaped."""

from __future__ import annotations

from html import escape

_VOID = {"img", "meta", "br", "col"}


class Html(str):
    """Text that is markup already."""

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


def _visible(text: str) -> str:
    """Control characters and halves of characters shown as their codes: a page cannot hold them."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
