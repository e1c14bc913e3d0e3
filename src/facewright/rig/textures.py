"""Textures of a face at rest and in its expressions: pictures of one layout, as encoded files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.image.encoded import Encoded
from facewright.rig.rig import Rig

MOST_MAPS = 1000
KINDS = ("color", "normal", "roughness")


@dataclass(frozen=True)
class ShapeTexture:
    """A texture that is active with one shape, or with several shapes together, by the mean of their values.

    If each of several shapes alone activates it, give the same picture once for each; it is stored once.
    """

    shapes: tuple[str, ...]
    picture: Encoded

    def __post_init__(self) -> None:
        object.__setattr__(self, "shapes", tuple(self.shapes))
        if not self.shapes or len(set(self.shapes)) != len(self.shapes) or not all(self.shapes):
            raise BadValue(f"a texture belongs to shapes, each named once, not to {self.shapes}")


@dataclass(frozen=True)
class SurfaceTextures:
    """Maps of how a surface is besides its colour, such as wrinkle maps: at rest and in expressions."""

    neutral: Encoded
    maps: tuple[ShapeTexture, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "maps", tuple(self.maps))
        _check_maps(self.maps)


@dataclass(frozen=True)
class Textures:
    """The textures of a face. Names of shapes and parts that the rig does not have are kept and have no effect."""

    neutral: Encoded
    maps: tuple[ShapeTexture, ...] = ()
    mask: Encoded | None = None  # white where the neutral's texture stays in every pose; black where all may change
    parts: tuple[str, ...] = ()  # parts that show the textures; empty: all
    normal: SurfaceTextures | None = None  # in tangent space as in glTF: red to the right, green up, blue outwards
    roughness: SurfaceTextures | None = None  # 0 is a mirror, white dull; grey, or in the green channel as in glTF

    def __post_init__(self) -> None:
        object.__setattr__(self, "maps", tuple(self.maps))
        object.__setattr__(self, "parts", tuple(self.parts))
        _check_maps(self.maps)

    @property
    def pictures(self) -> tuple[Encoded, ...]:
        """Every picture of the colours: the neutral's, those of the maps, and the mask."""
        return (self.neutral, *(one.picture for one in self.maps), *(() if self.mask is None else (self.mask,)))

    def of_kind(self, kind: str) -> Textures | None:
        """The maps of a kind, color, normal or roughness, with mask and parts; None where there are none."""
        if kind not in KINDS:
            raise UnknownName("kind of texture", kind, KINDS)
        if kind == "color":
            return replace(self, normal=None, roughness=None)
        found: SurfaceTextures | None = getattr(self, kind)
        return None if found is None else Textures(found.neutral, found.maps, self.mask, self.parts)

    def with_map(self, shapes: tuple[str, ...], picture: Encoded) -> Textures:
        """The textures with a map for some shapes, which replaces the one that these shapes have."""
        one = ShapeTexture(shapes, picture)
        if any(old.shapes == one.shapes for old in self.maps):
            return replace(self, maps=tuple(one if old.shapes == one.shapes else old for old in self.maps))
        return replace(self, maps=(*self.maps, one))

    def without_map(self, shapes: tuple[str, ...]) -> Textures:
        """The textures without the map of some shapes."""
        kept = tuple(one for one in self.maps if one.shapes != tuple(shapes))
        if len(kept) == len(self.maps):
            known = ", ".join("+".join(one.shapes) for one in self.maps) or "none"
            raise BadValue(f"no texture belongs to {'+'.join(shapes)}; those with one are {known}")
        return replace(self, maps=kept)

    def renamed(self, names: Mapping[str, str | tuple[str, ...]]) -> Textures:
        """The textures with other names for some shapes, old to new: several where a shape was split.

        Of two textures that belong to the same shapes then, the first stays.
        """
        normal, rough = (
            None if one is None else replace(one, maps=_renamed(one.maps, names))
            for one in (self.normal, self.roughness)
        )
        return replace(self, maps=_renamed(self.maps, names), normal=normal, roughness=rough)

    def shares(self, rig: Rig) -> Floats:
        """The factor (maps, s) of each shape in each map's weight: the mean over those shapes that the rig has."""
        row = {name: i for i, name in enumerate(rig.shape_names)}
        table = np.zeros((len(self.maps), len(row)))
        for line, one in zip(table, self.maps, strict=True):
            known = [row[name] for name in one.shapes if name in row]
            line[known] = 1 / max(len(known), 1)
        return table

    def __repr__(self) -> str:
        return f"Textures({len(self.maps)} maps, {self.neutral.width} x {self.neutral.height})"


def _check_maps(maps: tuple[ShapeTexture, ...]) -> None:
    shapes = [one.shapes for one in maps]
    if len(set(shapes)) != len(shapes):
        raise BadValue("two textures belong to the same shapes; `with_map` replaces one")
    if len(shapes) > MOST_MAPS:
        raise BadValue(f"a face has at most {MOST_MAPS} textures, not {len(shapes)}")


def _renamed(maps: tuple[ShapeTexture, ...], names: Mapping[str, str | tuple[str, ...]]) -> tuple[ShapeTexture, ...]:
    found: dict[tuple[str, ...], ShapeTexture] = {}
    for one in maps:
        now = (names.get(name, name) for name in one.shapes)
        shapes = tuple(dict.fromkeys(chain.from_iterable((new,) if isinstance(new, str) else new for new in now)))
        found.setdefault(shapes, replace(one, shapes=shapes))
    return tuple(found.values())
