"""Joints of head, neck and eyes are found by the names that programs give them, by what a VRM says, and by the skin."""

import pytest

from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.geometry.joints import joint_nodes, joint_roles

RIGS = {
    "Mixamo": ("mixamorig:Head", "mixamorig:Neck", "mixamorig:LeftEye", "mixamorig:RightEye"),
    "Reallusion": ("CC_Base_Head", "CC_Base_NeckTwist01", "CC_Base_L_Eye", "CC_Base_R_Eye"),
    "MetaHuman": ("head", "neck_01", "FACIAL_L_Eye", "FACIAL_R_Eye"),
    "Rigify": ("DEF-spine.006", "DEF-spine.004", "DEF-eye.L", "DEF-eye.R"),
    "VRoid": ("J_Bip_C_Head", "J_Bip_C_Neck", "J_Adj_L_FaceEye", "J_Adj_R_FaceEye"),
    "plain": ("Head", "Neck", "eye_left", "eye_right"),
}


def character(*names: str) -> Asset:
    """Joints one above the other, hips first, eyes below the head, and ends that are no heads."""
    head, neck, left, right = names
    listed = ["Hips", "HeadTop_End", "Foot.L", neck, head, left, right, "forehead"]
    children = {0: [2, 3], 3: [4], 4: [1, 5, 6, 7]}
    nodes = [{"name": name, **({"children": children[i]} if i in children else {})} for i, name in enumerate(listed)]
    return Asset({"nodes": nodes, "scenes": [{"nodes": [0]}], "skins": [{"joints": list(range(len(nodes)))}]}, b"")


@pytest.mark.parametrize("program", RIGS)
def test_joints_are_found_by_the_names_of_a_program(program: str) -> None:
    head, neck, left, right = RIGS[program]
    found = joint_roles(character(head, neck, left, right))
    assert found == {"head": head, "neck": neck, "leftEye": left, "rightEye": right}


@pytest.mark.parametrize("extension", ["VRM", "VRMC_vrm"])
def test_what_a_vrm_says_counts_more_than_names(extension: str) -> None:
    asset = character("Head", "Neck", "eyeL", "eyeR")
    old = [{"bone": "head", "node": 7}, {"bone": "neck", "node": 3}]
    bones = old if extension == "VRM" else {one["bone"]: {"node": one["node"]} for one in old}
    asset.json["extensions"] = {extension: {"humanoid": {"humanBones": bones}}}
    assert joint_roles(asset)["head"] == "forehead"


def test_a_joint_above_the_head_alone_is_the_neck_and_nodes_of_another_scene_are_none() -> None:
    asset = character("Head", "joint12", "a", "b")
    assert joint_roles(asset) == {"head": "Head", "neck": "joint12"}
    asset.json["nodes"].append({"name": "Head of another scene"})
    asset.json["skins"][0]["joints"].append(8)
    assert "Head of another scene" not in joint_nodes(asset)
