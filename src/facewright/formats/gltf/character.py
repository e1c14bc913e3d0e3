"""The meshes that a file carries besides the face, as they are drawn, and the joints of its head that they follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, entries, text
from facewright.formats.gltf.geometry.joints import EYES, joint_nodes
from facewright.formats.gltf.geometry.nodes import scene_nodes
from facewright.formats.gltf.geometry.parts import SourcePart, carried_nodes, carried_parts, source_parts
from facewright.formats.gltf.geometry.skin import bindings
from facewright.formats.gltf.materials.read import materials_of
from facewright.rig.character import CarriedMesh, Character
from facewright.rig.head_rig import ROLES, JointRole
from facewright.rig.materials import Materials

_FOLLOWS = 1e-3  # of the face's vertices, at least, belong to the head; else its joint is not that of the face


def read_character(asset: Asset, glb: bytes, joints: Mapping[JointRole, str]) -> Character:
    """The character around the face. joints: by name; without that of the head all turns with it."""
    follow = _Follow(asset, joints)
    with np.errstate(all="ignore"):  # numbers that are too large are refused by the mesh
        face = follow.shares_of(source_parts(asset))
        parts = carried_parts(asset)
        if face[:, 0].mean() < _FOLLOWS:
            follow = _Follow(asset, {role: name for role, name in joints.items() if role in EYES})
            face = follow.shares_of(source_parts(asset))
    materials = materials_of(asset, glb, carried_nodes(asset.json))
    meshes = tuple(_mesh(asset, part, rows, follow) for part, rows in _with_rows(parts, materials))
    is_plain = (face == [1, 0, 0, 0]).all()
    return Character(meshes, materials, None if is_plain else face, follow.eyes)


def face_shares(asset: Asset, joint: str) -> Floats:
    """Shares (v,) of a joint, and of those below it, in the vertices of the face."""
    return np.asarray(_Follow(asset, {"head": joint}).shares_of(source_parts(asset))[:, 0])


def _with_rows(parts: Sequence[SourcePart], materials: Materials | None) -> Iterator[tuple[SourcePart, Any]]:
    """Each mesh with the materials (t,) of its triangles."""
    start = 0
    for part in parts:
        polygons = part.geometry.polygons
        stop = start + len(polygons)
        of = np.zeros(len(polygons), np.int64) if materials is None else materials.of_polygon[start:stop]
        yield part, of[polygons.polygon_of_triangle]
        start = stop


def _mesh(asset: Asset, part: SourcePart, rows: Any, follow: _Follow) -> CarriedMesh:
    geometry, skin = part.geometry, asset.json["nodes"][part.node].get("skin")
    of = {} if skin is None else asset.json["skins"][skin]
    has_uvs = not np.isnan(geometry.uvs).all()
    return CarriedMesh(
        name=part.name,
        positions=part.points[geometry.weld.point],
        triangles=geometry.polygons.corners[geometry.polygons.triangle_corners],
        uvs=geometry.uvs if has_uvs else None,
        material=rows,
        shares=follow.shares(part)[geometry.weld.point],
        skin="" if skin is None else text(of, "name", f"skin {skin}") or f"skin {skin}",
        joints=len(entries(of, "joints")),
        extensions=_extensions(asset.json, part),
    )


def _extensions(json: Json, part: SourcePart) -> tuple[str, ...]:
    mesh = json["meshes"][part.mesh]
    used = [json["materials"][one["material"]] for one in mesh["primitives"] if "material" in one]
    holders = [json["nodes"][part.node], mesh, *mesh["primitives"], *used]
    return tuple(sorted({name for holder in holders if isinstance(given := holder.get("extensions"), dict)
                         for name in given}))  # fmt: skip


class _Follow:
    """Shares of head, neck and eyes in the points of meshes. Without a head joint all belongs to the head."""

    def __init__(self, asset: Asset, joints: Mapping[JointRole, str]) -> None:
        self._asset = asset
        nodes = joint_nodes(asset) if joints else {}
        below = {
            role: _below(asset.json, nodes[name]) if (name := joints.get(role, "")) in nodes else set[int]()
            for role in ROLES
        }
        self._all = not joints.get("head")
        self.eyes: dict[str, Floats] = {}  # places of their joints
        eyes: dict[str, set[int]] = {"Left": set(), "Right": set()}
        for role in EYES:
            if below[role] and (self._all or below[role] <= below["head"]):
                place = _place(asset, nodes[joints[role]])
                side = "Left" if place[0] > 0 else "Right"
                self.eyes[side], eyes[side] = place, below[role]
        self._groups = (below["head"], below["neck"] - below["head"], eyes["Left"], eyes["Right"])

    def shares_of(self, parts: Sequence[SourcePart]) -> Floats:
        """Shares (v, 4) of all points of parts, one part after the other."""
        return np.concatenate([self.shares(part) for part in parts])

    def shares(self, part: SourcePart) -> Floats:
        """Shares (p, 4) of the points of a part."""
        found = np.zeros((len(part.geometry.weld.first), 4))
        skin = self._asset.json["nodes"][part.node].get("skin")
        if not any(self._groups):
            pass
        elif skin is None:
            found[:] = [part.node in group for group in self._groups]
        else:
            listed = entries(self._asset.json["skins"][skin], "joints")
            joints, weights = bindings(self._asset, part.geometry, part.node, len(listed))
            for column, group in enumerate(self._groups):
                found[:, column] = (weights * np.isin(listed, list(group))[joints]).sum(axis=1)
        if self._all:
            found[:, :2] = 1.0, 0.0
        return found


def _place(asset: Asset, index: int) -> Floats:
    """Where a node is in the scene (3,)."""
    return next(np.array(node.world[:3, 3]) for node in scene_nodes(asset.json) if node.index == index)


def _below(json: Json, index: int) -> set[int]:
    """A node and all below it."""
    found, waiting = set(), [index]
    while waiting:
        at = waiting.pop()
        found.add(at)
        waiting += json["nodes"][at].get("children", [])
    return found
