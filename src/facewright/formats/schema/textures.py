"""Textures of expressions: which picture belongs to which shapes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from facewright.errors import BadFile, BadValue
from facewright.image.encoded import Encoded
from facewright.rig.textures import ShapeTexture, Textures

Place = str | dict[str, int]  # where a picture is: a name, or {"image": 3}, {"bufferView": 7} in a glTF file


class MapEntry(msgspec.Struct):
    """The texture of some shapes."""

    shapes: list[str]
    picture: Place


class TexturesEntry(msgspec.Struct, omit_defaults=True):
    """All textures of a face."""

    neutral: Place
    maps: list[MapEntry] = []
    mask: Place | None = None
    parts: list[str] = []

    @classmethod
    def of(cls, textures: Textures, place: Callable[[Encoded, str], Place]) -> TexturesEntry:
        """`place` stores a picture under a name that it may use, and returns where."""
        return cls(
            place(textures.neutral, "neutral"),
            [MapEntry(list(one.shapes), place(one.picture, "+".join(one.shapes))) for one in textures.maps],
            None if textures.mask is None else place(textures.mask, "mask"),
            list(textures.parts),
        )

    def value(self, picture: Callable[[Place], Encoded]) -> Textures:
        """`picture` returns the picture at a place."""
        try:
            return Textures(
                picture(self.neutral),
                tuple(ShapeTexture(tuple(one.shapes), picture(one.picture)) for one in self.maps),
                None if self.mask is None else picture(self.mask),
                tuple(self.parts),
            )
        except BadValue as problem:
            raise BadFile(f"the JSON does not describe textures: {problem}") from problem

    @property
    def places(self) -> list[Place]:
        """The place of every picture."""
        mask = [] if self.mask is None else [self.mask]
        return [self.neutral, *(one.picture for one in self.maps), *mask]
