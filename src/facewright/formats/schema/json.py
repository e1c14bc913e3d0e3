"""Entries as JSON text and back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from facewright.errors import BadFile, BadValue

T = TypeVar("T")

# A list of numbers, which is put on one line; a line break is never inside a JSON text.
_NUMBERS = re.compile(r"\[\n\s*(?:[-+.\dE]+,\n\s*)*[-+.\dE]+\n\s*\]", re.IGNORECASE)


def plain(entry: msgspec.Struct) -> dict[str, Any]:
    """An entry as dicts, lists, texts and numbers."""
    return dict(msgspec.to_builtins(entry))


def entry_from(data: Any, kind: type[T], what: str = "a rig") -> T:
    """Dicts, lists, texts and numbers as an entry; unknown keys are ignored."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as problem:
        raise BadFile(f"the JSON does not describe {what}: {problem}") from problem


def encode(value: Mapping[str, Any]) -> bytes:
    """Indented JSON text, lists of numbers on one line."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)
        return _NUMBERS.sub(lambda found: " ".join(found[0].split()), text).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as problem:
        raise BadValue(f"this cannot be kept as JSON: {problem}") from problem


def decode(data: bytes) -> dict[str, Any]:
    """The JSON object in a text."""
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError, ValueError) as problem:
        raise BadFile(f"the JSON cannot be read: {problem}") from problem
    if not isinstance(value, dict):
        raise BadFile(f"the JSON must be an object, not {type(value).__name__}")
    return value
