"""A take being solved in a process of its own, so that the face can be worked on meanwhile."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import monotonic

from facewright.errors import FacewrightError
from facewright.session.take_solve import SolvedTake, SolveJob, solve
from facewright.studio.threads import use_one_thread

_PATIENCE = 2.0  # seconds that a process which is to end may take


@dataclass(frozen=True)
class Progress:
    """How far a solve is."""

    done: int  # frames
    total: int
    speed: float  # frames a second; 0 where it is not known yet


@dataclass(frozen=True)
class Failed:
    """Why nothing came of a solve, for the person."""

    message: str


Heard = Progress | SolvedTake | Failed


class Solving:
    """Begins at once. `heard` is called in a thread of its own: progress, and at last what came of it, exactly once."""

    def __init__(self, job: SolveJob, heard: Callable[[Heard], None]) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs,), name="take solver", daemon=True)
        self._process.start()
        theirs.close()
        self._heard, self._over = heard, threading.Event()
        self._thread = threading.Thread(target=self._listen, args=(job,), name="take solver", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask it to end with what it has."""
        with suppress(OSError):  # it has ended already, and what came of it is on its way
            self._ours.send(None)

    def kill(self) -> None:
        """End it, whatever it has; nothing more is heard."""
        self._over.set()
        self._process.kill()
        self._process.join(_PATIENCE)
        self._thread.join(_PATIENCE)

    def _listen(self, job: SolveJob) -> None:
        last: Heard = Failed("the solver ended without a word; the take may need more memory than there is")
        try:
            self._ours.send(job)
            while isinstance(heard := self._ours.recv(), Progress):
                self._tell(heard)
            last = heard
        except (EOFError, OSError):
            pass  # it was killed, or died
        finally:
            self._process.join(_PATIENCE)
            self._ours.close()
        self._tell(last)

    def _tell(self, heard: Heard) -> None:
        if not self._over.is_set():
            self._heard(heard)


def work(pipe: Connection) -> None:
    """The other process: a job comes, progress goes, the result goes. Anything else that comes means to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the studio, which ends this process
    use_one_thread()
    try:
        job: SolveJob = pipe.recv()
        pipe.send(Progress(0, len(job.take), 0.0))
        pipe.send(_outcome(job, pipe))
    except (EOFError, OSError):
        pass  # the studio is gone
    finally:
        pipe.close()


def _outcome(job: SolveJob, pipe: Connection) -> Heard:
    start = monotonic()

    def progress(done: int, total: int) -> None:
        pipe.send(Progress(done, total, done / max(monotonic() - start, 1e-6)))

    try:
        return solve(job, progress, pipe.poll)
    except (FacewrightError, MemoryError) as problem:
        return Failed(str(problem) or "there is not enough memory for this take")
    except (EOFError, OSError):
        raise
    except Exception as problem:
        return Failed(f"this went wrong inside the program: {problem!r}")
