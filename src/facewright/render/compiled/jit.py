"""The decorator of functions that numba compiles when they are first called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """The function as machine code, which other threads run beside; kept on disk for the next process."""
    try:
        return cast(F, njit(function, cache=True, nogil=True, error_model="numpy"))
    except RuntimeError:  # neither the folder of the package nor the user's own can be written to
        return cast(F, njit(function, nogil=True, error_model="numpy"))
