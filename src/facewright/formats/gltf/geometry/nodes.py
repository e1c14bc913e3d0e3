"""The scene graph: which nodes are shown, in what order, and where they are in the world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.gltf.container.fields import Json, entries, entry, numbers, text, whole
from facewright.formats.gltf.vrm.versions import facing


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the scene."""

    index: int
    name: str  # its own, else that of the nearest named node above it, else empty
    world: Floats  # (4, 4) from its own space to the world's, where faces look at us


def scene_nodes(json: Json) -> list[Node]:
    """The nodes of the scene that is shown, parents before children, depth first."""
    count = len(entries(json, "nodes"))
    children = [_children(json, index, count) for index in range(count)]
    parent = _parents(children)
    _check_no_cycle(children, parent)
    roots = _scene_roots(json, parent)
    found: list[Node] = []
    waiting = [(index, "", facing(json)) for index in reversed(roots)]
    while waiting:
        index, above, matrix = waiting.pop()
        of = entry(json, "nodes", index)
        with np.errstate(all="ignore"):  # numbers that are too large are refused by the rig, in words
            world = matrix @ _local(of, f"node {index}")
        node = Node(index, text(of, "name", f"node {index}") or above, world)
        found.append(node)
        waiting += [(child, node.name, node.world) for child in reversed(children[index])]
    return found


def world_matrices(json: Json) -> list[Floats]:
    """From the space of each node to the world's (4, 4), also of nodes that no scene shows."""
    count = len(entries(json, "nodes"))
    children = [_children(json, index, count) for index in range(count)]
    parent = _parents(children)
    _check_no_cycle(children, parent)
    world = [np.eye(4)] * count
    waiting = [index for index, above in enumerate(parent) if above < 0]
    while waiting:
        index = waiting.pop()
        above = world[parent[index]] if parent[index] >= 0 else facing(json)
        with np.errstate(all="ignore"):
            world[index] = above @ _local(entry(json, "nodes", index), f"node {index}")
        waiting += children[index]
    return world


def _children(json: Json, index: int, count: int) -> list[int]:
    found = entries(entry(json, "nodes", index), "children")
    for child in found:
        if not isinstance(child, int) or isinstance(child, bool) or not 0 <= child < count:
            raise BadFile(f"node {index} has the child {child!r}; there are {count} nodes")
    return found


def _parents(children: list[list[int]]) -> list[int]:
    parent = [-1] * len(children)
    for index, listed in enumerate(children):
        for child in listed:
            if parent[child] >= 0:
                raise BadFile(
                    f"node {child} is a child of node {parent[child]} and of node {index}; a node has one parent"
                )
            parent[child] = index
    return parent


def _check_no_cycle(children: list[list[int]], parent: list[int]) -> None:
    waiting = [index for index, above in enumerate(parent) if above < 0]
    seen = len(waiting)
    while waiting:
        below = children[waiting.pop()]
        seen += len(below)
        waiting += below
    if seen < len(children):
        raise BadFile("some nodes are their own ancestors; the nodes of a scene form trees")


def _scene_roots(json: Json, parent: list[int]) -> list[int]:
    """The roots of the scene, or of everything where the file has no scene."""
    if not entries(json, "scenes"):
        return [index for index, above in enumerate(parent) if above < 0]
    scene = entry(json, "scenes", whole(json, "scene", "the file", 0))
    roots = entries(scene, "nodes")
    for root in roots:
        entry(json, "nodes", root)
        if parent[root] >= 0:
            raise BadFile(f"node {root} is listed as a root of the scene, but is a child of node {parent[root]}")
    if len(set(roots)) != len(roots):
        raise BadFile("the scene lists a node twice")
    return roots


def _local(node: Json, where: str) -> Floats:
    if "matrix" in node:
        return np.array(numbers(node, "matrix", where, (), count=16)).reshape(4, 4).T  # stored by columns
    local = np.eye(4)
    turn = _rotation(numbers(node, "rotation", where, (0, 0, 0, 1), count=4))
    local[:3, :3] = turn * numbers(node, "scale", where, (1, 1, 1), count=3)
    local[:3, 3] = numbers(node, "translation", where, (0, 0, 0), count=3)
    return local


def decomposed(matrix: list[float]) -> Json:
    """The translation, rotation and scale of a matrix as a node states it, by columns; what is sheared is lost."""
    from scipy.spatial.transform import Rotation

    world = np.array(matrix, np.float64).reshape(4, 4).T
    scale = np.linalg.norm(world[:3, :3], axis=0)
    scale[0] *= -1 if np.linalg.det(world[:3, :3]) < 0 else 1
    turn = Rotation.from_matrix(world[:3, :3] / np.where(scale == 0, 1.0, scale)).as_quat()
    return {"translation": world[:3, 3].tolist(), "rotation": turn.tolist(), "scale": scale.tolist()}


def _rotation(quaternion: list[float]) -> Floats:
    length = np.linalg.norm(quaternion)
    x, y, z, w = np.array(quaternion) / (length if length > 0 else 1.0)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
