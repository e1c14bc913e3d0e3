"""Textures of shapes come back from every file that keeps them, and other programs see a plain, valid file."""

import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.gltf_files import Tiny, issues, pack, unpack, view_bytes
from tests.some import some

import facewright as fw
from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightWarning
from facewright.formats.registry import save_with
from facewright.formats.write_options import WriteOptions
from facewright.image.codec import encoded, pixels
from facewright.image.encoded import Encoded
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples import mask as generated
from facewright.samples import sample
from facewright.samples.skin.embedded import embedded_skin
from facewright.texture.face_texture import FaceTexture, textures_of

RNG = np.random.default_rng(0)
NEUTRAL, SMILE, FROWN = (RNG.integers(0, 256, (32, 48, 3), dtype=np.uint8) for _ in range(3))
KTX2 = Encoded(b"\xabKTX 20\xbb\r\n\x1a\n" + struct.pack("<IIIII", 0, 1, 48, 32, 0) + bytes(41))


def face() -> Document:
    rig = generated(vertices=150, shapes=6, seed=2)
    names = rig.shape_names
    textures = Textures(
        encoded(NEUTRAL),
        (
            ShapeTexture(names[:2], encoded(SMILE, "image/jpeg")),
            ShapeTexture(names[2:3], encoded(FROWN, "image/webp")),
            ShapeTexture(names[3:4], encoded(NEUTRAL)),
            ShapeTexture(names[4:5], KTX2),
        ),
        encoded(NEUTRAL[..., 0]),
        ("face",),
    )
    return Document(rig, textures=textures)


def grave(path: Path) -> list[Any]:
    """The validator's errors and warnings."""
    return [message for message in issues(path)[0]["messages"] if message["severity"] <= 1]


@pytest.mark.parametrize("suffix", [".fwface", ".glb", ".gltf"])
def test_textures_come_back_from_a_file_byte_for_byte(tmp_path: Path, suffix: str) -> None:
    fw.save(face(), tmp_path / f"face{suffix}")
    assert fw.load_document(tmp_path / f"face{suffix}").textures == face().textures


def test_a_long_way_through_formats_neither_loses_nor_doubles_anything(tmp_path: Path) -> None:
    document = face()
    for step, suffix in enumerate([".glb", ".fwface", ".glb", ".gltf", ".glb", ".fwface", ".glb"]):
        path = tmp_path / f"{step}{suffix}"
        fw.save(document, path)
        document = fw.load_document(path)
        assert document.textures == face().textures
    assert (tmp_path / "6.glb").stat().st_size == (tmp_path / "0.glb").stat().st_size


def test_the_validator_finds_no_errors_and_no_warnings(tmp_path: Path) -> None:
    fw.save(face(), tmp_path / "face.glb")
    assert grave(tmp_path / "face.glb") == []


def test_a_file_of_webp_textures_alone_is_valid_too(tmp_path: Path) -> None:
    document = replace(face(), textures=Textures(encoded(NEUTRAL, "image/webp"), mask=KTX2))
    fw.save(document, tmp_path / "face.glb")
    assert grave(tmp_path / "face.glb") == []
    assert fw.load_document(tmp_path / "face.glb").textures == document.textures


def test_a_picture_that_is_used_twice_is_stored_once(tmp_path: Path) -> None:
    fw.save(face(), tmp_path / "face.glb")
    tree, _ = unpack((tmp_path / "face.glb").read_bytes())
    block = tree["extras"]["facewright"]["textures"]
    assert block["maps"][2]["picture"] == block["neutral"]
    fw.save(face(), tmp_path / "face.fwface")
    import zipfile

    names = [name for name in zipfile.ZipFile(tmp_path / "face.fwface").namelist() if name.startswith("textures/")]
    assert sorted(names) == [f"textures/{i}{s}" for i, s in enumerate((".png", ".jpg", ".webp", ".ktx2", ".png"), 1)]


def test_other_programs_see_the_neutral_as_the_skin_and_no_extension(tmp_path: Path) -> None:
    fw.save(face(), tmp_path / "face.glb")
    tree, _ = unpack((tmp_path / "face.glb").read_bytes())
    material = tree["materials"][tree["meshes"][0]["primitives"][0]["material"]]
    texture = tree["textures"][material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
    assert texture["source"] == tree["extras"]["facewright"]["textures"]["neutral"]["image"]
    assert "baseColorFactor" not in material["pbrMetallicRoughness"]
    assert set(tree.get("extensionsUsed", [])) <= {"FB_ngon_encoding"}
    document = fw.load_document(tmp_path / "face.glb")
    shown = some(document.materials).image(some(some(document.materials)[0].image))
    np.testing.assert_array_equal(pixels(shown.encoded()), NEUTRAL)


def test_parts_that_do_not_wear_the_texture_keep_their_materials(tmp_path: Path) -> None:
    rig = fw.sample()
    fw.save(Document(rig, textures=Textures(encoded(NEUTRAL), parts=("head",))), tmp_path / "head.glb")
    tree, _ = unpack((tmp_path / "head.glb").read_bytes())
    for node in tree["nodes"]:
        for primitive in tree["meshes"][node["mesh"]]["primitives"]:
            surface = tree["materials"][primitive["material"]]["pbrMetallicRoughness"]
            assert ("baseColorTexture" in surface) == (node["name"] == "head")
    assert grave(tmp_path / "head.glb") == []


def test_a_new_neutral_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    fw.save(face(), tmp_path / "one.glb")
    opened = fw.load_document(tmp_path / "one.glb")
    changed = replace(opened, textures=replace(some(opened.textures), neutral=encoded(SMILE)))
    fw.save(changed, tmp_path / "two.glb")
    again = fw.load_document(tmp_path / "two.glb")
    assert again.textures == changed.textures
    shown = some(again.materials).image(some(some(again.materials)[0].image))
    np.testing.assert_array_equal(pixels(shown.encoded()), SMILE)
    assert grave(tmp_path / "two.glb") == []


def test_textures_that_are_taken_away_leave_no_bytes_behind(tmp_path: Path) -> None:
    bare = replace(face(), textures=Textures(encoded(NEUTRAL), parts=("face",)))
    fw.save(bare, tmp_path / "bare.glb")
    fw.save(face(), tmp_path / "full.glb")
    opened = fw.load_document(tmp_path / "full.glb")
    fw.save(replace(opened, textures=bare.textures), tmp_path / "less.glb")
    assert (tmp_path / "less.glb").stat().st_size == (tmp_path / "bare.glb").stat().st_size


def foreign(tmp_path: Path) -> Path:
    """A file of another program: a textured face beside a textured box that is no part of it."""
    tiny = Tiny()
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    uvs: dict[str, Any] = {"TEXCOORD_0": tiny.accessor([[0.1, 0.1], [0.9, 0.1], [0.1, 0.9]])}
    skin = tiny.mesh(corners, [[0, 1, 2]], [[[0, 0, 0.1]] * 3], ["smile"], **uvs)
    box = tiny.mesh(corners, [[0, 1, 2]], **uvs)
    tiny.json["images"] = [
        {"bufferView": tiny.view(encoded(one).data), "mimeType": "image/png"} for one in (NEUTRAL, FROWN)
    ]
    tiny.json["textures"] = [{"source": 0}, {"source": 1}]
    tiny.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(2)]
    for mesh, material in ((skin, 0), (box, 1)):
        tiny.json["meshes"][mesh]["primitives"][0]["material"] = material
    return tiny.nodes({"mesh": skin, "name": "skin"}, {"mesh": box, "name": "box"}).save(tmp_path / "foreign.glb")


def test_a_foreign_files_own_images_stay_as_they_are(tmp_path: Path) -> None:
    document = fw.load_document(foreign(tmp_path))
    assert document.textures is None
    found = some(textures_of(document))
    np.testing.assert_array_equal(pixels(found.neutral), NEUTRAL)
    assert found.parts == ("skin",)
    with_smile = replace(document, textures=found.with_map(("smile",), encoded(SMILE)))
    fw.save(with_smile, tmp_path / "smiling.glb")
    before, after = (unpack((tmp_path / name).read_bytes())[0] for name in ("foreign.glb", "smiling.glb"))
    assert after["materials"] == before["materials"]
    assert after["textures"] == before["textures"]
    assert len(after["images"]) == 3  # the neutral is the one that was there
    assert fw.load_document(tmp_path / "smiling.glb").textures == with_smile.textures
    assert grave(tmp_path / "smiling.glb") == []


def test_a_file_without_any_texture_has_none(tmp_path: Path) -> None:
    fw.save(generated(vertices=150, shapes=2), tmp_path / "bare.glb")
    document = fw.load_document(tmp_path / "bare.glb")
    assert textures_of(document) is None
    with pytest.raises(BadValue, match="no textures"):
        FaceTexture(document)


@pytest.mark.parametrize(
    "block",
    [
        {"neutral": {"image": 99}},
        {"neutral": {"bufferView": 0}},
        {"neutral": "textures/1.png"},
        {"neutral": {"image": 0, "bufferView": 0}},
        {"neutral": {"image": -1}},
        {"maps": []},
        "no block",
        {"neutral": {"image": 0}, "maps": [{"shapes": [], "picture": {"image": 0}}]},
        {"neutral": {"image": 0}, "maps": [{"shapes": ["a"], "picture": {"image": 0}}] * 2},
    ],
)
def test_a_block_that_makes_no_sense_is_left_out_with_a_warning(tmp_path: Path, block: Any) -> None:
    fw.save(face(), tmp_path / "face.glb")
    tree, binary = unpack((tmp_path / "face.glb").read_bytes())
    tree["extras"]["facewright"]["textures"] = block
    (tmp_path / "odd.glb").write_bytes(pack(tree, binary))
    with pytest.warns(FacewrightWarning, match="textures of shapes are left out"):
        assert fw.load_document(tmp_path / "odd.glb").textures is None


@pytest.mark.parametrize(
    "text", ["{}", '{"neutral": "nowhere.png"}', '{"neutral": {"image": 0}}', '{"neutral": "document.json"}', "[]"]
)
def test_a_native_file_with_wrong_textures_is_refused_in_words(tmp_path: Path, text: str) -> None:
    import zipfile

    fw.save(face(), tmp_path / "face.fwface")
    with zipfile.ZipFile(tmp_path / "face.fwface") as old, zipfile.ZipFile(tmp_path / "odd.fwface", "w") as new:
        for name in old.namelist():
            new.writestr(name, text if name == "textures.json" else old.read(name))
    with pytest.raises(BadFile):
        fw.load_document(tmp_path / "odd.fwface")


def test_a_native_file_says_its_textures_in_readable_words(tmp_path: Path) -> None:
    import zipfile

    fw.save(face(), tmp_path / "face.fwface")
    said = json.loads(zipfile.ZipFile(tmp_path / "face.fwface").read("textures.json"))
    assert said["neutral"] == "textures/1.png"
    assert said["maps"][0]["shapes"] == list(face().rig.shape_names[:2])
    assert said["mask"] == "textures/5.png"


def test_a_picture_too_large_for_any_texture_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    from tests.image.test_codec import png_of

    with pytest.raises(BadFile, match="pixels are read"):
        Textures(Encoded(png_of(60_000, 60_000)))


def test_the_skin_of_the_embedded_head_is_a_material_that_every_program_shows(tmp_path: Path) -> None:
    rig = sample()
    document = Document(rig, textures=embedded_skin("default", rig), unit="cm")
    assert document.textures is not None
    assert document.textures.neutral.media == "image/webp"
    fw.save(document, tmp_path / "a.glb")
    assert grave(tmp_path / "a.glb") == []
    tree, _ = unpack((tmp_path / "a.glb").read_bytes())
    head = next(node for node in tree["nodes"] if node["name"] == "head")
    material = tree["materials"][tree["meshes"][head["mesh"]]["primitives"][0]["material"]]
    texture = tree["textures"][material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
    assert tree["images"][texture["source"]]["mimeType"] == "image/jpeg"
    assert "extensionsRequired" not in tree
    again = fw.load_document(tmp_path / "a.glb")
    assert again.textures == document.textures
    fw.save(again, tmp_path / "b.glb")  # nothing is there twice, and the picture is not made again
    assert (tmp_path / "b.glb").stat().st_size == pytest.approx((tmp_path / "a.glb").stat().st_size, rel=1e-3)
    assert len(unpack((tmp_path / "b.glb").read_bytes())[0]["images"]) == len(tree["images"])


def test_the_texture_of_a_pose_takes_the_place_of_the_neutrals_and_stays(tmp_path: Path) -> None:
    document, red = face(), encoded(np.full((8, 8, 3), (200, 30, 30), np.uint8))
    assert document.textures is not None
    save_with(document, tmp_path / "a.glb", WriteOptions(skin=red))
    again = fw.load_document(tmp_path / "a.glb")
    assert again.textures == document.textures
    fw.save(again, tmp_path / "b.glb")
    for name in ("a.glb", "b.glb"):
        tree, _ = unpack((tmp_path / name).read_bytes())
        (texture,) = tree["textures"]
        assert view_bytes((tmp_path / name).read_bytes(), tree["images"][texture["source"]]["bufferView"]) == red.data
    assert grave(tmp_path / "b.glb") == []
    green = encoded(np.full((8, 8, 3), (30, 200, 30), np.uint8))
    save_with(again, tmp_path / "c.glb", WriteOptions(skin=green))
    assert red.data not in (tmp_path / "c.glb").read_bytes()
    assert green.data in (tmp_path / "c.glb").read_bytes()
