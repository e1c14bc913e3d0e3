"""Reading values from untrusted JSON: each is checked where it is used, and unknown keys can stay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from facewright.errors import BadFile

Json = dict[str, Any]

_MOST = 2**53  # whole numbers beyond it are not exact in JSON


def entries(of: Json, kind: str) -> list[Any]:
    """The list under a key, empty where there is none."""
    found = of.get(kind, [])
    if not isinstance(found, list):
        raise BadFile(f"{kind} must be a list, not {_kind(found)}")
    return found


def entry(json: Json, kind: str, index: Any) -> Json:
    """An object of a top-level list, such as accessor 3 or node 12."""
    listed = entries(json, kind)
    if not _is_whole(index) or not 0 <= index < len(listed):
        raise BadFile(f"{kind} {index!r} is asked for; the file has {len(listed)}")
    return as_object(listed[index], f"{kind} {index}")


def as_object(value: Any, where: str) -> Json:
    if not isinstance(value, dict):
        raise BadFile(f"{where} must be an object, not {_kind(value)}")
    return value


def member(of: Json, key: str, where: str) -> Json:
    """The object under a key, empty where there is none."""
    return as_object(of.get(key, {}), f"{where}: {key}")


def whole(of: Json, key: str, where: str, default: int | None = None, *, low: int = 0) -> int:
    """A whole number that is at least `low`."""
    value: Any = of.get(key, default)
    if not _is_whole(value) or not low <= value <= _MOST:
        raise BadFile(f"{where}: {key} must be a whole number from {low}, not {value!r}")
    return int(value)


def text(of: Json, key: str, where: str, default: str = "") -> str:
    value = of.get(key, default)
    if not isinstance(value, str):
        raise BadFile(f"{where}: {key} must be a text, not {_kind(value)}")
    return value


def numbers(of: Json, key: str, where: str, default: Sequence[float], *, count: int | None = None) -> list[float]:
    """A list of finite numbers, `count` of them."""
    found = of.get(key, default)
    if not isinstance(found, list | tuple) or not all(_is_finite(value) for value in found):
        raise BadFile(f"{where}: {key} must be a list of finite numbers")
    if count is not None and len(found) != count:
        raise BadFile(f"{where}: {key} must have {count} numbers, not {len(found)}")
    return [float(value) for value in found]


def extension(of: Json, name: str, where: str) -> Json | None:
    """The object of an extension, None where it is not used."""
    extensions = member(of, "extensions", where)
    return as_object(extensions[name], f"{where}: {name}") if name in extensions else None


def texts(of: Json, key: str) -> list[str]:
    """A list of texts, as in `extensionsUsed`."""
    found = entries(of, key)
    if not all(isinstance(value, str) for value in found):
        raise BadFile(f"{key} must be a list of texts")
    return found


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_finite(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float holds
        return False


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
