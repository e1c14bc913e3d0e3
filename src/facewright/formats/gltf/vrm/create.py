"""A face as an avatar of VRM 1.0: the bones that the format asks for, by an adult's proportions, with the face on the
head. Nothing is skinned to them: the body is left to other programs.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import msgspec
import numpy as np

from facewright.document import Document
from facewright.errors import BadValue, FacewrightWarning
from facewright.formats.avatar_meta import AUTHOR, LICENCE
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extensions import declare
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.mesh import target_names
from facewright.formats.gltf.vrm.versions import ONE
from facewright.formats.gltf.vrm.write import write_expressions
from facewright.rig.head_rig import find_head_rig

_ADULT = 40.0  # size of a bust in centimetres, of which the places below are
# Bones with their parents and their places from that of the head, in centimetres; the arms are held out.
_BONES: dict[str, tuple[str, tuple[float, float, float]]] = {
    "hips": ("", (0.0, -72.0, -1.0)),
    "spine": ("hips", (0.0, -60.0, -2.0)),
    "chest": ("spine", (0.0, -40.0, -3.0)),
    "neck": ("chest", (0.0, -10.0, -2.0)),
    "head": ("neck", (0.0, 0.0, 0.0)),
}
_SIDED: dict[str, tuple[str, tuple[float, float, float]]] = {
    "UpperArm": ("chest", (17.0, -20.0, -2.0)),
    "LowerArm": ("UpperArm", (45.0, -20.0, -2.0)),
    "Hand": ("LowerArm", (70.0, -20.0, -2.0)),
    "UpperLeg": ("hips", (9.0, -77.0, -1.0)),
    "LowerLeg": ("UpperLeg", (9.0, -118.0, -1.0)),
    "Foot": ("LowerLeg", (9.0, -157.0, -3.0)),
}
_OF_MATERIALS = ("materialColorBinds", "textureTransformBinds", "materialValues")  # by numbers of another file


def as_avatar(asset: Asset, document: Document, name: str, *, has_author: bool = False) -> Asset:
    """The file of a face as an avatar. has_author: whether its author is stated afterwards."""
    json: Json = msgspec.json.decode(msgspec.json.encode(asset.json))
    if json.get("skins"):
        raise BadValue(
            "this character has a skeleton of its own, and nothing says which of its joints are the bones of an avatar:"
            " open an avatar (.vrm) and change it, or save a .glb file"
        )
    pivot = find_head_rig(document.rig).head if document.head is None else document.head.head
    scene = json["scenes"][json.get("scene", 0)]
    number = _add_bones(json, pivot, document.rig.size / _ADULT)
    face: Json = {"name": "face", "translation": (-pivot).tolist(), "children": scene["nodes"]}
    json["nodes"].append(face)
    json["nodes"][number["head"]]["children"] = [len(json["nodes"]) - 1]
    scene["nodes"] = [number["hips"]]
    declare(json, ONE)
    others = json.get("extensions")
    json["extensions"] = others if isinstance(others, dict) else {}  # a damaged file may have anything there
    json["extensions"][ONE] = {
        "specVersion": "1.0",
        "meta": {"name": name or "face", "authors": [AUTHOR], "licenseUrl": LICENCE},
        "humanoid": {"humanBones": {bone: {"node": node} for bone, node in number.items()}},
    }
    shown = {i: node for i, node in enumerate(json["nodes"]) if "mesh" in node}
    targets = {i: list(target_names(json["meshes"][node["mesh"]])) for i, node in shown.items()}
    expressions = tuple(
        replace(one, more={key: value for key, value in one.more.items() if key not in _OF_MATERIALS})
        for one in document.expressions
    )
    names = {i: node.get("name", "") for i, node in shown.items()}
    write_expressions(json, replace(document, expressions=expressions), targets, names)
    stated = "" if has_author else f"; its author is {AUTHOR!r}, and what is not permitted is forbidden"
    warnings.warn(
        f"a face alone is an avatar with an adult's bones and no body{stated}", FacewrightWarning, stacklevel=2
    )
    return replace(asset, json=json, raw=None)


def _add_bones(json: Json, pivot: np.ndarray, scale: float) -> dict[str, int]:
    """Add the bones as nodes; returns their numbers."""
    bones = dict(_BONES)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for name, (above, (x, y, z)) in _SIDED.items():
            parent = above if above in _BONES else f"{side}{above}"
            bones[f"{side}{name}"] = (parent, (sign * x, y, z))
    first = len(json["nodes"])
    number = {name: first + i for i, name in enumerate(bones)}
    for name, (above, place) in bones.items():
        start = np.zeros(3) if not above else pivot + scale * np.array(bones[above][1])
        node: Json = {"name": name, "translation": (pivot + scale * np.array(place) - start).tolist()}
        below = [number[child] for child, (parent, _) in bones.items() if parent == name]
        json["nodes"].append(node | ({"children": below} if below else {}))
    return number
