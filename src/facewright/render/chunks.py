"""Long arrays in pieces that fit a core's cache, on all cores: numpy lets others work while it does."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_LENGTH = 2**14
_MOST = 8  # threads: more wait for memory


def in_chunks(count: int, work: Callable[[slice], None], length: int = _LENGTH) -> None:
    """Do the work for slices that make up range(count); each writes into its own part of what comes of it."""
    slices = [slice(start, min(start + length, count)) for start in range(0, count, length)]
    cores = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, _MOST)
    if len(slices) < 2 or cores < 2:
        for some in slices:
            work(some)
        return
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(work, slices))
