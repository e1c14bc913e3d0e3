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
    """An entry as plain JSON values."""
    return dict(msgspec.to_builtins(entry))


def understand(data: Mapping[str, Any], what: type[T]) -> T:
    """Plain JSON values as entries; keys that are not known are left alone."""
    try:
        return msgspec.convert(data, what)
    except msgspec.ValidationError as problem:
        raise BadFile(f"the JSON does not describe a rig: {problem}") from problem


def encode(value: Mapping[str, Any]) -> bytes:
    """JSON that a person can read."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)
        return _NUMBERS.sub(lambda found: " ".join(found[0].split()), text).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as problem:
        raise BadValue(f"this cannot be kept as JSON: {problem}") from problem


def decode(data: bytes) -> dict[str, Any]:
    """A JSON object."""
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError, ValueError) as problem:
        raise BadFile(f"the JSON cannot be read: {problem}") from problem
    if not isinstance(value, dict):
        raise BadFile(f"the JSON must be an object, not {type(value).__name__}")
    return value
