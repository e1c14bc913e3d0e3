"""Clips as arrays: all curves' keys one after the other, and JSON that says whose they are."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from facewright.errors import BadFile
from facewright.formats.arrays_zip import ArrayZip, ArrayZipWriter
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve, Interpolation

NAMES = ("key_times", "key_values", "key_slopes")  # slopes: those of the cubic curves only


class CurveEntry(msgspec.Struct, omit_defaults=True):
    """Whose keys, and how many."""

    slider: str
    keys: int
    interpolation: Interpolation = "linear"


class ClipEntry(msgspec.Struct):
    """A clip without its keys."""

    name: str
    rate: float
    curves: list[CurveEntry] = []


def describe(clip: Clip) -> ClipEntry:
    curves = [CurveEntry(name, len(curve.times), curve.interpolation) for name, curve in clip.curves.items()]
    return ClipEntry(clip.name, float(clip.rate), curves)


def read(file: ArrayZip, entries: Sequence[ClipEntry]) -> tuple[Clip, ...]:
    """The clips that the entries describe."""
    curves = [curve for clip in entries for curve in clip.curves]
    if not curves:
        return tuple(Clip(clip.name, {}, clip.rate) for clip in entries)
    cubic = [curve.interpolation == "cubic" for curve in curves]
    counts = [curve.keys for curve in curves]
    times, values = (_pieces(file, name, counts) for name in NAMES[:2])
    slopes = iter(_pieces(file, NAMES[2], [n for n, is_cubic in zip(counts, cubic, strict=True) if is_cubic], 2))
    keyed = iter(
        Curve(at, value, curve.interpolation, next(slopes) if is_cubic else None)
        for at, value, curve, is_cubic in zip(times, values, curves, cubic, strict=True)
    )
    return tuple(_clip(clip, {curve.slider: next(keyed) for curve in clip.curves}) for clip in entries)


def write(file: ArrayZipWriter, clips: Sequence[Clip]) -> None:
    """All keys of all curves; nothing where there are none."""
    curves = [curve for clip in clips for curve in clip.curves.values()]
    if not curves:
        return
    slopes = [curve.slopes for curve in curves if curve.slopes is not None]
    file.array(_member(NAMES[0]), np.concatenate([curve.times for curve in curves]))
    file.array(_member(NAMES[1]), np.concatenate([curve.values for curve in curves]))
    file.array(_member(NAMES[2]), np.concatenate([np.zeros((0, 2)), *slopes]))


def _clip(entry: ClipEntry, curves: dict[str, Curve]) -> Clip:
    if len(curves) != len(entry.curves):
        raise BadFile(f"clip {entry.name!r} has two curves for one slider")
    return Clip(entry.name, curves, entry.rate)


def _pieces(file: ArrayZip, name: str, counts: list[int], *columns: int) -> list[np.ndarray]:
    array = file.array(_member(name), "f")
    if min(counts, default=0) < 0 or array.shape != (sum(counts), *columns):
        raise BadFile(f"{_member(name)} has shape {array.shape}, but the clips have {sum(counts)} keys")
    return np.split(array, np.cumsum(counts)[:-1]) if counts else []


def _member(name: str) -> str:
    return f"arrays/{name}.npy"
