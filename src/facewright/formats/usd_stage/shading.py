"""Materials of meshes, as far as they are shown: preview surfaces with a base colour image."""

from __future__ import annotations

from typing import Any

from pxr import Sdf, Usd, UsdShade

from facewright.formats.usd_stage.output import Arrays, numbers

_SURFACE, _TEXTURE = "UsdPreviewSurface", "UsdUVTexture"
_GREY = [0.18, 0.18, 0.18]  # of a preview surface that states no colour


class Shading:
    """The materials of a stage, each described when a mesh first has it."""

    def __init__(self, stage: Any) -> None:
        self._stage = stage
        self.materials: dict[str, dict[str, Any]] = {}

    def of_mesh(self, prim: Any, arrays: Arrays) -> dict[str, Any]:
        """The material of a mesh, and those of some of its polygons."""
        binding = UsdShade.MaterialBindingAPI(prim)
        subsets = []
        for subset in binding.GetMaterialBindSubsets():
            rows = subset.GetIndicesAttr().Get(Usd.TimeCode.EarliestTime())
            material = self._bound(subset.GetPrim())
            if rows is not None and len(rows) and material and subset.GetElementTypeAttr().Get() in (None, "face"):
                subsets.append({"material": material, "polygons": arrays.add(rows, "polygons of a subset")})
        return {"whole": self._bound(prim), "subsets": subsets}

    def primvar_of(self, prim: Any) -> str:
        """The name of the texture coordinates that the material of a mesh asks for; "" where it does not say."""
        candidates = [prim, *(one.GetPrim() for one in UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets())]
        paths = filter(None, map(self._bound, candidates))
        return next((name for path in paths if (name := self.materials[path]["primvar"])), "")

    def _bound(self, prim: Any) -> str:
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        if not material:
            return ""
        path = str(material.GetPath())
        if path not in self.materials:
            self.materials[path] = _material(material)
        return path


def _material(material: Any) -> dict[str, Any]:
    surface, _, _ = material.ComputeSurfaceSource()
    prim = material.GetPrim()
    found: dict[str, Any] = {"name": str(prim.GetDisplayName() or prim.GetName()), "primvar": ""}
    if not surface or surface.GetIdAttr().Get() != _SURFACE:
        return found | {"color": [1.0, 1.0, 1.0], "opacity": 1.0, "roughness": 1.0, "cutoff": 0.0, "image": None}
    color, texture = _input(surface, "diffuseColor")
    opacity, mask = _input(surface, "opacity")
    factors = numbers(_input(texture, "scale")[0], 4, [1.0] * 4) if texture else [1.0] * 4
    return found | {
        "color": factors[:3] if texture else numbers(color, 3, _GREY),
        "opacity": (factors[3] if texture else 1.0) if mask else numbers(opacity, 1, [1.0])[0],
        "has_mask": bool(mask),
        "roughness": numbers(_input(surface, "roughness")[0], 1, [0.5])[0],
        "cutoff": numbers(_input(surface, "opacityThreshold")[0], 1, [0.0])[0],
        "image": _image(texture) if texture else None,
        "primvar": _primvar(texture) if texture else "",
    }


def _input(shader: Any, name: str) -> tuple[Any, Any]:
    """The value of an input, or the texture that gives it."""
    one = shader.GetInput(name)
    if not one:
        return None, None
    for attribute in one.GetValueProducingAttributes():
        source = UsdShade.Shader(attribute.GetPrim())
        if source and UsdShade.Output.IsOutput(attribute):
            return None, source if source.GetIdAttr().Get() == _TEXTURE else None
        return attribute.Get(Usd.TimeCode.EarliestTime()), None
    return None, None


def _image(texture: Any) -> dict[str, str] | None:
    """Where the image of a texture is: as the file says it, and as usd-core finds it."""
    asset, _ = _input(texture, "file")
    if not isinstance(asset, Sdf.AssetPath) or not asset.path:
        return None
    return {"path": str(asset.path), "resolved": str(asset.resolvedPath)}


def _primvar(texture: Any) -> str:
    """The name of the texture coordinates that a texture is looked up with."""
    one = texture.GetInput("st")
    for attribute in one.GetValueProducingAttributes() if one else ():
        reader = UsdShade.Shader(attribute.GetPrim())
        for _ in range(8):  # a transform may stand between
            name = reader.GetInput("varname") if reader else None
            if name:
                found, _ = _input(reader, "varname")
                return str(found or "")
            above = reader.GetInput("in") if reader else None
            sources = above.GetValueProducingAttributes() if above else []
            if not sources:
                break
            reader = UsdShade.Shader(sources[0].GetPrim())
    return ""
