"""Giving a mesh of an opened file what a changed rig asks of it, and leaving the rest of it alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.accessors.encode import Builder
from facewright.formats.gltf.accessors.rows import Rows, spread
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import set_extra
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.mesh import Block, size
from facewright.formats.gltf.geometry.normals import Facing, turned
from facewright.formats.gltf.geometry.uvs import attribute, transform
from facewright.formats.gltf.write.mesh_edits import Wanted
from facewright.mesh.polygons import Polygons

_TURNING = {"NORMAL": "VEC3", "TANGENT": "VEC4"}  # attributes that turn with the surface


def remesh(asset: Asset, wanted: Wanted, builder: Builder) -> None:
    """Write new positions, texture coordinates and targets into a mesh, where they are new."""
    remesher = _Remesher(asset, wanted, builder)
    for block in wanted.source.geometry.blocks:
        primitives = [remesher.mesh["primitives"][number] for number in block.primitives]
        old = primitives[0]
        attributes = old["attributes"] | remesher.attributes(old, block)
        targets = remesher.targets(old, block)
        for primitive in primitives:
            primitive["attributes"] = dict(attributes)
            primitive["targets"] = [dict(target) for target in targets]
            if not targets:
                del primitive["targets"]


class _Remesher:
    """One mesh on its way."""

    def __init__(self, asset: Asset, wanted: Wanted, builder: Builder) -> None:
        self.asset, self.wanted, self.builder = asset, wanted, builder
        self.mesh: Json = asset.json["meshes"][wanted.source.mesh]
        self.geometry = wanted.source.geometry
        polygons = Polygons(self.geometry.weld.point[self.geometry.polygons.corners], self.geometry.polygons.counts)
        self.before = Facing(self.geometry.points, polygons.triangles)
        self.facing = self.before if wanted.points is None else Facing(wanted.points, polygons.triangles)

    def points_of(self, block: Block) -> Ints:
        return self.geometry.weld.point[block.start : block.stop]

    def attributes(self, primitive: Json, block: Block) -> Json:
        """The attributes that are new: positions, what turned with them, texture coordinates."""
        found: Json = {}
        points = self.points_of(block)
        if self.wanted.points is not None:
            found["POSITION"] = self.builder.attribute(self.wanted.points[points], bounds=True)
            for name in _TURNING:
                if name in primitive["attributes"]:
                    found[name] = self.builder.attribute(self._turned(primitive, name, points))
        uvs = None if self.wanted.uvs is None else self.wanted.uvs[block.start : block.stop]
        if uvs is not None and not np.isnan(uvs).all():
            linear, offset = transform(self.asset.json, primitive)
            stored = (np.column_stack([uvs[:, 0], 1 - uvs[:, 1]]) - offset) @ np.linalg.inv(linear).T
            found[attribute(self.asset.json, primitive)] = self.builder.attribute(np.nan_to_num(stored))
        return found

    def _turned(self, primitive: Json, name: str, points: Ints) -> Floats:
        vectors = self._vectors(primitive, name)
        vectors[:, :3] = turned(vectors[:, :3], self.before.unit[points], self.facing.unit[points])
        lengths = np.linalg.norm(vectors[:, :3], axis=1, keepdims=True)
        vectors[:, :3] /= np.where(lengths > 0, lengths, 1)
        return vectors

    def _vectors(self, primitive: Json, name: str) -> Floats:
        return decode.numbers(self.asset, primitive["attributes"][name], _TURNING[name])

    def targets(self, primitive: Json, block: Block) -> list[Json]:
        """The list of targets: old ones as they are, new ones with normals and tangents where the others have them."""
        old: list[Json] = primitive.get("targets", [])
        turning = [name for name in _TURNING if name in primitive["attributes"] and _has(old, name)]
        found = []
        for target in self.wanted.targets:
            known = None if target.old is None else old[target.old]
            if known is not None and self.wanted.points is None:
                found.append(known)
                continue
            moved = spread(target.offsets, self.points_of(block), len(self.facing.unit))
            fresh: Json = {"POSITION": self.builder.offsets(moved, size(block), bounds=True)}
            if known is not None and "POSITION" in known:
                fresh["POSITION"] = known["POSITION"]
            for name in turning:
                change = self._change(primitive, name, target.offsets, block)
                fresh[name] = self.builder.offsets(change, size(block))
            found.append((known or {}) | fresh)
        return found

    def _change(self, primitive: Json, name: str, offsets: Rows, block: Block) -> Rows:
        """What a target adds to normals or tangents: each is turned as the surface below it is."""
        after = self.facing.moved(offsets)
        points = self.points_of(block)
        around = spread(after, points, len(self.facing.unit))
        base = self._turned(primitive, name, points)[around.rows, :3]
        return Rows(around.rows, turned(base, self.facing.unit[points[around.rows]], around.values) - base)


def _has(targets: list[Json], name: str) -> bool:
    """Whether targets carry an attribute; where there are none yet, normals are wanted."""
    return any(name in target for target in targets) if targets else name == "NORMAL"


def set_target_names(mesh: Json, names: list[str]) -> None:
    """State the names where programs look for them."""
    holders: list[Any] = [mesh]
    holders += [
        one for one in mesh["primitives"] if isinstance(one.get("extras"), dict) and "targetNames" in one["extras"]
    ]
    for holder in holders:
        set_extra(holder, "targetNames", list(names))
