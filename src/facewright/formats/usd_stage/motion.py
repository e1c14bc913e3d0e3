"""The motion of meshes as bodies: the head's, where all move together."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from pxr import Usd, UsdGeom

from facewright.formats.usd_stage.output import Arrays, matrix, numbers

_MOST = 2_000_000  # matrices
_FRAMES = 100_000
_AS_HEADS = ("xformOp:translate", "xformOp:rotateZXY")  # as we write them


def rest_time(meshes: list[Any]) -> Any:
    """The time at which meshes are at rest: none, unless something that moves has no value without a time."""
    for prim in _above(meshes):
        for operation in UsdGeom.Xformable(prim).GetOrderedXformOps():
            if operation.GetNumTimeSamples() and operation.GetAttr().Get() is None:
                return Usd.TimeCode.EarliestTime()
    return Usd.TimeCode.Default()


def describe_motion(meshes: list[Any], arrays: Arrays) -> dict[str, Any] | None:
    """How meshes move over time; None where nothing does."""
    moving = [prim for prim in _above(meshes) if UsdGeom.Xformable(prim).TransformMightBeTimeVarying()]
    if not moving:
        return None
    direct = _head(moving, meshes)
    if direct is not None:
        return {"direct": direct}
    times = _times(moving)
    if len(times) * len(meshes) > _MOST:
        return {"too_long": True}
    numbers_of: array[float] = array("d")
    for time in times:
        cache = UsdGeom.XformCache(Usd.TimeCode(time))
        for mesh in meshes:
            numbers_of.extend(matrix(cache.GetLocalToWorldTransform(mesh)))
    shape = len(times), len(meshes), 4, 4
    return {"times": times, "worlds": arrays.add_bytes(numbers_of.tobytes(), "d", shape)}


def _above(meshes: list[Any]) -> Iterator[Any]:
    """The meshes and all prims above them that can be placed, each once."""
    seen: set[str] = set()
    for prim in meshes:
        while prim and str(prim.GetPath()) not in seen:
            seen.add(str(prim.GetPath()))
            if prim.IsA(UsdGeom.Xformable):
                yield prim
            prim = prim.GetParent()


def _head(moving: list[Any], meshes: list[Any]) -> dict[str, Any] | None:
    """The samples of the one prim that moves, if it is above all meshes at the root, and turned as heads are."""
    prim = moving[0]
    path = prim.GetPath()
    above_all = len(moving) == 1 and all(mesh.GetPath().HasPrefix(path) and mesh != prim for mesh in meshes)
    operations = UsdGeom.Xformable(prim).GetOrderedXformOps()
    names = [str(one.GetOpName()) for one in operations]
    if not above_all or path.pathElementCount != 1 or names not in ([*_AS_HEADS], [_AS_HEADS[0]], [_AS_HEADS[1]]):
        return None
    found = {}
    for name, one in zip(names, operations, strict=True):
        rest = one.GetAttr().Get()
        if rest is None or numbers(rest, 3, [1.0] * 3) != [0.0] * 3:
            return None
        times = [float(time) for time in one.GetTimeSamples()]
        found[name] = {"times": times, "values": [numbers(one.Get(time), 3, [0.0] * 3) for time in times]}
    return found


def _times(moving: list[Any]) -> list[float]:
    """All keys, and all frames between them."""
    keys = sorted({float(time) for prim in moving for time in UsdGeom.Xformable(prim).GetTimeSamples()})
    if not keys:
        return []
    count = min(int(keys[-1] - keys[0]) + 1, _FRAMES)
    return sorted({*keys[:_FRAMES], *(keys[0] + n for n in range(count))})
