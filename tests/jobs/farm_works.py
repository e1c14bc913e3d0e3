"""Work for a cluster's workers, which import it by name."""

import os
import signal
import time
from pathlib import Path

from facewright.errors import BadValue
from facewright.jobs import Shared, Task

PATIENCE = 60.0


def squared(task: Task, item: int) -> int:
    if item < 0:
        raise BadValue(f"{item} is below zero")
    return item * item


def where_shared(task: Task, item: tuple[Shared[bytes], int]) -> tuple[int, int, int, int]:
    """The process, the shared object's place in its memory, its size, and the item."""
    shared, number = item
    return os.getpid(), id(shared()), len(shared()), number


def until_stopped(task: Task, folder: Path) -> None:
    """Say that it began, wait for the stop, and say that it came."""
    (folder / f"began-{os.getpid()}").touch()
    if task.wait_for_stop(PATIENCE):
        (folder / "stopped").touch()


def dying_once(task: Task, item: tuple[Path, int]) -> int:
    """The first worker that has item 3 is killed by it."""
    folder, number = item
    with (folder / f"{number}").open("a") as tries:
        tries.write("x")
    if number == 3 and (folder / "3").stat().st_size == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def dying(task: Task, item: int) -> int:
    if item > 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def waiting_for(task: Task, item: tuple[Path, int]) -> int:
    """End once a file is there."""
    file, number = item
    end = time.monotonic() + PATIENCE
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.02)
    return number
