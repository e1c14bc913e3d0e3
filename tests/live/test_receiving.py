"""Senders by name, what is lost, what is late, and where is listened."""

import pytest

from facewright import live
from facewright.errors import BadValue, UnknownName
from facewright.live.livelink import write_livelink
from tests.fuzz.packets import GoodSender, cases
from tests.live.wire import run_alone


def fed(numbers: list[int], every: float = 1 / 60) -> tuple[list[live.LiveFrame], live.Receiver]:
    """The frames of packets with these numbers, one after the other."""
    receiver = live.Receiver("livelink")
    found = []
    for i, number in enumerate(numbers):
        packet = write_livelink({"jawOpen": 0.5}, frame=number, subject="phone")
        found += receiver.feed(packet, "10.0.0.2:5000", 100 + i * every)
    return found, receiver


def test_frames_that_never_came_are_counted() -> None:
    frames, receiver = fed([*range(100, 110), 113, *range(114, 120)])
    assert [frame.lost for frame in frames if frame.lost] == [3]
    assert receiver.statuses(100.3)[0].lost == 3


def test_a_sender_that_counts_every_second_number_loses_nothing() -> None:
    _, receiver = fed(list(range(0, 120, 2)))
    assert receiver.statuses(101.0)[0].lost == 0
    _, receiver = fed([*range(0, 60, 2), *range(64, 120, 2)])
    assert receiver.statuses(101.0)[0].lost == 2


def test_a_frame_that_comes_after_a_newer_one_is_left_out() -> None:
    frames, receiver = fed([1, 2, 3, 5, 4, 6])
    assert [frame.number for frame in frames] == [1, 2, 3, 5, 6]
    status = receiver.statuses(100.1)[0]
    assert (status.lost, status.late) == (0, 1)


def test_a_sender_that_begins_anew_is_heard_again() -> None:
    frames, receiver = fed([5000, 5001, 1, 2, 3])
    assert [frame.number for frame in frames] == [5000, 5001, 1, 2, 3]
    assert receiver.statuses(100.1)[0].lost == 0


def test_a_sender_that_begins_anew_soon_is_heard_after_a_moment() -> None:
    frames, _ = fed([*range(100), *range(30)])
    assert [frame.number for frame in frames] == [*range(100), *range(8, 30)]


def test_the_delay_is_how_much_later_than_the_quickest_a_packet_comes() -> None:
    receiver = live.Receiver("livelink")
    delays = []
    for i, late in enumerate([0.0, 0.01, 0.0, 0.03]):
        packet = write_livelink({"jawOpen": 0.5}, frame=i, subject="phone")
        delays += [frame.delay for frame in receiver.feed(packet, "10.0.0.2:1", 50 + i / 60 + late)]
    assert delays == pytest.approx([0, 0.01, 0, 0.03], abs=1e-9)


def test_senders_are_told_apart_by_name_and_by_machine() -> None:
    receiver = live.Receiver("livelink")
    for address, subject in (("10.0.0.2:1", "phone"), ("10.0.0.3:1", "phone"), ("10.0.0.2:1", "tablet")):
        receiver.feed(write_livelink({"jawOpen": 0.5}, frame=1, subject=subject), address, 1.0)
    assert [status.name for status in receiver.statuses(1.0)] == ["phone", "phone at 10.0.0.3", "tablet"]


def test_a_flood_of_made_up_senders_does_not_grow() -> None:
    receiver = live.Receiver("livelink")
    for i in range(500):
        receiver.feed(write_livelink({"jawOpen": 0.5}, frame=1, subject=f"phone {i}"), f"10.0.0.2:{i}", float(i))
    assert len(receiver.statuses(500.0)) == 64
    assert {"phone 499", "phone 436"} <= {status.name for status in receiver.statuses(500.0)}


def test_frames_that_nobody_takes_do_not_pile_up() -> None:
    async def flooded() -> tuple[int, int]:
        async with live.listen(port=0) as listener:
            for i in range(6000):
                listener._hear(write_livelink({"jawOpen": 0.5}, frame=i), "127.0.0.1:9")
            return len(listener._frames), listener.dropped

    assert run_alone(flooded()) == (4096, 6000 - 4096)


@pytest.mark.parametrize("kind", list(live.KINDS))
def test_garbage_changes_nothing_and_stops_nothing(kind: str) -> None:
    receiver = live.Receiver(kind)
    sender = GoodSender(kind, receiver)
    for packet in cases(kind, 1500, seed=3):
        for frame in receiver.feed(packet, "10.0.0.9:7", 1.0):
            assert all(abs(value) <= 16 for value in frame.values.values())
        assert sender.send(1.0) == ""
    assert receiver.packets == 3000
    assert receiver.bad > 500


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "example.org", "224.0.0.1"])
def test_only_one_interface_is_listened_on(host: str) -> None:
    with pytest.raises(BadValue, match=r"127\.0\.0\.1"):
        live.listen(host=host)


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="livelink"):
        live.listen("live-link")


def test_a_port_that_is_taken_is_refused_in_words() -> None:
    async def twice() -> None:
        async with live.listen(port=0) as first:
            await live.listen(port=first.port).open()

    with pytest.raises(BadValue, match="another program"):
        run_alone(twice())
