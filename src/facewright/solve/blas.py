"""One thread for linear algebra: with two, the small products of a drag stall now and then, and threads of our own
wait for each other's.

The usual way, OPENBLAS_NUM_THREADS, works only before numpy is imported. This works afterwards, too.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

_USERS = ("numpy._core._multiarray_umath", "scipy.linalg._fblas")  # each may carry an OpenBLAS of its own
_FLAVOURS = tuple(f"{head}openblas_{{}}_num_threads{tail}" for head in ("scipy_", "") for tail in ("64_", ""))


def use_one_thread() -> None:
    """Set the number of threads of every OpenBLAS of numpy and scipy to 1; other libraries are left as they are."""
    for library, flavour in openblas_libraries():
        getattr(library, flavour.format("set"))(1)


class _Inside:
    """How many threads are inside of `one_thread`, and what the first one found."""

    lock, count = Lock(), 0
    before: tuple[int, ...] = ()


@contextmanager
def one_thread() -> Iterator[None]:
    """The same until the end of a block, of the last one where several threads are in such blocks."""
    known = _known_libraries()
    with _Inside.lock:
        if not _Inside.count:
            _Inside.before = tuple(getattr(library, flavour.format("get"))() for library, flavour in known)
            use_one_thread()
        _Inside.count += 1
    try:
        yield
    finally:
        with _Inside.lock:
            _Inside.count -= 1
            if not _Inside.count:
                for (library, flavour), threads in zip(known, _Inside.before, strict=True):
                    getattr(library, flavour.format("set"))(threads)


@cache
def _known_libraries() -> tuple[tuple[ctypes.CDLL, str], ...]:
    return tuple(openblas_libraries())


def openblas_libraries() -> Iterator[tuple[ctypes.CDLL, str]]:
    """Each OpenBLAS and the name of its thread functions, with {} for set or get."""
    for name in _USERS:
        try:
            library = ctypes.CDLL(str(importlib.import_module(name).__file__))
        except (ImportError, OSError):
            continue
        yield from ((library, flavour) for flavour in _FLAVOURS if hasattr(library, flavour.format("set")))
