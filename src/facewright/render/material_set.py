"""The materials of a face and their textures, which may change with the pose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.mesh.texels import Texels
from facewright.render.material import SKIN, ShadingMaterial, materials_of, textured
from facewright.render.mipmap import Coverage, Mipmap
from facewright.render.tone import Floats32
from facewright.render.triangle_materials import TriangleMaterials, triangle_materials
from facewright.rig.rig import Rig
from facewright.rig.textures import KINDS
from facewright.texture.detail import Detail
from facewright.texture.face_texture import FaceTexture, textured_parts

Details = tuple[Detail, ...]  # one for each region of the textures

_FINE = 2.0  # texels for each pixel of a picture's height, at most; more would not be visible


def corner_uvs(rig: Rig) -> Floats32 | None:
    """Texture coordinates (t, 3, 2) of the triangles' corners, NaN where there are none."""
    if rig.uvs is None:
        return None
    rows = rig.uvs.corners[rig.polygons.triangle_corners]
    found = np.full((*rows.shape, 2), np.nan, np.float32)
    found[rows >= 0] = rig.uvs.coordinates[rows[rows >= 0]]
    return found


class MaterialSet:
    """The materials of a rig, with a texture on some parts.

    texture: a picture (h, w, 3), sRGB bytes or linear floats, for all skin; or such pictures by the names of parts.
    """

    def __init__(self, rig: Rig, texture: ArrayLike | Mapping[str, ArrayLike] | None = None) -> None:
        self._rig = rig
        self._covers: dict[tuple[tuple[str, ...], tuple[int, int]], Coverage] = {}
        self.of_triangle: Ints | None = None  # (t,) the material of each triangle; None: one for each part
        self.materials: tuple[ShadingMaterial, ...] = materials_of(rig.parts)
        if texture is not None:
            self.materials = self.with_texture(texture)

    def details(self, weights: Floats, before: Details | None = None, seconds: float = 0.0) -> Details:
        """Whose detail the textures show at slider values (n,), or (r, n) of each of the face's finest regions.

        There are none where textures do not change with the pose.
        before: the details so many seconds ago, from which they change gradually; None for a single picture.
        """
        return ()

    def at(self, weights: Floats, details: Details | None = None) -> tuple[ShadingMaterial, ...]:
        """The materials at slider values (n,), or (r, n), with details, or with those of a single picture."""
        return self.materials

    def with_texture(self, texture: ArrayLike | Mapping[str, ArrayLike]) -> tuple[ShadingMaterial, ...]:
        """The materials with a texture, or with several by the names of parts."""
        if self._rig.uvs is None:
            raise BadValue("the rig has no texture coordinates, so nothing says where a texture goes")
        names = tuple(part.name for part in self._rig.parts)
        if not isinstance(texture, Mapping):
            skin = tuple(name for name, made in zip(names, self.materials, strict=True) if made.wrap == SKIN.wrap)
            return self._textured(np.asarray(texture), skin or names)
        materials = self.materials
        for name, one in texture.items():
            if name not in names:
                raise UnknownName("part", name, names)
            changed = self._textured(np.asarray(one), (name,))
            materials = tuple(new if new.texture else old for new, old in zip(changed, materials, strict=True))
        return materials

    def _textured(self, picture: NDArray[np.generic], parts: tuple[str, ...]) -> tuple[ShadingMaterial, ...]:
        size = (picture.shape[0], picture.shape[1]) if picture.ndim == 3 else (1, 1)
        mipmap = Mipmap.of(picture, self._cover(parts, size))
        return tuple(
            textured(made, mipmap) if part.name in parts else made
            for part, made in zip(self._rig.parts, self.materials, strict=True)
        )

    def _cover(self, parts: tuple[str, ...], size: tuple[int, int]) -> Coverage:
        if (parts, size) not in self._covers:
            self._covers[parts, size] = Coverage.of(_inside(self._rig, parts, size))
        return self._covers[parts, size]


class DocumentMaterials(MaterialSet):
    """A document's own materials: textures that change with the pose, or the materials of its file."""

    def __init__(self, document: Document, height: int) -> None:
        """Height: of the pictures, in pixels."""
        super().__init__(document.rig)
        self._faces: dict[str, FaceTexture] = {}  # by the kind of texture; none: they do not change
        self._last: tuple[list[Floats], Details, tuple[ShadingMaterial, ...]] | None = None
        whole = document.textures
        if whole is not None and document.rig.uvs is not None:
            for kind in KINDS:
                if (own := whole.of_kind(kind)) is not None:
                    size = _size((own.neutral.width, own.neutral.height), height)
                    self._faces[kind] = FaceTexture(document, kind=kind, size=size)
            self._parts = textured_parts(document.rig, whole) or tuple(part.name for part in document.rig.parts)
        else:
            found: TriangleMaterials | None = triangle_materials(document)
            if found is not None:
                self.materials, self.of_triangle = found.materials, found.of_triangle

    def details(self, weights: Floats, before: Details | None = None, seconds: float = 0.0) -> Details:
        """Whose detail the textures show at slider values (n,): of colours, then of normals, then of roughness."""
        found: list[Detail] = []
        for face, start, stop in self._spans():
            given = _weights(face, weights)
            if before is None:
                found += face.blend.details(given)
            else:
                found += face.blend.details_after(before[start:stop], seconds, given)
        return tuple(found)

    def at(self, weights: Floats, details: Details | None = None) -> tuple[ShadingMaterial, ...]:
        """The materials at slider values (n,); textures are blended for them, unless they are the last ones' again."""
        if not self._faces:
            return self.materials
        shown = self.details(weights) if details is None else details
        given = [_weights(face, weights) for face in self._faces.values()]
        last = self._last  # another thread may replace it
        if last is not None and shown == last[1] and all(map(np.array_equal, given, last[0])):
            return last[2]
        of_kind = {
            kind: (own, shown[start:stop])
            for kind, own, (_, start, stop) in zip(self._faces, given, self._spans(), strict=True)
        }
        made = self._textured(self._faces["color"].blend(*of_kind["color"]), self._parts)
        for kind, name in (("normal", "slopes"), ("roughness", "roughnesses")):
            if kind in self._faces:
                made = self._with_map(made, name, self._faces[kind].blend.light(*of_kind[kind]))
        self._last = given, shown, made
        return made

    def _with_map(
        self, materials: tuple[ShadingMaterial, ...], name: str, numbers: Floats32
    ) -> tuple[ShadingMaterial, ...]:
        mipmap = Mipmap.of(numbers, self._cover(self._parts, (numbers.shape[0], numbers.shape[1])))
        fields: dict[str, Any] = {name: mipmap}
        return tuple(replace(made, **fields) if made.texture is not None else made for made in materials)

    def _spans(self) -> list[tuple[FaceTexture, int, int]]:
        """The textures of each kind, and which of all details are theirs."""
        ends = np.cumsum([0, *(face.blend.region_count for face in self._faces.values())]).tolist()
        return [(face, ends[i], ends[i + 1]) for i, face in enumerate(self._faces.values())]


def _weights(face: FaceTexture, sliders: Floats) -> Floats:
    return face.weights(sliders) if sliders.ndim == 1 else face.weights_within(sliders)


def _size(own: tuple[int, int], height: int) -> tuple[int, int]:
    """Width and height of a texture: its own, halved as long as the picture shows no less of it."""
    width, high = own
    while min(width, high) >= 2 * _FINE * height and min(width, high) > 64:
        width, high = width // 2, high // 2
    return width, high


def _inside(rig: Rig, parts: tuple[str, ...], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which texels (h, w) some parts show."""
    assert rig.uvs is not None
    first = rig.triangles[:, 0]
    chosen = np.zeros(len(first), bool)
    for part in rig.parts:
        if part.name in parts:
            chosen |= (first >= part.start) & (first < part.stop)
    found = np.zeros(size, bool)
    found.ravel()[Texels.of(rig.polygons, rig.uvs, size, chosen=chosen).at] = True
    return found
