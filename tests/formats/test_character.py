"""Meshes besides the face are placed as a viewer would, and follow the joints that the controls of the head turn."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation
from tests.formats.gltf_files import Tiny, run_node

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.formats.character import character_of
from facewright.formats.gltf.read import SOURCE
from facewright.formats.registry import load_document, save
from facewright.formats.scale import scale_document
from facewright.rig.character import HeadTurn
from facewright.samples.mask import mask
from facewright.workflow.head_rig import with_head_rig

NECK, HEAD = np.array([0.0, -1.0, 0.1]), np.array([0.0, 0.5, 0.2])  # places of joints, the head's from the neck


class CharacterFile:
    """A face on the head, a body on chest, neck and head that was bound elsewhere, and a pair of glasses, twice."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        self.face, self.body = mask(200), rng.normal(size=(30, 3))
        self.weights = rng.dirichlet([1, 1, 1], 30).astype(np.float32)  # chest, neck, head
        self.bind = np.eye(4)
        self.bind[:3, :3] = Rotation.from_euler("y", 40, degrees=True).as_matrix()
        self.bind[:3, 3] = [3, 4, 5]

    @property
    def worlds(self) -> list[Floats]:
        """Those of chest, neck and head."""
        found = [np.eye(4) for _ in range(3)]
        found[1][:3, 3], found[2][:3, 3] = NECK, NECK + HEAD
        return found

    def tiny(self) -> Tiny:
        tiny = Tiny(materials=[{"name": "cloth", "alphaMode": "MASK", "alphaCutoff": 0.4, "doubleSided": True,
                                "extensions": {"KHR_materials_unlit": {}}}],
                    extensionsUsed=["KHR_materials_unlit"])  # fmt: skip
        ones = [np.tile([2, 0, 0, 0], (200, 1)), np.tile([1.0, 0, 0, 0], (200, 1))]
        count = self.face.vertex_count
        tiny.mesh(self.face.neutral, self.face.triangles, [np.full((count, 3), 0.1)], ["smile"],
                  JOINTS_0=tiny.accessor(np.tile(ones[0][:1], (count, 1)), "u1"),
                  WEIGHTS_0=tiny.accessor(np.tile(ones[1][:1], (count, 1))))  # fmt: skip
        padded = np.column_stack([self.weights, np.zeros(30, np.float32)])
        tiny.mesh(self.body, np.arange(30).reshape(-1, 3),
                  JOINTS_0=tiny.accessor(np.tile([0, 1, 2, 0], (30, 1)), "u1"),
                  WEIGHTS_0=tiny.accessor(padded))  # fmt: skip
        tiny.json["meshes"][1]["primitives"][0]["material"] = 0
        tiny.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        plain = tiny.accessor(np.stack([np.linalg.inv(world).T.ravel() for world in self.worlds]))
        moved = tiny.accessor(np.stack([(np.linalg.inv(world) @ self.bind).T.ravel() for world in self.worlds]))
        tiny.json["skins"] = [{"joints": [0, 1, 2], "inverseBindMatrices": plain},
                              {"name": "dress", "joints": [0, 1, 2], "inverseBindMatrices": moved}]  # fmt: skip
        return tiny.nodes(
            {"name": "Chest", "children": [1]},
            {"name": "Neck", "children": [2], "translation": NECK.tolist()},
            {"name": "Head", "children": [5, 6], "translation": HEAD.tolist()},
            {"name": "face", "mesh": 0, "skin": 0, "translation": [9, 9, 9]},
            {"name": "body", "mesh": 1, "skin": 1, "translation": [9, 9, 9]},
            {"name": "left glass", "mesh": 2, "translation": [0.3, 0, 0]},
            {"name": "right glass", "mesh": 2, "translation": [-0.3, 0, 0], "scale": [-1, 1, 1]},
        )

    def posed(self, turns: dict[str, Floats]) -> Floats:
        """The body by the specification's formula, point by point, with joints turned in their own frames."""
        chest, neck = np.eye(4), np.eye(4)
        neck[:3, :3], neck[:3, 3] = turns["neck"], NECK
        head = np.eye(4)
        head[:3, :3], head[:3, 3] = turns["head"], HEAD
        now = [chest, chest @ neck, chest @ neck @ head]
        found = np.zeros((30, 3))
        for point, place in enumerate(np.column_stack([self.body, np.ones(30)])):
            for joint in range(3):
                matrix = now[joint] @ np.linalg.inv(self.worlds[joint]) @ self.bind
                found[point] += float(self.weights[point, joint]) * (matrix @ place)[:3]
        return found


STILL = {"neck": np.eye(3), "head": np.eye(3)}


@pytest.fixture(scope="module")
def made() -> CharacterFile:
    return CharacterFile()


@pytest.fixture
def document(made: CharacterFile, tmp_path: Path) -> Document:
    return with_head_rig(load_document(made.tiny().save(tmp_path / "character.glb")))


def test_what_is_no_part_of_the_face_is_carried_with_its_material(document: Document) -> None:
    found = character_of(document)
    glass, body = found.meshes
    assert (glass.name, body.name, glass.skin, body.skin, body.joints) == ("right glass", "body", "", "dress", 3)
    assert body.extensions == ("KHR_materials_unlit",)
    assert found.materials is not None
    cloth = found.materials[int(body.material[0])]
    assert (cloth.name, cloth.alpha_mode, cloth.alpha_cutoff, cloth.double_sided) == ("cloth", "MASK", 0.4, True)
    assert [part.name for part in document.rig.parts] == ["left glass", "face"]


def test_carried_meshes_rest_where_joints_and_nodes_place_them(made: CharacterFile, document: Document) -> None:
    glass, body = character_of(document).meshes
    np.testing.assert_allclose(body.positions, made.posed(STILL), atol=1e-5)
    at = NECK + HEAD + [-0.3, 0, 0]
    np.testing.assert_allclose(glass.positions, at + np.array([[0, 0, 0], [-1, 0, 0], [0, 1, 0]]), atol=1e-6)


def test_carried_meshes_turn_with_head_and_neck_as_skins_do(made: CharacterFile, document: Document) -> None:
    controls = {"HeadYaw": 0.5, "HeadPitch": -0.2, "NeckRoll": 0.4}
    turns = {
        "head": Rotation.from_euler("YX", [0.5, -0.2]).as_matrix(),
        "neck": Rotation.from_euler("z", 0.4).as_matrix(),
    }
    turn, body = HeadTurn.of(controls, document.head), character_of(document).meshes[1]
    assert turn is not None
    np.testing.assert_allclose(turn.moved(body.positions, body.shares), made.posed(turns), atol=1e-5)
    assert np.abs(made.posed(turns) - made.posed(STILL)).max() > 0.1


def test_the_faces_own_vertices_follow_their_joints_and_all_of_them_without_a_head_joint(document: Document) -> None:
    assert document.head is not None
    assert character_of(document).face is None
    free = character_of(replace(document, head=replace(document.head, joints={})))
    assert free.face is None
    for every in (free, character_of(replace(document, head=None))):  # all turns as one piece
        np.testing.assert_allclose(every.meshes[1].shares, np.tile([1.0, 0.0, 0.0, 0.0], (30, 1)))


def test_carried_meshes_survive_a_fwface_and_a_change_of_unit(document: Document, tmp_path: Path) -> None:
    save(document, tmp_path / "kept.fwface")
    again = character_of(load_document(tmp_path / "kept.fwface"))
    for one, other in zip(character_of(document).meshes, again.meshes, strict=True):
        np.testing.assert_array_equal(one.positions, other.positions)
    larger = character_of(scale_document(document, 100.0))
    np.testing.assert_allclose(larger.meshes[1].positions, 100 * again.meshes[1].positions, rtol=1e-5, atol=1e-4)


def test_a_damaged_carried_mesh_is_left_out_in_words(made: CharacterFile, document: Document, tmp_path: Path) -> None:
    tiny = made.tiny()
    joints: Any = tiny.json["meshes"][1]["primitives"][0]["attributes"]["JOINTS_0"]
    tiny.json["accessors"][joints]["count"] = 29
    damaged = load_document(tiny.save(tmp_path / "damaged.glb"))
    with pytest.warns(FacewrightWarning, match="meshes besides the face are not drawn: JOINTS_0"):
        assert character_of(damaged).meshes == ()
    assert SOURCE in document.attachments


def test_three_shows_the_hands_of_a_robot_where_they_are_carried(shared_data: Path) -> None:
    path = shared_data / "gltf_samples" / "RobotExpressive.glb"
    shown = {mesh["name"]: mesh["places"] for mesh in json.loads(run_node("three_positions.mjs", str(path))[0])}
    document = load_document(path)
    meshes = character_of(document).meshes
    assert [mesh.name for mesh in meshes] == ["Hand.R", "Hand.L"]
    every = np.concatenate([np.asarray(places) for places in shown.values()])
    for mesh in meshes:
        assert np.max(cKDTree(every).query(mesh.positions)[0]) < 1e-5 * document.rig.size
