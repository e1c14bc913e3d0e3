"""How near shapes that were transferred to a made avatar come to the person's own."""

import numpy as np
from scipy.spatial import cKDTree

import facewright as fw
from facewright.arrays import Floats, Ints
from tests.avatars import BONES, MadeAvatar
from tests.formats.gltf_files import Tiny


def error(made: MadeAvatar, found: fw.PerfectSync, shapes: list[str]) -> float:
    """The median over shapes of the error, as a share of the motion of the person's own shape."""
    rig = found.document.rig
    at = cKDTree(rig.neutral).query(made.positions)[1]
    apart = [
        np.linalg.norm(rig.shape(name).dense(rig.vertex_count)[at] - made.offsets(name))
        / np.linalg.norm(made.offsets(name))
        for name in shapes
    ]
    return float(np.median(apart))


def without_eyes(made: MadeAvatar, tiny: Tiny) -> Tiny:
    """The same without joints of the eyes, and without eyes."""
    for bone in ("leftEye", "rightEye"):
        del tiny.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"][bone]
        tiny.json["nodes"][BONES.index(bone)]["name"] = "other"
    eyes = np.isin(made.joints, [BONES.index("leftEye"), BONES.index("rightEye")])
    kept = made.triangles[~eyes[made.triangles].any(axis=1)]
    tiny.json["meshes"][0]["primitives"][0]["indices"] = tiny.accessor(kept.ravel(), "u2")
    return tiny


def rows_of(found: fw.PerfectSync, name: str, piece: tuple[Floats, Ints, Ints]) -> Ints:
    part = found.document.rig.part(name)
    own = found.document.rig.neutral[part.start : part.stop]
    return np.asarray(cKDTree(own).query(piece[0])[1] + part.start)


def lying_error(made: MadeAvatar, found: fw.PerfectSync, name: str, piece: tuple[Floats, Ints, Ints]) -> float:
    """The median over shapes of the error of a piece, as a share of the motion of the skin that it was made on."""
    rig, rows, apart = found.document.rig, rows_of(found, name, piece), []
    for shape in found.made:
        true = made.offsets_of(shape)[piece[2]]
        if np.linalg.norm(true, axis=1).max() > 5e-4:
            moved = rig.shape(shape).dense(rig.vertex_count)[rows]
            apart.append(np.linalg.norm(moved - true) / np.linalg.norm(true))
    return float(np.median(apart))
