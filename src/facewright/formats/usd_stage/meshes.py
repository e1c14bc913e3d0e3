"""Meshes of a stage: points, polygons, texture coordinates, blend shapes, skins, and where they are."""

from __future__ import annotations

from typing import Any

from pxr import Usd, UsdGeom, UsdSkel

from facewright.errors import BadFile
from facewright.formats.usd_stage.output import Arrays, matrix, numbers
from facewright.formats.usd_stage.shading import Shading
from facewright.formats.usd_stage.skeletons import Bindings

_MOST = 20_000  # meshes, and shapes of one
_UV_NAMES = ("st", "UVMap", "uv", "map1", "st0")
_UV_TYPES = ("texCoord2f[]", "float2[]", "texCoord2d[]", "double2[]", "texCoord2h[]", "half2[]")


def shown_meshes(stage: Any) -> list[Any]:
    """The meshes that a viewer draws, those of instances too, without what a point instancer scatters."""
    found, scattered = [], None
    for prim in stage.Traverse(Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)):
        if scattered is not None and prim.GetPath().HasPrefix(scattered):
            continue
        if prim.IsA(UsdGeom.PointInstancer):
            scattered = prim.GetPath()
        elif prim.IsA(UsdGeom.Mesh) and UsdGeom.Imageable(prim).ComputePurpose() not in ("guide", "proxy"):
            found.append(prim)
        if len(found) > _MOST:
            raise BadFile(f"there are more than {_MOST:,} meshes")
    return found


def value_of(attribute: Any) -> Any:
    """A value at rest: that without a time, else the first; None where there is none."""
    found = attribute.Get()
    return attribute.Get(Usd.TimeCode.EarliestTime()) if found is None else found


def describe_mesh(prim: Any, places: Any, bindings: Bindings, shading: Shading, arrays: Arrays) -> dict[str, Any]:
    mesh, path = UsdGeom.Mesh(prim), str(prim.GetPath())
    points = value_of(mesh.GetPointsAttr())
    if points is None:
        points = []
    channels = _channels(prim, path, arrays)
    return {
        "path": path,
        "name": title(prim),
        "points": arrays.add(points, f"{path}: points") if len(points) else None,
        "counts": _ints(mesh.GetFaceVertexCountsAttr(), path, arrays),
        "corners": _ints(mesh.GetFaceVertexIndicesAttr(), path, arrays),
        "holes": _ints(mesh.GetHoleIndicesAttr(), path, arrays),
        "left_handed": value_of(mesh.GetOrientationAttr()) == "leftHanded",
        "double_sided": bool(value_of(mesh.GetDoubleSidedAttr())),
        "hidden": UsdGeom.Imageable(prim).ComputeVisibility(Usd.TimeCode.EarliestTime()) == "invisible",
        "moving": mesh.GetPointsAttr().GetNumTimeSamples() > 1,
        "world": matrix(places.GetLocalToWorldTransform(prim)),
        "uvs": _uvs(prim, path, shading.primvar_of(prim), arrays),
        "channels": channels,
        "skin": bindings.describe_skin(prim, places, arrays),
        "animation": bindings.animation_of(prim),
        "materials": shading.of_mesh(prim, arrays),
    }


def title(prim: Any) -> str:
    """The name that a person gave a prim, else its own."""
    return str(prim.GetDisplayName() or prim.GetName())


def _ints(attribute: Any, path: str, arrays: Arrays) -> dict[str, Any] | None:
    found = value_of(attribute)
    return None if found is None or not len(found) else arrays.add(found, f"{path}: {attribute.GetName()}")


def _uvs(prim: Any, path: str, wanted: str, arrays: Arrays) -> dict[str, Any] | None:
    """Texture coordinates: those that the material asks for, or of a usual name, or the first."""
    primvars = UsdGeom.PrimvarsAPI(prim)
    known = [one for one in primvars.GetPrimvarsWithValues() if str(one.GetTypeName()) in _UV_TYPES]
    names = [str(one.GetPrimvarName()) for one in known]
    name = next((one for one in (wanted, *_UV_NAMES, *names) if one in names), None)
    if name is None:
        return None
    chosen = known[names.index(name)]
    values, rows = value_of(chosen.GetAttr()), chosen.GetIndices(Usd.TimeCode.EarliestTime())
    if values is None or not len(values):
        return None
    return {
        "values": arrays.add(values, f"{path}: {name}"),
        "rows": arrays.add(rows, f"{path}: {name}:indices") if chosen.IsIndexed() and rows else None,
        "interpolation": str(chosen.GetInterpolation()),
        "absent": int(chosen.GetUnauthoredValuesIndex()),
    }


def _channels(prim: Any, path: str, arrays: Arrays) -> list[dict[str, Any]]:
    binding = UsdSkel.BindingAPI(prim)
    names = value_of(binding.GetBlendShapesAttr()) or []
    targets = binding.GetBlendShapeTargetsRel().GetTargets()
    if len(names) > _MOST:
        raise BadFile(f"{path}: there are more than {_MOST:,} blend shapes")
    found = []
    for name, target in zip(names, targets, strict=False):
        shape = UsdSkel.BlendShape(prim.GetStage().GetPrimAtPath(target))
        if shape:
            found.append(_channel(str(name), shape, arrays))
    return found


def _channel(name: str, shape: Any, arrays: Arrays) -> dict[str, Any]:
    offsets, rows = value_of(shape.GetOffsetsAttr()), value_of(shape.GetPointIndicesAttr())
    between = []
    for one in shape.GetInbetweens():
        moved, weight = one.GetOffsets(), one.GetWeight()
        if moved is not None and weight is not None:
            label = one.GetAttr().GetDisplayName() or one.GetAttr().GetBaseName()
            entry = arrays.add(moved, f"{name}: an in-between") if len(moved) else None
            between.append({"name": str(label), "at": numbers(weight, 1, [0.0])[0], "offsets": entry})
    return {
        "name": name,
        "offsets": arrays.add(offsets, f"{name}: offsets") if offsets is not None and len(offsets) else None,
        "rows": arrays.add(rows, f"{name}: pointIndices") if rows is not None and len(rows) else None,
        "between": between,
    }
