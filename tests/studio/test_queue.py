"""Jobs come out in order; of a stream only the newest waits."""

import threading
from functools import partial

from facewright.studio.queue import Entry, WorkQueue


def names(box: WorkQueue, done: list[str]) -> list[str]:
    box.close()
    while (job := box.take()) is not None:
        job.run()
    return done


def test_of_a_stream_the_newest_wins_and_the_rest_keeps_its_order() -> None:
    box = WorkQueue()
    done: list[str] = []
    for name, stream in [("a", None), ("b1", 1), ("b2", 1), ("b3", 1), ("c", None), ("b4", 1), ("d1", 2), ("b5", 1)]:
        box.put(Entry(partial(done.append, name), stream))
    assert names(box, done) == ["a", "b3", "c", "b4", "d1", "b5"]


def test_a_flood_of_one_stream_never_grows() -> None:
    box = WorkQueue()
    waiting = [box.put(Entry(lambda: None, "drag")) for _ in range(10_000)]
    assert waiting.count(True) == 1
    assert len(box) == 1


def test_who_waits_is_woken_and_after_closing_nothing_is_taken_in() -> None:
    box = WorkQueue()
    done: list[str] = []
    worker = threading.Thread(target=lambda: names_forever(box))
    worker.start()
    assert box.put(Entry(lambda: done.append("x")))
    box.close()
    worker.join(30)
    assert not worker.is_alive()
    assert done == ["x"]
    assert not box.put(Entry(lambda: done.append("y")))


def names_forever(box: WorkQueue) -> None:
    while (job := box.take()) is not None:
        job.run()
