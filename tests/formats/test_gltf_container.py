"""What a file is made of: chunks, buffers inside and beside it, images, and nothing outside its folder."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.gltf_files import Tiny, pack, unpack, view_bytes

from facewright.errors import BadFile, FacewrightWarning
from facewright.formats import gltf
from facewright.formats.gltf.read import SOURCE

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
IMAGES = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0" + bytes(range(200)),
    "image/webp": b"RIFF\x20\0\0\0WEBPVP8 " + bytes(range(99)),
    "image/ktx2": b"\xabKTX 20\xbb\r\n\x1a\n" + bytes(range(255)),
}


def triangle() -> Tiny:
    tiny = Tiny()
    tiny.mesh([[0, 0, 0], [1, 0, 0], [0, 2, 0]], [0, 1, 2], [[[0, 0, 1], [0, 0, 0], [0, 0, 0]]], ["up"])
    return tiny.nodes({"mesh": 0, "name": "face"})


def loose(tiny: Tiny, uri: str) -> dict[str, Any]:
    return {**tiny.json, "buffers": [{"byteLength": len(tiny.binary), "uri": uri}]}


def test_a_gltf_with_a_buffer_beside_it_gives_the_same_rig_as_the_glb(tmp_path: Path) -> None:
    tiny = triangle()
    expected = gltf.FORMAT.read(tiny.save(tmp_path / "a.glb")).rig
    (tmp_path / "data folder").mkdir()
    (tmp_path / "data folder" / "b.bin").write_bytes(tiny.binary)
    (tmp_path / "b.gltf").write_text(json.dumps(loose(tiny, "data%20folder/b.bin")))
    inside = "data:application/octet-stream;base64," + base64.b64encode(tiny.binary).decode()
    (tmp_path / "c.gltf").write_text(json.dumps(loose(tiny, inside)))
    for name in ("b.gltf", "c.gltf"):
        found = gltf.FORMAT.read(tmp_path / name).rig
        np.testing.assert_array_equal(found.neutral, expected.neutral)
        np.testing.assert_array_equal(found.deltas(), expected.deltas())


OUTSIDE = ["../b.bin", "x/../../b.bin", "/etc/hostname", "file:///etc/hostname", "..\\b.bin", "%2e%2e/b.bin"]


@pytest.mark.parametrize("uri", OUTSIDE)
def test_an_address_out_of_the_folder_is_refused(tmp_path: Path, uri: str) -> None:
    tiny = triangle()
    (tmp_path / "b.bin").write_bytes(tiny.binary)
    home = tmp_path / "home"
    (home / "x").mkdir(parents=True)
    (home / "a.gltf").write_text(json.dumps(loose(tiny, uri)))
    with pytest.raises(BadFile, match="folder"):
        gltf.FORMAT.read(home / "a.gltf")


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    tiny = triangle()
    (tmp_path / "b.bin").write_bytes(tiny.binary)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "b.bin").symlink_to(tmp_path / "b.bin")
    (tmp_path / "home" / "a.gltf").write_text(json.dumps(loose(tiny, "b.bin")))
    with pytest.raises(BadFile, match="link"):
        gltf.FORMAT.read(tmp_path / "home" / "a.gltf")


def test_several_buffers_become_one(tmp_path: Path) -> None:
    tiny = triangle()
    half = tiny.json["bufferViews"][1]["byteOffset"]
    tiny.json["bufferViews"][1] |= {"buffer": 1, "byteOffset": 0}
    tiny.json["bufferViews"][2] |= {"buffer": 1, "byteOffset": tiny.json["bufferViews"][2]["byteOffset"] - half}
    (tmp_path / "b.bin").write_bytes(tiny.binary[half:])
    tree = {**tiny.json, "buffers": [{"byteLength": half}, {"byteLength": len(tiny.binary) - half, "uri": "b.bin"}]}
    (tmp_path / "a.glb").write_bytes(pack(tree, tiny.binary[:half]))
    found = gltf.FORMAT.read(tmp_path / "a.glb")
    np.testing.assert_array_equal(found.rig.neutral, [[0, 0, 0], [1, 0, 0], [0, 2, 0]])
    assert len(unpack(found.attachments[SOURCE])[0]["buffers"]) == 1


@pytest.mark.parametrize("kind", IMAGES)
def test_images_keep_their_bytes_inside_beside_and_after_an_edit(tmp_path: Path, kind: str) -> None:
    tiny = triangle()
    inside = tiny.view(IMAGES[kind])
    (tmp_path / "skin.img").write_bytes(IMAGES[kind])
    tiny.json["images"] = [{"bufferView": inside, "mimeType": kind}, {"uri": "skin.img"}]
    document = gltf.FORMAT.read(tiny.save(tmp_path / "a.glb"))
    gltf.FORMAT.write(document, tmp_path / "same.glb")
    renamed = gltf.FORMAT.read(tmp_path / "same.glb")
    object.__setattr__(renamed, "pose", np.array([0.5]))
    gltf.FORMAT.write(renamed, tmp_path / "posed.glb")
    for name in ("same.glb", "posed.glb"):
        data = (tmp_path / name).read_bytes()
        for image in unpack(data)[0]["images"]:
            assert image["mimeType"] == kind
            assert view_bytes(data, image["bufferView"]) == IMAGES[kind]


def test_a_missing_image_is_a_warning_and_a_missing_buffer_an_error(tmp_path: Path) -> None:
    tiny = triangle()
    tiny.json["images"] = [{"uri": "gone.png"}]
    with pytest.warns(FacewrightWarning, match=r"gone\.png"):
        gltf.FORMAT.read(tiny.save(tmp_path / "a.glb"))
    (tmp_path / "b.gltf").write_text(json.dumps(loose(triangle(), "gone.bin")))
    with pytest.raises(BadFile, match=r"gone\.bin"):
        gltf.FORMAT.read(tmp_path / "b.gltf")


def test_chunks_of_other_kinds_survive(tmp_path: Path) -> None:
    data = triangle().glb()
    more = b"\x08\0\0\0TEST" + b"whatever"
    data = data[:8] + (len(data) + len(more)).to_bytes(4, "little") + data[12:] + more
    (tmp_path / "a.glb").write_bytes(data)
    document = gltf.FORMAT.read(tmp_path / "a.glb")
    object.__setattr__(document, "pose", np.array([0.5]))
    gltf.FORMAT.write(document, tmp_path / "b.glb")
    assert (tmp_path / "b.glb").read_bytes().endswith(more)


def test_a_required_extension_that_is_not_read_is_named_with_those_that_are(tmp_path: Path) -> None:
    tiny = triangle()
    tiny.json |= {"extensionsUsed": ["XYZ_holograms"], "extensionsRequired": ["XYZ_holograms"]}
    with pytest.raises(BadFile, match=r"XYZ_holograms.*KHR_mesh_quantization"):
        gltf.FORMAT.read(tiny.save(tmp_path / "a.glb"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"glTF", "whole GLB"),
        (b"glTF\x01\0\0\0\x20\0\0\0" + bytes(20), "version 1"),
        (b"glTF\x02\0\0\0\xff\xff\xff\0" + bytes(20), "bytes claimed"),
        (b"glTF\x02\0\0\0\x1c\0\0\0\xff\xff\0\0JSON" + bytes(8), "chunk claims"),
        (b"[" * 100000, "JSON"),
        (b'{"asset": {"version": "1.0"}}', "version 2.0"),
        (b'{"asset": {"version": "2.0"}}', "no node"),
        (b"\xff\xfe{}", "JSON"),
    ],
)
def test_what_is_no_gltf_file_is_refused_in_words(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "a.glb").write_bytes(data)
    with pytest.raises(BadFile, match=words):
        gltf.FORMAT.read(tmp_path / "a.glb")
