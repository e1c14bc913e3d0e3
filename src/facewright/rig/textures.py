"""What a face looks like at rest and in its expressions: pictures in one layout, as the bytes of their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.image.encoded import Encoded
from facewright.rig.rig import Rig

MOST_MAPS = 1000


@dataclass(frozen=True)
class ShapeTexture:
    """A texture that comes in with one shape, or with several that act together: then with the mean of their values.

    For shapes of which each alone brings it in, give the picture once for each; it is kept once.
    """

    shapes: tuple[str, ...]
    picture: Encoded

    def __post_init__(self) -> None:
        object.__setattr__(self, "shapes", tuple(self.shapes))
        if not self.shapes or len(set(self.shapes)) != len(self.shapes) or not all(self.shapes):
            raise BadValue(f"a texture belongs to shapes, each named once, not to {self.shapes}")


@dataclass(frozen=True)
class Textures:
    """Names of shapes and parts that the rig does not have (any more) are kept, and count for nothing."""

    neutral: Encoded
    maps: tuple[ShapeTexture, ...] = ()
    mask: Encoded | None = None  # white where the neutral's texture stays in every pose; black where all may change
    parts: tuple[str, ...] = ()  # that wear it; empty: all

    def __post_init__(self) -> None:
        object.__setattr__(self, "maps", tuple(self.maps))
        object.__setattr__(self, "parts", tuple(self.parts))
        shapes = [one.shapes for one in self.maps]
        if len(set(shapes)) != len(shapes):
            raise BadValue("two textures belong to the same shapes; `with_map` replaces one")
        if len(shapes) > MOST_MAPS:
            raise BadValue(f"a face has at most {MOST_MAPS} textures, not {len(shapes)}")

    @property
    def pictures(self) -> tuple[Encoded, ...]:
        """Every picture: the neutral's, those of the maps, and the mask."""
        return (self.neutral, *(one.picture for one in self.maps), *(() if self.mask is None else (self.mask,)))

    def with_map(self, shapes: tuple[str, ...], picture: Encoded) -> Textures:
        """With a texture for some shapes, in place of the one that these shapes have, if any."""
        one = ShapeTexture(shapes, picture)
        if any(old.shapes == one.shapes for old in self.maps):
            return replace(self, maps=tuple(one if old.shapes == one.shapes else old for old in self.maps))
        return replace(self, maps=(*self.maps, one))

    def without_map(self, shapes: tuple[str, ...]) -> Textures:
        """Without the texture of some shapes."""
        kept = tuple(one for one in self.maps if one.shapes != tuple(shapes))
        if len(kept) == len(self.maps):
            known = ", ".join("+".join(one.shapes) for one in self.maps) or "none"
            raise BadValue(f"no texture belongs to {'+'.join(shapes)}; those with one are {known}")
        return replace(self, maps=kept)

    def renamed(self, names: Mapping[str, str]) -> Textures:
        """With other names for some shapes."""
        maps = [replace(one, shapes=tuple(names.get(name, name) for name in one.shapes)) for one in self.maps]
        return replace(self, maps=tuple(maps))

    def shares(self, rig: Rig) -> Floats:
        """What each shape gives to each map's weight (maps, s): the mean is over those shapes that the rig has."""
        row = {name: i for i, name in enumerate(rig.shape_names)}
        table = np.zeros((len(self.maps), len(row)))
        for line, one in zip(table, self.maps, strict=True):
            known = [row[name] for name in one.shapes if name in row]
            line[known] = 1 / max(len(known), 1)
        return table
