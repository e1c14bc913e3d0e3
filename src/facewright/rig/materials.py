"""Materials of a rig's surface, as far as they are shown: colour, roughness, base colour image, opacity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Ints, indices
from facewright.errors import BadFile, BadValue
from facewright.image.file import ImageFile
from facewright.mesh.polygons import Polygons

_ROUNDED = 1e-5


@dataclass(frozen=True)
class Material:
    """A material of glTF's metallic-roughness model. The defaults are those of glTF."""

    name: str = ""
    color: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)  # (4,) linear red, green, blue and opacity, a factor on the image
    roughness: float = 1.0
    image: int | None = None  # row of `Materials.images`: the base colour
    alpha_mode: str = "OPAQUE"  # OPAQUE, MASK or BLEND
    alpha_cutoff: float = 0.5  # of MASK
    double_sided: bool = False

    def __post_init__(self) -> None:
        if len(self.color) != 4 or not np.isfinite([*self.color, self.roughness, self.alpha_cutoff]).all():
            raise BadValue(f"material {self.name!r}: a colour has four finite numbers, not {self.color}")
        object.__setattr__(self, "color", tuple(float(value) for value in self.color))


@dataclass(frozen=True, eq=False)
class Materials:
    """The materials of a rig's polygons."""

    entries: tuple[Material, ...]
    of_polygon: Ints  # (f,) row of `entries`
    images: tuple[ImageFile, ...] = ()  # all that the opened file has, also those that no entry shows

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", tuple(self.entries))
        object.__setattr__(self, "images", tuple(self.images))
        rows = indices("materials of polygons", self.of_polygon, (None,), below=len(self.entries))
        object.__setattr__(self, "of_polygon", rows)
        for entry in self.entries:
            if entry.image is not None and not 0 <= entry.image < len(self.images):
                raise BadValue(f"material {entry.name!r} shows image {entry.image}; there are {len(self.images)}")

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Material]:
        return iter(self.entries)

    def __getitem__(self, row: int) -> Material:
        return self.entries[row]

    def of_triangle(self, polygons: Polygons) -> Ints:
        """The row of each triangle (t,) of the polygons."""
        return np.asarray(self.of_polygon[polygons.polygon_of_triangle])

    def image(self, index: int) -> ImageFile:
        """An image of a type that is shown."""
        if not 0 <= index < len(self.images):
            raise BadFile(f"image {index} is asked for; there are {len(self.images)}")
        self.images[index].check()
        return self.images[index]

    def media(self, material: Material) -> str:
        """The media type of a material's image, "" without one."""
        return "" if material.image is None else self.images[material.image].media

    def same_as(self, other: Materials) -> bool:
        """Whether the polygons have equal materials with equal images."""
        shown = {entry.image for entry in self.entries if entry.image is not None}
        return (
            self.entries == other.entries
            and np.array_equal(self.of_polygon, other.of_polygon)
            and all(self.images[image].same_as(other.images[image]) for image in shown)
        )


# What a part without a material is given in a file, by a word in its name; the last is for every other part.
_DEFAULTS = (
    (("lash", "brow", "hair"), Material("hair", (0.05, 0.035, 0.025, 1.0), 0.7)),
    (("eye", "sclera"), Material("eye", (0.85, 0.83, 0.8, 1.0), 0.2)),
    (("teeth", "tooth"), Material("teeth", (0.8, 0.76, 0.68, 1.0), 0.3)),
    (("tongue", "gum", "mouth"), Material("mouth", (0.55, 0.16, 0.15, 1.0), 0.4)),
    (("",), Material("skin", (0.58, 0.37, 0.28, 1.0), 0.55)),
)


def default_material(part: str) -> Material:
    """The material of a part, by its name, if it was given none."""
    return next(material for words, material in _DEFAULTS if any(word in part.lower() for word in words))


def is_default(material: Material) -> bool:
    """Whether a material has the name and the colour of a default, so that it was not chosen."""
    found = next((default for _, default in _DEFAULTS if default.name == material.name), None)
    return found is not None and bool(np.abs(np.subtract(found.color, material.color)).max() < _ROUNDED)
