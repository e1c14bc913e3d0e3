"""Materials with their base colour images, which are put inside the file."""

from __future__ import annotations

import warnings

import numpy as np

from facewright.arrays import Ints
from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.formats.fbx.write.encode import element, object_name
from facewright.formats.fbx.write.objects import WrittenObjects
from facewright.formats.fbx.write.properties import properties
from facewright.formats.unique_names import unique
from facewright.image.file import ImageFile
from facewright.rig.materials import Material, default_material

_SHOWN = {"image/png": ".png", "image/jpeg": ".jpg"}  # by every program that reads FBX


class MaterialObjects:
    """The materials of a document as objects, each added when a part first has it."""

    def __init__(self, objects: WrittenObjects, document: Document) -> None:
        self._objects, self._document = objects, document
        self._ids: dict[object, int] = {}
        self._textures: dict[int, int] = {}
        given = () if document.materials is None else document.materials.entries
        self._names = unique(one.name or "material" for one in given)

    def of_part(self, name: str, polygons: Ints) -> tuple[list[int], Ints]:
        """The ids of the materials of some polygons of a part, and which of them each polygon has."""
        materials = self._document.materials
        if materials is None:
            return [self._id(default_material(name), None)], np.zeros(len(polygons), np.int64)
        rows, of_polygon = np.unique(materials.of_polygon[polygons], return_inverse=True)
        return [self._id(materials[row], row) for row in rows.tolist()], of_polygon

    def _id(self, material: Material, row: int | None) -> int:
        key = material.name if row is None else row
        if key not in self._ids:
            self._ids[key] = self._add(material, material.name if row is None else self._names[row])
        return self._ids[key]

    def _add(self, material: Material, name: str) -> int:
        red, green, blue, opacity = material.color
        # Shininess and roughness are related as in Blender's importer and exporter.
        shininess = float((10 * (1 - np.clip(material.roughness, 0, 1))) ** 2)
        number = self._objects.add("Material", name, "", lambda: [
            element("Version", 102),
            element("ShadingModel", "phong"),
            element("MultiLayer", 0),
            properties(
                ("DiffuseColor", "Color", red, green, blue),
                ("DiffuseFactor", "Number", 1.0),
                ("TransparencyFactor", "Number", 1 - opacity),
                ("TransparentColor", "Color", 1.0, 1.0, 1.0),
                ("Opacity", "double", opacity),
                ("Shininess", "double", shininess),
                ("ShininessExponent", "Number", shininess),
            ),
        ])  # fmt: skip
        if material.image is not None and self._document.materials is not None:
            self._show(self._document.materials.images[material.image], material.image, number)
        return number

    def _show(self, image: ImageFile, row: int, material: int) -> None:
        if image.media not in _SHOWN:
            words = (
                f"an image is {image.media or 'of no known type'}, which other programs do not show in FBX: left out"
            )
            warnings.warn(words, FacewrightWarning, stacklevel=2)
            return
        if row not in self._textures:
            self._textures[row] = self._texture(f"image{row}{_SHOWN[image.media]}", image)
        self._objects.connect(self._textures[row], material, "DiffuseColor")

    def _texture(self, name: str, image: ImageFile) -> int:
        texture = self._objects.add("Texture", name, "", lambda: [
            element("Type", "TextureVideoClip"),
            element("Version", 202),
            element("TextureName", object_name(name, "Texture")),
            properties(("UseMaterial", "bool", 1), ("CurrentTextureBlendMode", "enum", 0)),
            element("Media", object_name(name, "Video")),
            element("FileName", name),
            element("RelativeFilename", name),
        ])  # fmt: skip
        video = self._objects.add("Video", name, "Clip", lambda: [
            element("Type", "Clip"),
            properties(("Path", "KString", name)),
            element("UseMipMap", 0),
            element("Filename", name),
            element("RelativeFilename", name),
            element("Content", image.data),
        ])  # fmt: skip
        self._objects.connect(video, texture)
        return texture
