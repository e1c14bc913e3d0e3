"""A document's materials as the renderer shows them: base colours and their images."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
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
    read = read_images(given, images)
    pairs, of_triangle = np.unique(
        np.stack([_part_of_triangle(document), given.of_triangle(document.rig.polygons)]), axis=1, return_inverse=True
    )
    parts = document.rig.parts
    materials = [shading_material(parts[part].name, given[row], read) for part, row in pairs.T.tolist()]
    return TriangleMaterials(tuple(materials), of_triangle.ravel())


def _part_of_triangle(document: Document) -> Ints:
    starts = [part.start for part in document.rig.parts]
    return np.searchsorted(starts, document.rig.triangles[:, 0], side="right") - 1


@dataclass(frozen=True, eq=False)
class ImageTexture:
    """An image of a file: its colours, and its opacities where it has any below 1."""

    color: Mipmap
    opacities: Mipmap | None


def read_images(materials: Materials, images: Iterable[int]) -> dict[int, ImageTexture]:
    """Images of materials as textures, without those that cannot be decoded."""
    return {image: found for image in images if (found := _read(materials, image)) is not None}


def _read(materials: Materials, image: int) -> ImageTexture | None:
    """An image of the materials as a texture; None, with a warning, if it cannot be decoded."""
    try:
        shown = pixels(materials.image(image).encoded(), channels=4)
        clear = shown[..., 3:].min() < 255
        opacities = Mipmap.of(np.repeat(shown[..., 3:].astype(np.float32) / 255, 3, axis=2)) if clear else None
        return ImageTexture(Mipmap.of(shown[..., :3]), opacities)
    except FacewrightError as problem:
        warnings.warn(f"a texture of the file is not shown: {problem}", FacewrightWarning, stacklevel=2)
        return None


def shading_material(part: str, given: Material, images: Mapping[int, ImageTexture]) -> ShadingMaterial:
    """The usual material of a part, with the base colour and the opacity of the file if it has some."""
    texture = None if given.image is None else images.get(given.image)
    opacities = None if texture is None else texture.opacities
    made = _colored(part, given, None if texture is None else texture.color)
    if given.alpha_mode not in ("MASK", "BLEND") or (opacities is None and given.color[3] >= 1):
        return made
    cutoff = given.alpha_cutoff if given.alpha_mode == "MASK" else None
    return replace(made, translucent=True, opacity=given.color[3], opacities=opacities, cutoff=cutoff)


def _colored(part: str, given: Material, texture: Mipmap | None) -> ShadingMaterial:
    usual = material_named(part)
    if is_default(given):
        return usual
    red, green, blue = to_srgb(given.color[:3]).tolist()
    factor: Color = (red, green, blue)
    if texture is not None:
        return replace(textured(usual, texture), color=factor)
    if given.image is not None or min(given.color[:3]) > _PLAIN:
        return usual
    finish = CLAY if usual is SKIN and not any(word in part.lower() for word in _SKINS) else usual
    return replace(finish, color=factor, iris=False)
