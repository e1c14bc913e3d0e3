"""Many pieces of work on a cluster, some of whose processes die."""

import os
import pickle
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import facewright as fw
from facewright.errors import BadValue
from facewright.jobs import Cluster, Failed, Finished, NotBegun, connect, farm, over
from tests.cluster import running_cluster
from tests.jobs import farm_works

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of dask
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Cluster]]:
    with running_cluster(tmp_path_factory.mktemp("farm")) as (address, cluster):
        client = connect(address)
        client.wait_for_workers(2)
        yield client, cluster
        client.close()


def outcomes(found: Iterator[tuple[Any, Any]]) -> dict[Any, Any]:
    listed = list(found)
    by_item = dict(listed)
    assert len(by_item) == len(listed), "an item came twice"
    return by_item


def test_each_item_comes_once_and_one_that_fails_says_why(cluster: tuple[Any, Cluster]) -> None:
    with fw.jobs.over(cluster[0]) as found:
        ended = outcomes(found.run(farm_works.squared, [*range(20), -1]))
    assert {item: one.value for item, one in ended.items() if isinstance(one, Finished)} == {
        i: i * i for i in range(20)
    }
    assert isinstance(ended[-1], Failed)
    assert ended[-1].message == "-1 is below zero"


def test_a_shared_value_is_in_each_worker_once_and_in_no_item(cluster: tuple[Any, Cluster]) -> None:
    with over(cluster[0]) as found:
        shared = found.share(b"rig" * 1_000_000)
        items = [(shared, number) for number in range(12)]
        assert len(pickle.dumps(items)) < 2000
        ended = [one.value for one in outcomes(found.run(farm_works.where_shared, items)).values()]
    assert {size for _, _, size, _ in ended} == {3_000_000}
    assert sorted(number for *_, number in ended) == list(range(12))
    places = {(process, place) for process, place, _, _ in ended}
    assert len(places) == len({process for process, _ in places})


def test_stopping_ends_what_is_at_work_and_begins_no_more(cluster: tuple[Any, Cluster], tmp_path: Path) -> None:
    with over(cluster[0], looked=lambda seen: seen.stop() if any(tmp_path.iterdir()) else None) as found:
        ended = list(found.run(farm_works.until_stopped, [tmp_path] * 20))
    assert [type(outcome) for _, outcome in ended] == [NotBegun] * 20
    with over(cluster[0]) as found:  # the workers are free again
        assert outcomes(found.run(farm_works.waiting_for, [(tmp_path / "stopped", 1)]))
    assert (tmp_path / "stopped").exists()


def test_a_worker_that_is_killed_loses_nothing_and_doubles_nothing(
    cluster: tuple[Any, Cluster], tmp_path: Path
) -> None:
    with over(cluster[0]) as found:
        ended = outcomes(found.run(farm_works.dying_once, [(tmp_path, number) for number in range(8)]))
    assert sorted(one.value for one in ended.values()) == list(range(8))
    assert (tmp_path / "3").read_text() == "xx"


@pytest.mark.long  # a quicker test kills a worker once
def test_an_item_that_ends_every_worker_is_given_up_with_words_and_those_beside_it_are_not(
    cluster: tuple[Any, Cluster],
) -> None:
    with over(cluster[0]) as found:
        ended = outcomes(found.run(farm_works.dying, [1, *(-number for number in range(12))]))
    assert [ended[-number].value for number in range(12)] == [-number for number in range(12)]
    assert "each worker that had this alone ended" in ended[1].message


def test_a_scheduler_that_is_started_again_gets_what_is_left(cluster: tuple[Any, Cluster], tmp_path: Path) -> None:
    scheduler = cluster[1].processes[0].process
    client = connect(cluster[0].scheduler.address)
    try:
        with over(client) as found:
            shared = found.share(b"rig")
            items = [(tmp_path / ("there" if number < 1 else "later"), number) for number in range(8)]
            (tmp_path / "there").touch()
            ended: dict[Any, Any] = {}
            for item, outcome in found.run(farm_works.waiting_for, items):
                assert item not in ended
                ended[item] = outcome
                if not (tmp_path / "later").exists():
                    os.kill(scheduler.pid, signal.SIGKILL)
                    (tmp_path / "later").touch()
            again: list[tuple[Any, Any]] = list(found.run(farm_works.where_shared, [(shared, 1)]))
        assert sorted(one.value for one in ended.values()) == list(range(8))
        assert again[0][1].value[2:] == (3, 1)  # the new scheduler was given what is shared
    finally:
        client.close()


def test_a_worker_of_another_version_is_told_apart(
    cluster: tuple[Any, Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(farm, "__version__", "0.0.1")
    client = connect(cluster[1].processes[1].words[3])
    with over(client) as found:
        ended = outcomes(found.run(farm_works.squared, [2]))
    client.close()
    assert "but the client 0.0.1" in ended[2].message


def test_an_address_without_a_scheduler_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(farm, "_ANSWERS", 0.2)
    with pytest.raises(BadValue, match=r"no scheduler answers at tcp://127\.0\.0\.1:9; `facewright farm start`"):
        connect("tcp://127.0.0.1:9")
    with pytest.raises(BadValue, match="is no address of a scheduler"):
        connect("nowhere")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786:", "127.0.0.1:none", "tcp://:::1:8786", ""])
def test_what_is_no_address_is_a_sentence_at_once(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(BadValue, match="is no address of a scheduler, such as"):
        connect(address)
