"""The colour of the skin at each vertex, from a texture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.mesh.texels import Texels
from facewright.options import suggests_options
from facewright.rig.rig import Rig
from facewright.texture.face_texture import textured_parts, textures_of
from facewright.texture.layout import triangles_of

_LARGEST = 1024  # texels along a side: a vertex stands for many


@suggests_options
def vertex_colors(rig: Rig, picture: Encoded | NDArray[np.uint8], *, parts: tuple[str, ...] = ()) -> Floats:
    """Colours (v, 3), sRGB from 0 to 1: means of the texels around each vertex, the nearest counting most.

    picture: sRGB bytes (h, w, 3), or an encoded picture. parts: those that show it; not given, all. Vertices without
    texels have the mean colour.
    """
    if rig.uvs is None:
        raise BadValue("this rig has no texture coordinates, so that a texture says nothing about its vertices")
    texture = _read(picture)
    texels = Texels.of(rig.polygons, rig.uvs, texture.shape[:2], chosen=triangles_of(rig, parts))
    vertices, colors = rig.triangles[texels.triangle].ravel(), texture.reshape(-1, 3)[texels.at] / 255
    nearness = (texels.barycentric.astype(np.float64) ** 2).ravel()
    total = np.bincount(vertices, nearness, minlength=rig.vertex_count)
    sums = [np.bincount(vertices, nearness * np.repeat(one, 3), minlength=rig.vertex_count) for one in colors.T]
    mean = colors.mean(axis=0) if len(colors) else np.full(3, 0.5)
    found = np.stack(sums, axis=1) / np.where(total > 0, total, 1.0)[:, None]
    return np.where(total[:, None] > 0, found, mean)


def skin_colors(document: Document) -> Floats:
    """The same from the texture of a document's face at rest."""
    textures = textures_of(document)
    if textures is None:
        raise BadValue("this face has no texture; add one (`facewright texture`), or leave the colours out")
    return vertex_colors(document.rig, textures.neutral, parts=textured_parts(document.rig, textures))


def _read(picture: Encoded | NDArray[np.uint8]) -> NDArray[np.uint8]:
    if not isinstance(picture, Encoded):
        return picture
    scale = min(1.0, _LARGEST / max(picture.width, picture.height))
    return pixels(picture, size=(max(1, round(scale * picture.width)), max(1, round(scale * picture.height))))
