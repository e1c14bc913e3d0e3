"""A skinned mesh lies where its joints place it, as viewers show it, also where a file is quantised."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation
from tests.formats.gltf_files import Tiny, assert_same_document, errors, run_node

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats import gltf
from facewright.formats.gltf.read import SOURCE
from facewright.formats.registry import load_document, save
from facewright.rig import edit
from facewright.rig.evaluate import evaluate
from facewright.rig.shape import Shape
from facewright.samples.mask import mask

STEP = 1 / 32767  # of positions that are kept as 16-bit integers


def turned(angles: list[float], at: list[float], scale: float = 1.0) -> Floats:
    """A matrix that scales, turns and moves."""
    found = np.eye(4)
    found[:3, :3] = scale * Rotation.from_euler("xyz", angles, degrees=True).as_matrix()
    found[:3, 3] = at
    return found


class SkinnedFile:
    """A face of integers, which the inverse binds turn into lengths, on two joints that rest otherwise than bound."""

    def __init__(self) -> None:
        rng = np.random.default_rng(8)
        self.rig = mask(400)
        self.center, self.extent = self.rig.neutral.mean(axis=0), np.abs(self.rig.neutral).max() * 2
        self.stored = np.round((self.rig.neutral - self.center) / self.extent / STEP).astype(np.int16)
        self.target = np.round(rng.normal(0, 0.02, self.stored.shape) / STEP).astype(np.int16)
        share = rng.random(len(self.stored)).astype(np.float32)
        self.joints = np.tile([0, 1, 0, 0], (len(self.stored), 1))
        self.weights = np.column_stack([share, 1 - share, np.zeros((len(share), 2), np.float32)])
        self.bind = [turned([0, 0, 0], [1, 2, 3]), turned([20, 0, 5], [0, 1, 0])]
        self.rest = [turned([0, 10, 0], [1, 2.5, 3]), turned([20, 30, 5], [0, 1, 0.5], 1.1)]
        self.whole = turned([0, 0, 0], list(self.center), self.extent)  # from stored numbers to lengths

    def tiny(self) -> Tiny:
        tiny = Tiny(extensionsUsed=["KHR_mesh_quantization"], extensionsRequired=["KHR_mesh_quantization"])
        inverse = np.stack([(np.linalg.inv(bind) @ self.whole).T.ravel() for bind in self.bind])
        binds = tiny.accessor(inverse)
        tiny.json["skins"] = [{"joints": [1, 2], "inverseBindMatrices": binds}]
        tiny.mesh(
            np.zeros((1, 3)),
            self.rig.triangles,
            JOINTS_0=tiny.accessor(self.joints, "u1"),
            WEIGHTS_0=tiny.accessor(self.weights),
        )
        primitive = tiny.json["meshes"][0]["primitives"][0]
        primitive["attributes"]["POSITION"] = self._integers(tiny, self.stored)
        primitive["targets"] = [{"POSITION": self._integers(tiny, self.target)}]
        tiny.json["meshes"][0] |= {"extras": {"targetNames": ["smile"]}, "weights": [0.7]}
        matrices = [{"matrix": rest.T.ravel().tolist()} for rest in self.rest]
        root = {"name": "root", "children": [1, 2]}
        return tiny.nodes({"mesh": 0, "skin": 0, "translation": [50, 0, 0]}, *matrices, root)

    def placed(self, smile: float) -> Floats:
        """Where a viewer shows the points: the formula of the specification, point by point."""
        found = np.zeros(self.stored.shape)
        local = (self.stored + smile * self.target.astype(float)) * STEP
        for point, place in enumerate(np.column_stack([local, np.ones(len(local))])):
            for joint, weight in zip(self.joints[point], self.weights[point].astype(float), strict=True):
                matrix = self.rest[joint] @ np.linalg.inv(self.bind[joint]) @ self.whole
                found[point] += weight * (matrix @ place)[:3]
        return found

    @staticmethod
    def _integers(tiny: Tiny, values: Any) -> int:
        padded = np.zeros((len(values), 4), np.int16)  # elements begin at multiples of 4 bytes
        padded[:, :3] = values
        view = tiny.view(padded.tobytes(), byteStride=8)
        tiny.json["accessors"].append(
            {
                "bufferView": view, "componentType": 5122, "normalized": True, "count": len(values), "type": "VEC3",
                "min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist(),
            }
        )  # fmt: skip
        return len(tiny.json["accessors"]) - 1


@pytest.fixture(scope="module")
def made() -> SkinnedFile:
    return SkinnedFile()


@pytest.fixture
def file(made: SkinnedFile, tmp_path: Path) -> Path:
    return made.tiny().save(tmp_path / "skinned.glb")


def in_three(*files: Path) -> list[Floats]:
    """All places of files as three.js shows them."""
    lines = run_node("three_positions.mjs", *map(str, files))
    return [np.concatenate([mesh["places"] for mesh in json.loads(line)]) for line in lines]


def test_points_and_shapes_lie_where_the_joints_place_them(made: SkinnedFile, file: Path) -> None:
    document = gltf.FORMAT.read(file)
    size = document.rig.size
    np.testing.assert_allclose(document.rig.neutral, made.placed(0), rtol=0, atol=1e-6 * size)
    np.testing.assert_allclose(evaluate(document.rig, document.pose), made.placed(0.7), rtol=0, atol=1e-6 * size)
    assert errors(file) == []


def test_three_shows_the_same_places_before_and_after_saving(
    made: SkinnedFile, file: Path, shared_data: Path, tmp_path: Path
) -> None:
    document = gltf.FORMAT.read(file)
    save(document, tmp_path / "again.glb")
    saved = gltf.FORMAT.read(tmp_path / "again.glb")
    assert_same_document(document, saved)
    avatar = load_document(shared_data / "vrm" / "100Avatars_021_Polydancer.vrm", format="glb")
    avatar = replace(avatar, pose=np.full(len(avatar.rig.sliders), 0.3))
    save(avatar, tmp_path / "avatar.glb")
    ours, again, theirs = in_three(file, tmp_path / "again.glb", tmp_path / "avatar.glb")
    np.testing.assert_allclose(ours, made.placed(0.7), rtol=0, atol=1e-5 * document.rig.size)
    np.testing.assert_allclose(again, ours, rtol=0, atol=1e-5 * document.rig.size)
    facing = theirs * [-1, 1, -1]  # it is turned to us here
    apart, _ = cKDTree(facing).query(evaluate(avatar.rig, avatar.pose))
    assert np.max(apart) < 1e-5 * avatar.rig.size


def test_edits_come_back_through_the_joints(file: Path, tmp_path: Path) -> None:
    document = gltf.FORMAT.read(file)
    rng = np.random.default_rng(3)
    moved = document.rig.neutral + 0.01 * document.rig.size * rng.normal(size=document.rig.neutral.shape)
    rig = replace(document.rig, neutral=moved)
    rig = edit.add_shape(rig, Shape.from_dense("frown", 0.1 * rng.normal(size=moved.shape)))
    changed = replace(document, rig=rig, pose=np.array([0.7, 0.4]))
    save(changed, tmp_path / "edited.glb")
    saved = gltf.FORMAT.read(tmp_path / "edited.glb")
    assert SOURCE in saved.attachments
    np.testing.assert_allclose(saved.rig.neutral, moved, rtol=0, atol=1e-5 * rig.size)
    np.testing.assert_allclose(saved.rig.deltas(), rig.deltas(), rtol=0, atol=1e-5 * rig.size)
    assert errors(tmp_path / "edited.glb") == []
    (shown,) = in_three(tmp_path / "edited.glb")
    np.testing.assert_allclose(shown, evaluate(rig, changed.pose), rtol=0, atol=1e-5 * rig.size)


def test_joints_that_rest_as_bound_place_a_mesh_as_a_whole() -> None:
    """So that an ordinary character keeps its exact numbers."""
    made = SkinnedFile()
    made.rest, made.whole = made.bind, np.eye(4)
    document = _read(made.tiny())
    np.testing.assert_allclose(document.rig.neutral, made.stored * STEP, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"joints": []}, "has no joints"),
        ({"joints": [1]}, "its skin has 1"),
        ({"joints": [1, 2, 0]}, "fewer inverse bind matrices"),
        ({"joints": [1, 99]}, "99"),
    ],
)
def test_a_skin_that_cannot_be_says_why(made: SkinnedFile, change: dict[str, Any], words: str) -> None:
    tiny = made.tiny()
    tiny.json["skins"][0] |= change
    with pytest.raises(BadFile, match=words):
        _read(tiny)


def _read(tiny: Tiny) -> Document:
    return load_document(tiny.glb(), format="glb")
