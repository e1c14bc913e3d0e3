"""`python -m tools.crowd --messages 100000 --connections 200`: random and hostile messages of many pages at once.

Some pages never read. Others end in the middle of a gesture and come again. Afterwards the studio has written no
traceback, its memory is flat, its document is finite, and a drag takes no more than twice as long as before.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
from tests.studio.served import Page, Served
from tests.studio.test_conversation import mouth_corner
from tests.studio.test_robustness import Chatter
from tools.soak import MEGA, resident
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

_STUCK = 10  # one of so many pages never reads
_LEAVES = 0.002  # share of messages after which a page ends without a word
_DRAGS, _TURNS = 40, 5
_SLOWER = 2.0
_GROWS = 1.1  # share of memory, from the first tenth to the last third


class Crowd:
    """Pages that send what no page would."""

    def __init__(self, state: Path, connections: int, seed: int) -> None:
        self.served = Served(state, "--no-skin").start()
        self.page: Page = self.served.page()
        self._rng = np.random.default_rng(seed)
        sliders = [slider["name"] for slider in self.page.state["rig"]["sliders"]]
        self._chatters = [Chatter(seed + number, sliders) for number in range(connections)]
        self._sockets = [self._socket(number) for number in range(connections)]
        self.memory: list[int] = []
        self.disconnected = 0  # pages that the studio closed
        self.answers: Counter[str] = Counter()  # what the others were told, by kind

    def _socket(self, number: int) -> ClientConnection:
        return self.served.connected(most_waiting=1 if number % _STUCK == 0 else None)

    def send(self) -> None:
        """A message of one of the pages; one that was disconnected comes again."""
        number = int(self._rng.integers(len(self._sockets)))
        try:
            self._sockets[number].send(self._chatters[number].message())
        except ConnectionClosed:
            self.disconnected += 1
            self._sockets[number] = self._socket(number)
        if self._rng.random() < _LEAVES:
            self._sockets[number].socket.close()
            self._sockets[number] = self._socket(number)

    def read(self) -> None:
        """Let those pages that read take all that they were sent, and wait until the studio has nothing else to do."""
        for number, socket in enumerate(self._sockets):
            if number % _STUCK:
                with suppress(TimeoutError, ConnectionClosed):
                    while True:
                        self._count(socket.recv(0))
        self.page.ask("Ping")
        assert np.isfinite(self.page.weights).all()
        self.page.told.clear()
        self.memory.append(resident(self.served.process.pid))

    def _count(self, told: str | bytes) -> None:
        if isinstance(told, str):
            self.answers[str(msgspec.json.decode(told)["type"])] += 1

    def drag(self) -> float:
        """The seconds that a move of a drag takes on a fresh face, with nobody else there.

        The best of some medians, since the machine may be busy with other things.
        """
        for socket in self._sockets:
            socket.socket.close()
        self._sockets = []
        page = self.page
        end = time.monotonic() + 60
        while page.ask("OpenSample")["type"] == "Refused":  # until the gestures of those who left are ended
            assert time.monotonic() < end, "a gesture of a page that left never ends"
        page.do("SetDragOptions", method="bounded")
        page.do("AddPin", pin=1, vertex=mouth_corner())
        return min(self._dragged(10**6 + turn) for turn in range(_TURNS))

    def _dragged(self, gesture: int) -> float:
        self.page.do("Begin", gesture=gesture, label="drag")
        taken = []
        for step in range(_DRAGS):
            start = time.perf_counter()
            self.page.ask("DragPins", gesture=gesture, targets=[{"pin": 1, "target": [0.01 * step, 0.0, 0.0]}])
            taken.append(time.perf_counter() - start)
        self.page.ask("Discard", gesture=gesture)
        return float(np.median(taken))

    def come_again(self, connections: int) -> None:
        self._sockets = [self._socket(number) for number in range(connections)]

    def check(self) -> None:
        third = max(len(self.memory) // 3, 1)
        first, last = np.median(self.memory[len(self.memory) // 10 : third + 1]), np.median(self.memory[-third:])
        assert last <= _GROWS * first + 20 * MEGA, f"memory grew from {first / MEGA:.0f} to {last / MEGA:.0f} MB"
        assert not self.served.tracebacks(), self.served.tracebacks()


def crowd(
    state: Path, messages: int, connections: int, seed: int, say: Callable[[str], object] = print
) -> tuple[float, float]:
    """Send them all; seconds of a move of a drag before and after. Raises where something else is wrong."""
    made = Crowd(state, connections, seed)
    try:
        before = made.drag()
        made.come_again(connections)
        for number in range(messages):
            made.send()
            if number % max(messages // 100, 20) == 0:
                made.read()
                say(f"{number:8,} messages  {made.disconnected:5} disconnected  {made.memory[-1] / MEGA:6.0f} MB")
        made.read()
        after = made.drag()
        say(f"a move of a drag: {1000 * before:.2f} ms before, {1000 * after:.2f} ms after")
        say(", ".join(f"{count:,} {kind}" for kind, count in made.answers.most_common(6)))
        made.check()
        assert made.answers["Done"], "nothing was carried out"
        assert made.answers["Refused"], "nothing was refused"
    finally:
        made.served.kill()
    return before, after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        before, after = crowd(Path(folder), options.messages, options.connections, options.seed)
    assert after <= _SLOWER * before, "drags became slower"
    print(f"{options.messages:,} messages over {options.connections} connections: nothing went wrong")


if __name__ == "__main__":
    main()
