"""One thread for linear algebra: with two, the small products of a drag stall now and then.

The usual way, OPENBLAS_NUM_THREADS, works only before numpy is imported. This works afterwards, too.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Iterator

_USERS = ("numpy._core._multiarray_umath", "scipy.linalg._fblas")  # each may carry an OpenBLAS of its own
_FLAVOURS = tuple(f"{head}openblas_{{}}_num_threads{tail}" for head in ("scipy_", "") for tail in ("64_", ""))


def use_one_thread() -> None:
    """Set the number of threads of every OpenBLAS of numpy and scipy to 1; other libraries are left as they are."""
    for library, flavour in openblas_libraries():
        getattr(library, flavour.format("set"))(1)


def openblas_libraries() -> Iterator[tuple[ctypes.CDLL, str]]:
    """Each OpenBLAS and the name of its thread functions, with {} for set or get."""
    for name in _USERS:
        try:
            library = ctypes.CDLL(str(importlib.import_module(name).__file__))
        except (ImportError, OSError):
            continue
        yield from ((library, flavour) for flavour in _FLAVOURS if hasattr(library, flavour.format("set")))
