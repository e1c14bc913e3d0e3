"""One thread for linear algebra: a second one stalls the small products of a drag now and then.

The usual way, OPENBLAS_NUM_THREADS, works only before numpy is imported, and a command of ours runs after that.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Iterator

_USERS = ("numpy._core._multiarray_umath", "scipy.linalg._fblas")  # each may carry an OpenBLAS of its own
_FLAVOURS = tuple(f"{head}openblas_{{}}_num_threads{tail}" for head in ("scipy_", "") for tail in ("64_", ""))


def use_one_thread() -> None:
    """Tell every OpenBLAS that is loaded; other libraries are left as they are."""
    for library, flavour in _loaded():
        getattr(library, flavour.format("set"))(1)


def thread_counts() -> list[int]:
    """The threads of every OpenBLAS that is loaded."""
    return [int(getattr(library, flavour.format("get"))()) for library, flavour in _loaded()]


def _loaded() -> Iterator[tuple[ctypes.CDLL, str]]:
    for name in _USERS:
        try:
            library = ctypes.CDLL(str(importlib.import_module(name).__file__))
        except (ImportError, OSError):
            continue
        yield from ((library, flavour) for flavour in _FLAVOURS if hasattr(library, flavour.format("set")))
