"""The text of a USD layer: prims with metadata, properties and time samples, as `.usda` files have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

_INDENT = "    "
_CONTROL = re.compile(r'[\x00-\x1f\x7f"\\]')
_DIGITS = (9, 8, 7, 6)  # nine always give a number of single precision again
_ENDS = bytes.maketrans(b"[]", b"()")


@dataclass(frozen=True, eq=False)
class Property:
    """An attribute or a relationship: what stands before the `=`, and the text of its value."""

    declaration: str
    value: str = ""  # "": it has none, or time samples alone
    about: Mapping[str, str] = field(default_factory=dict)
    samples: Sequence[tuple[float, str]] = ()  # time codes and values


@dataclass(frozen=True, eq=False)
class Prim:
    """A prim; properties and children may be made while they are written, so that none has to be in memory twice."""

    kind: str
    name: str
    about: Mapping[str, str] = field(default_factory=dict)
    properties: Iterable[Property] = ()
    children: Iterable[Prim] = ()


def write_layer(file: BinaryIO, about: Mapping[str, str], prims: Iterable[Prim]) -> None:
    """Write a layer with metadata of its own and prims at its root."""
    file.write(b"#usda 1.0\n")
    file.write("".join(_metadata(about, "")).removeprefix(" ").encode("utf-8", "replace"))
    for prim in prims:
        for piece in _prim(prim, ""):
            file.write(piece.encode("utf-8", "replace"))


def _prim(prim: Prim, indent: str) -> Iterator[str]:
    yield f"\n{indent}def {prim.kind} {quoted(prim.name)}"
    yield from _metadata(prim.about, indent) if prim.about else ("\n",)
    yield f"{indent}{{\n"
    for one in prim.properties:
        yield from _property(one, indent + _INDENT)
    for child in prim.children:
        yield from _prim(child, indent + _INDENT)
    yield f"{indent}}}\n"


def _property(one: Property, indent: str) -> Iterator[str]:
    if one.value or not one.samples:
        yield f"{indent}{one.declaration}"
        yield f" = {one.value}" if one.value else ""
        yield from _metadata(one.about, indent) if one.about else ("\n",)
    if one.samples:
        yield f"{indent}{one.declaration}.timeSamples = {{\n"
        for code, value in one.samples:
            yield f"{indent}{_INDENT}{number(code)}: {value},\n"
        yield f"{indent}}}\n"


def _metadata(about: Mapping[str, str], indent: str) -> Iterator[str]:
    yield " (\n"
    for name, value in about.items():
        yield f"{indent}{_INDENT}{name} = {value}\n"
    yield f"{indent})\n"


def quoted(text: str) -> str:
    """A string or a token; a null character, which USD cannot hold, is replaced."""
    return f'"{_CONTROL.sub(_escaped, text)}"'


def _escaped(match: re.Match[str]) -> str:
    letter = match[0]
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\ufffd"}
    return known.get(letter) or f"\\x{ord(letter):02x}"


def quoted_list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(quoted, texts))}]"


def path_list(paths: Sequence[str]) -> str:
    """The value of a relationship."""
    return f"<{paths[0]}>" if len(paths) == 1 else f"[{', '.join(f'<{path}>' for path in paths)}]"


def number(value: float) -> str:
    """A number in double precision; whole ones without a point."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def array(values: NDArray[Any]) -> str:
    """An array: (n,) numbers, or (n, k) tuples. Fractions have single precision, in few digits."""
    if values.dtype.kind == "f":
        values = _short(values)
    text = msgspec.json.encode(values.tolist())
    if values.ndim > 1:
        text = b"[" + text[1:-1].translate(_ENDS) + b"]"
    return text.decode()


def tuple_of(values: Iterable[float]) -> str:
    return f"({', '.join(number(float(value)) for value in values)})"


def _short(values: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers in double precision whose text is short and gives the same numbers of single precision."""
    single = values.astype(np.float32)
    found = wide = single.astype(np.float64)
    exponent = np.floor(np.log10(np.abs(wide), out=np.zeros(wide.shape), where=wide != 0))
    for digits in _DIGITS:
        scale = 10.0 ** (digits - 1 - exponent)
        rounded = np.rint(wide * scale) / scale
        found = np.where(rounded.astype(np.float32) == single, rounded, found)
    return found
