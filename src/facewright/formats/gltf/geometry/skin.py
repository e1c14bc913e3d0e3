"""Skins: joints place the points of a mesh, at rest as viewers show them; the transform of its node does not count."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, entries, entry
from facewright.formats.gltf.geometry.mesh import MeshGeometry, size
from facewright.formats.gltf.geometry.nodes import world_matrices
from facewright.formats.gltf.geometry.placement import Placement

_SAME = 1e-6  # of the largest number of a matrix: joints that place points alike


def skin_placement(asset: Asset, node: int, geometry: MeshGeometry) -> Placement:
    """Where the skin of a node places the points of its mesh.

    A point is at the weighted mean of joint world * inverse bind * point. Files whose joints rest as they were bound
    have the same matrix for all joints, which is the identity, or that which undoes a quantisation.
    """
    matrices = joint_matrices(asset, asset.json["nodes"][node]["skin"])
    joints, weights = bindings(asset, geometry, node, len(matrices))
    used = np.unique(joints[weights > 0])
    first = matrices[used[0]] if len(used) else matrices[0]
    if np.abs(matrices[used] - first).max(initial=0.0) <= _SAME * np.abs(first).max():
        return Placement(first)
    return Placement(np.einsum("pk,pkij->pij", weights, matrices[joints]))


def joint_matrices(asset: Asset, index: int) -> Floats:
    """Joint world * inverse bind (j, 4, 4) of a skin."""
    skin, where = entry(asset.json, "skins", index), f"skin {index}"
    joints = entries(skin, "joints")
    if not joints:
        raise BadFile(f"{where} has no joints")
    world = world_matrices(asset.json)
    for joint in joints:
        entry(asset.json, "nodes", joint)
    return np.stack([world[joint] for joint in joints]) @ _inverse_binds(asset, skin, len(joints), where)


def _inverse_binds(asset: Asset, skin: Json, joints: int, where: str) -> Floats:
    index = skin.get("inverseBindMatrices")
    if index is None:
        return np.tile(np.eye(4), (joints, 1, 1))
    if decode.count_of(asset, index) < joints:
        raise BadFile(f"{where} has {joints} joints, but fewer inverse bind matrices")
    stored = decode.numbers(asset, index, "MAT4")[:joints]
    return stored.reshape(-1, 4, 4).transpose(0, 2, 1)  # stored by columns


def bindings(asset: Asset, geometry: MeshGeometry, node: int, count: int) -> tuple[Ints, Floats]:
    """Joints (p, k) of each point and their weights, which add up to 1."""
    primitives = asset.json["meshes"][asset.json["nodes"][node]["mesh"]]["primitives"]
    found = [_of_primitive(asset, primitives[block.primitives[0]], size(block)) for block in geometry.blocks]
    width = max(joints.shape[1] for joints, _ in found)
    joints = np.concatenate([np.pad(one, ((0, 0), (0, width - one.shape[1]))) for one, _ in found])
    weights = np.concatenate([np.pad(one, ((0, 0), (0, width - one.shape[1]))) for _, one in found])
    joints, weights = joints[geometry.weld.first], weights[geometry.weld.first]
    if (joints[weights > 0] >= count).any():
        raise BadFile(f"node {node}: its mesh names joint {joints[weights > 0].max()}; its skin has {count}")
    joints = np.where(weights > 0, joints, 0)
    sums = weights.sum(axis=1, keepdims=True)
    weights = np.where(sums > 0, weights / np.where(sums > 0, sums, 1), 0)
    weights[(sums == 0)[:, 0], 0] = 1  # as viewers do: the first joint
    return joints, weights


def _of_primitive(asset: Asset, primitive: Json, vertices: int) -> tuple[Ints, Floats]:
    joints: list[Ints] = []
    weights: list[Floats] = []
    attributes = primitive["attributes"]
    while f"JOINTS_{len(joints)}" in attributes and f"WEIGHTS_{len(joints)}" in attributes:
        number = len(joints)
        for name in (f"JOINTS_{number}", f"WEIGHTS_{number}"):
            if decode.count_of(asset, attributes[name]) != vertices:
                raise BadFile(f"{name} of a primitive has another count than its {vertices} positions")
        joints.append(decode.elements(asset, attributes[f"JOINTS_{number}"], "VEC4").astype(np.int64))
        weights.append(np.maximum(decode.numbers(asset, attributes[f"WEIGHTS_{number}"], "VEC4"), 0))
    if not joints:
        return np.zeros((vertices, 1), np.int64), np.zeros((vertices, 1))
    if (found := np.concatenate(joints, axis=1)).min(initial=0) < 0:
        raise BadFile("a primitive names a joint below 0")
    return found, np.concatenate(weights, axis=1)
