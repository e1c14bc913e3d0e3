"""FBX as text, version 6.1 to 7.7: `Name: value, value { nodes }`, with comments after a semicolon.

Arrays of version 7 are `Name: *count { a: numbers }`; those of version 6 are plain values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.node import Count, FbxNode, Value

_DEEPEST = 64  # nodes inside nodes
_SKIPPED = re.compile(rb"(?:\s++|;[^\n]*+)*+")
_KEY = re.compile(rb"([A-Za-z_][\w|-]*+)[ \t]*+:")
_STRING = re.compile(rb'"([^"]*+)"')
_RUN = re.compile(rb"(?:[-+]?[\d.][-+.\deE]*+\s*+,\s*+){8,}+(?:[-+]?[\d.][-+.\deE]*+)?")
_WORD = re.compile(rb"[^\s,{}:;\"]++")
_VERSION = re.compile(rb"FBXVersion:[ \t]*+(\d{4,5})\b")
_FIRST_VERSION = re.compile(rb"\A\s*+;\s*+FBX (\d)\.(\d)\.(\d)")
_HEAD = 1 << 16


def is_text(data: bytes) -> bool:
    """Whether the beginning of a file is that of an FBX file as text."""
    head = data[:_HEAD]
    return b"\0" not in head and bool(_FIRST_VERSION.match(head) or b"FBXHeaderExtension:" in head)


def parse_text(data: bytes, budget: ReadBudget) -> tuple[int, FbxNode]:
    """The version, and a node that has the file's nodes as children."""
    stated = _VERSION.search(data)
    first = _FIRST_VERSION.match(data)
    version = int(stated[1]) if stated else int(b"".join(first.groups()) + b"0") if first else 0
    return version, _TextReader(data, budget).tree()


@dataclass(frozen=True, eq=False)
class NumberText:
    """A long list of numbers, read when it is asked for."""

    text: bytes
    budget: ReadBudget

    def numbers(self) -> Floats:
        words = self.text.split(b",")
        self.budget.unpack(8 * len(words))
        try:
            return np.array([float(word) for word in words if word.strip()], np.float64)
        except ValueError as problem:
            raise BadFile(f"a list of numbers has something else in it: {problem}"[:200]) from problem


class _TextReader:
    def __init__(self, data: bytes, budget: ReadBudget) -> None:
        self._data, self._at, self._budget = data, 0, budget

    def tree(self) -> FbxNode:
        root = FbxNode("")
        open_nodes = [root]
        while True:
            self._skip()
            if self._at >= len(self._data):
                break
            if self._peek() == b"}":
                self._at += 1
                if len(open_nodes) == 1:
                    raise BadFile(f"line {self._line()} closes a node that was not opened")
                open_nodes.pop()
                continue
            node = self._node()
            open_nodes[-1].children.append(node)
            if self._peek() == b"{":
                self._at += 1
                open_nodes.append(node)
                if len(open_nodes) > _DEEPEST:
                    raise BadFile(f"nodes are more than {_DEEPEST} deep in each other")
        if len(open_nodes) > 1:
            raise BadFile(f"the file ends within node {open_nodes[-1].name[:40]!r}; it is not whole")
        return root

    def _node(self) -> FbxNode:
        key = _KEY.match(self._data, self._at)
        if key is None:
            there = self._data[self._at : self._at + 20]
            raise BadFile(f"line {self._line()}: a node begins with its name and a colon, not with {there!r}")
        self._at = key.end()
        node = FbxNode(key[1].decode())
        self._budget.items(1)
        self._skip()
        while (value := self._value()) is not None:
            node.values.append(value)
            self._budget.items(1)
            self._skip()
            if self._peek() != b",":
                if isinstance(value, NumberText) and value.text.rstrip().endswith(b","):
                    continue  # a run of numbers takes the comma after it along
                break
            self._at += 1
            self._skip()
        return node

    def _value(self) -> Value | None:
        start = self._peek()
        if start in (b"", b"{", b"}") or _KEY.match(self._data, self._at):
            return None
        if start == b'"':
            found = _STRING.match(self._data, self._at)
            if found is None:
                raise BadFile(f"line {self._line()}: a text has no end")
            self._at = found.end()
            return found[1].decode("utf-8", "replace").replace("&quot;", '"')
        run = _RUN.match(self._data, self._at)
        if run is not None:
            self._at = run.end()
            return NumberText(run[0], self._budget)
        word = _WORD.match(self._data, self._at)
        if word is None:
            if start == b",":  # an empty value
                return ""
            raise BadFile(f"line {self._line()}: this is no value: {self._data[self._at : self._at + 20]!r}")
        self._at = word.end()
        return _scalar(word[0])

    def _skip(self) -> None:
        found = _SKIPPED.match(self._data, self._at)
        if found is not None:
            self._at = found.end()

    def _peek(self) -> bytes:
        return self._data[self._at : self._at + 1]

    def _line(self) -> int:
        return self._data.count(b"\n", 0, self._at) + 1


def _scalar(word: bytes) -> Value:
    if word[:1] == b"*" and word[1:].isdigit() and len(word) < 20:
        return Count(int(word[1:]))
    try:
        return int(word) if len(word) < 20 else float(word)
    except ValueError:
        pass
    try:
        return float(word)
    except ValueError:
        return word.decode("utf-8", "replace")
