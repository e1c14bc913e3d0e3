"""Work on several threads."""

import threading

import pytest

from facewright.solve.blas import openblas_libraries
from facewright.solve.threads import _cores, on_threads


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


def test_the_calling_thread_takes_part_and_no_item_is_begun_after_one_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facewright.solve.threads._cores", lambda: 3)
    together = threading.Barrier(3, timeout=60)

    def meet(_: int) -> int:
        together.wait()
        return threading.get_ident()

    workers = on_threads(meet, range(3))
    assert len(set(workers)) == 3
    assert threading.get_ident() in workers

    begun: list[int] = []

    def fail(item: int) -> None:
        begun.append(item)
        if item < 3:
            together.wait()
            raise ValueError(str(item))

    with pytest.raises(ValueError, match="0"):
        on_threads(fail, range(30))
    assert sorted(begun) == [0, 1, 2]


def test_linear_algebra_has_one_thread_meanwhile_and_as_many_as_before_afterwards() -> None:
    def threads() -> list[int]:
        return [getattr(library, flavour.format("get"))() for library, flavour in openblas_libraries()]

    before = threads()
    for inside in on_threads(lambda _: threads(), range(4)) if _cores() > 1 else []:
        assert set(inside) <= {1}
    assert threads() == before
