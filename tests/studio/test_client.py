"""What waits for a page: poses replace each other, the rest keeps its order; a page that never reads is let go."""

import asyncio

from facewright.studio.client import Client, Outgoing


def sent(*messages: Outgoing) -> list[bytes]:
    async def run() -> list[bytes]:
        client = Client()
        for message in messages:
            client.send(message)
        found = [await client.next() for _ in range(len(client))]
        return [message.data for message in found if message is not None]

    return asyncio.run(run())


def pose(number: int) -> Outgoing:
    return Outgoing(b"pose %d" % number, is_frame=True, is_pose=True)


def test_an_unsent_pose_gives_way_to_the_next_but_not_across_other_messages() -> None:
    done = Outgoing(b"done")
    assert sent(pose(1), pose(2), pose(3)) == [b"pose 3"]
    assert sent(pose(1), done, pose(2), pose(3), done) == [b"pose 1", b"done", b"pose 3", b"done"]


def test_a_flood_of_poses_never_loses_a_page_but_a_page_that_never_reads_is_let_go() -> None:
    async def run() -> tuple[bool, bool]:
        client = Client()
        for number in range(100_000):
            client.send(pose(number))
        fine = not client.is_lost and len(client) == 1
        for _ in range(10_000):
            client.send(Outgoing(b"state"))
        return fine, client.is_lost and await client.next() is None

    assert asyncio.run(run()) == (True, True)


def test_for_a_page_that_reads_slowly_only_the_newest_of_each_kind_waits() -> None:
    async def run() -> list[bytes]:
        client = Client()
        for number in range(300):
            client.send(Outgoing(b"map %d" % number, is_frame=True, kind="RegionMap"))
            client.send(Outgoing(b"pose %d" % number, is_frame=True, is_pose=True, kind="Pose"))
            if number % 100 == 0:
                client.send(Outgoing(b"done %d" % number))
        assert len(client) < 110
        client.send(Outgoing(bytes(5 << 20)))
        found = [await client.next() for _ in range(len(client))]
        return [message.data[:20] for message in found if message is not None]

    assert asyncio.run(run()) == [b"done 0", b"done 100", b"done 200", b"map 299", b"pose 299", bytes(20)]


def test_a_page_that_never_reads_keeps_a_limited_number_of_bytes_and_is_said_to_be_lost_once() -> None:
    async def run() -> tuple[int, int, bool]:
        lost: list[bool] = []
        client, most = Client(lambda: lost.append(True)), 0
        for _ in range(1000):
            client.send(Outgoing(bytes(1 << 20)))
            most = max(most, client.unsent_bytes)
        return most, len(lost), await client.next() is None

    assert asyncio.run(run()) == (65 << 20, 1, True)


def test_one_message_of_any_size_is_sent() -> None:
    assert [len(data) for data in sent(Outgoing(b"state"), Outgoing(bytes(100 << 20)), pose(1))] == [5, 100 << 20, 6]
