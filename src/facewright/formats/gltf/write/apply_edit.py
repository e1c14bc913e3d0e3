"""Writing an edit into a mesh of an opened file; all else of the mesh stays."""

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
from facewright.formats.gltf.geometry.normals import SmoothNormals, rotated
from facewright.formats.gltf.geometry.uvs import attribute, transform
from facewright.formats.gltf.write.mesh_edits import MeshEdit
from facewright.mesh.polygons import Polygons

_ROTATED = {"NORMAL": "VEC3", "TANGENT": "VEC4"}  # attributes that rotate with the surface


def apply_edit(asset: Asset, edit: MeshEdit, builder: Builder) -> None:
    """Write new positions, texture coordinates and targets into a mesh, where they are new."""
    writer = _MeshWriter(asset, edit, builder)
    for block in edit.source.geometry.blocks:
        primitives = [writer.mesh["primitives"][number] for number in block.primitives]
        old = primitives[0]
        attributes = old["attributes"] | writer.attributes(old, block)
        targets = writer.targets(old, block)
        for primitive in primitives:
            primitive["attributes"] = dict(attributes)
            primitive["targets"] = [dict(target) for target in targets]
            if not targets:
                del primitive["targets"]


class _MeshWriter:
    """Writes the new data of one mesh."""

    def __init__(self, asset: Asset, edit: MeshEdit, builder: Builder) -> None:
        self.asset, self.edit, self.builder = asset, edit, builder
        self.mesh: Json = asset.json["meshes"][edit.source.mesh]
        self.geometry = edit.source.geometry
        polygons = Polygons(self.geometry.weld.point[self.geometry.polygons.corners], self.geometry.polygons.counts)
        self.before = SmoothNormals(self.geometry.points, polygons.triangles)
        self.normals = self.before if edit.points is None else SmoothNormals(edit.points, polygons.triangles)

    def points_of(self, block: Block) -> Ints:
        return self.geometry.weld.point[block.start : block.stop]

    def attributes(self, primitive: Json, block: Block) -> Json:
        """The attributes that are new: positions, normals and tangents, texture coordinates."""
        found: Json = {}
        points = self.points_of(block)
        if self.edit.points is not None:
            found["POSITION"] = self.builder.attribute(self.edit.points[points], bounds=True)
            for name in _ROTATED:
                if name in primitive["attributes"]:
                    found[name] = self.builder.attribute(self._rotated(primitive, name, points))
        uvs = None if self.edit.uvs is None else self.edit.uvs[block.start : block.stop]
        if uvs is not None and not np.isnan(uvs).all():
            linear, offset = transform(self.asset.json, primitive)
            stored = (np.column_stack([uvs[:, 0], 1 - uvs[:, 1]]) - offset) @ np.linalg.inv(linear).T
            found[attribute(self.asset.json, primitive)] = self.builder.attribute(np.nan_to_num(stored))
        return found

    def _rotated(self, primitive: Json, name: str, points: Ints) -> Floats:
        vectors = self._vectors(primitive, name)
        vectors[:, :3] = rotated(vectors[:, :3], self.before.unit[points], self.normals.unit[points])
        lengths = np.linalg.norm(vectors[:, :3], axis=1, keepdims=True)
        vectors[:, :3] /= np.where(lengths > 0, lengths, 1)
        return vectors

    def _vectors(self, primitive: Json, name: str) -> Floats:
        return decode.numbers(self.asset, primitive["attributes"][name], _ROTATED[name])

    def targets(self, primitive: Json, block: Block) -> list[Json]:
        """The list of targets: old ones as they are, new ones with normals and tangents where the others have them."""
        old: list[Json] = primitive.get("targets", [])
        names = [name for name in _ROTATED if name in primitive["attributes"] and _has(old, name)]
        found = []
        for target in self.edit.targets:
            known = None if target.old is None else old[target.old]
            if known is not None and self.edit.points is None:
                found.append(known)
                continue
            moved = spread(target.offsets, self.points_of(block), len(self.normals.unit))
            new: Json = {"POSITION": self.builder.offsets(moved, size(block), bounds=True)}
            if known is not None and "POSITION" in known:
                new["POSITION"] = known["POSITION"]
            for name in names:
                change = self._change(primitive, name, target.offsets, block)
                new[name] = self.builder.offsets(change, size(block))
            found.append((known or {}) | new)
        return found

    def _change(self, primitive: Json, name: str, offsets: Rows, block: Block) -> Rows:
        """What a target adds to normals or tangents: each is rotated with its surface."""
        after = self.normals.moved(offsets)
        points = self.points_of(block)
        around = spread(after, points, len(self.normals.unit))
        base = self._rotated(primitive, name, points)[around.rows, :3]
        return Rows(around.rows, rotated(base, self.normals.unit[points[around.rows]], around.values) - base)


def _has(targets: list[Json], name: str) -> bool:
    """Whether targets carry an attribute; without any targets, normals are written."""
    return any(name in target for target in targets) if targets else name == "NORMAL"


def set_target_names(mesh: Json, names: list[str]) -> None:
    """Write the names of targets where programs look for them."""
    holders: list[Any] = [mesh]
    holders += [
        one for one in mesh["primitives"] if isinstance(one.get("extras"), dict) and "targetNames" in one["extras"]
    ]
    for holder in holders:
        set_extra(holder, "targetNames", list(names))
