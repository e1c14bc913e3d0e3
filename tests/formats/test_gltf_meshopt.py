"""The meshopt codec against its specification's examples, and against the reference encoder and decoder."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.formats.gltf_files import Tiny, run_node

from facewright.errors import BadFile
from facewright.formats import gltf
from facewright.formats.gltf.compression.meshopt.attributes import decode_attributes
from facewright.formats.gltf.compression.meshopt.filters import FILTERS
from facewright.formats.gltf.compression.meshopt.indices import decode_indices
from facewright.formats.gltf.compression.meshopt.triangles import decode_triangles


def stream(*parts: bytes | list[int]) -> np.ndarray:
    return np.frombuffer(b"".join(bytes(part) for part in parts), np.uint8)


def reference(tasks: list[dict[str, Any]]) -> list[tuple[np.ndarray, np.ndarray]]:
    """What the reference encoder makes of data, and what its decoder makes of that again."""
    lines = [json.dumps({**task, "data": base64.b64encode(task["data"]).decode()}) for task in tasks]
    found = [json.loads(line) for line in run_node("encode.mjs", given="\n".join(lines))]
    return [(_bytes(one["encoded"]), _bytes(one["decoded"])) for one in found]


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), np.uint8)


def test_the_specifications_example_of_sixteen_deltas_decodes_to_its_values() -> None:
    group = bytes.fromhex("175ff0bc77a921003 4b5".replace(" ", ""))
    deltas = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]
    data = stream([0xA0], [0b10], group, [0, 0, 0], [0] * 28, [10, 20, 30, 40])
    found = decode_attributes(data, 16, 4)
    np.testing.assert_array_equal(found[:, 0], (10 + np.cumsum(deltas)) % 256)
    np.testing.assert_array_equal(found[:, 1:], np.tile([20, 30, 40], (16, 1)))


def test_two_bit_and_whole_byte_groups_decode_to_their_values() -> None:
    two_bit = [0b01_10_00_11, 0, 0, 0, 200]  # 1, 2, 0, escaped 200, then zeros
    data = stream([0xA0], [0b01], two_bit, [0b11], list(range(16)), [0], [0], [0] * 28, [0, 0, 0, 7])
    found = decode_attributes(data, 16, 4)
    np.testing.assert_array_equal(found[:, 0], np.cumsum([-1, 1, 0, 100] + [0] * 12) % 256)
    zigzag = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7, -8]
    np.testing.assert_array_equal(found[:, 1], np.cumsum(zigzag) % 256)
    assert (found[:, 2] == 0).all()
    assert (found[:, 3] == 7).all()


def test_triangles_on_new_vertices_and_recent_edges_decode_by_hand() -> None:
    # A new triangle 0 1 2; one on its newest edge (a, c) with a new vertex; one with an explicit vertex, last + 5.
    table = bytes([0x00] * 16)
    data = stream([0xE1], [0xF0, 0x00, 0x0F], [10], table)
    assert decode_triangles(data, 9).tolist() == [0, 1, 2, 0, 2, 3, 0, 3, 5]


def test_indices_follow_two_baselines() -> None:
    # (delta zigzagged << 1) | baseline: 5 on the first, 100 on the second, -2 on the first, 300 more on the second.
    codes = [5 << 2, (100 << 2) | 1, ((1 << 1 | 1) << 1), (300 << 2) | 1]
    varints = b"".join(bytes([code & 127 | 128, code >> 7]) if code > 127 else bytes([code]) for code in codes)
    assert decode_indices(stream([0xD1], varints, [0] * 4), 4).tolist() == [5, 100, 3, 400]


@pytest.mark.parametrize("version", [0, 1])
def test_attributes_of_any_size_and_smoothness_decode_as_the_reference_does(version: int) -> None:
    rng = np.random.default_rng(3)
    tasks: list[dict[str, Any]] = []
    for count, stride in [(1, 4), (15, 8), (16, 4), (17, 12), (255, 16), (257, 20), (700, 256), (1000, 64), (300, 12)]:
        words = count * stride // 4
        smooth = np.cumsum(rng.normal(size=words)).astype("<f4").tobytes()
        small = np.cumsum(rng.integers(-3, 4, size=words * 2)).astype("<u2").tobytes()
        noise = rng.bytes(count * stride)
        flat = bytes(count * stride)
        wide = np.cumsum(rng.integers(-300, 300, size=words * 2)).astype("<u2").tobytes()
        tasks += [
            {"mode": "ATTRIBUTES", "count": count, "stride": stride, "version": version, "data": data}
            for data in (smooth, small, noise, flat, wide)
        ]
    for task, (encoded, decoded) in zip(tasks, reference(tasks), strict=True):
        assert encoded[0] == 0xA0 + version
        np.testing.assert_array_equal(decoded, np.frombuffer(task["data"], np.uint8))
        found = decode_attributes(encoded, task["count"], task["stride"])
        np.testing.assert_array_equal(found.ravel(), decoded)


def test_index_streams_decode_as_the_reference_does() -> None:
    rng = np.random.default_rng(4)
    rows, columns = np.divmod(np.arange(40 * 40), 40)
    corner = (rows * 41 + columns)[:, None]
    grid = corner + np.array([0, 1, 41, 41, 1, 42])
    lists = [grid.ravel(), rng.integers(0, 5000, 900), np.arange(300), np.repeat([7, 2, 65534], 100)]
    tasks = [
        {"mode": mode, "count": len(values), "stride": size, "data": values.astype(f"<u{size}").tobytes()}
        for values in lists
        for size in (2, 4)
        for mode in ("TRIANGLES", "INDICES")
    ]
    decoders = {"TRIANGLES": decode_triangles, "INDICES": decode_indices}
    for task, (encoded, decoded) in zip(tasks, reference(tasks), strict=True):
        found = decoders[task["mode"]](encoded, task["count"])
        np.testing.assert_array_equal(found, decoded.view(f"<u{task['stride']}"))


def test_filters_decode_as_the_reference_does_within_one_unit() -> None:
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(500, 4))
    vectors[:, :3] /= np.linalg.norm(vectors[:, :3], axis=1, keepdims=True)
    vectors[:, 3] = np.sign(vectors[:, 3])
    turns = rng.normal(size=(500, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    colors, lengths = rng.uniform(size=(500, 4)), rng.normal(size=(500, 4)) * 10.0 ** rng.integers(-8, 8, (500, 1))
    cases = [
        ("OCTAHEDRAL", vectors, 4, 8, "i1"), ("OCTAHEDRAL", vectors, 8, 12, "<i2"),
        ("OCTAHEDRAL", vectors, 8, 16, "<i2"),
        ("QUATERNION", turns, 8, 12, "<i2"), ("QUATERNION", turns, 8, 16, "<i2"),
        ("EXPONENTIAL", lengths, 16, 15, "<f4"), ("EXPONENTIAL", lengths, 16, 23, "<f4"),
        ("COLOR", colors, 4, 8, "u1"), ("COLOR", colors, 8, 12, "<u2"), ("COLOR", colors, 8, 16, "<u2"),
    ]  # fmt: skip
    tasks = [
        {"mode": "ATTRIBUTES", "count": 500, "stride": stride, "version": 1, "filter": name, "bits": bits,
         "data": table.astype("<f4").tobytes()}
        for name, table, stride, bits, _ in cases
    ]  # fmt: skip
    for (name, _, stride, _, kind), (encoded, decoded) in zip(cases, reference(tasks), strict=True):
        found = FILTERS[name][1](decode_attributes(encoded, 500, stride)).ravel().view(kind)
        expected = decoded.view(kind)
        if name == "EXPONENTIAL":
            np.testing.assert_array_equal(found, expected)
        else:
            assert np.abs(found.astype(int) - expected.astype(int)).max() <= 1, name


def test_a_compressed_file_and_its_plain_twin_give_the_same_rig(shared_data: Path) -> None:
    packed = gltf.FORMAT.read(shared_data / "facecap" / "facecap.glb").rig
    plain = gltf.FORMAT.read(shared_data / "facecap" / "facecap_decoded.glb").rig
    close = 1e-5 * np.ptp(plain.neutral, axis=0).max()
    np.testing.assert_allclose(packed.neutral, plain.neutral, rtol=0, atol=close)
    np.testing.assert_allclose(packed.deltas(), plain.deltas(), rtol=0, atol=close)
    np.testing.assert_array_equal(packed.triangles, plain.triangles)


@pytest.mark.parametrize(
    ("data", "decode"),
    [
        (stream([0xA2], [0] * 60), lambda data: decode_attributes(data, 4, 4)),
        (stream([0xA0], [0] * 20), lambda data: decode_attributes(data, 4, 4)),
        (stream([0xA0], [0xFF] * 40), lambda data: decode_attributes(data, 4000, 4)),
        (stream([0xA0], [0] * 40), lambda data: decode_attributes(data, 16, 6)),
        (stream([0xE1], [0x00], [0] * 16), lambda data: decode_triangles(data, 3)),
        (stream([0xE1], [0xFF], [0xFF, 0x80], [0] * 16), lambda data: decode_triangles(data, 3)),
        (stream([0xE1], [0] * 16), lambda data: decode_triangles(data, 3000)),
        (stream([0xD1], [0x80, 0x80, 0x80], [0] * 4), lambda data: decode_indices(data, 3)),
        (stream([0xD1], [0] * 9), lambda data: decode_indices(data, 3)),
    ],
)
def test_a_damaged_stream_is_refused(data: NDArray[np.uint8], decode: Callable[..., Any]) -> None:
    with pytest.raises(BadFile):
        decode(data)


def test_a_view_that_claims_to_unpack_to_gigabytes_is_refused(tmp_path: Path) -> None:
    tiny = Tiny()
    tiny.mesh(np.eye(3), [0, 1, 2])
    tiny.nodes({"mesh": 0})
    packed = tiny.view(bytes([0xA0]) + bytes(100))
    tiny.json["bufferViews"][0]["extensions"] = {
        "EXT_meshopt_compression": {
            "buffer": 0,
            "byteOffset": tiny.json["bufferViews"][packed]["byteOffset"],
            "byteLength": 101,
            "byteStride": 12,
            "count": 2**40,
            "mode": "ATTRIBUTES",
        }
    }
    with pytest.raises(BadFile, match="claims"):
        gltf.FORMAT.read(tiny.save(tmp_path / "huge.glb"))
