"""A pool of processes: every item's outcome, and Ctrl-C as a terminal sends it, to the whole group of processes."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from facewright.jobs import Failed, Finished, NotBegun, Pool, Task
from tests.jobs import works

MAIN = """
from facewright.jobs import Pool
from tests.jobs import works

if __name__ == "__main__":
    with Pool(2) as pool:
        for name, outcome in pool.run(works.announce_and_wait, ["one", "two", "three"]):
            print(name, type(outcome).__name__, flush=True)
"""
PARENT = """
import os
from facewright.jobs import start
from tests.jobs.test_pool import print_process_and_wait

if __name__ == "__main__":
    start(print_process_and_wait, where="process", heard=print).wait()
"""


def half(task: Task, number: int) -> float:
    if number == 3:
        os._exit(1)
    return 12 / (number - 1)


def print_process_and_wait(task: Task) -> None:
    print(os.getpid(), flush=True)
    task.wait_for_stop()


def test_every_item_has_an_outcome_and_failures_do_not_stop_the_others() -> None:
    with Pool(2) as pool:
        found = dict(pool.run(half, [0, 1, 2, 3, 4, 5]))
    assert {n: one.value for n, one in found.items() if isinstance(one, Finished)} == {
        0: -12.0,
        2: 12.0,
        4: 4.0,
        5: 3.0,
    }
    assert isinstance(found[1], Failed)
    assert "ZeroDivisionError" in found[1].message
    assert isinstance(found[3], Failed)
    assert "without a result" in found[3].message


def test_no_items_give_no_outcomes() -> None:
    with Pool(2) as pool:
        assert list(pool.run(half, [])) == []


def test_a_stopped_pool_begins_nothing_more() -> None:
    with Pool(1) as pool:
        pool.stop()
        kinds = [type(outcome) for _, outcome in pool.run(works.announce_and_wait, ["one", "two", "three"])]
    assert kinds[1:] == [NotBegun, NotBegun]


@pytest.mark.skipif(os.name != "posix", reason="needs groups of processes")
def test_ctrl_c_ends_those_at_work_with_what_they_have() -> None:
    command = [sys.executable, "-c", MAIN]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            begun = {process.stdout.readline(), process.stdout.readline()}
            assert begun == {"begun one\n", "begun two\n"}
            os.killpg(process.pid, signal.SIGINT)
            rest, errors = process.communicate(timeout=60)
        finally:
            process.kill()  # if it has not ended; else the end of the `with` would wait for it
    assert sorted(rest.splitlines()) == ["one Finished", "three NotBegun", "two Finished"]
    assert errors == ""
    assert process.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_signal_that_does_not_wake_the_waiting_thread_stops_the_pool_all_the_same() -> None:
    def press() -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    with Pool(1) as pool:
        timer = threading.Timer(0.5, press)  # the main thread waits for the pool by then, and may do so at any time
        timer.start()
        kinds = [type(outcome) for _, outcome in pool.run(works.announce_and_wait, ["one", "two"])]
        timer.join()
    assert kinds == [Finished, NotBegun]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_ends_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        try:
            int(parent.stdout.readline())
        finally:
            parent.kill()
        assert parent.stdout.read() == ""  # its other end closes when the last process that holds it has ended
