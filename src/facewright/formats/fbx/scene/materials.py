"""Materials of models, and the images that are inside the file or beside it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from facewright.arrays import Ints
from facewright.errors import FacewrightWarning
from facewright.formats.beside import file_beside
from facewright.formats.fbx.scene.objects import FbxObject, FbxScene
from facewright.formats.fbx.scene.parts import FbxPart
from facewright.formats.files import read_up_to
from facewright.image.encoded import MOST_BYTES
from facewright.image.file import ImageFile, media_of
from facewright.rig.materials import Material, Materials

_COLORS = ("DiffuseColor", "Maya|baseColor", "3dsMax|Parameters|base_color_map")  # properties that a texture colours


def read_materials(scene: FbxScene, parts: Sequence[FbxPart], folder: Path | None) -> Materials | None:
    """The materials of all polygons, in the order of the parts; None where no part has any."""
    listed = [scene.owned(part.model, "Material") for part in parts]
    if not any(listed):
        return None
    images = _Images(scene, folder)
    rows: dict[object, int] = {}
    entries: list[Material] = []
    of_polygon: list[Ints] = []
    for part, own in zip(parts, listed, strict=True):
        numbers = []
        candidates: list[FbxObject | None] = [*own] or [None]  # a part without any has the usual one
        for one in candidates:
            key = None if one is None else one.id
            if key not in rows:
                rows[key] = len(entries)
                entries.append(Material() if one is None else _material(scene, one, images))
            numbers.append(rows[key])
        chosen = part.mesh.material
        of_polygon.append(np.array(numbers)[np.where((chosen >= 0) & (chosen < len(numbers)), chosen, 0)])
    return Materials(tuple(entries), np.concatenate(of_polygon), tuple(images.files))


def texture_files(scene: FbxScene, folder: Path) -> list[Path]:
    """The image files beside a file that its textures name."""
    found = [_beside(folder, texture) for texture in scene.of_kind("Texture")]
    return list(dict.fromkeys(path for path in found if path is not None))


def _material(scene: FbxScene, one: FbxObject, images: _Images) -> Material:
    factor = one.number("DiffuseFactor", 1.0)
    red, green, blue = (float(np.clip(factor * value, 0, 1)) for value in one.numbers("DiffuseColor", (0.8, 0.8, 0.8)))
    texture = next((link.other for link in scene.links(one, "Texture") if link.property in _COLORS), None)
    image = None if texture is None else images.index(texture)
    if image is not None:
        red = green = blue = 1.0  # the texture takes the place of the colour
    opacity = float(np.clip(_opacity(one), 0, 1))
    # Shininess and roughness are related as in Blender's importer and exporter.
    shininess = one.number("Shininess", one.number("ShininessExponent", 20.0))
    roughness = float(np.clip(1 - np.sqrt(max(shininess, 0.0)) / 10, 0, 1))
    mode = "BLEND" if opacity < 1 else "OPAQUE"
    return Material(one.name, (red, green, blue, opacity), roughness, image, mode)


def _opacity(one: FbxObject) -> float:
    if "Opacity" in one.properties:
        return one.number("Opacity", 1.0)
    if "TransparentColor" not in one.properties and "TransparencyFactor" not in one.properties:
        return 1.0
    return 1 - one.number("TransparencyFactor", 1.0) * float(np.mean(one.numbers("TransparentColor", (0.0, 0.0, 0.0))))


class _Images:
    """The images of textures, each once."""

    def __init__(self, scene: FbxScene, folder: Path | None) -> None:
        self.files: list[ImageFile] = []
        self._scene, self._folder = scene, folder
        self._rows: dict[object, int | None] = {}

    def index(self, texture: FbxObject) -> int | None:
        """The row of a texture's image; None where it is not there, or of a kind that is not shown."""
        if texture.id not in self._rows:
            data = self._data(texture)
            media = "" if data is None else media_of(data)
            self._rows[texture.id] = None if data is None or not media else len(self.files)
            if data is not None and media:
                self.files.append(ImageFile(media, data))
            else:
                what = "is not beside the file" if data is None else "is neither PNG, JPEG, WebP nor KTX2"
                name = next(_names(texture), texture.name)
                warnings.warn(f"the image {name[:80]!r} {what}", FacewrightWarning, stacklevel=2)
        return self._rows[texture.id]

    def _data(self, texture: FbxObject) -> bytes | None:
        for video in self._scene.owned(texture, "Video"):
            content = video.node.child("Content")
            if content is not None and content.values and isinstance(content.values[0], bytes) and content.values[0]:
                return content.values[0]
        path = None if self._folder is None else _beside(self._folder, texture)
        return None if path is None else read_up_to(path, MOST_BYTES)


def _names(texture: FbxObject) -> Iterator[str]:
    for key in ("RelativeFilename", "FileName", "Filename"):
        child = texture.node.child(key)
        if child is not None and child.text():
            yield child.text()


def _beside(folder: Path, texture: FbxObject) -> Path | None:
    """The file that a texture names, if it is in the folder of the file or below it; by its last name otherwise."""
    return file_beside(folder, _names(texture))
