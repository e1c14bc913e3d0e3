"""Work on several threads."""

import threading

import pytest

from facewright.solve.threads import on_threads


def test_results_come_in_the_order_of_the_items() -> None:
    assert on_threads(lambda item: item * item, range(50)) == [item * item for item in range(50)]
    assert on_threads(str, []) == []


def test_an_error_of_one_item_is_raised_after_the_others_ended() -> None:
    done, lock = [], threading.Lock()

    def work(item: int) -> None:
        if item == 3:
            raise ValueError("three")
        with lock:
            done.append(item)

    with pytest.raises(ValueError, match="three"):
        on_threads(work, range(4))
    assert sorted(done) == [0, 1, 2]
