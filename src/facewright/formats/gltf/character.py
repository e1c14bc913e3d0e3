"""The meshes that a file carries besides the face, as they are drawn, and the joints of its head that they follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, entries, text
from facewright.formats.gltf.geometry.joints import joint_nodes
from facewright.formats.gltf.geometry.parts import SourcePart, carried_nodes, carried_parts, source_parts
from facewright.formats.gltf.geometry.skin import bindings
from facewright.formats.gltf.materials.read import materials_of
from facewright.rig.character import CarriedMesh, Character
from facewright.rig.materials import Materials

_FOLLOWS = 1e-3  # of the face's vertices, at least, belong to the head; else its joint is not that of the face


def read_character(asset: Asset, glb: bytes, head: str, neck: str) -> Character:
    """The character around the face. head, neck: names of joints; without that of the head all turns with it."""
    follow = _Follow(asset, head, neck)
    with np.errstate(all="ignore"):  # numbers that are too large are refused by the mesh
        face = follow.shares_of(source_parts(asset)) if head else None
        parts = carried_parts(asset)
    if face is None or face[:, 0].mean() < _FOLLOWS:
        face, follow = None, _Follow(asset, "", "")
    materials = materials_of(asset, glb, carried_nodes(asset.json))
    meshes = tuple(_mesh(asset, part, rows, follow) for part, rows in _with_rows(parts, materials))
    return Character(meshes, materials, face)


def face_shares(asset: Asset, first: str, second: str) -> Floats:
    """Shares (v, 2) of two joints, and of those below them, in the vertices of the face."""
    return _Follow(asset, first, second).shares_of(source_parts(asset))


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
    """Shares of the head and of the neck in the points of meshes. Without a head joint all belongs to the head."""

    def __init__(self, asset: Asset, head: str, neck: str) -> None:
        self._asset, self._all = asset, not head
        nodes = joint_nodes(asset)
        self._head = _below(asset.json, nodes[head]) if head in nodes else set()
        self._neck = (_below(asset.json, nodes[neck]) if neck in nodes else set()) - self._head

    def shares_of(self, parts: Sequence[SourcePart]) -> Floats:
        """Shares (v, 2) of all points of parts, one part after the other."""
        return np.concatenate([self.shares(part) for part in parts])

    def shares(self, part: SourcePart) -> Floats:
        """Shares (p, 2) of the points of a part."""
        count, skin = len(part.geometry.weld.first), self._asset.json["nodes"][part.node].get("skin")
        if self._all:
            return np.tile([1.0, 0.0], (count, 1))
        if skin is None:
            return np.tile([float(part.node in self._head), float(part.node in self._neck)], (count, 1))
        listed = entries(self._asset.json["skins"][skin], "joints")
        joints, weights = bindings(self._asset, part.geometry, part.node, len(listed))
        groups = [np.isin(listed, list(group)) for group in (self._head, self._neck)]
        return np.stack([(weights * group[joints]).sum(axis=1) for group in groups], axis=1)


def _below(json: Json, index: int) -> set[int]:
    """A node and all below it."""
    found, waiting = set(), [index]
    while waiting:
        at = waiting.pop()
        found.add(at)
        waiting += json["nodes"][at].get("children", [])
    return found
