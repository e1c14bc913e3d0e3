"""The spelling of a shape's name: its words, and the side of the face."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Side = Literal["Left", "Right"]

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_SIDES: dict[str, Side] = {"left": "Left", "l": "Left", "right": "Right", "r": "Right"}
_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l"}
_QUARTERS = {"LB": "RB", "LT": "RT", "RB": "LB", "RT": "LT"}  # lipSuck_LB, lipSuck_LT: bottom and top of a side
_RUN_TOGETHER = re.compile(r"(left|right)$", re.IGNORECASE)  # eyeblinkleft, EYEBLINKLEFT


@dataclass(frozen=True)
class Spelling:
    """The words and side of a name: eyeBlink_L, Eye Blink Left and L_EYE_BLINK are the words eye, blink on the left."""

    words: tuple[str, ...]  # lower case, without the side
    side: Side | None

    @property
    def key(self) -> str:
        """The words without separators."""
        return "".join(self.words)


def spelling(name: str) -> Spelling:
    """The words and the side of a name."""
    name = re.split(r"[:|]", name)[-1]  # without the namespaces and paths of a scene
    found = _WORD.findall(name)
    words = [part.lower() for word in found for part in (word if word in _QUARTERS and len(found) > 1 else [word])]
    at = _side_word(words)
    if at is not None:
        return Spelling((*words[:at], *words[at + 1 :]), _SIDES[words[at]])
    if len(words) == 1 and (end := _RUN_TOGETHER.search(words[0])) and end.start() > 2:
        return Spelling((words[0][: end.start()],), _SIDES[end.group()])
    return Spelling(tuple(words), None)


def camel(words: tuple[str, ...]) -> str:
    """Words as lowerCamel."""
    return "".join(words[:1]) + "".join(word.capitalize() for word in words[1:])


@lru_cache(4096)  # asked for every slider, whenever a rig is shown
def mirror_name(name: str) -> str | None:
    """The name of the same shape on the other side, in the same spelling; None for a name without a side."""
    spelled = spelling(name)
    if spelled.side is None:
        return None
    head = re.match(r"(.*[:|])?", name, re.DOTALL).end()  # type: ignore[union-attr]
    if len(spelled.words) == 1 and len(_WORD.findall(name[head:])) == 1:
        return name[:head] + _RUN_TOGETHER.sub(lambda side: _swap(side.group()), name[head:])
    return name[:head] + _WORD.sub(lambda word: _swap(word.group()), name[head:])


def _side_word(words: list[str]) -> int | None:
    """The index of the word for the side: the last that can be one. The letter of a viseme is none, nor is a single
    word.
    """
    if len(words) < 2 or words[0] == "viseme":
        return None
    found = [i for i, word in enumerate(words) if word in _SIDES]
    return found[-1] if found else None


def _swap(word: str) -> str:
    if word in _QUARTERS:
        return _QUARTERS[word]
    other = _OTHER.get(word.lower())
    if other is None:
        return word
    return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other
