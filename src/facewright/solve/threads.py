"""Independent pieces of one computation on several threads, which numpy and scipy let run at the same time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_THREADS = 8  # more threads would wait for memory

T = TypeVar("T")
R = TypeVar("R")


def on_threads(work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """The results of `work` for all items, in their order. They do not depend on the number of threads.

    Where one item fails, the first error is raised once the others have ended.
    """
    listed = list(items)
    cores = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, _THREADS)
    if cores < 2 or len(listed) < 2:
        return [work(item) for item in listed]
    with ThreadPoolExecutor(min(cores, len(listed))) as pool:
        return list(pool.map(work, listed))
