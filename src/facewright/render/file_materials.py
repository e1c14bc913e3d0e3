"""Materials of an opened glTF file, as far as a picture shows them: base colours and their images."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from facewright.arrays import Ints
from facewright.document import Document
from facewright.errors import FacewrightError, FacewrightWarning
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.render.material import CLAY, SKIN, Material, material_named, textured
from facewright.render.mipmap import Mipmap
from facewright.render.tone import Color, to_srgb

if TYPE_CHECKING:
    from facewright.formats.gltf.materials.read import Look

_PLAIN = 0.97  # a factor above this in every channel says nothing of a colour
_SKINS = ("skin", "head", "face", "body", "neck")


@dataclass(frozen=True, eq=False)
class FileMaterials:
    """Materials, and which of them each triangle has."""

    materials: tuple[Material, ...]
    of_triangle: Ints  # (t,)


def file_materials(document: Document) -> FileMaterials | None:
    """The materials of the file that a document was opened from; None where it has none that say anything."""
    from facewright.formats.gltf.materials.read import looks_of  # with all of glTF, which few need

    looks = looks_of(document)
    if looks is None:
        return None
    with_uvs = document.rig.uvs is not None
    images = sorted({look.image for look in looks.looks if with_uvs and look.image is not None})
    read = {image: found for image in images if (found := _read(document, image)) is not None}
    pairs, of_triangle = np.unique(
        np.stack([_part_of_triangle(document), looks.of_triangle]), axis=1, return_inverse=True
    )
    parts = document.rig.parts
    materials = [_material(parts[part].name, looks.looks[look], read) for part, look in pairs.T.tolist()]
    return FileMaterials(tuple(materials), of_triangle.ravel())


def _part_of_triangle(document: Document) -> Ints:
    starts = [part.start for part in document.rig.parts]
    return np.searchsorted(starts, document.rig.triangles[:, 0], side="right") - 1


def _read(document: Document, image: int) -> Mipmap | None:
    """An image of the file, if it can be unpacked here."""
    from facewright.formats.gltf.materials.read import image_of

    try:
        return Mipmap.of(pixels(Encoded(image_of(document, image)[1])))
    except FacewrightError as problem:
        warnings.warn(f"a texture of the file is not shown: {problem}", FacewrightWarning, stacklevel=2)
        return None


def _material(part: str, look: Look, images: dict[int, Mipmap]) -> Material:
    """The usual material of a part, with the colour that the file gives it, if it does."""
    from facewright.formats.gltf.materials.default import is_made_up

    usual = material_named(part)
    if is_made_up(look.name, look.color):
        return usual
    red, green, blue = to_srgb(look.color[:3]).tolist()
    factor: Color = (red, green, blue)
    texture = None if look.image is None else images.get(look.image)
    if texture is not None:
        return replace(textured(usual, texture), color=factor)
    if look.image is not None or min(look.color[:3]) > _PLAIN:
        return usual
    finish = CLAY if usual is SKIN and not any(word in part.lower() for word in _SKINS) else usual
    return replace(finish, color=factor, iris=False)
