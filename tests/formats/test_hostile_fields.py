"""Values of the wrong type, and numbers that no array holds, in fields of valid files: refused in words."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.hostile import arrays, draco_face, saved, triangle
from tests.fuzz.mutate import zipped

import facewright as fw
from facewright.errors import BadFile, FacewrightError
from facewright.formats.registry import load_document

HUGE = [10**400, 10**30, 2**64, -(2**63)]


def refused(path: Path) -> str:
    """The message of the error that a file is refused with, which is about the file and not about our code."""
    with pytest.raises(BadFile, match=path.name) as raised:
        load_document(path)
    cause = raised.value.__cause__
    assert cause is None or isinstance(cause, FacewrightError), cause
    return str(raised.value)


@pytest.mark.parametrize("number", HUGE, ids=["400 digits", "30 digits", "2**64", "-2**63"])
@pytest.mark.parametrize("key", ["scale", "translation", "rotation", "matrix", "weights"])
def test_numbers_too_large_for_a_float_in_a_node_are_refused_or_read(key: str, number: int, tmp_path: Path) -> None:
    tiny = triangle()
    tiny.json["nodes"][0][key] = [number] * {"rotation": 4, "matrix": 16, "weights": 1}.get(key, 3)
    path = saved(tiny, tmp_path / "face.glb")
    if number == 10**400:
        assert "finite" in refused(path)
    else:
        assert np.isfinite(fw.load(path).neutral).all()


@pytest.mark.parametrize("number", [*HUGE, [1], {"a": 1}, "x", None, True], ids=str)
@pytest.mark.parametrize("field", ["attributes", "bufferView"])
def test_a_draco_field_that_is_no_index_is_refused(field: str, number: Any, tmp_path: Path) -> None:
    path = draco_face(tmp_path / "face.glb", primitives=1, side=4)
    data = path.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    tree = json.loads(data[20 : 20 + length])
    packed = tree["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]
    packed[field] = {"POSITION": number} if field == "attributes" else number
    tiny = triangle()
    tiny.json, tiny.binary = tree, data[28 + length :]
    assert "Draco" in refused(saved(tiny, path))


@pytest.mark.parametrize("source", [[0], {"a": 0}, "x", 10**30, -1], ids=str)
def test_a_texture_whose_source_is_no_index_harms_nothing(source: Any, tmp_path: Path) -> None:
    tiny = triangle()
    tiny.json["images"] = [{"bufferView": 0, "mimeType": "image/png"}]
    tiny.json["textures"] = [{"source": source}, {"extensions": {"EXT_texture_webp": {"source": source}}}]
    tiny.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    tiny.json["meshes"][0]["primitives"][0]["material"] = 0
    document = load_document(saved(tiny, tmp_path / "face.glb"))
    assert document.materials is None
    fw.save(document, tmp_path / "again.fwface")


@pytest.mark.parametrize("shape", ["5", "None", "'x'", "(3.0, 3)", "(True, 9)", "(10**30,)", "{}"])
def test_an_array_whose_header_is_none_is_refused(shape: str, tmp_path: Path) -> None:
    path = arrays(tmp_path / "face.npz", neutral=np.eye(3), deltas=np.zeros((0, 3, 3)), names=np.zeros(0, "U1"))
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".ljust(118) + "\n"
    data = b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text.encode() + np.eye(3).tobytes()
    path.write_bytes(zipped([("neutral.npy", data), ("names.npy", _npy(np.zeros(0, "U1")))]))
    assert "neutral.npy" in refused(path)


def _npy(array: np.ndarray) -> bytes:
    out = BytesIO()
    np.save(out, array)
    return out.getvalue()


def test_an_animation_without_samplers_and_channels_moves_nothing(tmp_path: Path) -> None:
    tiny = triangle()
    tiny.json["animations"] = [{"name": "idle"}, {"samplers": []}, {"channels": []}]
    document = load_document(saved(tiny, tmp_path / "face.glb"))
    assert document.clips == ()
    fw.save(document, tmp_path / "again.glb")
