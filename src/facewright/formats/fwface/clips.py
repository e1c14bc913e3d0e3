"""The keys of clips as arrays: those of all curves one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.errors import BadFile
from facewright.formats.arrays_zip import ArrayZip, ArrayZipWriter
from facewright.formats.schema.clip import ClipEntry
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve

_TIMES, _VALUES = "arrays/key_times.npy", "arrays/key_values.npy"
_SLOPES = "arrays/key_slopes.npy"  # of the cubic curves only
_TANGENTS = "arrays/key_tangents.npy"  # of the curves with tangents only; absent where there are none
MEMBERS = frozenset({_TIMES, _VALUES, _SLOPES, _TANGENTS})


def read_clips(file: ArrayZip, entries: Sequence[ClipEntry]) -> tuple[Clip, ...]:
    """The clips that the entries describe."""
    curves = [curve for clip in entries for curve in clip.curves]
    if not curves:
        return tuple(clip.value({}) for clip in entries)
    cubic = [curve.interpolation == "cubic" for curve in curves]
    counts = [curve.keys for curve in curves]
    times, values = (_pieces(file, name, counts) for name in (_TIMES, _VALUES))
    slopes = iter(_pieces(file, _SLOPES, [n for n, is_cubic in zip(counts, cubic, strict=True) if is_cubic], 2))
    kinds = iter(_kinds(file, [curve.keys for curve in curves if curve.tangents is not None]))
    keyed = iter(
        Curve(
            at,
            value,
            curve.interpolation,
            next(slopes) if is_cubic else None,
            None if curve.tangents is None else next(kinds),
            curve.outside,
        )
        for at, value, curve, is_cubic in zip(times, values, curves, cubic, strict=True)
    )
    return tuple(clip.value({curve.slider: next(keyed) for curve in clip.curves}) for clip in entries)


def write_clips(file: ArrayZipWriter, clips: Sequence[Clip]) -> None:
    """Write all keys of all curves; nothing where there are none."""
    curves = [curve for clip in clips for curve in clip.curves.values()]
    if not curves:
        return
    slopes = [curve.slopes for curve in curves if curve.slopes is not None]
    file.array(_TIMES, np.concatenate([curve.times for curve in curves]))
    file.array(_VALUES, np.concatenate([curve.values for curve in curves]))
    file.array(_SLOPES, np.concatenate([np.zeros((0, 2)), *slopes]))
    kinds = [curve.tangents for curve in curves if curve.tangents is not None]
    if kinds:
        file.array(_TANGENTS, np.concatenate(kinds).astype(np.uint8))


def _kinds(file: ArrayZip, counts: list[int]) -> list[np.ndarray]:
    return _pieces(file, _TANGENTS, counts, kind="u") if counts else []


def _pieces(file: ArrayZip, name: str, counts: list[int], *columns: int, kind: str = "f") -> list[np.ndarray]:
    array = file.array(name, kind)
    if min(counts, default=0) < 0 or array.shape != (sum(counts), *columns):
        raise BadFile(f"{name} has shape {array.shape}, but the clips have {sum(counts)} keys")
    return np.split(array, np.cumsum(counts)[:-1]) if counts else []
