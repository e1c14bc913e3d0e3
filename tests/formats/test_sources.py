"""Files are read from paths, bytes and file objects, and written to paths and file objects, with the same outcome."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from tests.capture.acting import acted
from tests.formats.gltf_files import pack, unpack
from tests.formats.usd_needed import NEEDS_USD

import facewright as fw
from facewright.errors import BadFile, BadValue, UnknownFormat
from facewright.samples import mask

FORMATS = ["fwface", "glb", "gltf", "fbx", pytest.param("usda", marks=NEEDS_USD), "npz", "obj", "zip"]
KNOWN = "fwface, glb, gltf, vrm, fbx, usda, usdc, usdz, usd, obj, zip, npz"
RIG = mask(vertices=120, shapes=4, seed=3)
CLIP = fw.Clip.from_table("talk", RIG.sliders[:2], [0.0, 0.5, 1.0], [[0.0, 1.0], [0.5, 0.5], [1.0, 0.25]])


def written(format: str) -> bytes:
    stream = io.BytesIO()
    fw.save(fw.Document(RIG, pose={RIG.sliders[0]: 0.5}), stream, format=format)
    return stream.getvalue()


@pytest.mark.parametrize("format", FORMATS)
def test_a_path_bytes_and_a_file_object_give_the_same_rig(tmp_path: Path, format: str) -> None:
    data = written(format)
    path = tmp_path / f"face.{format}"
    path.write_bytes(data)
    with path.open("rb") as file:
        found = [fw.load(one) for one in (path, str(path), data, bytearray(data), memoryview(data), file)]
    found.append(fw.load(data, format=f".{format.upper()}"))
    for rig in found:
        assert rig.shape_names == found[0].shape_names
        np.testing.assert_array_equal(rig.neutral, found[0].neutral)
        np.testing.assert_array_equal(rig.deltas(), found[0].deltas())
    assert found[0].vertex_count == RIG.vertex_count


@pytest.mark.parametrize("format", FORMATS)
def test_a_path_and_a_file_object_are_written_alike(tmp_path: Path, format: str) -> None:
    document = fw.Document(RIG, pose={RIG.sliders[0]: 0.5})
    fw.save(document, tmp_path / f"face.{format}")
    assert (tmp_path / f"face.{format}").read_bytes() == written(format)
    with (tmp_path / f"named.{format}").open("wb") as file:  # its name has the suffix
        fw.save(document, file)
    assert (tmp_path / f"named.{format}").read_bytes() == written(format)
    fw.save(document, tmp_path / "face.data", format=format)
    assert (tmp_path / "face.data").read_bytes() == written(format)
    assert fw.load(tmp_path / "face.data", format=format).vertex_count == RIG.vertex_count


def test_a_file_with_another_suffix_still_finds_the_files_beside_it(tmp_path: Path) -> None:
    tree, binary = unpack(written("glb"))
    tree["buffers"][0]["uri"] = "face.bin"
    (tmp_path / "face.bin").write_bytes(binary)
    (tmp_path / "face.txt").write_text(json.dumps(tree))
    assert fw.load(tmp_path / "face.txt", format="gltf").vertex_count == RIG.vertex_count
    with pytest.raises(BadFile, match=r"the gltf data: it points to the file 'face.bin', and there is no folder"):
        fw.load((tmp_path / "face.txt").read_bytes())


def test_what_is_damaged_is_named_and_refused() -> None:
    with pytest.raises(BadFile, match="the glb data: this is not a whole GLB"):
        fw.load(written("glb")[:50])
    with pytest.raises(BadFile, match="the npz data"):
        fw.load(written("npz")[:-200], format="npz")
    with pytest.raises(BadFile):
        fw.load(pack({"asset": {"version": "2.0"}}, b""))


def test_bytes_of_no_known_format_are_refused_with_a_list_of_the_formats() -> None:
    with pytest.raises(
        UnknownFormat,
        match=f"begin with b'hello'.*names one: {KNOWN}",
    ):
        fw.load(b"hello")
    with pytest.raises(UnknownFormat, match=f"no format 'stl'; known are {KNOWN}"):
        fw.load(b"hello", format="stl")
    with pytest.raises(UnknownFormat, match="there is no format 'stl'"):
        fw.save(RIG, io.BytesIO(), format="stl")
    with pytest.raises(UnknownFormat, match="`format` does: fwface, glb"):
        fw.save(RIG, io.BytesIO())


def test_things_that_are_no_files_are_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_bytes(written("obj"))
    with (tmp_path / "a.obj").open() as text, pytest.raises(BadValue, match="open it in binary mode"):
        fw.load(text)  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="paths, bytes and binary file objects, not from int"):
        fw.load(5)  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="paths and binary file objects, not to bytes"):
        fw.save(RIG, b"")  # type: ignore[arg-type]


def test_a_failed_save_leaves_a_file_object_as_it_was() -> None:
    stream = io.BytesIO()
    with pytest.raises(TypeError):
        fw.save(fw.Document(RIG, attachments={"a": "no bytes"}), stream, format="fwface")  # type: ignore[dict-item]
    assert stream.getvalue() == b""


def test_a_clip_is_read_from_bytes_and_file_objects_and_written_to_them(tmp_path: Path) -> None:
    stream = io.BytesIO()
    fw.save_clip(CLIP, stream, format="csv")
    fw.save_clip(CLIP, tmp_path / "talk.csv")
    assert (tmp_path / "talk.csv").read_bytes() == stream.getvalue()
    with (tmp_path / "talk.csv").open("rb") as file:
        named, bare = fw.load_clip(file), fw.load_clip(stream.getvalue())
    assert (named.name, bare.name) == ("talk", "clip")
    for clip in (named, bare):
        np.testing.assert_array_equal(clip.sample(RIG.sliders), CLIP.sample(RIG.sliders))
    with pytest.raises(UnknownFormat, match="known are csv"):
        fw.load_clip(stream.getvalue(), format="bvh")


@pytest.mark.parametrize("format", ["csv", "trc", "c3d"])
def test_a_take_is_read_from_bytes_and_file_objects_and_written_to_them(tmp_path: Path, format: str) -> None:
    take = acted(frames=20, gaps=0.1).take
    stream = io.BytesIO()
    fw.save_take(take, stream, format=format)
    (tmp_path / f"laugh.{format}").write_bytes(stream.getvalue())
    with (tmp_path / f"laugh.{format}").open("rb") as file:
        found = [fw.load_take(one) for one in (tmp_path / f"laugh.{format}", stream.getvalue(), file)]
    found.append(fw.load_take(io.BytesIO(stream.getvalue()), format=format))
    assert [one.name for one in found] == ["laugh", "take", "laugh", "take"]
    for one in found:
        assert one.names == take.names
        np.testing.assert_allclose(one.positions, take.positions, rtol=1e-6)
