"""The worst pairs, each with pictures of both sliders and of where they meet."""

from __future__ import annotations

from facewright.report.overlap import SliderPair
from facewright.workflow.report.html import Html, join, name_tag, tag
from facewright.workflow.report.inspect.pictures import CARD, Album


def card(pair: SliderPair, album: Album) -> Html:
    """One pair."""
    title = tag("h3", name_tag(pair.first), tag("span", " with ", class_="quiet"), name_tag(pair.second))
    shown = album.meeting(pair.first, pair.second)
    pictures = tag(
        "div",
        _figure(shown.first, name_tag(pair.first)),
        _figure(shown.second, name_tag(pair.second)),
        _figure(shown.both, "where they meet"),
        class_="pictures",
    )
    return tag("article", tag("header", title, signed(pair.interference)), pictures, _words(pair), class_="card")


def signed(value: float) -> Html:
    """A number from -1 to 1 in the colour of its side."""
    side = "warm" if value > 0 else "cold"
    return tag("span", f"{value:+.2f}".replace("-", "−"), class_=f"number {side}")


def _figure(address: str, caption: str) -> Html:
    picture = tag("img", src=address, width=CARD[0], height=CARD[1], alt="")
    return tag("figure", picture, tag("figcaption", caption))


def _words(pair: SliderPair) -> Html:
    numbers = f"shared {pair.shared:.2f} × direction {pair.direction:+.2f}. ".replace("-", "−")
    twin = [" Likewise ", name_tag(pair.twin[0]), " with ", name_tag(pair.twin[1]), "."] if pair.twin else []
    return tag("p", tag("span", numbers, class_="quiet"), advice(pair), join(*twin))


def advice(pair: SliderPair) -> str:
    """What an animator or a modeller can do about a pair."""
    if pair.interference <= -0.9:
        return "Nearly the reverse of each other: exclusive, unless they are meant to be on together."
    if pair.interference < 0:
        return "Each undoes what the other does."
    if pair.interference >= 0.9:
        return "Nearly the same motion: one of them would do."
    return "Both add to the same motion: together they overshoot."
