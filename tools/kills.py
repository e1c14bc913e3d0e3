"""`python -m tools.kills --count 200`: kill a studio in the middle of work, again and again; no answered step is lost.

Every step sets a slider to a number of its own, so the restored face says which messages were carried out. In every
other round shapes are edited and touched up, too: the same edits are made here beside the studio, and the restored rig
has to be the same to the bit as after one of them. Between these rounds there are others for each further kind of work
(`tools/kill_work.py`): drags, keys, saves, takes and builds that are being solved, live recordings, starts, and starts
on the state folder of an earlier version. Studios are copies of a process that has imported them (`tests/forked.py`).
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import deque
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from tests.forked import FORKS
from tests.studio.served import Page, Served, wire
from tools.kill_edits import EditedShapes
from tools.kill_work import KINDS, KillingWork
from websockets.exceptions import ConnectionClosed

SLIDER = "jawOpen"
_FINE = 4096  # numbers that single precision holds exactly
_PEOPLE = ("default", "amara", "kenji")
Seen = tuple[float, str]  # the slider's value, and the id of the rig where shapes are edited


@dataclass
class Expected:
    """What is seen of the document after each message, as a session's undo would have it."""

    values: list[Seen]  # of the history's places
    at: int = 0
    seen: list[Seen] = field(default_factory=list)  # after each message

    @property
    def now(self) -> Seen:
        return self.values[self.at]

    def step(self, value: Seen) -> None:
        self.values = [*self.values[: self.at + 1], value]
        self.go(self.at + 1)

    def undo(self) -> None:
        self.go(max(self.at - 1, 0))

    def redo(self) -> None:
        self.go(min(self.at + 1, len(self.values) - 1))

    def go(self, at: int) -> None:
        self.at = at
        self.seen.append(self.values[at])


class Killing:
    """One state folder through many kills."""

    def __init__(self, state: Path, seed: int) -> None:
        self._served = Served(state, "--no-skin")
        self._rng = np.random.default_rng(seed)
        self._count = 0
        self._edits: EditedShapes | None = None  # in rounds in which shapes are edited
        self._waiting: deque[dict[str, Any]] = deque()  # messages of a stroke that is under way
        self.answered = 0  # steps, in all

    def once(self, *, shapes: bool | None = None) -> None:
        """Start, work, kill at some moment, start again. Raises AssertionError where something is lost.

        shapes: whether shapes are edited; by default in half of all rounds.
        """
        served = self._served.start()
        try:
            page = served.page()
            page.do("OpenSample")
            edits = self._rng.random() < 0.5 if shapes is None else shapes
            self._edits = EditedShapes(self._rng) if edits else None
            self._waiting.clear()
            work = Expected([self._seen(page)])
            if self._edits is not None:
                assert self._edits.rig == page.state["rig"]["id"], "the embedded head is another one here"
            done = self._work(page, work)
            served.kill()
            self.answered += done
            page = served.start().page()
            value = self._seen(page)
            allowed = {work.values[0], *work.seen} if done == 0 else set(work.seen[done - 1 :])
            assert value in allowed, f"after {done} answers of {len(work.seen)} the face is at {value}"
            assert not any("could not be restored" in said.get("message", "") for said in page.told)
            page.do("Undo")
            page.do("Redo")
            assert self._seen(page) == value or not page.state["history"]["at"]
        finally:
            served.kill()

    def _seen(self, page: Page) -> Seen:
        return page.weight(SLIDER), "" if self._edits is None else page.state["rig"]["id"]

    def _work(self, page: Page, work: Expected) -> int:
        """Send messages and read answers until some moment; how many were answered."""
        moment, first = int(self._rng.integers(1, 60)), page.seq + 1
        done = 0
        try:
            while done < moment:
                wanted, is_update = int(self._rng.integers(1, 4)), False
                while wanted > 0 or is_update:  # an update of a stroke has no answer of its own
                    message = self._message(work)
                    is_update = "gesture" in message and message["type"] not in ("Begin", "Commit")
                    page.seq, wanted = page.seq + 1, wanted - 1
                    page.socket.send(wire({"seq": page.seq, **message}))
                answer = page.take("Done", "Refused")
                assert answer["type"] == "Done", answer
                done = answer["seq"] - first + 1
        except ConnectionClosed:
            raise AssertionError("the studio ended by itself") from None
        return done

    def _message(self, work: Expected) -> dict[str, Any]:
        kind = self._rng.random()
        if self._waiting:  # a stroke is under way
            return self._edit_shape(work, self._waiting.popleft())
        if kind < 0.2:
            work.undo() if kind < 0.1 else work.redo()
            if self._edits is not None:
                self._edits.go_to(work.at)
            return {"type": "Undo" if kind < 0.1 else "Redo"}
        if kind < 0.6 and self._edits is not None:
            self._waiting.extend(self._edits.next_messages())
            return self._edit_shape(work, self._waiting.popleft())
        if kind < 0.3:
            work.step(work.now)
            return {"type": "OpenSample", "person": str(self._rng.choice(_PEOPLE)), "how": "keep"}
        self._count = self._count % (_FINE - 1) + 1
        value = self._count / _FINE
        if self._edits is not None:
            self._edits.set_weight(SLIDER, value)
        work.step((value, work.now[1]))
        return {"type": "SetWeights", "weights": {SLIDER: value}}

    def _edit_shape(self, work: Expected, message: dict[str, Any]) -> dict[str, Any]:
        """A message of an edit of a shape; the last one makes the step."""
        assert self._edits is not None
        if self._waiting:
            work.seen.append(work.now)
        else:
            self._edits.carry_out()
            work.step((work.now[0], self._edits.rig))
        return message


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ[FORKS] = "yes"
    with tempfile.TemporaryDirectory(prefix="facewright-kills-") as folder:
        killing, working = Killing(Path(folder) / "steps", options.seed), KillingWork(Path(folder), options.seed)
        kinds = cycle(("steps", *KINDS))
        for number, kind in zip(range(1, options.count + 1), kinds, strict=False):
            killing.once() if kind == "steps" else working.once(kind)
            answered = killing.answered + working.answered
            print(f"{number} kills, the last in {kind}, {answered:,} steps answered, none lost", flush=True)


if __name__ == "__main__":
    main()
