"""A drag through the studio's socket, from the message sent to the pose received, beside an empty round trip.

No browser: what a page adds to this is its own. The flood sends a move every millisecond without waiting for answers;
its figure is the age of a move when its answer comes, and it must not grow.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import numpy as np
from tests.studio.envelope import enveloped
from tests.studio.served import Served
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

import facewright as fw
from bench.row import Row
from facewright.samples import mask
from facewright.session.frames import unpack

MOVES = 500
RATE = 1000  # moves a second in the flood


def rows(vertices: int = 10_000, moves: int = MOVES) -> Iterator[Row]:
    for shapes in (52, 150):
        rig = mask(vertices=vertices, shapes=shapes, seed=1)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "face.fwface"
            fw.save(rig, file)
            server = Served(Path(folder) / "state", file).start()
            try:
                yield from asyncio.run(measured(server, rig, moves, f"{vertices // 1000}K x {shapes}"))
            finally:
                server.stop()


async def measured(server: Served, rig: fw.Rig, moves: int, name: str) -> list[Row]:
    async with connect(
        f"ws://127.0.0.1:{server.port}/socket?key={server.key}",
        additional_headers={"Cookie": server.cookie},
        origin=Origin(server.origin),
        compression=None,
        max_size=None,
    ) as socket:
        page = Page(socket)
        await page.until("Pose")
        reach = np.linalg.norm(rig.deltas(), axis=2).sum(axis=0)
        await page.ask("AddPin", "Done", pin=1, vertex=int(reach.argmax()))
        place = rig.neutral[reach.argmax()]
        turn = np.linspace(0, 20, moves)
        way = place + 0.02 * rig.size * np.stack([np.sin(turn), 1 - np.cos(turn), 0 * turn], axis=1)
        drag, ping = await page.drags(way)
        ages = await page.flood(np.tile(way, (4, 1)))
    middle = len(ages) // 2  # a busy machine may answer a short flood once, with its last move
    first, second = ages[: max(middle, 1)], ages[middle:]
    return [
        row("studio drag", name, drag, ("empty round trip", ping), f"95 % within 8 ms: {np.percentile(drag, 95):.2f}"),
        row("studio flood", f"{name}, second half", second, ("first half", first), "does not grow"),
    ]


def row(task: str, case: str, times: np.ndarray, beside: tuple[str, np.ndarray], goal: str) -> Row:
    median, worst = np.percentile(times, [50, 99]).tolist()
    return Row(task, case, median, worst, beside[0], float(np.median(beside[1])), goal)


class Page:
    """The least that a page does."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seq = 0

    async def send(self, type: str, **fields: Any) -> int:
        self.seq += 1
        await self.socket.send(msgspec.json.encode(enveloped({"type": type, "seq": self.seq, **fields})).decode())
        return self.seq

    async def until(self, type: str, seq: int = 0) -> int:
        """The number that the next answer of a type names, if it is not an older one."""
        while True:
            data = await self.socket.recv()
            message = msgspec.to_builtins(unpack(data)[0]) if isinstance(data, bytes) else msgspec.json.decode(data)
            assert message["type"] != "Refused", message
            if message["type"] == type and message.get("seq", 0) >= seq:
                return int(message["seq"])

    async def ask(self, type: str, answer: str, **fields: Any) -> float:
        """Milliseconds from asking to being answered."""
        start = perf_counter()
        await self.until(answer, await self.send(type, **fields))
        return (perf_counter() - start) * 1000

    async def drags(self, way: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Milliseconds of each move, and of as many empty round trips in between."""
        await self.ask("Begin", "Done", gesture=1, label="drag")
        await self.ask("DragPins", "Pose", gesture=1, targets=[target(way[0])])
        times = [
            (await self.ask("DragPins", "Pose", gesture=1, targets=[target(to)]), await self.ask("Ping", "Pong"))
            for to in way
        ]
        await self.ask("Discard", "Done", gesture=1)
        drag, ping = np.array(times).T
        return drag, ping

    async def flood(self, way: np.ndarray) -> np.ndarray:
        """Milliseconds from each move to its answer, in order, for those that are answered."""
        await self.ask("Begin", "Done", gesture=2, label="flood")
        sent: dict[int, float] = {}
        ages: list[float] = []
        first, final = self.seq + 1, self.seq + len(way)

        async def listen() -> None:
            answered = 0
            while answered < final:
                answered = await self.until("Pose", first)
                ages.append((perf_counter() - sent[answered]) * 1000)

        listening = asyncio.create_task(listen())
        begin = perf_counter()
        for i, to in enumerate(way):
            await asyncio.sleep(max(begin + i / RATE - perf_counter(), 0))
            sent[self.seq + 1] = perf_counter()
            await self.send("DragPins", gesture=2, targets=[target(to)])
        await listening
        await self.ask("Discard", "Done", gesture=2)
        return np.array(ages)


def target(place: np.ndarray) -> dict[str, Any]:
    return {"pin": 1, "target": place.tolist()}
