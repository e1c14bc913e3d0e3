"""Accessors: every component type, fractions, strides, sparse values; and claims that are not true."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.formats.gltf_files import CODES, Tiny

from facewright.errors import BadFile
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.container.asset import Asset


def asset(tiny: Tiny) -> Asset:
    return Asset({**tiny.json, "buffers": [{"byteLength": len(tiny.binary)}]}, tiny.binary)


@pytest.mark.parametrize("kind", CODES)
def test_every_component_type_reads_as_its_numbers(kind: str) -> None:
    limits = np.finfo(np.float32) if kind == "f4" else np.iinfo(kind)
    values = np.array([[0, 1, limits.max], [limits.min, 3, 7]], dtype="<" + kind)
    tiny = Tiny()
    index = tiny.accessor(values, kind)
    np.testing.assert_array_equal(decode.numbers(asset(tiny), index, "VEC3"), values.astype(float))


@pytest.mark.parametrize(
    ("kind", "stored", "expected"),
    [
        ("u1", [0, 51, 255], [0, 0.2, 1]),
        ("i1", [-128, -127, 127], [-1, -1, 1]),
        ("u2", [0, 13107, 65535], [0, 0.2, 1]),
        ("i2", [-32768, 0, 32767], [-1, 0, 1]),
    ],
)
def test_normalised_integers_are_fractions(kind: str, stored: list[int], expected: list[float]) -> None:
    tiny = Tiny()
    index = tiny.accessor(stored, kind, normalized=True)
    np.testing.assert_allclose(decode.numbers(asset(tiny), index, "SCALAR")[:, 0], expected, rtol=0, atol=1e-15)


def test_a_stride_skips_what_lies_between() -> None:
    tiny = Tiny()
    table = np.arange(20, dtype="<f4").reshape(4, 5)
    view = tiny.view(table.tobytes(), byteStride=20)
    tiny.json["accessors"].append(
        {"bufferView": view, "byteOffset": 4, "componentType": 5126, "count": 4, "type": "VEC3"}
    )
    np.testing.assert_array_equal(decode.numbers(asset(tiny), 0, "VEC3"), table[:, 1:4])


def sparse(tiny: Tiny, rows: Sequence[int], values: ArrayLike, count: int, *, base: int | None = None) -> int:
    accessor: dict[str, Any] = {
        "componentType": 5126,
        "count": count,
        "type": "VEC3",
        "sparse": {
            "count": len(rows),
            "indices": {"bufferView": tiny.view(np.array(rows, "<u2").tobytes()), "componentType": 5123},
            "values": {"bufferView": tiny.view(np.array(values, "<f4").tobytes())},
        },
    }
    tiny.json["accessors"].append(accessor | ({} if base is None else {"bufferView": base}))
    return len(tiny.json["accessors"]) - 1


def test_sparse_values_stand_over_zeros_and_over_a_table() -> None:
    tiny = Tiny()
    index = sparse(tiny, [1, 3], [[1, 2, 3], [0, 0, 0]], 5)
    expected = np.zeros((5, 3))
    expected[1] = [1, 2, 3]
    np.testing.assert_array_equal(decode.numbers(asset(tiny), index, "VEC3"), expected)
    found = decode.rows(asset(tiny), index, "VEC3")
    assert found.rows.tolist() == [1]
    base = tiny.view(np.ones((5, 3), "<f4").tobytes())
    over = sparse(tiny, [4], [[7, 7, 7]], 5, base=base)
    assert decode.numbers(asset(tiny), over, "VEC3").tolist() == [[1, 1, 1]] * 4 + [[7, 7, 7]]


def test_an_accessor_without_data_is_zero_and_costs_nothing_to_look_through() -> None:
    tiny = Tiny()
    tiny.json["accessors"].append({"componentType": 5126, "count": 4, "type": "VEC3"})
    assert decode.numbers(asset(tiny), 0, "VEC3").tolist() == [[0, 0, 0]] * 4
    tiny.json["accessors"][0]["count"] = 2**50
    assert len(decode.rows(asset(tiny), 0, "VEC3").rows) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"count": 3}, "more than"),
        ({"count": 2**52}, "more than"),
        ({"count": 0}, "count"),
        ({"count": -1}, "count"),
        ({"count": 2.5}, "count"),
        ({"byteOffset": 8}, "more than"),
        ({"componentType": 5124}, "componentType"),
        ({"componentType": [1]}, "componentType"),
        ({"type": "VEC7"}, "VEC3 is needed"),
        ({"bufferView": 9}, "bufferViews 9"),
        ({"bufferView": None}, "bufferViews None"),
    ],
)
def test_a_claim_that_is_not_true_is_refused(change: dict[str, Any], words: str) -> None:
    tiny = Tiny()
    tiny.accessor([[0, 0, 0], [1, 1, 1]])
    tiny.json["accessors"][0] |= change
    with pytest.raises(BadFile, match=words):
        decode.numbers(asset(tiny), 0, "VEC3")


@pytest.mark.parametrize(
    "change", [{"byteLength": 10**9}, {"byteOffset": 10**9}, {"byteOffset": -4}, {"byteStride": 2}]
)
def test_a_view_outside_its_buffer_is_refused(change: dict[str, int]) -> None:
    tiny = Tiny()
    tiny.accessor([[0, 0, 0], [1, 1, 1]])
    tiny.json["bufferViews"][0] |= change
    with pytest.raises(BadFile):
        decode.numbers(asset(tiny), 0, "VEC3")


@pytest.mark.parametrize("rows", [[1, 1], [3, 1], [1, 5]])
def test_sparse_indices_that_repeat_fall_or_leave_the_table_are_refused(rows: list[int]) -> None:
    tiny = Tiny()
    index = sparse(tiny, rows, np.ones((2, 3)), 5)
    with pytest.raises(BadFile, match="increase"):
        decode.numbers(asset(tiny), index, "VEC3")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_not_finite_is_refused(bad: float) -> None:
    tiny = Tiny()
    tiny.accessor([[0, bad, 0]])
    with pytest.raises(BadFile, match="finite"):
        decode.numbers(asset(tiny), 0, "VEC3")
