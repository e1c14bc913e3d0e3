"""A character whose eyes are skinned to joints: an iris in the face itself, and eyeballs that the file carries."""

from pathlib import Path

import numpy as np
from tests.formats.gltf_files import Tiny

from facewright.samples.mask import mask

NECK, HEAD = np.array([0.0, -1.0, -0.1]), np.array([0.0, 0.5, 0.2])  # the head's place is from the neck
EYES = {"LeftEye": np.array([0.3, 0.7, -0.2]), "RightEye": np.array([-0.3, 0.7, -0.2])}  # from the head
JOINTS = ["Hips", "Neck", "Head", "LeftEye", "RightEye"]


class EyeJointFile:
    """looks: whether the face has shapes that move its irises, besides the joints."""

    def __init__(self, *, looks: bool = False) -> None:
        self.looks = looks
        self.face = mask(300)
        rng = np.random.default_rng(5)
        self.points = 0.1 * self.face.neutral
        self.ball = 0.1 * rng.normal(size=(24, 3)) + [0, 0, 0.4]  # in front of the face
        self.body = rng.normal(size=(30, 3)) - [0, 3, 0]

    @property
    def places(self) -> list[np.ndarray]:
        """Those of the joints in the scene."""
        head = NECK + HEAD
        return [np.zeros(3), NECK, head, *(head + at for at in EYES.values())]

    def iris(self, eye: int) -> np.ndarray:
        """Shares (v,) of an eye's joint in the vertices of the face: 1 near it, less around it."""
        away = np.linalg.norm((self.points - self.places[3 + eye])[:, :2], axis=1)
        return np.asarray(np.clip(1.6 - 4 * away, 0, 1))

    def tiny(self) -> Tiny:
        tiny = Tiny()
        count = self.face.vertex_count
        left, right = self.iris(0), self.iris(1)
        weights = np.stack([1 - left - right, left, right, np.zeros(count)], axis=1)
        targets, names = [np.full((count, 3), 0.1)], ["smile"]
        if self.looks:
            for name, iris in (("eyeLookOutLeft", left), ("eyeLookInRight", right)):
                targets.append(iris[:, None] * [0.2, 0.0, 0.0])
                names.append(name)
        tiny.mesh(self.points, self.face.triangles, targets, names,
                  JOINTS_0=tiny.accessor(np.tile([2, 3, 4, 0], (count, 1)), "u1"),
                  WEIGHTS_0=tiny.accessor(weights))  # fmt: skip
        for joint in (3, 4):
            self._skinned(tiny, self.ball + self.places[joint], [joint, 2, 0, 0], [0.9, 0.1, 0, 0])
        self._skinned(tiny, self.body, [0, 1, 2, 0], [0.5, 0.3, 0.2, 0])
        inverse = []
        for place in self.places:
            bind = np.eye(4)
            bind[:3, 3] = -place
            inverse.append(bind.T.ravel())
        tiny.json["skins"] = [{"joints": list(range(5)), "inverseBindMatrices": tiny.accessor(np.stack(inverse))}]
        meshes = ("Face", "ball left", "ball right", "Body")
        return tiny.nodes(
            {"name": "Hips", "children": [1]},
            {"name": "Neck", "children": [2], "translation": NECK.tolist()},
            {"name": "Head", "children": [3, 4], "translation": HEAD.tolist()},
            *({"name": name, "translation": at.tolist()} for name, at in EYES.items()),
            *({"name": name, "mesh": mesh, "skin": 0} for mesh, name in enumerate(meshes)),
        )

    def save(self, path: Path) -> Path:
        return self.tiny().save(path)

    @staticmethod
    def _skinned(tiny: Tiny, positions: np.ndarray, joints: list[int], weights: list[float]) -> None:
        count = len(positions)
        tiny.mesh(positions, np.arange(count).reshape(-1, 3),
                  JOINTS_0=tiny.accessor(np.tile(joints, (count, 1)), "u1"),
                  WEIGHTS_0=tiny.accessor(np.tile(weights, (count, 1))))  # fmt: skip
