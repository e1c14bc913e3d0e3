"""Writing materials: new ones with their textures and images, and changes of those that a file has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Ints
from facewright.formats.gltf.container.asset import Asset, Bytes
from facewright.formats.gltf.container.extensions import declare
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.materials.images import ImageAppender
from facewright.formats.gltf.materials.read import SOURCES, face_primitives, image_of_texture
from facewright.image.encoded import MEDIA
from facewright.image.file import ImageFile
from facewright.rig.materials import Material, Materials

NONE = -1  # in place of a material's index: a primitive without one


class MaterialWriter:
    """Adds materials to a file's JSON, and images to its buffer. `there` are the images that the file has already."""

    def __init__(self, json: Json, images: Sequence[ImageFile] = (), there: Sequence[ImageFile] = ()) -> None:
        self._json, self._images, self._there = json, images, there
        self._indices: dict[Material, int] = {}
        self._textures: dict[int, int] = {}  # row of `images` -> texture of the file
        self._added: list[tuple[Json, ImageFile]] = []

    def index(self, material: Material) -> int:
        """The index of a material, added where it is new; NONE for the one that glTF has where none is given."""
        if material == Material():
            return NONE
        if material not in self._indices:
            surface: Json = {
                "baseColorFactor": list(material.color),
                "metallicFactor": 0.0,
                "roughnessFactor": material.roughness,
            }
            if material.image is not None and self._is_whole(material.image):
                surface["baseColorTexture"] = {"index": self._texture(material.image)}
            described = {**_stated(Material(), material), "pbrMetallicRoughness": surface}
            self._indices[material] = self.append(described)
        return self._indices[material]

    def append(self, material: Json) -> int:
        """Add a material as JSON; returns its index."""
        materials = self._json.setdefault("materials", [])
        materials.append(material)
        return len(materials) - 1

    def changed(self, json: Json, change: _Change) -> Json:
        """A material's JSON with what is new about the material."""
        surface: Json = dict(json.get("pbrMetallicRoughness", {}))
        if change.new.color != change.old.color:
            surface["baseColorFactor"] = list(change.new.color)
        if change.new.roughness != change.old.roughness:
            surface["roughnessFactor"] = change.new.roughness
        if change.new.image is None:
            surface.pop("baseColorTexture", None)
        elif change.has_new_image and self._is_whole(change.new.image):
            texture = self._texture(change.new.image)
            surface["baseColorTexture"] = {**surface.get("baseColorTexture", {}), "index": texture}
        return {**json, **_stated(change.old, change.new), "pbrMetallicRoughness": surface}

    def binary(self, binary: Bytes) -> Bytes:
        """The buffer with the images that were added."""
        pictures = ImageAppender(self._json, binary)
        for entry, image in self._added:
            entry["bufferView"] = pictures.add(image.data)
        return pictures.binary()

    def _is_whole(self, row: int) -> bool:
        """Whether an image has bytes, of a type that a texture can show."""
        return self._images[row].media in MEDIA and len(self._images[row].data) > 0

    def _texture(self, row: int) -> int:
        if row not in self._textures:
            self._textures[row] = self._texture_of(self._images[row])
        return self._textures[row]

    def _texture_of(self, image: ImageFile) -> int:
        """The texture that shows an image; both are added where the file does not have them."""
        images, textures = (self._json.setdefault(kind, []) for kind in ("images", "textures"))
        index = next((i for i, one in enumerate(self._there) if one.same_as(image)), len(images))
        if index == len(images):
            images.append({"mimeType": image.media})
            self._added.append((images[-1], image))
        for number in range(len(textures)):
            if image_of_texture(self._json, {"index": number}) == index:
                return number
        texture: Json = {"source": index}
        if image.media in SOURCES:
            name = SOURCES[image.media]
            declare(self._json, name, required=True)
            texture = {"extensions": {name: texture}}
        textures.append(texture)
        return len(textures) - 1


def can_assign(asset: Asset, of_polygon: Ints) -> bool:
    """Whether no primitive of the face would need two materials."""
    return all(len(np.unique(of_polygon[own])) <= 1 for _, own in face_primitives(asset))


def update_materials(asset: Asset, before: Materials, now: Materials, writer: MaterialWriter) -> None:
    """Write the materials of the face that differ from those of the opened file; their other keys stay."""
    changes = list(_changes(asset, before, now))
    made: dict[tuple[int, Material], int] = {}
    for change in changes:
        index = change.primitive.get("material", NONE)
        if (index, change.new) not in made:
            made[index, change.new] = _put(asset.json, index, change, changes, writer)
        change.primitive["material"] = made[index, change.new]


@dataclass(frozen=True, eq=False)
class _Change:
    """A primitive that gets another material."""

    primitive: Json
    old: Material
    new: Material
    has_new_image: bool


def _changes(asset: Asset, before: Materials, now: Materials) -> Iterator[_Change]:
    for primitive, own in face_primitives(asset):
        if own.stop > own.start:
            old, new = before[int(before.of_polygon[own.start])], now[int(now.of_polygon[own.start])]
            has_new_image = new.image is not None and (
                old.image is None or not before.images[old.image].same_as(now.images[new.image])
            )
            if old != new or has_new_image:
                yield _Change(primitive, old, new, has_new_image)


def _put(json: Json, index: int, change: _Change, changes: Sequence[_Change], writer: MaterialWriter) -> int:
    """Change a material in place if all primitives that have it change alike, else a copy; returns the index."""
    changed = writer.changed({} if index == NONE else json["materials"][index], change)
    users = [one for mesh in json["meshes"] for one in mesh["primitives"] if one.get("material", NONE) == index]
    alike = [other.primitive for other in changes if other.new == change.new]
    if index == NONE or any(all(user is not one for one in alike) for user in users):
        return writer.append(changed)
    json["materials"][index] = changed
    return index


def _stated(old: Material, new: Material) -> Json:
    """The keys of a material's JSON, besides those of its surface, that are new."""
    keys = {"name": "name", "alpha_mode": "alphaMode", "alpha_cutoff": "alphaCutoff", "double_sided": "doubleSided"}
    return {key: getattr(new, name) for name, key in keys.items() if getattr(new, name) != getattr(old, name)}
