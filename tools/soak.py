"""`python -m tools.soak --minutes 30`: work in a studio at random; its memory is flat after the first tenth.

Edits, drags, keys, undo and redo, takes that are loaded, bound and removed, faces that are opened and changed, exports.
The memory is that of the studio and of its processes, as Linux reports it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tests.studio.served import Page, Served

from facewright.document import Document
from facewright.formats.registry import save
from facewright.samples import mask

MEGA = 1 << 20
_ROOM = 64 * MEGA  # that the memory may go up and down by
_SHARE = 1.15


class Soak:
    """A studio, one page, and random work."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._rigs = folder / "rigs"
        self._rigs.mkdir()
        for number in range(3):
            save(Document(mask(2000, 20, seed=number)), self._rigs / f"face{number}.fwface")
        self.served = Served(folder / "state", folder=self._rigs).start()
        self.page: Page = self.served.page()
        self._rng = np.random.default_rng(seed)
        self._gesture = self.steps = 0

    def step(self) -> None:
        """Do something."""
        doings: list[tuple[float, Callable[[], object]]] = [
            (30, self._weights),
            (20, self._drag),
            (10, self._keys),
            (15, lambda: self.page.ask("Undo")),
            (10, lambda: self.page.ask("Redo")),
            (3, self._take),
            (3, self._open),
            (2, self._export),
            (2, self._join),
        ]
        odds = np.array([weight for weight, _ in doings])
        doings[int(self._rng.choice(len(doings), p=odds / odds.sum()))][1]()
        self.steps += 1
        self.page.told.clear()

    def memory(self) -> int:
        """Bytes of the studio and of the processes that it started."""
        pids = [self.served.process.pid, *self.served.children("")]
        return sum(map(resident, pids))

    def _slider(self) -> str:
        sliders = self.page.state["rig"]["sliders"]
        return str(sliders[int(self._rng.integers(len(sliders)))]["name"])

    def _weights(self) -> None:
        self.page.ask("SetWeights", weights={self._slider(): float(self._rng.uniform())})

    def _drag(self) -> None:
        page, vertices = self.page, self.page.state["rig"]["vertices"]
        page.ask("AddPin", pin=1, vertex=int(self._rng.integers(vertices)))
        self._gesture += 1
        page.ask("Begin", gesture=self._gesture, label="drag")
        for _ in range(5):
            goal = self._rng.normal(size=3).tolist()
            page.ask("DragPins", gesture=self._gesture, targets=[{"pin": 1, "target": goal}])
        page.ask("Commit", gesture=self._gesture)

    def _keys(self) -> None:
        self.page.ask("SetKeys", time=float(self._rng.integers(100)) / 10, sliders=[self._slider()])

    def _take(self) -> None:
        if self.page.state["take"]:
            self.page.ask("RemoveTake")
            return
        rows = self._rng.normal(size=(300, 30)).round(4)
        names = [f"marker{number}_{axis}" for number in range(10) for axis in "xyz"]
        lines = [f"{frame}," + ",".join(map(str, row)) for frame, row in enumerate(rows.tolist())]
        table = "\n".join(["frame," + ",".join(names), *lines])
        self.served.ask("POST", "/api/upload?name=take.csv&how=new", table.encode())

    def _open(self) -> None:
        how = str(self._rng.choice(["new", "keep"]))
        if self._rng.random() < 0.5:
            self.page.ask("OpenSample", person=str(self._rng.choice(["default", "amara"])), how=how)
        else:
            self.page.ask("OpenPath", path=f"rigs/face{int(self._rng.integers(3))}.fwface", how=how)

    def _export(self) -> None:
        kind = str(self._rng.choice(["glb", "fwface"]))
        assert self.served.ask("GET", f"/api/export/{kind}")[0] == 200

    def _join(self) -> None:
        """Another page comes and goes."""
        self.served.page().close()


def resident(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # it has just ended
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


def check_flat(samples: list[int]) -> None:
    """Raises where memory in the last third is more than after the first tenth."""
    first, last = samples[len(samples) // 10 : len(samples) // 3], samples[-len(samples) // 3 :]
    limit = _SHARE * float(np.median(first)) + _ROOM
    before, after = np.median(first) / MEGA, np.median(last) / MEGA
    assert np.median(last) <= limit, f"memory grew from {before:.0f} to {after:.0f} MB"


def soak(folder: Path, seconds: float, seed: int, every: float, say: Callable[[str], None] = print) -> list[int]:
    """Work for some time; the memory at equal distances of time."""
    work = Soak(folder, seed)
    samples: list[int] = []
    try:
        begin = time.monotonic()
        while (passed := time.monotonic() - begin) < seconds:
            work.step()
            if passed >= every * len(samples):
                samples.append(work.memory())
                say(f"{passed / 60:6.1f} min  {work.steps:7,} steps  {samples[-1] / MEGA:6.0f} MB")
        assert not work.served.tracebacks(), work.served.tracebacks()
    finally:
        work.served.stop()
    return samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seconds = 60 * options.minutes
    with tempfile.TemporaryDirectory(prefix="facewright-soak-") as folder:
        samples = soak(Path(folder), seconds, options.seed, seconds / 60)
    check_flat(samples)
    print("memory is flat after the first tenth")


if __name__ == "__main__":
    main()
