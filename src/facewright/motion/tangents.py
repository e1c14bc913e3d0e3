"""Tangents of keys: how the slopes of a cubic curve follow from the kinds of its keys.

auto: smooth through the key, flat at turning points and at the ends, so that the curve never leaves the range of the
two keys around it. The inner slopes are the weighted harmonic means of Fritsch and Butland (1984), as in PCHIP.
flat: slope 0. linear: towards the neighbouring keys. step: the value is held until the next key, and reached flat
unless a slope is given. free: one slope for both sides, as given. broken: a slope for each side, as given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints, indices
from facewright.errors import UnknownName

Tangent = Literal["auto", "flat", "linear", "step", "free", "broken"]
TANGENTS: tuple[Tangent, ...] = get_args(Tangent)
AUTO, FLAT, LINEAR, STEP, FREE, BROKEN = range(len(TANGENTS))


def tangent_codes(tangents: Sequence[Tangent] | ArrayLike, keys: int) -> Ints:
    """Kinds of keys as their places (k,) in `TANGENTS`; names or such places may be given."""
    given = np.asarray(tangents)
    if given.dtype.kind in "US":
        unknown = [name for name in given.tolist() if name not in TANGENTS]
        if unknown:
            raise UnknownName("tangent", str(unknown[0]), TANGENTS)
        given = np.array([TANGENTS.index(name) for name in given.tolist()], np.int64)
    return indices("key tangents", given, (keys,), below=len(TANGENTS))


def tangent_slopes(times: Floats, values: Floats, codes: Ints, given: Floats) -> Floats:
    """Slopes (k, 2), arriving and leaving, of keys of these kinds; `given` are those of free and broken keys."""
    slopes = np.where((codes == BROKEN)[:, None], given, 0.0)
    slopes[codes == STEP, 0] = given[codes == STEP, 0]
    slopes[codes == FREE] = given[codes == FREE][:, 1:]
    slopes[codes == AUTO] = auto_slopes(times, values)[codes == AUTO, None]
    before, after = _secants(times, values)
    straight = codes == LINEAR
    slopes[straight] = np.column_stack([before, after])[straight]
    return slopes


def auto_slopes(times: Floats, values: Floats) -> Floats:
    """Slopes (k,) of the monotone cubic through the keys, flat at the ends."""
    slopes = np.zeros(len(times))
    if len(times) < 3:
        return slopes
    spans = np.diff(times)
    secants = np.diff(values) / spans
    before, after = secants[:-1], secants[1:]
    near, far = 2 * spans[1:] + spans[:-1], spans[1:] + 2 * spans[:-1]
    turns = before * after <= 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        mean = (near + far) / (near / before + far / after)
    slopes[1:-1] = np.where(turns | ~np.isfinite(mean), 0.0, mean)
    return slopes


def inferred_codes(slopes: Floats) -> NDArray[np.int64]:
    """Kinds of keys (k,) that have given slopes: flat, free or broken."""
    arriving, leaving = slopes[:, 0], slopes[:, 1]
    return np.where(arriving != leaving, BROKEN, np.where(leaving == 0, FLAT, FREE))


def _secants(times: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Slopes of the straight lines before and after each key; 0 at the ends, where the value is held."""
    secants = np.diff(values) / np.diff(times)
    return np.concatenate([[0.0], secants]), np.concatenate([secants, [0.0]])
