"""The place of a marker from its name, such as Mouth_Lend, Leyebrow_Inside, ForeHead_M, lip_upper_left."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

_PREFIX = re.compile(r"^.*[:|]")  # subject or path before the name
_REGIONS = {
    "forehead": "forehead", "eyebrow": "brow", "brow": "brow", "bro": "brow", "nose": "nose", "nasal": "nose",
    "eyelid": "eye", "eye": "eye", "cheek": "cheek", "mouth": "mouth", "lip": "mouth", "chin": "chin", "jaw": "jaw",
    "temple": "temple", "ear": "ear",
}  # fmt: skip
_WORDS = {
    "left": "left", "l": "left", "right": "right", "r": "right",
    "upper": "up", "up": "up", "top": "up", "lower": "down", "low": "down", "down": "down", "bottom": "down",
    "inside": "inside", "inner": "inside", "in": "inside", "outside": "outside", "outer": "outside", "out": "outside",
    "middle": "middle", "mid": "middle", "center": "middle", "centre": "middle", "c": "middle", "m": "middle",
    "corner": "end", "end": "end", "tip": "tip", "head": "tip",
}  # fmt: skip
_REGION = re.compile("|".join(sorted(_REGIONS, key=len, reverse=True)))
_WORD = re.compile("|".join(sorted(_WORDS, key=len, reverse=True)) + r"|[^\W\d_]+")


@dataclass(frozen=True)
class MarkerName:
    """A marker's name, parsed."""

    region: str  # of the face, "" if the name has none
    words: frozenset[str]  # left, right, up, down, inside, outside, middle, end, tip

    @property
    def side(self) -> str:
        """left, right, or nothing."""
        sides = self.words & {"left", "right"}
        return next(iter(sides)) if len(sides) == 1 else ""

    def places(self) -> tuple[str, ...]:
        """The places of FacePlaces that this marker helps to find."""
        if self.region in ("eye", "brow") and self.side and self.words & {"up", "down", "inside", "outside", "middle"}:
            return (f"{self.region} {self.side}",)
        if self.region == "mouth":
            if "end" in self.words and self.side:
                return (f"mouth {self.side}",)
            return ("mouth",) if not self.side and self.words & {"up", "down"} else ()
        if self.region == "chin" and not self.words - {"middle"}:
            return ("chin",)
        if self.region == "nose" and not self.side and "tip" in self.words:
            return ("nose",)
        return ()


def marker_name(name: str) -> MarkerName:
    """A name, parsed."""
    text = _PREFIX.sub("", name).lower()
    found = _REGION.search(text)
    if not found:
        return MarkerName("", frozenset())
    rest = [text[: found.start()], text[found.end() :]]
    words = [word for part in rest for piece in re.split(r"[\W_\d]+", part) for word in _WORD.findall(piece)]
    return MarkerName(_REGIONS[found.group()], frozenset(_WORDS[word] for word in words if word in _WORDS))


def place_markers(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Place -> the markers whose mean is that place; an eye or a brow needs two, a mouth an upper and a lower one."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for place in marker_name(name).places():
            found[place].append(name)
    return {place: tuple(markers) for place, markers in found.items() if _is_balanced(place, markers)}


def _is_balanced(place: str, markers: list[str]) -> bool:
    words = [marker_name(name).words for name in markers]
    if place.startswith("eye"):
        return any({"inside"} & w for w in words) == any({"outside"} & w for w in words) and len(markers) >= 2
    if place.startswith("brow"):
        return len(markers) >= 2 or "middle" in words[0]
    if place == "mouth":
        return any("up" in w for w in words) and any("down" in w for w in words)
    return True
