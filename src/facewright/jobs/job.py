"""Work in the background: in a thread, or in a process of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar, TypeVarTuple

from facewright.errors import BadValue
from facewright.jobs.messages import Failed, Finished, Progress, failure
from facewright.jobs.process import WorkerProcess
from facewright.jobs.task import Killed, StopRequest, Task
from facewright.options import suggests_options

R = TypeVar("R")
Args = TypeVarTuple("Args")
_log = logging.getLogger(__name__)


class Job(Generic[R]):
    """Work that was started. All of its methods are for any thread."""

    def __init__(self, heard: Callable[[Progress | Finished[R] | Failed], None]) -> None:
        self._heard = heard
        self._telling = threading.RLock()  # so that nothing is heard once kill() has returned
        self._killed = False
        self._ended = threading.Event()
        self._stop = StopRequest()
        self._outcome: Finished[R] | Failed | None = None
        self._process: WorkerProcess | None = None

    @property
    def is_running(self) -> bool:
        """Whether its end is yet to be heard."""
        return not self._ended.is_set()

    def stop(self) -> None:
        """Ask it to end soon with what there is; that is heard as its result."""
        self._stop.make()

    def kill(self) -> None:
        """End it now; nothing more is heard. A process ends at once, a thread when it next reports progress.

        A call of `heard` that is under way in another thread is waited for.
        """
        with self._telling:
            self._killed = True
        self._stop.make()
        if self._process is not None:
            self._process.kill()

    def wait(self, seconds: float | None = None) -> Finished[R] | Failed | None:
        """Wait until it has ended and that was heard; its outcome, or None if it was killed or is still running."""
        self._ended.wait(seconds)
        return self._outcome

    def _tell(self, message: Progress | Finished[R] | Failed) -> None:
        with self._telling:
            if self._killed:
                raise Killed
            if not isinstance(message, Progress):
                self._outcome = message
            try:
                self._heard(message)
            except Exception:
                _log.exception("what a job reported could not be taken in")

    def _run(self, carry_out: Callable[[], Finished[R] | Failed], close: Callable[[], None]) -> None:
        try:
            try:
                outcome = carry_out()
            finally:
                close()
            if isinstance(outcome, Failed):
                _log.debug("a job failed: %s\n%s", outcome.message, outcome.details)
            self._tell(outcome)
        except Killed:
            pass
        finally:
            self._ended.set()


@suggests_options
def start(
    work: Callable[[Task, *Args], R],
    *args: *Args,
    heard: Callable[[Progress | Finished[R] | Failed], None],
    where: Literal["thread", "process"] = "thread",
    process: WorkerProcess | None = None,
    memory_limit: int | None = None,
    time_limit: float | None = None,
) -> Job[R]:
    """Run `work(task, *args)` in the background.

    heard: called in a thread of the job's own with progress any number of times, then once with Finished or Failed;
        never once the job was killed.
    where: a process does not slow down this one and can be killed at any time, but its work, arguments and result
        have to be pickled.
    process: one that is used by one job after the other, and is left running; otherwise the job has one of its own.
    memory_limit: bytes that a process may take beyond what it has when the work begins (not on Windows).
    time_limit: seconds after which a process is ended.
    """
    if where == "thread" and (memory_limit is not None or time_limit is not None):
        raise BadValue("memory and time can be limited for a process only; say where='process'")
    job: Job[R] = Job(heard)
    if where == "thread":
        task = Task(job._tell, job._stop.event)
        carry_out: Callable[[], Finished[R] | Failed] = lambda: _in_this_thread(work, task, args)  # noqa: E731
    else:
        used = job._process = process or WorkerProcess()
        carry_out = lambda: used.run(  # noqa: E731
            work, args, job._tell, job._stop, memory_limit=memory_limit, time_limit=time_limit
        )
    name = getattr(work, "__name__", "job")
    close = job._process.close if job._process is not None and process is None else _nothing
    threading.Thread(target=job._run, args=(carry_out, close), name=name, daemon=True).start()
    return job


def _in_this_thread(work: Callable[..., R], task: Task, args: tuple[Any, ...]) -> Finished[R] | Failed:
    try:
        return Finished(work(task, *args))
    except Killed:
        raise
    except BaseException as problem:
        return failure(problem)


def _nothing() -> None:
    """Leave a process running that others use."""
