"""FBX files taken apart into nodes and put together again, as binary or as text."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from facewright.formats.fbx.container.binary import PackedArray
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.file import parse_file
from facewright.formats.fbx.container.node import FbxNode
from facewright.formats.fbx.write.encode import Element, Long, write_file


def nodes_of(data: bytes) -> FbxNode:
    """The nodes of a file."""
    return parse_file(data, ReadBudget(len(data)))[1]


def all_nodes(node: FbxNode) -> Iterator[FbxNode]:
    for child in node.children:
        yield child
        yield from all_nodes(child)


def unpacked(value: Any) -> Any:
    """A value; an array with the type of its numbers."""
    return value.numbers().astype(value.kind) if isinstance(value, PackedArray) else value


def binary_of(root: FbxNode) -> bytes:
    file = io.BytesIO()
    write_file(file, [_element(child) for child in root.children])
    return file.getvalue()


def _element(node: FbxNode) -> Element:
    return Element(node.name, tuple(_item(unpacked(value)) for value in node.values), [*map(_element, node.children)])


def _item(value: Any) -> Any:
    if isinstance(value, int) and not -(2**31) <= value < 2**31:
        return Long(max(min(value, 2**63 - 1), -(2**63)))
    return Long(value) if isinstance(value, int) and value >= 1_000_000 else value


def text_of(root: FbxNode) -> bytes:
    return ("; FBX 7.5.0 project file\n" + "".join(_text(child, "") for child in root.children)).encode()


def _text(node: FbxNode, indent: str) -> str:
    values = [unpacked(value) for value in node.values]
    if len(values) == 1 and isinstance(values[0], np.ndarray):
        numbers = _bits(values[0]) if node.name == "KeyAttrDataFloat" else values[0].tolist()
        return f"{indent}{node.name}: *{len(numbers)} {{\n{indent}\ta: {','.join(map(repr, numbers))}\n{indent}}}\n"
    inside = "".join(_text(child, f"{indent}\t") for child in node.children)
    listed = ", ".join(_word(value) for value in values)
    return f"{indent}{node.name}: {listed}" + (f" {{\n{inside}{indent}}}\n" if inside or not values else "\n")


def _word(value: Any) -> str:
    if isinstance(value, bytes):
        return '""'
    if not isinstance(value, str):
        return repr(value)
    name, mark, kind = value.partition("\0\1")
    return '"' + (f"{kind}::{name}" if mark else value).replace('"', "&quot;") + '"'


def _bits(data: np.ndarray) -> list[float]:
    """Text has the two lengths of tangents, which are no float, as a whole number."""
    numbers: list[float] = data.tolist()
    numbers[2::4] = data[2::4].astype(np.float32).view(np.uint32).tolist()
    return numbers
