"""Avatars made here: an embedded person as a skinned character in metres, with its vertices in another order."""

from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.rig.rig import Rig
from facewright.samples import sample
from tests.formats.gltf_files import Tiny

BONES = (
    "hips", "spine", "neck", "head", "leftEye", "rightEye", "leftUpperLeg", "leftLowerLeg", "leftFoot",
    "rightUpperLeg", "rightLowerLeg", "rightFoot", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm",
    "rightLowerArm", "rightHand",
)  # fmt: skip
PARENTS = {"spine": "hips", "neck": "spine", "head": "neck", "leftEye": "head", "rightEye": "head"}
HEIGHT, CM = 1.5, 0.01


class MadeAvatar:
    """A person whose vertices are in another order, with two expressions, a body, and joints for the eyes."""

    def __init__(self, person: str = "amara", seed: int = 3) -> None:
        self.person: Rig = sample(person)
        rng = np.random.default_rng(seed)
        self.order = rng.permutation(self.person.vertex_count)  # row of the avatar -> vertex of the person
        row = np.argsort(self.order)
        self.positions: Floats = self.person.neutral[self.order] * CM + [0.0, HEIGHT, 0.0]
        self.triangles = row[self.person.triangles]
        self.joints = self._joints()

    def _joints(self) -> Any:
        """The joint of each vertex: eyes, head, or the neck below the chin."""
        found = np.full(len(self.order), BONES.index("head"))
        for part in self.person.parts:
            inside = (self.order >= part.start) & (self.order < part.stop)
            for side in ("left", "right"):
                if "eye" in part.name and side in part.name:
                    found[inside] = BONES.index(f"{side}Eye")
        low = np.quantile(self.positions[:, 1], 0.02)
        found[self.positions[:, 1] < low] = BONES.index("neck")
        return found

    def _places(self) -> dict[str, Floats]:
        """Where joints are; others are at the hips."""
        middle = {
            side: self.positions[self.joints == BONES.index(f"{side}Eye")].mean(axis=0) for side in ("left", "right")
        }
        eyes = (middle["left"] + middle["right"]) / 2
        return {
            "hips": np.array([0.0, HEIGHT - 0.7, 0.0]), "spine": np.array([0.0, HEIGHT - 0.4, 0.0]),
            "neck": eyes - [0.0, 0.16, 0.09], "head": eyes - [0.0, 0.08, 0.07],
            "leftEye": middle["left"], "rightEye": middle["right"],
        }  # fmt: skip

    def offsets(self, shape: str) -> Floats:
        return self.person.shape(shape).dense(self.person.vertex_count)[self.order] * CM

    def tiny(self, shapes: tuple[str, ...] = ("jawOpen",)) -> Tiny:
        """A VRM 1.0 whose targets are named otherwise: shape_0 and so on."""
        tiny = Tiny(extensionsUsed=["VRMC_vrm"])
        names = [f"shape_{number}" for number in range(len(shapes))]
        joints = np.column_stack([self.joints, np.zeros((len(self.joints), 3), np.int64)])
        weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(self.joints), 1))
        tiny.mesh(
            self.positions, self.triangles, [self.offsets(shape) for shape in shapes], names,
            JOINTS_0=tiny.accessor(joints, "u1"), WEIGHTS_0=tiny.accessor(weights),
        )  # fmt: skip
        nodes: list[dict[str, Any]] = [{"name": f"J_{name}"} for name in BONES]
        for child in BONES[1:]:
            nodes[BONES.index(PARENTS.get(child, "hips"))].setdefault("children", []).append(BONES.index(child))
        places = self._places()
        for name, node in zip(BONES, nodes, strict=True):
            above = places.get(PARENTS.get(name, "hips"), places["hips"]) if name != "hips" else np.zeros(3)
            node["translation"] = (places.get(name, places["hips"]) - above).tolist()
        worlds = np.tile(np.eye(4), (len(BONES), 1, 1))
        worlds[:, 3, :3] = [-places.get(name, places["hips"]) for name in BONES]  # inverse, column by column
        tiny.json["skins"] = [{"joints": list(range(len(BONES))), "inverseBindMatrices": tiny.accessor(worlds)}]
        tiny.nodes(*nodes, {"mesh": 0, "skin": 0, "name": "face"})
        binds = {shape: [{"node": len(BONES), "index": i, "weight": 1.0}] for i, shape in enumerate(shapes)}
        presets = {"jawOpen": "aa", "eyeBlinkLeft": "blinkLeft", "eyeBlinkRight": "blinkRight"}
        tiny.json["extensions"] = {
            "VRMC_vrm": {
                "specVersion": "1.0",
                "meta": {"name": "made", "authors": ["us"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
                "humanoid": {"humanBones": {name: {"node": number} for number, name in enumerate(BONES)}},
                "expressions": {
                    "preset": {presets[shape]: {"morphTargetBinds": bind} for shape, bind in binds.items()}
                },
            }
        }
        return tiny
