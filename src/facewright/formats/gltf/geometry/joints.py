"""Which joints of a file are its head, neck and eyes: as a VRM says, by names of common rigs, or by its skin."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.errors import FacewrightError
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.nodes import scene_nodes
from facewright.rig.head_rig import JointRole

# Names without prefixes, separators and case: VRM and Unity, Mixamo, Reallusion, MetaHuman and Unreal, Rigify, VRoid.
_NAMES: dict[JointRole, tuple[str, ...]] = {
    "head": ("head", "spine006", "bipchead", "bip01head"),
    "neck": ("neck", "necktwist01", "neck01", "neck1", "spine004", "spine005", "bipcneck", "bip01neck", "necklower"),
    "leftEye": ("lefteye", "eyel", "leye", "eyeleft", "facialleye", "adjlfaceeye", "faceeyel", "leftfaceeye"),
    "rightEye": ("righteye", "eyer", "reye", "eyeright", "facialreye", "adjrfaceeye", "faceeyer", "rightfaceeye"),
}


EYES: tuple[JointRole, ...] = ("leftEye", "rightEye")


def joint_nodes(asset: Asset) -> dict[str, int]:
    """The nodes that can stand for a part of the head: joints of skins; in a file without skins, nodes above meshes."""
    nodes: list[Json] = asset.json.get("nodes", [])
    listed = _joints(asset.json) or [i for i, node in enumerate(nodes) if "mesh" not in node and _meshes(nodes, i)]
    shown = {node.index for node in scene_nodes(asset.json)}
    found: dict[str, int] = {}
    for index in dict.fromkeys(listed):
        name = nodes[index].get("name", "") if index in shown else ""
        if name:
            found.setdefault(name, index)
    return found


def joint_roles(asset: Asset) -> dict[JointRole, str]:
    """The names of the joints of head, neck and eyes, as far as they are found."""
    nodes = joint_nodes(asset)
    by_index = {index: name for name, index in nodes.items()}
    found: dict[JointRole, str] = {}
    for role, wanted in _NAMES.items():
        known = _of_vrm(asset.json, role)
        name = by_index.get(known, "") if known is not None else _named(nodes, wanted)
        if name and (role in EYES or _carries_all(asset.json, nodes[name])):
            found[role] = name
    if "head" not in found and (heaviest := _heaviest(asset)) in by_index:
        found["head"] = by_index[heaviest]
    if "head" in found and "neck" not in found:
        above = _parent(asset.json, nodes[found["head"]])
        if above in by_index and _is_between(asset.json, above):
            found["neck"] = by_index[above]
    return found


def joint_places(asset: Asset, names: Sequence[str]) -> dict[str, Floats]:
    """Where joints of skins are in the scene (3,)."""
    worlds = {node.index: node.world for node in scene_nodes(asset.json)}
    nodes, joints = joint_nodes(asset), set(_joints(asset.json))
    return {name: worlds[nodes[name]][:3, 3] for name in names if nodes.get(name) in joints}


def _joints(json: Json) -> list[int]:
    return [index for skin in json.get("skins", []) for index in skin.get("joints", [])]


def _meshes(nodes: Sequence[Json], index: int) -> set[int]:
    """The nodes with a mesh at or below a node."""
    found, waiting = set(), [index]
    while waiting:
        at = waiting.pop()
        found |= {at} if "mesh" in nodes[at] else set()
        waiting += nodes[at].get("children", [])
    return found


def _carries_all(json: Json, index: int) -> bool:
    """Whether a node of a file without skins moves the whole face; joints move what is skinned to them."""
    nodes = json["nodes"]
    return bool(_joints(json)) or _meshes(nodes, index) == {i for i, node in enumerate(nodes) if "mesh" in node}


def _named(nodes: Mapping[str, int], wanted: Sequence[str]) -> str:
    """The first joint whose name, without what programs put before it, is one of those wanted."""
    spelled = {name: _spelled(name) for name in nodes}
    for each in wanted:
        for name, spelling in spelled.items():
            if each in spelling:
                return name
    return ""


def _spelled(name: str) -> tuple[str, ...]:
    """A name in small letters and digits: whole, and without the prefix of a program."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    last = re.sub(r"[^a-z0-9]", "", re.sub(r"^.*[:|]", "", name).lower())
    bare = re.sub(r"^(?:mixamorig\d*|ccbase|def|org|metarig|armature|rig|bone|j(?=bip|adj))", "", last)
    return plain, last, bare


def _of_vrm(json: Json, role: JointRole) -> int | None:
    """The node that a VRM (0 or 1) names for a bone of the human."""
    extensions = json.get("extensions", {})
    old, new = (extensions.get(name, {}) for name in ("VRM", "VRMC_vrm"))
    humans = [one.get(part, {}).get("humanBones") for one, part in ((new, "humanoid"), (old, "humanoid"))
              if isinstance(one, dict) and isinstance(one.get(part, {}), dict)]  # fmt: skip
    for bones in humans:
        listed: Any = bones.items() if isinstance(bones, dict) else ()
        if isinstance(bones, list):
            listed = [(bone.get("bone"), bone) for bone in bones if isinstance(bone, dict)]
        for name, bone in listed:
            node = bone.get("node") if isinstance(bone, dict) else None
            if name == role and isinstance(node, int) and 0 <= node < len(json.get("nodes", [])):
                return node
    return None


def _heaviest(asset: Asset) -> int | None:
    """The joint that holds most of the vertices of the skinned meshes with targets."""
    total: dict[int, float] = {}
    for node in asset.json.get("nodes", []):
        if "skin" not in node or "mesh" not in node:
            continue
        joints = asset.json["skins"][node["skin"]].get("joints", [])
        for primitive in asset.json["meshes"][node["mesh"]]["primitives"]:
            attributes = primitive.get("attributes", {})
            if not primitive.get("targets") or not {"JOINTS_0", "WEIGHTS_0"} <= attributes.keys():
                continue
            try:
                which = decode.elements(asset, attributes["JOINTS_0"], "VEC4").astype(np.int64).ravel()
                weights = decode.numbers(asset, attributes["WEIGHTS_0"], "VEC4").ravel()
            except FacewrightError:  # refused, where it matters, by what reads the mesh
                continue
            sums = np.bincount(which.clip(0), weights, minlength=len(joints))[: len(joints)]
            for joint, weight in zip(joints, sums.tolist(), strict=False):
                total[joint] = total.get(joint, 0.0) + weight
    return max(total, key=lambda joint: total[joint]) if total else None


def _parent(json: Json, index: int) -> int | None:
    return next((i for i, node in enumerate(json.get("nodes", [])) if index in node.get("children", [])), None)


def _is_between(json: Json, index: int) -> bool:
    """Whether a joint has no other branch, so that it carries the head alone, and something carries it."""
    return len(json["nodes"][index].get("children", [])) == 1 and _parent(json, index) is not None
