"""Skeletons: which animation gives a mesh its weights, and where joints place it at rest."""

from __future__ import annotations

from typing import Any

from pxr import Gf, Usd, UsdSkel

from facewright.formats.usd_stage.output import Arrays, matrix

_PREDICATE = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)


class Bindings:
    """What skeletons do to the meshes of a stage."""

    def __init__(self, stage: Any) -> None:
        self._cache = UsdSkel.Cache()
        self._skeletons: dict[str, Any] = {}  # query of the skeleton of a mesh
        for prim in stage.Traverse(_PREDICATE):
            if prim.IsA(UsdSkel.Root):
                self._add(UsdSkel.Root(prim))

    def _add(self, root: Any) -> None:
        self._cache.Populate(root, _PREDICATE)
        for binding in self._cache.ComputeSkelBindings(root, _PREDICATE):
            query = self._cache.GetSkelQuery(binding.GetSkeleton())
            for target in binding.GetSkinningTargets():
                self._skeletons[str(target.GetPrim().GetPath())] = query

    def animation_of(self, prim: Any) -> str:
        """The path of the animation that is bound to a mesh; "" where none is."""
        query = self._skeletons.get(str(prim.GetPath()))
        animation = None if not query else query.GetAnimQuery()
        return str(animation.GetPrim().GetPath()) if animation else ""

    @property
    def bound(self) -> list[str]:
        """The paths of all animations that are bound, each once."""
        queries = [query.GetAnimQuery() for query in self._skeletons.values() if query]
        return list(dict.fromkeys(str(query.GetPrim().GetPath()) for query in queries if query))

    def describe_skin(self, prim: Any, places: Any, arrays: Arrays) -> dict[str, Any] | None:
        """How joints place a mesh at rest; None where they do not move it."""
        skeleton = self._skeletons.get(str(prim.GetPath()))
        skin = self._cache.GetSkinningQuery(prim) if skeleton else None
        if not skeleton or not skin or not skin.HasJointInfluences():
            return None
        influences = skin.ComputeJointInfluences(Usd.TimeCode.EarliestTime())
        joints = _rest(skeleton)
        if not influences or joints is None:
            return None
        indices, weights = influences
        order = skin.GetJointOrder() or skeleton.GetJointOrder()
        places_of = {str(name): joint for name, joint in zip(skeleton.GetJointOrder(), joints, strict=False)}
        ordered = [places_of.get(str(name), Gf.Matrix4d(1.0)) for name in order]
        return {
            "indices": arrays.add(indices, "joint indices") if len(indices) else None,
            "weights": arrays.add(weights, "joint weights") if len(weights) else None,
            "each": int(skin.GetNumInfluencesPerComponent()),
            "is_rigid": bool(skin.IsRigidlyDeformed()),
            "bind": matrix(skin.GetGeomBindTransform(Usd.TimeCode.EarliestTime())),
            "joints": [matrix(joint) for joint in ordered],
            "world": matrix(places.GetLocalToWorldTransform(skeleton.GetPrim())),
        }


def _rest(skeleton: Any) -> list[Any] | None:
    """Where joints at rest place what was bound to them; where they were bound if the file has no rest."""
    bind = skeleton.GetJointWorldBindTransforms()
    if not bind:
        return None
    rest = skeleton.ComputeJointSkelTransforms(Usd.TimeCode.EarliestTime(), True) if skeleton.HasRestPose() else None
    if not rest or len(rest) != len(bind):
        return [Gf.Matrix4d(1.0)] * len(bind)
    return [before.GetInverse() * after for before, after in zip(bind, rest, strict=True)]


def describe_animations(stage: Any, bindings: Bindings, arrays: Arrays) -> list[dict[str, Any]]:
    """All animations with weights of blend shapes, bound or not."""
    bound = bindings.bound
    animations = [prim for prim in stage.Traverse(_PREDICATE) if prim.IsA(UsdSkel.Animation)]
    return [_animation(prim, str(prim.GetPath()) in bound, arrays) for prim in animations]


def _animation(prim: Any, is_bound: bool, arrays: Arrays) -> dict[str, Any]:
    animation, path = UsdSkel.Animation(prim), str(prim.GetPath())
    names = [str(name) for name in animation.GetBlendShapesAttr().Get() or []]
    attribute = animation.GetBlendShapeWeightsAttr()
    rest, times, rows = attribute.Get(), [], []
    for time in attribute.GetTimeSamples():
        row = attribute.Get(time)
        if row is not None and len(row) == len(names):
            times.append(float(time))
            rows.append(memoryview(row))
    kinds = {(row.format, row.itemsize, row.shape) for row in rows}
    if len(kinds) != 1 or len(rows[0].shape or ()) != 1:
        times, rows = [], []
    joints = animation.GetRotationsAttr().GetNumTimeSamples() + animation.GetTranslationsAttr().GetNumTimeSamples()
    return {
        "path": path,
        "name": str(prim.GetDisplayName() or prim.GetName()),
        "is_bound": is_bound,
        "channels": names,
        "rest": arrays.add(rest, f"{path}: weights")
        if rest is not None and len(rest) == len(names) and names
        else None,
        "times": times,
        "weights": arrays.add_bytes(b"".join(rows), rows[0].format, (len(rows), len(names))) if rows else None,
        "moves_joints": joints > 1,
    }
