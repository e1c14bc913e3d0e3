"""A job in a thread or a process: progress in order, then one result or one reason; nothing once it was killed."""

import os
import queue
import signal
import threading
from typing import Any, Literal

import pytest

from facewright.errors import BadValue
from facewright.jobs import Failed, Finished, Progress, WorkerProcess, start, use_one_thread
from facewright.solve.blas import openblas_libraries
from tests.jobs import works

PATIENCE = 60.0
Where = Literal["thread", "process"]
both = pytest.mark.parametrize("where", ["thread", "process"])


class Heard:
    """Everything that a job reports."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._new: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def __call__(self, message: Any) -> None:
        self.all.append(message)
        self._new.put(message)

    def next(self) -> Any:
        return self._new.get(timeout=PATIENCE)


def outcome(work: Any, *args: Any, where: Where = "thread", **limits: Any) -> Finished[Any] | Failed:
    heard = Heard()
    found = start(work, *args, where=where, heard=heard, **limits).wait(PATIENCE)
    assert found is not None
    assert heard.all[-1] is found
    assert [message for message in heard.all if not isinstance(message, Progress)] == [found]
    result: Finished[Any] | Failed = found
    return result


@both
def test_a_result_is_heard(where: Where) -> None:
    found = outcome(works.add, 2, 3, where=where)
    assert isinstance(found, Finished)
    assert found.value == 5


def test_a_process_is_another_one() -> None:
    found = outcome(works.process_id, where="process")
    assert isinstance(found, Finished)
    assert found.value != os.getpid()


@both
def test_an_error_raised_on_purpose_gives_its_own_words(where: Where) -> None:
    found = outcome(works.refuse, where=where)
    assert isinstance(found, Failed)
    assert found.message == "the nose is not finite"
    assert isinstance(found.cause, BadValue)
    assert "in refuse" in found.details


@both
def test_an_error_that_cannot_be_pickled_still_gives_its_words(where: Where) -> None:
    found = outcome(works.refuse_name, where=where)
    assert isinstance(found, Failed)
    assert "no shape named 'smille'" in found.message
    assert "smile" in found.message


@both
def test_an_unforeseen_error_is_told_as_the_programs(where: Where) -> None:
    found = outcome(works.stumble, where=where)
    assert isinstance(found, Failed)
    assert found.message == "this went wrong inside the program: ZeroDivisionError('by the jaw')"


def test_what_cannot_be_pickled_fails_in_words() -> None:
    result = outcome(works.unpicklable_result, where="process")
    assert isinstance(result, Failed)
    assert "inside the program" in result.message
    work = outcome(lambda task: 1, where="process")
    assert isinstance(work, Failed)
    assert "inside the program" in work.message


@both
def test_progress_comes_in_order_and_before_the_result(where: Where) -> None:
    heard = Heard()
    job = start(works.count, 50, where=where, heard=heard)
    assert isinstance(job.wait(PATIENCE), Finished)
    *steps, last = heard.all
    assert isinstance(last, Finished)
    assert [(step.done, step.total, step.note) for step in steps] == [(n, 50, f"step {n}") for n in range(1, 51)]
    assert steps[3].error == 0.25
    assert all(step.speed > 0 for step in steps)
    assert not job.is_running


@both
def test_a_stopped_job_ends_with_what_there_is(where: Where) -> None:
    heard = Heard()
    job = start(works.until_stopped, where=where, heard=heard)
    assert isinstance(heard.next(), Progress)
    assert job.is_running
    job.stop()
    job.stop()
    assert heard.next().value == "what there is"


@both
def test_a_stop_before_the_work_has_begun_is_not_lost(where: Where) -> None:
    heard = Heard()
    job = start(works.until_stopped, where=where, heard=heard)
    job.stop()
    found = job.wait(PATIENCE)
    assert isinstance(found, Finished)
    assert found.value == "what there is"


@both
def test_a_killed_job_is_not_heard_of_again(where: Where) -> None:
    heard = Heard()
    job = start(works.report_until_ended, where=where, heard=heard)
    heard.next()
    job.kill()
    count = len(heard.all)
    assert job.wait(PATIENCE) is None
    assert not job.is_running
    assert len(heard.all) == count


@both
def test_a_job_killed_before_it_has_begun_ends(where: Where) -> None:
    heard = Heard()
    job = start(works.report_until_ended, where=where, heard=heard)
    job.kill()
    count = len(heard.all)
    assert job.wait(PATIENCE) is None
    assert not job.is_running
    assert len(heard.all) == count


def test_a_job_can_be_killed_by_the_one_who_hears_it() -> None:
    ready, heard = threading.Event(), Heard()

    def hear(message: Any) -> None:
        heard(message)
        ready.wait(PATIENCE)
        job.kill()

    job = start(works.report_until_ended, heard=hear)
    ready.set()
    assert job.wait(PATIENCE) is None
    assert len(heard.all) == 1


def test_a_listener_that_fails_does_not_lose_the_result(caplog: pytest.LogCaptureFixture) -> None:
    def hear(message: Any) -> None:
        raise ZeroDivisionError

    found = start(works.count, 3, heard=hear).wait(PATIENCE)
    assert isinstance(found, Finished)
    assert "could not be taken in" in caplog.text


def test_a_process_that_dies_fails_in_words() -> None:
    found = outcome(works.vanish, where="process")
    assert isinstance(found, Failed)
    assert "ended without a result (exit code 3)" in found.message


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_a_process_killed_from_outside_fails_in_words() -> None:
    heard = Heard()
    start(report_own_process, where="process", heard=heard)
    os.kill(heard.next().done, signal.SIGKILL)
    found = heard.next()
    assert isinstance(found, Failed)
    assert "ended without a result (signal 9)" in found.message


def report_own_process(task: Any) -> None:
    task.report(Progress(os.getpid(), 0))
    task.wait_for_stop()


def test_a_memory_limit_fails_in_words() -> None:
    pytest.importorskip("resource")
    small = outcome(works.take_memory, 1 << 20, where="process", memory_limit=256 << 20)
    assert isinstance(small, Finished)
    large = outcome(works.take_memory, 1 << 30, where="process", memory_limit=256 << 20)
    assert isinstance(large, Failed)
    assert "memory" in large.message
    assert "256 MB" in large.message


def test_a_time_limit_fails_in_words() -> None:
    found = outcome(works.until_stopped, where="process", time_limit=0.5)
    assert isinstance(found, Failed)
    assert found.message == "this took longer than 0.5 seconds and was ended"


def test_a_thread_cannot_be_limited() -> None:
    with pytest.raises(BadValue, match="process"):
        start(works.add, 1, 2, heard=print, time_limit=1.0)


@both
def test_two_jobs_run_at_once(where: Where) -> None:
    first, second = Heard(), Heard()
    one = start(works.until_stopped, where=where, heard=first)
    two = start(works.until_stopped, where=where, heard=second)
    first.next()
    second.next()  # both are at work now
    two.stop()
    assert isinstance(two.wait(PATIENCE), Finished)
    assert one.is_running
    one.stop()
    assert isinstance(one.wait(PATIENCE), Finished)


def test_a_process_uses_one_thread_for_linear_algebra() -> None:
    found = outcome(works.blas_threads, where="process")
    assert isinstance(found, Finished)
    assert set(found.value) <= {1}


def test_this_process_uses_one_thread_for_linear_algebra_when_told() -> None:
    use_one_thread()
    counts = [int(getattr(library, flavour.format("get"))()) for library, flavour in openblas_libraries()]
    assert set(counts) <= {1}


def test_one_process_serves_one_job_after_the_other() -> None:
    process = WorkerProcess()
    found = [outcome(works.process_id, where="process", process=process) for _ in range(2)]
    pids = [each.value for each in found if isinstance(each, Finished)]
    assert len(pids) == 2
    assert pids[0] == pids[1] != os.getpid()
    process.close()
