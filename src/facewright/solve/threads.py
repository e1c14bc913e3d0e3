"""Independent pieces of one computation on several threads, which numpy, scipy and compiled loops let run at the same
time.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from facewright.solve.blas import one_thread

_THREADS = 8  # more threads would wait for memory

T = TypeVar("T")
R = TypeVar("R")


def on_threads(work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """The results of `work` for all items, in their order. They do not depend on the number of threads.

    The calling thread is one of them. Items are begun in their order: let long ones come first. Where one fails, no
    more are begun, and the error of the first one is raised once the others have ended.
    """
    listed = list(items)
    cores = min(_cores(), len(listed))
    if cores < 2:
        return [work(item) for item in listed]
    results: dict[int, R] = {}
    errors: dict[int, BaseException] = {}
    turns: SimpleQueue[int] = SimpleQueue()
    for turn in range(len(listed)):
        turns.put(turn)

    def take_turns() -> None:
        while not errors:
            try:
                turn = turns.get_nowait()
            except Empty:
                return
            try:
                results[turn] = work(listed[turn])
            except BaseException as error:
                errors[turn] = error

    threads = [Thread(target=take_turns) for _ in range(cores - 1)]
    try:
        with one_thread():
            for thread in threads:
                thread.start()
            take_turns()
            for thread in threads:
                thread.join()
    except BaseException as error:  # a signal while this thread starts others or waits for them
        errors[-1] = error
    if errors:
        raise errors[min(errors)]
    return [results[turn] for turn in range(len(listed))]


def ahead_on_threads(work: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
    """The results of `work` in the order of the items, one after the other.

    As many as there are cores are under way while the caller uses a result; items are taken when their turn comes.
    """
    cores = _cores()
    if cores < 2:
        yield from map(work, items)
        return
    waiting: deque[SimpleQueue[Future[R]]] = deque()
    pool = ThreadPoolExecutor(cores)
    try:
        for item in items:
            waiting.append(_asked(pool, work, item))
            if len(waiting) > cores:
                yield waiting.popleft().get().result()
        while waiting:
            yield waiting.popleft().get().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _asked(pool: ThreadPoolExecutor, work: Callable[[T], R], item: T) -> SimpleQueue[Future[R]]:
    """A queue that gets the future once it is done.

    A signal may end the wait for a queue, which is compiled, at any moment. The wait for a future takes a lock in
    Python, which an error that a signal raises can leave locked, so that the pool waits for it for ever.
    """
    done: SimpleQueue[Future[R]] = SimpleQueue()
    pool.submit(work, item).add_done_callback(done.put)
    return done


def _cores() -> int:
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, _THREADS)
