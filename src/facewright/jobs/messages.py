"""What a job reports: progress any number of times, then once what came of it."""

from __future__ import annotations

import pickle
import traceback
from dataclasses import dataclass
from typing import Generic, TypeVar

from facewright.errors import FacewrightError

R = TypeVar("R")


@dataclass(frozen=True)
class Progress:
    """How far a job is."""

    done: int  # steps or frames
    total: int
    note: str = ""  # what it is doing, for a person
    error: float = 0.0  # what is left at this step, in the unit of the work
    speed: float = 0.0  # steps a second since the work began; filled in by Task.report


@dataclass(frozen=True, eq=False)
class Finished(Generic[R]):
    """The work's result."""

    value: R


@dataclass(frozen=True, eq=False)
class Failed:
    """Why there is no result."""

    message: str  # a sentence for a person
    cause: BaseException | None = None  # None where the process died, or where the error cannot be pickled
    details: str = ""  # the traceback, for a log


def failure(problem: BaseException) -> Failed:
    """An exception as a sentence: errors raised on purpose have their own words, others are the program's fault."""
    details = "".join(traceback.format_exception(problem))
    if isinstance(problem, FacewrightError | OSError):
        return Failed(str(problem) or type(problem).__name__, problem, details)
    if isinstance(problem, MemoryError):
        return Failed(str(problem) or "there is not enough memory for this", problem, details)
    return Failed(f"this went wrong inside the program: {problem!r}", problem, details)


def portable(failed: Failed) -> Failed:
    """Without the cause, where it cannot be pickled and restored."""
    try:
        pickle.loads(pickle.dumps(failed.cause))  # noqa: S301  (it was made here)
    except Exception:
        return Failed(failed.message, None, failed.details)
    return failed
