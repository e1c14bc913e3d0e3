"""Materials are data of a document: read from glTF files, written into them, kept by .fwface files."""

import json
import warnings
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.gltf_files import Tiny, issues, unpack
from tests.some import some

import facewright as fw
from facewright.document import Document, PlacedPin, with_materials_of
from facewright.errors import BadFile, FacewrightWarning
from facewright.formats import parts
from facewright.formats.gltf.read import SOURCE
from facewright.image.codec import encoded, pixels
from facewright.image.encoded import Encoded
from facewright.image.file import ImageFile
from facewright.rig.materials import Material, Materials
from facewright.samples import mask

RNG = np.random.default_rng(0)
SKIN, CLOTH = (encoded(RNG.integers(0, 256, (8, 8, 3), dtype=np.uint8)).data for _ in range(2))
WEBP = encoded(RNG.integers(0, 256, (8, 8, 3), dtype=np.uint8), "image/webp").data
SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def file(tmp_path: Path) -> Path:
    """A face of two primitives with two materials, of which a box that is no part of the face has one, too."""
    tiny = Tiny()
    uvs: dict[str, Any] = {"TEXCOORD_0": tiny.accessor([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]])}
    face = tiny.mesh(SQUARE, [[0, 1, 2], [0, 2, 3]], [[[0, 0, 0.1]] * 4], ["smile"], **uvs)
    first = tiny.json["meshes"][face]["primitives"][0]
    tiny.json["meshes"][face]["primitives"].append({**first, "indices": tiny.accessor([0, 1, 3], "u2")})
    bones: dict[str, Any] = {
        "JOINTS_0": tiny.accessor([[0] * 4] * 4, "u1"),
        "WEIGHTS_0": tiny.accessor([[1, 0, 0, 0]] * 4),
    }
    body = tiny.mesh(SQUARE, [[0, 1, 2]], **uvs, **bones)
    tiny.json["images"] = [{"bufferView": tiny.view(one), "mimeType": "image/png"} for one in (SKIN, CLOTH)]
    tiny.json["textures"] = [{"source": 1}, {"source": 0}]
    tiny.json["materials"] = [
        {"name": "cloth", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extras": {"artist": "me"}},
        {
            "name": "skin",
            "pbrMetallicRoughness": {
                "baseColorTexture": {"index": 1},
                "baseColorFactor": [1, 0.5, 0.25, 0.75],
                "roughnessFactor": 0.25,
                "metallicFactor": 0.5,
            },
            "alphaMode": "MASK",
            "alphaCutoff": 0.125,
            "doubleSided": True,
            "emissiveFactor": [0, 0.1, 0],
        },
    ]
    for primitive, material in zip(tiny.json["meshes"][face]["primitives"], (1, 0), strict=True):
        primitive["material"] = material
    tiny.json["meshes"][body]["primitives"][0]["material"] = 0
    tiny.json["skins"] = [{"joints": [2]}]
    nodes = {"mesh": face, "name": "face"}, {"mesh": body, "name": "body", "skin": 0}, {"name": "bone"}
    return tiny.nodes(*nodes).save(tmp_path / "face.glb")


def opened(tmp_path: Path) -> Document:
    return fw.load_document(file(tmp_path))


def tree_of(document: Document, path: Path) -> dict[str, Any]:
    fw.save(document, path)
    return unpack(path.read_bytes())[0]


def changed(document: Document, row: int, **fields: Any) -> Document:
    materials = some(document.materials)
    entries = [replace(one, **fields) if i == row else one for i, one in enumerate(materials)]
    return replace(document, materials=replace(materials, entries=tuple(entries)))


def grave(path: Path) -> list[Any]:
    return [message for message in issues(path)[0]["messages"] if message["severity"] <= 1]


def same(one: Materials | None, other: Materials | None) -> bool:
    return one is not None and other is not None and one.same_as(other)


def test_a_file_gives_its_materials_with_what_polygons_have_them(tmp_path: Path) -> None:
    materials = some(opened(tmp_path).materials)
    assert list(materials) == [
        Material("cloth", image=1),
        Material("skin", (1.0, 0.5, 0.25, 0.75), 0.25, 0, "MASK", 0.125, True),
    ]
    assert materials.of_polygon.tolist() == [1, 1, 0]
    assert [image.data for image in materials.images] == [SKIN, CLOTH]
    np.testing.assert_array_equal(pixels(materials.image(0).encoded()), pixels(encoded_of(SKIN)))


def encoded_of(data: bytes) -> Encoded:
    return ImageFile("image/png", data).encoded()


def test_images_share_the_memory_of_the_file_that_the_document_carries(tmp_path: Path) -> None:
    document = opened(tmp_path)
    for one in (document, through_fwface(document, tmp_path)):
        assert all(image.container is one.attachments[SOURCE] for image in some(one.materials).images)


def through_fwface(document: Document, tmp_path: Path) -> Document:
    fw.save(document, tmp_path / "through.fwface")
    return fw.load_document(tmp_path / "through.fwface")


def test_an_image_that_cannot_be_used_is_refused_only_when_it_is_used(tmp_path: Path) -> None:
    tree, binary = unpack(file(tmp_path).read_bytes())
    tree["images"] = [{"uri": "data:image/png;base64,!!"}, {"uri": "data:image/tiff;base64,AAAA"}]
    (tmp_path / "odd.gltf").write_text(json.dumps({**tree, "buffers": [{**tree["buffers"][0], "uri": "a.bin"}]}))
    (tmp_path / "a.bin").write_bytes(binary)
    materials = some(fw.load_document(tmp_path / "odd.gltf").materials)
    assert [material.image for material in materials] == [1, 0]
    with pytest.raises(BadFile, match="begins with"):
        materials.image(0).encoded()
    with pytest.raises(BadFile, match=r"image/tiff; image/png, image/jpeg, image/webp, image/ktx2 are shown"):
        materials.image(1)
    with pytest.raises(BadFile, match="there are 2"):
        materials.image(2)


def test_a_change_is_written_into_the_file_and_all_else_of_the_material_stays(tmp_path: Path) -> None:
    document = opened(tmp_path)
    before = unpack(document.attachments[SOURCE])[0]
    after = tree_of(changed(document, 1, color=(0.5, 0.5, 0.5, 1.0), double_sided=False), tmp_path / "new.glb")
    assert after["materials"][0] == before["materials"][0]
    wanted = json.loads(json.dumps(before["materials"][1]))
    wanted["doubleSided"] = False
    wanted["pbrMetallicRoughness"]["baseColorFactor"] = [0.5, 0.5, 0.5, 1.0]
    assert after["materials"][1] == wanted
    for key in ("meshes", "images", "textures", "nodes", "skins"):
        assert after[key] == before[key]
    assert grave(tmp_path / "new.glb") == []


def test_a_material_that_the_body_has_too_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    document = opened(tmp_path)
    before = unpack(document.attachments[SOURCE])[0]
    after = tree_of(changed(document, 0, name="scarf", roughness=0.5, alpha_mode="BLEND"), tmp_path / "new.glb")
    assert after["materials"][:2] == before["materials"]
    scarf = after["materials"][2]
    assert (scarf["name"], scarf["alphaMode"], scarf["extras"]) == ("scarf", "BLEND", {"artist": "me"})
    assert scarf["pbrMetallicRoughness"] == {"baseColorTexture": {"index": 0}, "roughnessFactor": 0.5}
    assert [primitive["material"] for primitive in after["meshes"][0]["primitives"]] == [1, 2]
    assert after["meshes"][1] == before["meshes"][1]
    assert grave(tmp_path / "new.glb") == []


def test_another_image_is_added_once_and_one_of_the_file_is_used_where_it_is(tmp_path: Path) -> None:
    document = opened(tmp_path)
    other = changed(document, 1, image=1)
    assert tree_of(other, tmp_path / "new.glb")["materials"][1]["pbrMetallicRoughness"]["baseColorTexture"] == {
        "index": 0
    }
    images = (*some(document.materials).images, ImageFile("image/webp", WEBP))
    more = replace(document, materials=replace(some(document.materials), images=images))
    for row in (0, 1):
        more = changed(more, row, image=2)
    tree = tree_of(more, tmp_path / "webp.glb")
    assert len(tree["images"]) == 3
    assert tree["extensionsRequired"] == ["EXT_texture_webp"]
    assert grave(tmp_path / "webp.glb") == []
    again = fw.load_document(tmp_path / "webp.glb")
    assert [some(again.materials).images[some(material.image)].data for material in some(again.materials)] == [
        WEBP,
        WEBP,
    ]
    bare = changed(document, 1, image=None)
    assert "baseColorTexture" not in tree_of(bare, tmp_path / "bare.glb")["materials"][1]["pbrMetallicRoughness"]


def test_polygons_of_a_primitive_may_change_their_material_together(tmp_path: Path) -> None:
    document = opened(tmp_path)
    swapped = replace(document, materials=replace(some(document.materials), of_polygon=np.array([0, 0, 1])))
    tree = tree_of(swapped, tmp_path / "new.glb")
    again = fw.load_document(tmp_path / "new.glb")
    assert [some(again.materials)[row] for row in some(again.materials).of_polygon] == [
        some(document.materials)[row] for row in (0, 0, 1)
    ]
    assert "skins" in tree


def test_polygons_of_a_primitive_that_are_parted_need_a_new_file_which_has_the_materials(tmp_path: Path) -> None:
    document = opened(tmp_path)
    parted = replace(document, materials=replace(some(document.materials), of_polygon=np.array([1, 0, 0])))
    with pytest.warns(FacewrightWarning, match="its polygons have other materials"):
        fw.save(parted, tmp_path / "new.glb")
    again = fw.load_document(tmp_path / "new.glb")
    assert sorted(some(again.materials)[row].name for row in some(again.materials).of_polygon) == [
        "cloth",
        "cloth",
        "skin",
    ]
    assert sorted(image.data for image in some(again.materials).images) == sorted([SKIN, CLOTH])
    assert grave(tmp_path / "new.glb") == []


MATERIALS = st.lists(
    st.builds(
        Material,
        st.sampled_from(["", "skin", "a b"]),
        st.tuples(*[st.sampled_from([0.0, 0.25, 1.0])] * 4),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.sampled_from([None, 0, 1]),
        st.sampled_from(["OPAQUE", "BLEND"]),
        st.just(0.5),
        st.booleans(),
    ),
    min_size=1,
    max_size=4,
    unique=True,
)


@given(MATERIALS, st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_a_new_file_keeps_materials_vertices_and_pins_on_triangles(
    tmp_path_factory: pytest.TempPathFactory, listed: list[Material], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rig = mask(vertices=120, shapes=3, seed=1)
    rows = rng.integers(0, len(listed), len(rig.polygons))
    images = (ImageFile("image/png", SKIN), ImageFile("image/webp", WEBP))
    pins = tuple(
        PlacedPin(id=i, triangle=int(triangle), barycentric=(0.2, 0.3, 0.5))
        for i, triangle in enumerate(rng.integers(0, len(rig.triangles), 4))
    )
    document = Document(rig, materials=Materials(tuple(listed), rows, images), pins=pins)
    path = tmp_path_factory.mktemp("new") / "new.glb"
    fw.save(document, path)
    again = fw.load_document(path)
    np.testing.assert_array_equal(again.rig.neutral, rig.neutral.astype(np.float32))
    order = order_of(again, rig)
    for polygon, old in enumerate(order):
        given_, found = listed[rows[old]], some(again.materials)[some(again.materials).of_polygon[polygon]]
        assert replace(found, image=None) == replace(given_, image=None)
        assert (found.image is None) == (given_.image is None)
        if found.image is not None:
            assert some(again.materials).images[found.image].same_as(images[given_.image])
    for one, other in zip(pins, again.pins, strict=True):
        assert rig.triangles[one.triangle].tolist() == again.rig.triangles[other.triangle].tolist()


def order_of(again: Document, rig: fw.Rig) -> list[int]:
    """The polygon of the rig that each polygon of the other is."""
    place = {tuple(row.tolist()): i for i, row in enumerate(rig.polygons.rows())}
    assert len(place) == len(rig.polygons)
    return [place[tuple(row.tolist())] for row in again.rig.polygons.rows()]


def test_a_new_file_with_materials_and_images_passes_the_validator(tmp_path: Path) -> None:
    rig = mask(vertices=150, shapes=4, seed=2)
    listed = (Material("a", image=0), Material("b", (0.1, 0.2, 0.3, 1.0), image=1), Material())
    images = (ImageFile("image/png", SKIN), ImageFile("image/webp", WEBP))
    rows = np.arange(len(rig.polygons)) % 3
    fw.save(Document(rig, materials=Materials(listed, rows, images)), tmp_path / "new.glb")
    assert grave(tmp_path / "new.glb") == []


@pytest.mark.parametrize("carried", [True, False])
def test_a_native_file_keeps_materials_and_no_byte_twice(tmp_path: Path, carried: bool) -> None:
    document = opened(tmp_path)
    if not carried:
        images = tuple(ImageFile(image.media, image.data) for image in some(document.materials).images)
        document = replace(
            document, attachments={"a": b"b"}, materials=replace(some(document.materials), images=images)
        )
    again = through_fwface(document, tmp_path)
    assert same(again.materials, document.materials)
    assert again.attachments == document.attachments
    data = (tmp_path / "through.fwface").read_bytes()
    assert [data.count(image.data) for image in some(document.materials).images] == [1, 1]


def test_a_native_file_from_before_there_were_materials_gives_those_of_the_file_it_carries(tmp_path: Path) -> None:
    document = opened(tmp_path)
    fw.save(document, tmp_path / "new.fwface")
    with zipfile.ZipFile(tmp_path / "new.fwface") as new, zipfile.ZipFile(tmp_path / "old.fwface", "w") as old:
        for name in new.namelist():
            if name != "materials.json":
                old.writestr(name, new.read(name))
    assert same(fw.load_document(tmp_path / "old.fwface").materials, document.materials)


@pytest.mark.parametrize(
    "change",
    [
        {"polygons": [[0, 2]]},
        {"polygons": [[0, 2**62]]},
        {"polygons": [[0, 4], [1, -1]]},
        {"polygons": [[7, 3]]},
        {"images": []},
        {"images": [{"media": "image/png", "place": "gltf/source.glb", "start": 5, "stop": 10**9}] * 2},
        {"images": [{"media": "image/png", "place": "nowhere"}] * 2},
        {"materials": [{"color": [1, 2]}]},
        {"materials": 5},
    ],
)
def test_a_native_file_with_wrong_materials_is_refused_in_words(tmp_path: Path, change: dict[str, Any]) -> None:
    fw.save(opened(tmp_path), tmp_path / "new.fwface")
    with zipfile.ZipFile(tmp_path / "new.fwface") as new, zipfile.ZipFile(tmp_path / "odd.fwface", "w") as odd:
        for name in new.namelist():
            data = new.read(name)
            odd.writestr(name, json.dumps(json.loads(data) | change) if name == "materials.json" else data)
    with pytest.raises(BadFile):
        fw.load_document(tmp_path / "odd.fwface")


def test_materials_become_bytes_and_come_back(tmp_path: Path) -> None:
    document = opened(tmp_path)
    count = len(document.rig.polygons)
    for attachments in (document.attachments, {}):
        data = parts.materials_to_bytes(some(document.materials), attachments)
        again = parts.materials_from_bytes(data, count, attachments)
        assert same(again, document.materials)
        assert parts.materials_to_bytes(again, attachments) == data
        assert (SKIN in data) == (not attachments)
    data = parts.materials_to_bytes(some(document.materials), document.attachments)
    other = {SOURCE: document.attachments[SOURCE].replace(SKIN, CLOTH)}
    with pytest.raises(BadFile, match=r"belong to another gltf/source\.glb"):
        parts.materials_from_bytes(data, count, other)
    with pytest.raises(BadFile, match="no materials"):
        parts.materials_from_bytes(parts.attachments_to_bytes({"a": b""}), count, {})


def test_a_rig_of_other_polygons_has_none_of_the_materials(tmp_path: Path) -> None:
    document = opened(tmp_path)
    assert replace(document, rig=mask(vertices=120, shapes=2), pose=None).materials is None  # type: ignore[arg-type]
    assert with_materials_of(mask(vertices=120, shapes=2), document).materials is None
    moved = replace(document.rig, neutral=document.rig.neutral * 2)
    assert with_materials_of(moved, document).materials is document.materials
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fw.save(with_materials_of(moved, document), tmp_path / "moved.glb")
    assert same(fw.load_document(tmp_path / "moved.glb").materials, document.materials)
