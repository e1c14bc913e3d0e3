"""Materials of the parts, and the images that are in the package or beside the file."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from facewright.arrays import Ints
from facewright.errors import FacewrightWarning
from facewright.formats.usd.block import kept_value
from facewright.formats.usd.process import StageFile
from facewright.formats.usd.scene.parts import UsdPart
from facewright.image.file import ImageFile, media_of
from facewright.rig.materials import Material, Materials

ImageBytes = Callable[[dict[str, str]], bytes | None]


def read_materials(stage: StageFile, parts: Sequence[UsdPart], image_bytes: ImageBytes) -> Materials | None:
    """The materials of all polygons, in the order of the parts; None where no part has any.

    image_bytes: the bytes of an image, by its path in the file and as it was found; None where it is not there.
    """
    used = [np.unique(part.mesh.of_polygon).tolist() for part in parts]
    if not any(part.mesh.material[row] for part, rows in zip(parts, used, strict=True) for row in rows):
        return None
    images = _UsdImages(image_bytes)
    rows: dict[tuple[str, bool], int] = {}
    entries: list[Material] = []
    of_polygon: list[Ints] = []
    for part, own in zip(parts, used, strict=True):
        numbers = np.zeros(len(part.mesh.material), np.int64)
        for row in own:
            path = part.mesh.material[row]
            key = path, part.mesh.double_sided
            if key not in rows:
                rows[key] = len(entries)
                described = stage.description["materials"].get(path)
                entries.append(_material(described, part.mesh.double_sided, images))
            numbers[row] = rows[key]
        of_polygon.append(numbers[part.mesh.of_polygon])
    return Materials(tuple(entries), np.concatenate(of_polygon), tuple(images.files))


def _material(one: dict[str, Any] | None, double_sided: bool, images: _UsdImages) -> Material:
    if one is None:
        return Material(double_sided=double_sided)
    red, green, blue = (kept_value(np.clip(value, 0, 1)) for value in one["color"])
    opacity = kept_value(np.clip(one["opacity"], 0, 1))
    image = None if one["image"] is None else images.index(one["image"])
    see_through = one.get("has_mask") or opacity < 1
    mode = "MASK" if one["cutoff"] > 0 else "BLEND" if see_through else "OPAQUE"
    cutoff = kept_value(one["cutoff"]) if mode == "MASK" else 0.5
    roughness = kept_value(np.clip(one["roughness"], 0, 1))
    return Material(str(one["name"]), (red, green, blue, opacity), roughness, image, mode, cutoff, double_sided)


class _UsdImages:
    """The images of textures, each once."""

    def __init__(self, image_bytes: ImageBytes) -> None:
        self.files: list[ImageFile] = []
        self._bytes = image_bytes
        self._rows: dict[str, int | None] = {}

    def index(self, image: dict[str, str]) -> int | None:
        """The row of an image; None where it is not there, or of a kind that is not shown."""
        path = image["path"]
        if path not in self._rows:
            data = self._bytes(image)
            media = "" if data is None else media_of(data)
            self._rows[path] = None if data is None or not media else len(self.files)
            if data is not None and media:
                self.files.append(ImageFile(media, data))
            else:
                what = "is not beside the file" if data is None else "is neither PNG, JPEG, WebP nor KTX2"
                warnings.warn(f"the image {path[:80]!r} {what}", FacewrightWarning, stacklevel=2)
        return self._rows[path]
