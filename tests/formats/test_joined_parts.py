"""Meshes besides the face become parts of it: after the others, with their materials, and for good once saved."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from tests.avatars import MadeAvatar
from tests.formats.gltf_files import assert_same_document, pack

import facewright as fw
from facewright.formats.carried import CARRIED, carried
from facewright.formats.character import character_of
from facewright.formats.gltf.read import SOURCE
from facewright.formats.joined_parts import joinable_meshes, with_joined
from facewright.rig.edit.parts import extract_vertices
from facewright.rig.edit.shapes import add_shape
from facewright.rig.materials import Material, Materials
from facewright.rig.regions import Regions
from facewright.samples import mask
from facewright.workflow.edited_rig import with_edited_rig


def opened(folder: Path) -> fw.Document:
    """An avatar with brows and lashes that stand before the face in the file."""
    made = MadeAvatar()
    tiny = made.tiny()
    for number, name in enumerate(("brows", "lashes"), 1):
        made.add_lying_on(tiny, name, getattr(made, name)()[:2])
        tiny.json["meshes"][number]["primitives"][0]["material"] = number
    tiny.json["materials"] = [{"name": name} for name in ("skin", "brown", "black")]
    tiny.json["meshes"][0]["primitives"][0]["material"] = 0
    tiny.json["scenes"][0]["nodes"].reverse()
    return fw.load_document(tiny.save(folder / "made.vrm"))


def test_they_come_after_the_face_and_stay_there(tmp_path: Path) -> None:
    before = opened(tmp_path)
    nodes = joinable_meshes(before)
    assert [mesh.name for mesh in character_of(before).meshes] == ["lashes", "brows"]
    count = before.rig.vertex_count
    halves = sp.csr_array(np.stack([np.arange(count) % 2, np.arange(count) % 2 == 0]).astype(float))
    regions = Regions.of(halves, [[0, 0]], {(0,): "odd", (1,): "even", (0, 1): "all"})
    after = with_joined(replace(before, regions=regions), nodes)
    assert [part.name for part in after.rig.parts] == ["face", "lashes", "brows"]
    np.testing.assert_array_equal(after.rig.neutral[:count], before.rig.neutral)
    assert after.rig.shape_names == before.rig.shape_names
    assert after.regions is not None
    assert after.regions.vertex_count == after.rig.vertex_count
    assert character_of(after).meshes == ()
    assert before.materials is not None
    assert after.materials is not None
    shown = [after.materials[row].name for row in after.materials.of_polygon]
    assert shown[: len(before.rig.polygons)] == ["skin"] * len(before.rig.polygons)
    assert set(shown[len(before.rig.polygons) :]) == {"black", "brown"}
    assert joinable_meshes(after) == ()
    lift = fw.Shape(
        "lift", np.arange(count, after.rig.vertex_count), np.full((after.rig.vertex_count - count, 3), 0.01)
    )
    moved = with_edited_rig(after, add_shape(after.rig, lift))
    fw.save(moved, tmp_path / "joined.vrm")
    assert_same_document(moved, fw.load_document(tmp_path / "joined.vrm"), 1e-6)


def test_some_of_them_alone_and_the_others_later(tmp_path: Path) -> None:
    before = opened(tmp_path)
    lashes, brows = joinable_meshes(before)
    after = with_joined(with_joined(before, [brows]), [lashes])
    assert [part.name for part in after.rig.parts] == ["face", "brows", "lashes"]
    assert [part.name for part in with_joined(before, [lashes, brows]).rig.parts] == ["face", "lashes", "brows"]


def test_materials_that_were_changed_stay(tmp_path: Path) -> None:
    before = opened(tmp_path)
    green = Materials((Material("green", (0.0, 1.0, 0.0, 1.0)),), np.zeros(len(before.rig.polygons), int))
    after = with_joined(replace(before, materials=green), joinable_meshes(before))
    assert after.materials is not None
    assert [one.name for one in after.materials] == ["green", "brown", "black"]
    fw.save(after, tmp_path / "green.vrm")
    back = fw.load_document(tmp_path / "green.vrm").materials
    assert back is not None
    assert back[int(back.of_polygon[0])].name == "green"


def with_fewer_vertices(document: fw.Document) -> fw.Document:
    less = extract_vertices(document.rig, np.arange(document.rig.vertex_count - 1))
    return fw.Document(less, attachments=document.attachments)


def test_a_face_with_other_vertices_than_its_file_stays_as_it_is(tmp_path: Path) -> None:
    other = with_fewer_vertices(opened(tmp_path))
    assert len(joinable_meshes(other)) == 2
    assert with_joined(other, joinable_meshes(other)) is other


@pytest.mark.long  # a quicker one shows that nothing is joined to it
def test_a_face_with_other_vertices_than_its_file_gets_the_shapes_alone(tmp_path: Path) -> None:
    other = with_fewer_vertices(opened(tmp_path))
    jaw = replace(fw.sample(), shapes=(fw.sample().shape("jawOpen"),))
    made = fw.perfect_sync(other, template=jaw)
    assert (made.made, made.added.joined) == (("jawOpen",), ())


@pytest.mark.parametrize(
    "damage",
    [{"meshes": 3}, {"meshes": [{}]}, {"nodes": [{"mesh": 7}]}, {"nodes": [{"mesh": "a"}]}, {"animations": [3]}],
)
def test_of_a_damaged_file_nothing_is_joined_or_counted(damage: dict[str, object]) -> None:
    tree = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{}]}]} | damage  # fmt: skip
    face = fw.Document(mask(100, 3), attachments={SOURCE: pack(tree, b"")})
    assert joinable_meshes(face) == ()
    assert [carried(face, kind) for kind in CARRIED] == [0, 0, 0, 0]


def test_a_face_of_no_gltf_file_has_none() -> None:
    face = fw.Document(fw.sample())
    assert joinable_meshes(face) == ()
    assert with_joined(face, [0, 1]) is face
