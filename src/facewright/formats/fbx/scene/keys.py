"""Keys of a curve, as FBX has them, and the curve of ours that they make.

Each key says how the time after it is filled: constant, straight, or a cubic with the slopes at both ends. The flags
are those of the FBX SDK's `FbxAnimCurveDef`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile
from facewright.formats.fbx.container.node import FbxNode, Value, flat_values
from facewright.motion.curve import Curve
from facewright.motion.keys import SAME_TIME
from facewright.motion.tangents import BROKEN, STEP

TICKS = 46_186_158_000  # in a second
CONSTANT, LINEAR, CUBIC = 0x2, 0x4, 0x8
NEXT = 0x100  # of constant keys: the value of the next one
AUTO, TCB, USER, BREAK = 0x100, 0x200, 0x400, 0x800  # of cubic keys: how slopes are found
CLAMPED, PROGRESSIVE = 0x1000, 0x4000
RIGHT_WEIGHTED, NEXT_LEFT_WEIGHTED = 0x1000000, 0x2000000
USUAL_WEIGHTS = 0x0D050D05  # a third of the time on both sides, in ten thousandths
_STEP = 1e-5  # seconds in which a value goes to the next one, where that is held
_LEVEL = 1e-3  # a slope beside another one: less is none
_SUBKEYS = 8  # of a cubic with weighted tangents

_Row = tuple[float, float, float, float, int]  # time, value, slope before, slope after, kind of tangent


@dataclass(frozen=True, eq=False)
class FbxKeys:
    """Keys of one curve."""

    times: Floats  # (k,) seconds
    values: Floats  # (k,)
    flags: Ints  # (k,)
    slopes: Floats  # (k, 2) leaving this key, arriving at the next one; tension and continuity of TCB keys
    bias: Floats  # (k,) of TCB keys
    weights: Floats  # (k, 2) shares of the time to the next key, of the tangents of `slopes`

    def curve(self, factor: float = 1.0) -> Curve | None:
        """The curve of these keys, its values multiplied; None without keys."""
        keys = self._increasing()
        if not len(keys.times):
            return None
        return keys._curve(factor)

    def _increasing(self) -> FbxKeys:
        """The keys that are later than all before them."""
        latest = np.concatenate([[-np.inf], np.maximum.accumulate(self.times)[:-1]])
        kept = self.times > latest + SAME_TIME
        if kept.all():
            return self
        slopes, bias, weights = self.slopes[kept], self.bias[kept], self.weights[kept]
        return FbxKeys(self.times[kept], self.values[kept], self.flags[kept], slopes, bias, weights)

    def _curve(self, factor: float) -> Curve:
        modes = self.flags[:-1] & (CONSTANT | LINEAR | CUBIC)
        held = (modes == CONSTANT) & (self.flags[:-1] & NEXT == 0)
        if len(self.times) == 1 or (modes == LINEAR).all():
            return Curve(self.times, factor * self.values, "linear")
        if held.all():
            return Curve(self.times, factor * self.values, "step")
        return self._cubic(factor)

    def _cubic(self, factor: float) -> Curve:
        leaving, arriving = self._segment_slopes()
        rows: list[_Row] = [(self.times[0], self.values[0], 0.0, 0.0, BROKEN)]
        for i, span in enumerate(np.diff(self.times)):
            first, *later = self._between(i, span, leaving[i], arriving[i])
            rows[-1] = (*rows[-1][:3], *first[3:])
            rows += later
        table = np.array(rows)
        codes = table[:, 4].astype(np.int64)
        tangents = codes if (codes == STEP).any() else None
        return Curve(table[:, 0], factor * table[:, 1], "cubic", factor * table[:, 2:4], tangents)

    def _between(self, i: int, span: float, leave: float, arrive: float) -> list[_Row]:
        """The leaving side of a key, keys between, and the arriving side of the next key."""
        start, end, time = self.values[i], self.values[i + 1], self.times[i]
        last = self.times[i + 1]
        if self.flags[i] & CONSTANT and not self.flags[i] & NEXT:
            return [(time, start, 0.0, 0.0, STEP), (last, end, 0.0, 0.0, BROKEN)]
        if self.flags[i] & CONSTANT:
            step = min(_STEP, span / 4)
            rise = (end - start) / step
            return [
                (time, start, 0.0, rise, BROKEN),
                (time + step, end, rise, 0.0, BROKEN),
                (last, end, 0.0, 0.0, BROKEN),
            ]
        if not self.flags[i] & CUBIC or not self._is_weighted(i):
            return [(time, start, 0.0, leave, BROKEN), (last, end, arrive, 0.0, BROKEN)]
        return _bezier(time, start, last, end, leave, arrive, self.weights[i])

    def _is_weighted(self, i: int) -> bool:
        return bool(self.flags[i] & (RIGHT_WEIGHTED | NEXT_LEFT_WEIGHTED))

    def _segment_slopes(self) -> tuple[Floats, Floats]:
        """The slopes (k - 1,) at the beginning and at the end of the time between two keys."""
        straight = np.diff(self.values) / np.diff(self.times)
        cubic = self.flags & CUBIC > 0
        stated = cubic & (self.flags & USER > 0)
        found = np.array([self._found_slopes(i, straight) for i in range(len(self.times))])  # (k, 2) before, after
        leaving = np.where(stated[:-1], self.slopes[:-1, 0], found[:-1, 1])
        # What arrives at a key is stated by the one before it, unless the key finds its own slope.
        automatic = cubic & ~stated
        arriving = np.where(automatic[1:], found[1:, 0], self.slopes[:-1, 1])
        flat = ~cubic[:-1]
        return np.where(flat, straight, leaving), np.where(flat, straight, arriving)

    def _found_slopes(self, i: int, straight: Floats) -> tuple[float, float]:
        """The slopes before and after a key that finds them by its neighbours; at the ends by the one that is there."""
        if not len(straight):
            return 0.0, 0.0
        last = len(self.times) - 1
        before, after = straight[max(i - 1, 0)], straight[min(i, last - 1)]
        if self.flags[i] & TCB:
            tension, continuity, bias = 1 - self.slopes[i, 0], self.slopes[i, 1], self.bias[i]
            half = 1.0 if i in (0, last) else 0.5
            early, late = (half * (1 + bias) if i > 0 else 0.0), (half * (1 - bias) if i < last else 0.0)
            return (
                tension * ((1 - continuity) * early * before + (1 + continuity) * late * after),
                tension * ((1 + continuity) * early * before + (1 - continuity) * late * after),
            )
        left, right = max(i - 1, 0), min(i + 1, last)
        slope = (self.values[right] - self.values[left]) / (self.times[right] - self.times[left])
        if self.flags[i] & PROGRESSIVE:  # the tangents stay between the keys
            if i in (0, last) or before * after <= 0:
                return 0.0, 0.0
            shares = self.weights[i - 1, 1], self.weights[i, 0]
            slope = np.sign(slope) * min(abs(slope), abs(before) / shares[0], abs(after) / shares[1])
        elif self.flags[i] & CLAMPED and min(abs(before), abs(after)) < _LEVEL * max(abs(before), abs(after)):
            slope = 0.0  # a neighbour has the same value
        return slope, slope


def _bezier(
    time: float, start: float, last: float, end: float, leave: float, arrive: float, weights: Floats
) -> list[_Row]:
    """A cubic whose tangents have lengths of their own, as keys of cubics between."""
    span = last - time
    x = np.array([0.0, weights[0], 1 - weights[1], 1.0]) * span + time
    y = np.array([start, start + leave * weights[0] * span, end - arrive * weights[1] * span, end])
    u = np.linspace(0, 1, _SUBKEYS + 1)[:, None]
    basis = np.hstack([(1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u**2 * (1 - u), u**3])
    rates = np.hstack([(1 - u) ** 2, 2 * u * (1 - u), u**2])
    times, values = basis @ x, basis @ y
    pace, rise = rates @ np.diff(x), rates @ np.diff(y)
    slopes = np.where(pace > 1e-9 * span, rise / np.where(pace > 1e-9 * span, pace, 1), 0.0)
    kept = np.concatenate([[True], (np.diff(times) > SAME_TIME)[:-1], [True]])
    rows: list[_Row] = [
        (float(t), float(v), float(s), float(s), BROKEN) for t, v, s in zip(times, values, slopes, strict=True)
    ]
    found = [row for row, keep in zip(rows, kept, strict=True) if keep]
    found[0] = (time, start, 0.0, *found[0][3:])
    found[-1] = (last, end, found[-1][2], 0.0, BROKEN)
    return [row for n, row in enumerate(found) if n in (0, len(found) - 1) or row[0] < last - SAME_TIME]


def keys_of(node: FbxNode) -> FbxKeys:
    """The keys of an `AnimationCurve` of version 7."""
    times, values = node.floats("KeyTime") / TICKS, node.floats("KeyValueFloat")
    flags, data = node.ints("KeyAttrFlags"), node.floats("KeyAttrDataFloat", 4)
    counts = node.ints("KeyAttrRefCount")
    if len(times) != len(values):
        raise BadFile(f"a curve has {len(times)} times and {len(values)} values")
    if len(counts) and not (counts.min() >= 0 and counts.max() <= len(times) and counts.sum() == len(times)):
        raise BadFile(f"a curve has {len(times)} keys, and states attributes of {counts.sum()}")
    if not len(flags) == len(data) == len(counts):
        raise BadFile("a curve has not as many flags as attributes of its keys")
    if not np.isfinite(times).all() or not np.isfinite(values).all():
        raise BadFile("a curve has a key that is not finite")
    if not len(counts):
        flags, data, counts = np.array([LINEAR]), np.zeros((1, 4)), np.array([len(times)])
    data = np.where(np.isfinite(data), data, 0.0)
    row = np.repeat(np.arange(len(counts)), counts)
    return FbxKeys(times, values, flags[row], data[row, :2], data[row, 2], _weights(flags, data[:, 2])[row])


def _weights(flags: Ints, packed: Floats) -> Floats:
    """The lengths (n, 2) of tangents, as shares of the time between keys: two numbers of 16 bits in the place of one.

    Files of text have these bits as a whole number, binary ones as a float.
    """
    bits = np.where(packed >= 2**16, packed, packed.astype(np.float32).view(np.uint32)).astype(np.int64)
    shares = np.stack([bits & 0xFFFF, bits >> 16 & 0xFFFF], axis=1) * 1e-4
    weighted = np.stack([flags & RIGHT_WEIGHTED, flags & NEXT_LEFT_WEIGHTED], axis=1) > 0
    return np.where(weighted, np.clip(shares, 1e-4, 0.9999), 1 / 3)


def keys_of_text(node: FbxNode) -> FbxKeys:
    """The keys of a `Channel` of version 6: time, value, a letter for the kind, then letters and numbers of that kind.

    `L` is straight and `C` constant (`C,n`: the next value). `U` is a cubic: `s` and `b` are followed by the slopes
    that leave this key and arrive at the next, `t` by tension, continuity and bias, `a` by nothing; then a letter for
    the lengths of the tangents (`a` both, `r` and `l` one of them, `n` none) and these.
    """
    listed = node.child("Key")
    values = [] if listed is None else flat_values(listed)
    rows: list[tuple[float, float, int, float, float, float, float, float]] = []
    at = 0
    while at + 1 < len(values):
        time, value = values[at], values[at + 1]
        if not isinstance(time, int | float) or not isinstance(value, int | float):
            raise BadFile(f"a key begins with a time and a value, not with {str(time)[:20]!r}, {str(value)[:20]!r}")
        flags, numbers, at = _attributes(values, at + 2)
        rows.append((time / TICKS if abs(time) < 2**62 else np.nan, value, flags, *numbers))
    try:
        table = np.array(rows, np.float64).reshape(-1, 8)
    except OverflowError:
        raise BadFile("a key has a number that is too large") from None
    if not np.isfinite(table).all():
        raise BadFile("a curve has a key that is not finite")
    return FbxKeys(table[:, 0], table[:, 1], table[:, 2].astype(np.int64), table[:, 3:5], table[:, 5], table[:, 6:8])


_Numbers = tuple[float, float, float, float, float]  # slopes or tension and continuity, bias, weights


def _attributes(values: Sequence[Value], at: int) -> tuple[int, _Numbers, int]:
    """Flags and numbers of a key whose letters begin at a place, and where the next key begins."""
    words: list[tuple[str, list[float]]] = []
    start = at
    while at < len(values):
        value = values[at]
        if isinstance(value, str):
            words.append((value, []))
        elif isinstance(value, int | float) and words and len(words[-1][1]) < _wanted(words):
            words[-1][1].append(float(value) if abs(value) < 1e300 else np.nan)
        else:
            break
        at += 1
    if at == start or words[0][0] not in ("L", "C", "U"):
        there = str(values[start])[:20] if start < len(values) else "the end"
        raise BadFile(f"a key is L, C or U, not {there!r}")
    kind = words[0][0]
    second, numbers = words[1] if len(words) > 1 else ("", [])
    third = 1 / 3
    if kind == "L":
        return LINEAR, (0.0, 0.0, 0.0, third, third), at
    if kind == "C":
        return CONSTANT | (NEXT if second == "n" else 0), (0.0, 0.0, 0.0, third, third), at
    flags = CUBIC | {"s": USER, "b": USER | BREAK, "t": TCB, "p": AUTO | PROGRESSIVE}.get(second, AUTO)
    one, other, bias = (*numbers, 0.0, 0.0, 0.0)[:3]
    side, lengths = words[2] if len(words) > 2 else ("n", [])
    right = lengths[0] if side in ("a", "r") and lengths else third
    left = lengths[-1] if side in ("a", "l") and lengths else third
    flags |= RIGHT_WEIGHTED | NEXT_LEFT_WEIGHTED if side in ("a", "r", "l") else 0
    return flags, (one, other, bias, float(np.clip(right, 1e-4, 0.9999)), float(np.clip(left, 1e-4, 0.9999))), at


def _wanted(words: Sequence[tuple[str, list[float]]]) -> int:
    """How many numbers follow the last of some letters of a key."""
    letter = words[-1][0]
    if len(words) == 2 and words[0][0] == "U":
        return {"s": 2, "b": 2, "t": 3}.get(letter, 0)
    return {"a": 2, "r": 1, "l": 1, "c": 1}.get(letter, 0) if len(words) > 2 else 0
