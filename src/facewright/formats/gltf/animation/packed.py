"""Keys in our blocks of animations: long lists of numbers as text, and times of keys stated once.

The text is base64 of little-endian numbers. It is in the JSON, since other programs keep `extras`, and drop arrays of
the buffer that no object of glTF refers to.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.formats.gltf.container.fields import Json
from facewright.formats.schema.clip import CurveEntry

FEW = 64  # numbers that are listed as they are, exactly
SINGLE, DOUBLE = "<f4", "<f8"


def packed_times(times: list[float]) -> list[float] | str:
    return times if len(times) <= FEW else _text(times, DOUBLE)


def numbers(stated: Any, kind: str) -> Any:
    """Numbers of a list, or of text; what is neither stays as it is."""
    return _array(stated, kind).tolist() if isinstance(stated, str) else stated


def packed_rows(rows: Ints, count: int) -> str:
    """Some of a number of keys, in their order; "" where it is all of them."""
    if len(rows) == count:
        return ""
    chosen = np.zeros(count, bool)
    chosen[rows] = True
    return _text(np.packbits(chosen), "u1")


def rows_of(stated: str, count: int) -> Ints:
    if not stated:
        return np.arange(count)
    return np.flatnonzero(np.unpackbits(_array(stated, "u1"), count=count))


def packed_curves(curves: Iterable[CurveEntry], known: list[float] | None) -> list[Json]:
    """Curves as a file has them. One without times has those before it, at first the known ones; one whose times are
    some of the known ones states which.
    """
    before, row = known, {time: number for number, time in enumerate(known or [])}
    found = []
    for curve in curves:
        one: Json = msgspec.json.decode(msgspec.json.encode(curve))  # lists, not tuples
        times = one.pop("times", [])
        if times != before:
            if times and known and all(time in row for time in times):
                one["rows"] = packed_rows(np.array([row[time] for time in times]), len(known))
            else:
                one["times"] = packed_times(times)
        if len(times) > FEW:
            one |= {name: _text(one[name], SINGLE) for name in ("values", "slopes") if one.get(name) is not None}
        before = times
        found.append(one)
    return found


def unpacked_curves(stated: Any, known: list[float] | None) -> Any:
    """What `packed_curves` made, as JSON of `CurveEntry`; what is no list of curves stays as it is."""
    if not isinstance(stated, list):
        return stated
    before, found = known, []
    for curve in stated:
        if isinstance(curve, dict):
            before = _times(curve, known, before)
            curve = curve | {"times": before or [], "values": numbers(curve.get("values", []), SINGLE)}
            if isinstance(slopes := curve.get("slopes"), str):
                curve["slopes"] = _pairs(_array(slopes, SINGLE))
            if not isinstance(curve["values"], list) or len(curve["values"]) != len(curve["times"]):
                raise BadValue("a curve has another number of values than of times")
        found.append(curve)
    return found


def _times(curve: Json, known: list[float] | None, before: list[float] | None) -> list[float] | None:
    if isinstance(rows := curve.get("rows"), str) and known is not None:
        return [known[row] for row in rows_of(rows, len(known))]
    if isinstance(steps := curve.get("steps"), list) and known is not None:  # of older files: from row to row
        at = list(accumulate(step for step in steps if type(step) is int))
        if all(0 <= row < len(known) for row in at):
            return [known[row] for row in at]
    found = numbers(curve.get("times", before), DOUBLE)
    return found if isinstance(found, list) else None


def _pairs(values: Floats) -> list[list[float]]:
    if len(values) % 2:
        raise BadValue("an odd number of slopes")
    paired: list[list[float]] = values.reshape(-1, 2).tolist()
    return paired


def _text(values: ArrayLike, kind: str) -> str:
    return base64.b64encode(np.asarray(values, kind).tobytes()).decode()


def _array(text: str, kind: str) -> Any:
    try:
        return np.frombuffer(base64.b64decode(text, validate=True), kind)
    except (binascii.Error, ValueError) as problem:
        raise BadValue(f"numbers as text are damaged: {problem}") from None
