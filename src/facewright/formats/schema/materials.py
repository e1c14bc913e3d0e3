"""Materials: how each is, which image it shows, and which polygons have it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import msgspec
import numpy as np

from facewright.errors import BadFile, BadValue
from facewright.image.file import ImageFile
from facewright.rig.materials import Material, Materials


class MaterialEntry(msgspec.Struct, omit_defaults=True):
    """A material."""

    name: str = ""
    color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    roughness: float = 1.0
    image: int | None = None
    alpha_mode: str = "OPAQUE"
    alpha_cutoff: float = 0.5
    double_sided: bool = False

    @classmethod
    def of(cls, material: Material) -> MaterialEntry:
        return msgspec.convert(material, cls, from_attributes=True)

    def value(self) -> Material:
        return Material(**msgspec.structs.asdict(self))


class ImageEntry(msgspec.Struct, omit_defaults=True):
    """An image: the name of what holds its bytes, and the range of bytes there."""

    media: str
    place: str
    start: int = 0
    stop: int | None = None

    def value(self, container: bytes) -> ImageFile:
        stop = len(container) if self.stop is None else self.stop
        if not 0 <= self.start <= stop <= len(container):
            raise BadFile(f"an image is from byte {self.start} to {stop} of {self.place}, which has {len(container)}")
        return ImageFile(self.media, container, self.start, self.stop)


class MaterialsEntry(msgspec.Struct, omit_defaults=True):
    """All materials of a rig."""

    materials: list[MaterialEntry]
    polygons: list[tuple[int, int]]  # runs of polygons: a row of `materials`, and how many have it
    images: list[ImageEntry] = []

    @classmethod
    def of(cls, materials: Materials, place: Callable[[ImageFile], ImageEntry]) -> MaterialsEntry:
        """`place` stores an image, and returns where."""
        return cls(
            [MaterialEntry.of(material) for material in materials],
            [(row, len(list(run))) for row, run in groupby(materials.of_polygon.tolist())],
            [place(image) for image in materials.images],
        )

    def value(self, polygons: int, image: Callable[[ImageEntry], ImageFile]) -> Materials:
        """The materials of so many polygons; `image` returns the image of an entry."""
        rows, counts = ([run[i] for run in self.polygons] for i in (0, 1))
        if min(counts, default=0) < 0 or sum(counts) != polygons:
            raise BadFile(f"materials are given for {sum(counts)} polygons; the rig has {polygons}")
        try:
            return Materials(
                tuple(one.value() for one in self.materials),
                np.repeat(np.array(rows, np.int64), counts),
                tuple(image(one) for one in self.images),
            )
        except (BadValue, OverflowError) as problem:
            raise BadFile(f"the JSON does not describe materials: {problem}") from problem
