"""Which meshes of a file are parts of the face, and their transforms."""

from __future__ import annotations

from dataclasses import dataclass

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.gltf.accessors.budget import Budget
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import HAD_TARGETS, JOINED, block_of
from facewright.formats.gltf.container.fields import Json, entries, text
from facewright.formats.gltf.geometry.mesh import MeshGeometry, read_mesh
from facewright.formats.gltf.geometry.nodes import Node, scene_nodes
from facewright.formats.gltf.geometry.placement import Placement
from facewright.formats.gltf.geometry.skin import skin_placement
from facewright.formats.unique_names import unique


@dataclass(frozen=True, eq=False)
class SourcePart:
    """A part of the rig: its node, its mesh and its geometry in the file."""

    name: str
    node: int
    mesh: int
    place: Placement  # from the mesh's space to the rig's
    geometry: MeshGeometry

    @property
    def points(self) -> Floats:
        """Positions (p, 3) in the rig's space."""
        return self.place.points(self.geometry.points)


def face_nodes(json: Json) -> list[Node]:
    """The nodes whose meshes are parts of the face, in the order of the scene.

    Meshes with targets, and rigid ones such as eyes and teeth. A skinned mesh without targets is the body, and is only
    carried, unless it was joined to the face: then it comes after the others, so that these keep their vertices. Where
    no mesh has targets, every mesh is a part. Of a mesh that several nodes show, the first is the part.
    """
    shown = _first_shown(json)
    if not shown:
        raise BadFile("no node of the scene has a mesh; a face needs at least one")
    chosen = [node for node in shown if _is_face(json, node) or not _is_skinned(json, node)]
    found = chosen if any(_is_face(json, node) for node in chosen) else shown
    return sorted(found, key=lambda node: joined_at(_mesh(json, node)))


def joinable_nodes(json: Json) -> list[Node]:
    """The nodes whose meshes can be joined to the face: skinned, and not shown by a part of the face as well."""
    taken = {json["nodes"][node.index]["mesh"] for node in face_nodes(json)}
    first = {node.index for node in _first_shown(json)}
    return [
        node
        for node in carried_nodes(json)
        if node.index in first and json["nodes"][node.index]["mesh"] not in taken and _is_skinned(json, node)
    ]


def joined_at(mesh: Json) -> int:
    """The place of a mesh among those that were joined to the face, from 1; 0 for other meshes."""
    stated = block_of(mesh).get(JOINED)
    return stated if type(stated) is int and stated > 0 else 0


def carried_nodes(json: Json) -> list[Node]:
    """The other nodes of the scene with a mesh: what is skinned and has no targets, and copies of meshes."""
    face = {node.index for node in face_nodes(json)}
    return [node for node in scene_nodes(json) if "mesh" in json["nodes"][node.index] and node.index not in face]


def carried_parts(asset: Asset) -> tuple[SourcePart, ...]:
    """The meshes of those nodes with their geometry."""
    chosen = carried_nodes(asset.json)
    names = unique(_name(asset.json, node) for node in chosen)
    budget = Budget(asset)
    return tuple(_part(asset, node, name, budget) for node, name in zip(chosen, names, strict=True))


def source_parts(asset: Asset) -> tuple[SourcePart, ...]:
    """The parts of the face with their geometry."""
    chosen = face_nodes(asset.json)
    names = unique(_name(asset.json, node) for node in chosen)
    budget = Budget(asset)
    return tuple(_part(asset, node, name, budget) for node, name in zip(chosen, names, strict=True))


def _first_shown(json: Json) -> list[Node]:
    first: dict[int, Node] = {}
    for node in scene_nodes(json):
        if "mesh" in json["nodes"][node.index]:
            first.setdefault(json["nodes"][node.index]["mesh"], node)
    return list(first.values())


def _part(asset: Asset, node: Node, name: str, budget: Budget) -> SourcePart:
    mesh = asset.json["nodes"][node.index]["mesh"]
    geometry = read_mesh(asset, mesh, budget)
    skinned = _is_skinned(asset.json, node)
    place = skin_placement(asset, node.index, geometry) if skinned else Placement(node.world)
    return SourcePart(name, node.index, mesh, place, geometry)


def _name(json: Json, node: Node) -> str:
    mesh = json["nodes"][node.index]["mesh"]
    return node.name or text(_mesh(json, node), "name", f"mesh {mesh}") or f"mesh {mesh}"


def _is_face(json: Json, node: Node) -> bool:
    """Whether a mesh has targets, or had some in a file that we wrote."""
    mesh = _mesh(json, node)
    is_marked = block_of(mesh).get(HAD_TARGETS) is True or joined_at(mesh) > 0
    return is_marked or bool(entries(mesh["primitives"][0], "targets"))


def _mesh(json: Json, node: Node) -> Json:
    found: Json = json["meshes"][json["nodes"][node.index]["mesh"]]
    return found


def _is_skinned(json: Json, node: Node) -> bool:
    return "skin" in json["nodes"][node.index]
