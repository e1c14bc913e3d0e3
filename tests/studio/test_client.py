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
