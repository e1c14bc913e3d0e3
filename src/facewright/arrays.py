"""Checks of arrays: every array that enters the library is copied, checked and made read-only."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.errors import BadValue

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LARGEST = 1e60  # scene units: a product of four such lengths, as in a variance of areas, is finite
STRONGEST = 1e30  # strength of a pin, which is squared and multiplied by squared lengths


def numbers(name: str, value: ArrayLike) -> Floats:
    """A float64 copy of any shape."""
    return _as_array(name, value, np.float64)


def floats(name: str, value: ArrayLike, shape: tuple[int | None, ...]) -> Floats:
    """A read-only float64 copy of the given shape (None: any length), every number finite."""
    array = numbers(name, value)
    _check_shape(name, array, shape)
    if not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0]
        raise BadValue(f"{name} has a value that is not finite at index {_index(where)}")
    return frozen(array)


def lengths(name: str, value: ArrayLike, shape: tuple[int | None, ...]) -> Floats:
    """The same for positions, offsets and distances, which are multiplied: none is beyond `LARGEST`."""
    array = floats(name, value, shape)
    if array.size and max(array.max(), -array.min()) > LARGEST:
        largest = max(array.max(), -array.min())
        raise BadValue(f"{name} has a value of {largest:.3g}; only up to {LARGEST:g} are all products finite")
    return array


def up_to(name: str, value: float, most: float) -> float:
    """A number from 0 to the most that is allowed."""
    try:
        number = float(value)
    except OverflowError:  # a whole number that no float holds
        number = float("inf") if value > 0 else float("-inf")
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 <= number <= most:
        limit = f", at most {most:g}" if number > most else ""
        raise BadValue(f"{name} is a number from 0 up{limit}, not {str(value)[:40]}")
    return number


def indices(name: str, value: ArrayLike, shape: tuple[int | None, ...], *, below: int, least: int = 0) -> Ints:
    """A read-only int64 copy of the given shape, every index in [least, below)."""
    array = _as_array(name, value, None)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise BadValue(f"{name} must hold whole numbers, not {array.dtype}")
    _check_shape(name, array, shape)
    if array.size and (array.min() < least or array.max() >= below):
        bad = array[(array < least) | (array >= below)].flat[0]
        raise BadValue(f"{name} has index {bad}; indices go from {least} to {below - 1}")
    return frozen(array.astype(np.int64))


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, made read-only."""
    array.setflags(write=False)
    return array


def _as_array(name: str, value: ArrayLike, dtype: Any) -> NDArray[Any]:
    try:
        return np.array(value, dtype=dtype, order="C")
    except (TypeError, ValueError, OverflowError) as problem:
        raise BadValue(f"{name} is not an array of numbers: {problem}") from None


def _check_shape(name: str, array: NDArray[Any], shape: tuple[int | None, ...]) -> None:
    fits = array.ndim == len(shape) and all(
        want is None or have == want for have, want in zip(array.shape, shape, strict=True)
    )
    if not fits:
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise BadValue(f"{name} must have shape ({wanted}), not {array.shape}")


def _index(where: NDArray[np.int64]) -> str:
    return ", ".join(str(i) for i in where)
