"""A document's materials as the renderer shows them: base colours and their images."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Ints
from facewright.document import Document
from facewright.errors import FacewrightError, FacewrightWarning
from facewright.image.codec import pixels
from facewright.render.material import CLAY, SKIN, ShadingMaterial, material_named, textured
from facewright.render.mipmap import Mipmap
from facewright.render.tone import Color, to_srgb
from facewright.rig.materials import Material, Materials, is_default

_PLAIN = 0.97  # a base colour above this in every channel is the default white
_SKINS = ("skin", "head", "face", "body", "neck")


@dataclass(frozen=True, eq=False)
class TriangleMaterials:
    """Materials, and the material of each triangle."""

    materials: tuple[ShadingMaterial, ...]
    of_triangle: Ints  # (t,)


def triangle_materials(document: Document) -> TriangleMaterials | None:
    """The materials of a document; None if it has none."""
    given = document.materials
    if given is None:
        return None
    with_uvs = document.rig.uvs is not None
    images = sorted({material.image for material in given if with_uvs and material.image is not None})
    read = {image: found for image in images if (found := _read(given, image)) is not None}
    pairs, of_triangle = np.unique(
        np.stack([_part_of_triangle(document), given.of_triangle(document.rig.polygons)]), axis=1, return_inverse=True
    )
    parts = document.rig.parts
    materials = [_material(parts[part].name, given[row], read) for part, row in pairs.T.tolist()]
    return TriangleMaterials(tuple(materials), of_triangle.ravel())


def _part_of_triangle(document: Document) -> Ints:
    starts = [part.start for part in document.rig.parts]
    return np.searchsorted(starts, document.rig.triangles[:, 0], side="right") - 1


def _read(materials: Materials, image: int) -> Mipmap | None:
    """An image of the materials as a texture; None, with a warning, if it cannot be decoded."""
    try:
        return Mipmap.of(pixels(materials.image(image).encoded()))
    except FacewrightError as problem:
        warnings.warn(f"a texture of the file is not shown: {problem}", FacewrightWarning, stacklevel=2)
        return None


def _material(part: str, given: Material, images: dict[int, Mipmap]) -> ShadingMaterial:
    """The usual material of a part, with the base colour of the file if it has one."""
    usual = material_named(part)
    if is_default(given):
        return usual
    red, green, blue = to_srgb(given.color[:3]).tolist()
    factor: Color = (red, green, blue)
    texture = None if given.image is None else images.get(given.image)
    if texture is not None:
        return replace(textured(usual, texture), color=factor)
    if given.image is not None or min(given.color[:3]) > _PLAIN:
        return usual
    finish = CLAY if usual is SKIN and not any(word in part.lower() for word in _SKINS) else usual
    return replace(finish, color=factor, iris=False)
