"""`python -m tools.kills --count 200`: kill a studio in the middle of work, again and again; no answered step is lost.

Every step sets a slider to a number of its own, so the restored face says which messages were carried out.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tests.studio.served import Page, Served, wire
from websockets.exceptions import ConnectionClosed

SLIDER = "jawOpen"
_FINE = 4096  # numbers that single precision holds exactly
_PEOPLE = ("default", "amara", "kenji")


@dataclass
class Expected:
    """What the slider is after each message, as a session's undo would have it."""

    values: list[float] = field(default_factory=lambda: [0.0])  # of the history's places
    at: int = 0
    seen: list[float] = field(default_factory=list)  # after each message

    def step(self, value: float) -> None:
        self.values = [*self.values[: self.at + 1], value]
        self._go(self.at + 1)

    def undo(self) -> None:
        self._go(max(self.at - 1, 0))

    def redo(self) -> None:
        self._go(min(self.at + 1, len(self.values) - 1))

    def _go(self, at: int) -> None:
        self.at = at
        self.seen.append(self.values[at])


class Killing:
    """One state folder through many kills."""

    def __init__(self, state: Path, seed: int) -> None:
        self._served = Served(state, "--no-skin")
        self._rng = np.random.default_rng(seed)
        self._count = 0
        self.answered = 0  # steps, in all

    def once(self) -> None:
        """Start, work, kill at some moment, start again. Raises AssertionError where something is lost."""
        served = self._served.start()
        try:
            page = served.page()
            page.do("OpenSample")
            work = Expected()
            done = self._work(page, work)
            served.kill()
            self.answered += done
            page = served.start().page()
            value = page.weight(SLIDER)
            allowed = {0.0, *work.seen} if done == 0 else set(work.seen[done - 1 :])
            assert value in allowed, f"after {done} answers of {len(work.seen)} the slider is at {value}"
            assert not any("could not be restored" in said.get("message", "") for said in page.told)
            page.do("Undo")
            page.do("Redo")
            assert page.weight(SLIDER) == value or not page.state["history"]["at"]
        finally:
            served.kill()

    def _work(self, page: Page, work: Expected) -> int:
        """Send messages and read answers until some moment; how many were answered."""
        moment, first = int(self._rng.integers(1, 60)), page.seq + 1
        done = 0
        try:
            while done < moment:
                for _ in range(int(self._rng.integers(1, 4))):
                    page.seq += 1
                    page.socket.send(wire({"seq": page.seq, **self._message(work)}))
                answer = page.take("Done", "Refused")
                assert answer["type"] == "Done", answer
                done = answer["seq"] - first + 1
        except ConnectionClosed:
            raise AssertionError("the studio ended by itself") from None
        return done

    def _message(self, work: Expected) -> dict[str, Any]:
        kind = self._rng.random()
        if kind < 0.7:
            self._count = self._count % (_FINE - 1) + 1
            work.step(self._count / _FINE)
            return {"type": "SetWeights", "weights": {SLIDER: self._count / _FINE}}
        if kind < 0.8:
            work.undo()
            return {"type": "Undo"}
        if kind < 0.9:
            work.redo()
            return {"type": "Redo"}
        work.step(work.values[work.at])
        return {"type": "OpenSample", "person": str(self._rng.choice(_PEOPLE)), "how": "keep"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="facewright-kills-") as folder:
        killing = Killing(Path(folder), options.seed)
        for number in range(1, options.count + 1):
            killing.once()
            print(f"{number} kills, {killing.answered:,} steps answered, none lost", flush=True)


if __name__ == "__main__":
    main()
