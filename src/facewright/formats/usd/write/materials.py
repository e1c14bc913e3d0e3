"""Materials as preview surfaces, with their base colour images beside the layer."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator

import numpy as np

from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.formats.channels.written import WrittenMesh
from facewright.formats.unique_names import unique
from facewright.formats.usd.write.mesh import MeshLook
from facewright.formats.usd.write.names import PrimNames
from facewright.formats.usd.write.text import Prim, Property, number, quoted, tuple_of
from facewright.image.file import ImageFile
from facewright.rig.materials import Material, default_material

TEXTURES = "textures"  # folder of the images, beside the layer or in the package
_SHOWN = {"image/png": ".png", "image/jpeg": ".jpg"}  # by every program that reads USD


class MaterialPrims:
    """The materials of a document as prims of a scope, and the images that they show."""

    def __init__(self, document: Document, scope: str, *, with_images: bool = True) -> None:
        self._materials, self._scope = document.materials, scope
        entries = () if document.materials is None else document.materials.entries
        self._titles = unique(one.name or "material" for one in entries)
        names = PrimNames()
        self._names = [names.add(title) for title in self._titles]
        self.images: dict[str, bytes] = {}  # by their paths from the layer
        self._paths = [self._path(entry) if with_images else "" for entry in entries]
        if not with_images and any(entry.image is not None for entry in entries):
            words = "a file object holds no image files beside the layer: left out; .usdz has them inside"
            warnings.warn(words, FacewrightWarning, stacklevel=4)

    def look(self, piece: WrittenMesh) -> MeshLook:
        """What the polygons of a part show."""
        materials = self._materials
        if materials is None:
            return MeshLook((), color=np.array(default_material(piece.part.name).color[:3]))
        of_polygon = materials.of_polygon[piece.order]
        rows = np.unique(of_polygon).tolist()
        shown = [(f"{self._scope}/{self._names[row]}", np.flatnonzero(of_polygon == row)) for row in rows]
        return MeshLook(shown, any(materials[row].double_sided for row in rows))

    def prims(self) -> Iterator[Prim]:
        """The materials, each with its shaders."""
        for entry, name, title, image in zip(
            self._materials or (), self._names, self._titles, self._paths, strict=True
        ):
            yield _material(entry, f"{self._scope}/{name}", title, image)

    def _path(self, entry: Material) -> str:
        if entry.image is None or self._materials is None:
            return ""
        image: ImageFile = self._materials.images[entry.image]
        if image.media not in _SHOWN:
            words = (
                f"an image is {image.media or 'of no known type'}, which other programs do not show in USD: left out"
            )
            warnings.warn(words, FacewrightWarning, stacklevel=5)
            return ""
        # Named by its content, a file beside the layer is never written over by another one.
        path = f"{TEXTURES}/{hashlib.sha256(image.data).hexdigest()[:16]}{_SHOWN[image.media]}"
        self.images[path] = image.data
        return path


def _material(entry: Material, path: str, title: str, image: str) -> Prim:
    see_through = entry.alpha_mode != "OPAQUE"
    red, green, blue, opacity = entry.color
    surface = [
        Property("uniform token info:id", '"UsdPreviewSurface"'),
        Property("color3f inputs:diffuseColor.connect", f"<{path}/image.outputs:rgb>")
        if image
        else Property("color3f inputs:diffuseColor", tuple_of((red, green, blue))),
        Property("float inputs:roughness", number(entry.roughness)),
        Property("float inputs:metallic", "0"),
    ]
    if see_through:
        connected = Property("float inputs:opacity.connect", f"<{path}/image.outputs:a>")
        surface.append(connected if image else Property("float inputs:opacity", number(opacity)))
    if entry.alpha_mode == "MASK":
        surface.append(Property("float inputs:opacityThreshold", number(entry.alpha_cutoff)))
    surface.append(Property("token outputs:surface"))
    shaders = [Prim("Shader", "surface", {}, surface)]
    if image:
        factors = (red, green, blue, opacity if see_through else 1.0)
        shaders += _texture(path, image, factors)
    connection = Property("token outputs:surface.connect", f"<{path}/surface.outputs:surface>")
    return Prim("Material", path.rpartition("/")[2], {"displayName": quoted(title)}, [connection], shaders)


def _texture(path: str, image: str, factors: tuple[float, ...]) -> list[Prim]:
    texture = [
        Property("uniform token info:id", '"UsdUVTexture"'),
        Property("asset inputs:file", f"@{image}@"),
        Property("float4 inputs:scale", tuple_of(factors)),
        Property("token inputs:sourceColorSpace", '"sRGB"'),
        Property("float2 inputs:st.connect", f"<{path}/st.outputs:result>"),
        Property("token inputs:wrapS", '"repeat"'),
        Property("token inputs:wrapT", '"repeat"'),
        Property("float outputs:a"),
        Property("float3 outputs:rgb"),
    ]
    reader = [
        Property("uniform token info:id", '"UsdPrimvarReader_float2"'),
        Property("string inputs:varname", '"st"'),
        Property("float2 outputs:result"),
    ]
    return [Prim("Shader", "image", {}, texture), Prim("Shader", "st", {}, reader)]
