"""Pieces of work for the tests of jobs; at module level, so that a process can be given them."""

import os
from typing import NoReturn

from facewright.errors import BadValue, UnknownName
from facewright.jobs import Progress, Task


def add(task: Task, left: int, right: int) -> int:
    return left + right


def process_id(task: Task) -> int:
    return os.getpid()


def count(task: Task, total: int) -> int:
    for done in range(1, total + 1):
        task.report(Progress(done, total, note=f"step {done}", error=1.0 / done))
    return total


def until_stopped(task: Task) -> str:
    task.report(Progress(1, 2))
    task.wait_for_stop()
    return "what there is"


def report_until_ended(task: Task) -> NoReturn:
    while True:
        task.report(Progress(1, 2))


def refuse(task: Task) -> NoReturn:
    raise BadValue("the nose is not finite")


def refuse_name(task: Task) -> NoReturn:
    raise UnknownName("shape", "smille", ("smile", "blink"))


def stumble(task: Task) -> NoReturn:
    raise ZeroDivisionError("by the jaw")


def vanish(task: Task) -> NoReturn:
    os._exit(3)


def unpicklable_result(task: Task) -> object:
    return lambda: None


def take_memory(task: Task, size: int) -> int:
    return len(bytearray(size))


def blas_threads(task: Task) -> list[int]:
    from facewright.solve.blas import openblas_libraries

    return [int(getattr(library, flavour.format("get"))()) for library, flavour in openblas_libraries()]


def announce_and_wait(task: Task, name: str) -> str:
    """Print a line at once, so that a test knows that it is at work."""
    os.write(1, f"begun {name}\n".encode())  # in one piece, since others write to the same pipe
    task.wait_for_stop()
    return name
