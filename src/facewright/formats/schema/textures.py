"""Textures of expressions: which picture belongs to which shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import msgspec

from facewright.errors import BadFile, BadValue
from facewright.image.encoded import Encoded
from facewright.rig.textures import ShapeTexture, SurfaceTextures, Textures

Place = str | dict[str, int]  # where a picture is: a name, or {"image": 3}, {"bufferView": 7} in a glTF file


class MapEntry(msgspec.Struct):
    """The texture of some shapes."""

    shapes: list[str]
    picture: Place


class SurfaceEntry(msgspec.Struct, omit_defaults=True):
    """Normal or roughness maps of a face."""

    neutral: Place
    maps: list[MapEntry] = []

    @classmethod
    def of(cls, kind: str, given: SurfaceTextures | None, place: Callable[[Encoded, str], Place]) -> Self | None:
        if given is None:
            return None
        return cls(place(given.neutral, f"{kind} neutral"), _maps(given.maps, place, f"{kind} "))

    def value(self, picture: Callable[[Place], Encoded]) -> SurfaceTextures:
        return SurfaceTextures(picture(self.neutral), _shape_textures(self.maps, picture))


class TexturesEntry(msgspec.Struct, omit_defaults=True):
    """All textures of a face."""

    neutral: Place
    maps: list[MapEntry] = []
    mask: Place | None = None
    parts: list[str] = []
    normal: SurfaceEntry | None = None
    roughness: SurfaceEntry | None = None

    @classmethod
    def of(cls, textures: Textures, place: Callable[[Encoded, str], Place]) -> TexturesEntry:
        """`place` stores a picture under a name that it may use, and returns where."""
        return cls(
            place(textures.neutral, "neutral"),
            _maps(textures.maps, place),
            None if textures.mask is None else place(textures.mask, "mask"),
            list(textures.parts),
            SurfaceEntry.of("normal", textures.normal, place),
            SurfaceEntry.of("roughness", textures.roughness, place),
        )

    def value(self, picture: Callable[[Place], Encoded]) -> Textures:
        """`picture` returns the picture at a place."""
        try:
            return Textures(
                picture(self.neutral),
                _shape_textures(self.maps, picture),
                None if self.mask is None else picture(self.mask),
                tuple(self.parts),
                None if self.normal is None else self.normal.value(picture),
                None if self.roughness is None else self.roughness.value(picture),
            )
        except BadValue as problem:
            raise BadFile(f"the JSON does not describe textures: {problem}") from problem

    @property
    def places(self) -> list[Place]:
        """The place of every picture."""
        mask = [] if self.mask is None else [self.mask]
        surfaces = [one for one in (self.normal, self.roughness) if one is not None]
        more = [place for one in surfaces for place in (one.neutral, *(each.picture for each in one.maps))]
        return [self.neutral, *(one.picture for one in self.maps), *mask, *more]


def _maps(maps: tuple[ShapeTexture, ...], place: Callable[[Encoded, str], Place], before: str = "") -> list[MapEntry]:
    return [MapEntry(list(one.shapes), place(one.picture, before + "+".join(one.shapes))) for one in maps]


def _shape_textures(maps: list[MapEntry], picture: Callable[[Place], Encoded]) -> tuple[ShapeTexture, ...]:
    return tuple(ShapeTexture(tuple(one.shapes), picture(one.picture)) for one in maps)
