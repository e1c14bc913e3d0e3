"""What is asked for when a document is written for other programs: once for library, command line and studio."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np

from facewright.errors import BadValue, UnknownName
from facewright.formats.avatar_meta import meta_from
from facewright.rig.name_tables import CONVENTIONS
from facewright.rig.unit import check_unit

KEYS = {
    "kept": "as they are, and cubic where curves bend",
    "straight": "straight lines between few keys, for programs that play no tangents, as Blender",
    "sampled": "a key on every frame",
}
TEXTURES = {
    "all": "the skin as it is shown, and the textures of expressions for this program",
    "shown": "the skin as it is shown, alone",
    "none": "no pictures",
}
LAYERS = {
    "kept": "as they are in .fwface, and baked into the curves in other formats",
    "baked": "baked into the curves in .fwface, too",
}
_LEAST, _MOST = 16, 4096  # pixels
_MOST_RATE = 1000.0  # frames a second


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """How a document is written. The defaults change nothing but the unit, where the format has one of its own."""

    unit: str = ""  # of the scene, such as cm; "": the document's own, else guessed from the size of the face
    scale: float = 1.0  # a factor on all lengths
    names: str = ""  # a convention that sliders and shapes are renamed to; "": as they are
    plain: bool = False  # each in-between and combination becomes a target with its own keys, for other programs
    tolerance: float = 0.0  # of plain targets: those that move no vertex further than this share of the face go
    clips: tuple[str, ...] | None = None  # None: all
    start: float | None = None  # seconds: what of the clips is before is left out; this moment is 0 in the file
    end: float | None = None  # seconds
    rate: float = 0.0  # frames a second of clips and films; 0: their own
    keys: str = "kept"  # one of KEYS
    textures: str = "all"  # one of TEXTURES
    layers: str = "kept"  # of clips, one of LAYERS
    avatar: Mapping[str, str] = field(default_factory=dict)  # of a VRM, such as authors, by the names of VRM 1.0
    clip: str = ""  # of a table or a film; "": the document's current one
    width: int = 1280  # of a picture, in pixels
    height: int = 720
    view: str = "front"
    plane: bool = False  # whether a film shows the picture or video of reference
    kept_view: str = ""  # of a film, the name of a view that the document keeps; "": `view` counts

    def __post_init__(self) -> None:
        check_unit(self.unit)
        _check_positive("the scale is a factor on all lengths", self.scale)
        for what, name, known in (
            ("kind of keys", self.keys, KEYS),
            ("choice of textures", self.textures, TEXTURES),
            ("choice of layers", self.layers, LAYERS),
            ("naming convention", self.names, ("", *CONVENTIONS)),
        ):
            if name not in known:
                raise UnknownName(what, name, (one for one in known if one))
        meta_from(self.avatar)
        if self.clips is not None:
            object.__setattr__(self, "clips", tuple(dict.fromkeys(self.clips)))
        if not (self.rate == 0 or 0 < self.rate <= _MOST_RATE):
            raise BadValue(f"the rate is a number of frames a second up to {_MOST_RATE:g}, not {self.rate:g}")
        self._check_range()
        for name, pixels in (("width", self.width), ("height", self.height)):
            if not _LEAST <= pixels <= _MOST:
                raise BadValue(f"{name} is a number of pixels from {_LEAST} to {_MOST}, not {pixels}")
        from facewright.render import VIEWS  # not in memory before it is needed

        if self.view not in VIEWS:
            raise UnknownName("view", self.view, VIEWS)

    def _check_range(self) -> None:
        for what, at in (("start", self.start), ("end", self.end)):
            if at is not None and not np.isfinite(at):
                raise BadValue(f"the {what} of the range is a number of seconds, not {at}")
        if self.start is not None and self.end is not None and self.end <= self.start:
            raise BadValue(f"the range ends at {self.end:g} s, before it starts at {self.start:g} s")

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Options from the query of an address, names of clips in lines; what is no option is left alone."""
        known = {field.name for field in fields(cls)}
        given = {name: _READERS.get(name, _as_it_is)(name, text) for name, text in texts.items() if name in known}
        return cls(**given)


def _as_it_is(name: str, text: str) -> str:
    return text


def _pixels(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_MOST))):
        raise BadValue(f"{name} is a number of pixels from {_LEAST} to {_MOST}, not {text[:20]!r}")
    return int(text)


def _number(words: str) -> Callable[[str, str], float]:
    def read(name: str, text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise BadValue(f"{name} is {words}, not {text[:20]!r}") from None

    return read


def _check_positive(words: str, value: float) -> None:
    if not (np.isfinite(value) and value > 0):
        raise BadValue(f"{words}, a positive number, not {value}")


def _avatar(name: str, text: str) -> dict[str, str]:
    """Fields from lines such as authors=Jo Doe; those without a value are left out."""
    pairs = (line.partition("=") for line in text.split("\n"))
    return {key.strip(): value.strip() for key, _, value in pairs if value.strip()}


def _lines(name: str, text: str) -> tuple[str, ...]:
    return tuple(line for line in text.split("\n") if line)


_READERS: dict[str, Callable[[str, str], Any]] = {
    "width": _pixels,
    "height": _pixels,
    "plain": lambda name, text: text == "yes",
    "tolerance": _number("a share of the face's size, such as 0.001"),
    "scale": _number("a factor, such as 0.01"),
    "start": _number("a number of seconds"),
    "end": _number("a number of seconds"),
    "rate": _number("a number of frames a second"),
    "clips": _lines,
    "avatar": _avatar,
}


def option_names(words: Mapping[str, str]) -> str:
    """Choices in words, for a help text."""
    return "; ".join(f"{name}: {what}" for name, what in words.items())
