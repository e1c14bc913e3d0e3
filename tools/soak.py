"""`python -m tools.soak --minutes 30`: work in a studio at random; nothing of it grows after the first tenth.

Edits, drags, keys, undo and redo, takes that are loaded, bound and removed, faces that are opened and changed, shapes
that are edited, live faces that are recorded, exports in every format, pages that come and go. Looked at are the memory
of the studio and of its processes, its threads and open files, its temporary files, and its state folder.
"""

from __future__ import annotations

import argparse
import os
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tests.formats.usd_needed import HAS_USD
from tests.studio.served import Page, Served

from facewright.document import Document
from facewright.formats.registry import save
from facewright.live.livelink import write_livelink
from facewright.samples import mask

MEGA = 1 << 20
_SAMPLES = 600
SHARE = 1.05  # of what there was after the first tenth
_ROOM = {"threads": 10, "handles": 8, "temporary": 2, "state": 24 * MEGA}  # by which they may go up and down
_KINDS = ("glb", "vrm", "fwface", "npz", "obj", "fbx", "csv", "png", *(("usdc",) if HAS_USD else ()))


@dataclass(frozen=True)
class Footprint:
    """What a studio takes at some moment."""

    memory: int  # bytes of the studio and of its processes
    threads: int  # of the studio
    handles: int  # files, sockets and pipes that it has open
    temporary: int  # files and folders
    state: int  # bytes of its state folder

    def __str__(self) -> str:
        return (
            f"{self.memory / MEGA:6.0f} MB  {self.threads:3} threads  {self.handles:3} handles  "
            f"{self.temporary:3} temporary files  {self.state / MEGA:5.1f} MB of state"
        )


class Soak:
    """A studio, one page, and random work."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._rigs = folder / "rigs"
        self._rigs.mkdir()
        for number in range(3):
            save(Document(mask(2000, 20, seed=number)), self._rigs / f"face{number}.fwface")
        self._temporary, self._state = folder / "temporary", folder / "state"
        self._temporary.mkdir()
        environment = {"TMPDIR": str(self._temporary)}
        self.served = Served(self._state, folder=self._rigs, environment=environment).start()
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
            (3, self._export),
            (4, self._shape),
            (1, self._live),
            (2, self._join),
        ]
        odds = np.array([weight for weight, _ in doings])
        doings[int(self._rng.choice(len(doings), p=odds / odds.sum()))][1]()
        self.steps += 1
        self.page.told.clear()

    def footprint(self) -> Footprint:
        """What the studio takes now."""
        pid = self.served.process.pid
        memory = sum(map(resident, [pid, *self.served.children("")]))
        threads, handles = (len(os.listdir(f"/proc/{pid}/{kind}")) for kind in ("task", "fd"))
        return Footprint(memory, threads, handles, len(os.listdir(self._temporary)), _bytes_of(self._state))

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
        kind = str(self._rng.choice(_KINDS))
        status, _, said = self.served.ask("GET", f"/api/export/{kind}")
        # a face without clips has no table, one without a head no VRM
        assert status in (200, 400), f"{kind}: {status}, {said[:500]!r}"

    def _shape(self) -> None:
        self.page.ask(
            "ScaleShape", shape=str(self._rng.choice(self._shapes())), factor=float(self._rng.uniform(0.9, 1.1))
        )

    def _shapes(self) -> list[str]:
        return [shape["name"] for shape in self.page.state["rig"]["shapes"]]

    def _live(self) -> None:
        """A phone sends its face, which is recorded."""
        page = self.page
        if page.ask("StartLive", port=0)["type"] == "Refused":
            return
        page.ask("RecordLive", name="live")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
            for frame in range(10):
                packet = write_livelink({"jawOpen": float(self._rng.uniform())}, frame=frame, subject="phone")
                phone.sendto(packet, ("127.0.0.1", page.state["live"]["port"]))
                time.sleep(1 / 60)  # the pace of a phone
        page.ask("FinishLive")
        page.ask("StopLive")

    def _join(self) -> None:
        """Another page comes and goes."""
        self.served.page().close()


def resident(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # it has just ended
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


def _bytes_of(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # it has just been removed
            total += path.stat().st_size if path.is_file() else 0
    return total


def check_flat(samples: list[Footprint], *, memory_room: int = 0) -> list[str]:
    """Raises where anything takes more in the last tenth than after the first one; else the medians, in words."""
    said = []
    tenth = max(len(samples) // 10, 1)
    first, last = samples[tenth : 2 * tenth + 1], samples[-tenth:]
    for name, room in {"memory": memory_room, **_ROOM}.items():
        before, after = (float(np.median([getattr(one, name) for one in part])) for part in (first, last))
        unit, words = (MEGA, " MB") if name in ("memory", "state") else (1, "")
        said.append(f"{name} {before / unit:.0f} -> {after / unit:.0f}{words}")
        assert after <= SHARE * before + room, f"what grew: {said[-1]}"
    return said


def soak(folder: Path, seconds: float, seed: int, every: float, say: Callable[[str], None] = print) -> list[Footprint]:
    """Work for some time; what the studio takes at equal distances of time."""
    work = Soak(folder, seed)
    samples: list[Footprint] = []
    try:
        begin = time.monotonic()
        while (passed := time.monotonic() - begin) < seconds:
            work.step()
            if passed >= every * len(samples):
                samples.append(work.footprint())
                if len(samples) % (_SAMPLES // 60) == 1:
                    say(f"{passed / 60:6.1f} min  {work.steps:7,} steps  {samples[-1]}")
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
        samples = soak(Path(folder), seconds, options.seed, seconds / _SAMPLES)
    print(f"nothing has grown after the first tenth: {', '.join(check_flat(samples))}")


if __name__ == "__main__":
    main()
