"""Draco-compressed meshes, through DracoPy."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.gltf_files import Tiny, errors, unpack
from tests.some import some

from facewright.errors import BadFile, MissingExtra
from facewright.formats import gltf
from facewright.formats.gltf.read import SOURCE

NAME = "KHR_draco_mesh_compression"


def compressed(
    tmp_path: Path, change: Callable[[Tiny, dict[str, Any]], object] | None = None
) -> tuple[Path, Any, Any, Any]:
    """A sheet whose positions, coordinates and triangles are compressed, and whose target is not."""
    draco = pytest.importorskip("DracoPy")
    y, x = (axis.ravel() for axis in np.mgrid[:6, :7])
    positions = np.column_stack([x, y, 0.1 * x * y]).astype(np.float32)
    uvs = np.column_stack([x / 6, y / 5])
    corner = (np.arange(5)[:, None] * 7 + np.arange(6)).ravel()
    triangles = (corner[:, None] + np.array([0, 1, 8, 0, 8, 7])).reshape(-1, 3).astype(np.uint32)
    data = draco.encode(positions, triangles, quantization_bits=20, tex_coord=uvs, preserve_order=True)
    attributes = {one["attribute_type"]: one["unique_id"] for one in draco.decode(data).attributes}
    offsets = np.zeros((42, 3))
    offsets[7] = [0, 0, 1]
    tiny = Tiny(extensionsUsed=[NAME], extensionsRequired=[NAME])
    count = len(positions)
    tiny.json["accessors"] = [
        {"componentType": 5126, "count": count, "type": "VEC3", "min": [0, 0, 0], "max": [6, 5, 3]},
        {"componentType": 5126, "count": count, "type": "VEC2"},
        {"componentType": 5123, "count": triangles.size, "type": "SCALAR"},
    ]
    packed: dict[str, Any] = {
        "bufferView": tiny.view(data),
        "attributes": {"POSITION": attributes[0], "TEXCOORD_0": attributes[3]},
    }
    target = {"POSITION": tiny.accessor(offsets)}
    primitive = {
        "attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "targets": [target], "extensions": {NAME: packed},
    }  # fmt: skip
    tiny.json["meshes"] = [{"primitives": [primitive]}]
    tiny.nodes({"mesh": 0})
    if change:
        change(tiny, packed)
    return tiny.save(tmp_path / "packed.glb"), positions, uvs, triangles


def test_a_compressed_mesh_reads_as_it_was_and_is_carried_uncompressed(tmp_path: Path) -> None:
    path, positions, uvs, triangles = compressed(tmp_path)
    document = gltf.FORMAT.read(path)
    rig = document.rig
    np.testing.assert_allclose(rig.neutral, positions, atol=1e-5)
    np.testing.assert_array_equal(rig.triangles, triangles)
    np.testing.assert_allclose(some(rig.uvs).coordinates[:, 0], uvs[:, 0], atol=1e-6)
    np.testing.assert_allclose(some(rig.uvs).coordinates[:, 1], 1 - uvs[:, 1], atol=1e-6)
    assert rig.shapes[0].vertices.tolist() == [7]
    tree, _ = unpack(document.attachments[SOURCE])
    assert "extensionsRequired" not in tree
    gltf.FORMAT.write(document, tmp_path / "plain.glb")
    np.testing.assert_array_equal(gltf.FORMAT.read(tmp_path / "plain.glb").rig.neutral, rig.neutral)
    assert errors(tmp_path / "plain.glb") == []


def test_without_the_package_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, *_ = compressed(tmp_path)
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    with pytest.raises(MissingExtra, match=r"facewright\[draco\]"):
        gltf.FORMAT.read(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda tiny, packed: tiny.json["accessors"][0].update(count=41), "shape"),
        (lambda tiny, packed: packed["attributes"].update(POSITION=77), "no attribute"),
        (lambda tiny, packed: packed.update(bufferView=1), "cannot be read"),
        (lambda tiny, packed: packed.update(bufferView=9), "bufferView"),
    ],
)
def test_compressed_data_that_does_not_fit_is_refused(tmp_path: Path, change: Callable[..., Any], words: str) -> None:
    path, *_ = compressed(tmp_path, change)
    with pytest.raises(BadFile, match=words):
        gltf.FORMAT.read(path)
