"""What usd-core itself makes of a file: the vertices that its own evaluation of blend shapes and skins moves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pxr", reason="the package usd-core is not here: it is part of the extra usd")

from pxr import Gf, Usd, UsdGeom, UsdSkel


def opened(path: Path) -> Any:
    stage = Usd.Stage.Open(str(path))
    assert stage
    return stage


def meshes(stage: Any) -> list[Any]:
    predicate = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    return [prim for prim in stage.Traverse(predicate) if prim.IsA(UsdGeom.Mesh)]


def posed(path: Path, weights: Mapping[str, float] | None = None, time: float | None = None) -> np.ndarray:
    """World positions of all meshes, one after the other, for weights of channels or those of the animation."""
    stage, at = opened(path), Usd.TimeCode.Default() if time is None else Usd.TimeCode(time)
    cache, found = UsdSkel.Cache(), []
    root = next(UsdSkel.Root(prim) for prim in stage.Traverse() if prim.IsA(UsdSkel.Root))
    assert cache.Populate(root, Usd.PrimDefaultPredicate)
    skeletons = {
        target.GetPrim().GetPath(): cache.GetSkelQuery(binding.GetSkeleton())
        for binding in cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)
        for target in binding.GetSkinningTargets()
    }
    for prim in meshes(stage):
        points = UsdGeom.Mesh(prim).GetPointsAttr().Get()
        skin = cache.GetSkinningQuery(prim)
        if skin and skin.HasBlendShapes():
            given = weights
            if given is None:
                animation = skeletons[prim.GetPath()].GetAnimQuery()
                values = animation.ComputeBlendShapeWeights(at)
                given = dict(zip(map(str, animation.GetBlendShapeOrder()), values, strict=True))
            query = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(prim))
            order = [given.get(str(name), 0.0) for name in skin.GetBlendShapeOrder()]
            parts = query.ComputeSubShapeWeights(order)
            rows, offsets = query.ComputeBlendShapePointIndices(), query.ComputeSubShapePointOffsets()
            assert query.ComputeDeformedPoints(*parts, rows, offsets, points)
        found.append(placed(prim, np.array(points), at))
    return np.concatenate(found)


def baked(path: Path, time: float) -> np.ndarray:
    """World positions of all meshes at a time, with skins and shapes baked into the points."""
    stage = opened(path)
    assert UsdSkel.BakeSkinning(stage.Traverse(), Gf.Interval.GetFullInterval())
    return np.concatenate([placed(prim, np.array(UsdGeom.Mesh(prim).GetPointsAttr().Get(time)), Usd.TimeCode(time))
                           for prim in meshes(stage)])  # fmt: skip


def placed(prim: Any, points: np.ndarray, time: Any) -> np.ndarray:
    world = np.array(UsdGeom.XformCache(time).GetLocalToWorldTransform(prim))
    return np.asarray(points @ world[:3, :3] + world[3, :3])
