"""`python -m tools.farm_trial --takes 400 --seconds 20`: a night's takes on clusters of 1, 2 and 4 workers.

Takes are generated on the embedded head from known weights. Each cluster is a scheduler and workers in processes of
their own; four workers are two in each of two folders, as on two hosts. Then a worker is killed every so many seconds,
and the scheduler in the middle: every take has to come once, with the bytes of the undisturbed run. Memory of all
processes is looked at every second, and their processor time is counted.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline
from tests.cluster import free_port

import facewright as fw
from facewright.formats.json_files import save_binding
from facewright.jobs import Cluster

RATE, MARKERS, MEGA = 60.0, 60, 1 << 20
_GROWS, _ROOM = 1.05, 20.0  # share of memory, and megabytes, that it may grow by after the first tenth
_TICKS = os.sysconf("SC_CLK_TCK")


def make_takes(folder: Path, count: int, seconds: float) -> list[Path]:
    """Takes of markers on the embedded head, its binding and the rig itself."""
    rig = fw.sample()
    vertices = np.linspace(3, rig.vertex_count - 4, MARKERS).astype(int)
    binding = fw.bind_vertices(rig, {f"m{number}": int(vertex) for number, vertex in enumerate(vertices)})
    fw.save(rig, folder / "rig.glb")
    save_binding(binding, folder / "actor.json")
    rest, moved = rig.neutral[vertices], rig.deltas()[:, vertices]
    frames, made = int(seconds * RATE), []
    for number in range(count):
        rng = np.random.default_rng(number)
        knots = rng.normal(size=(frames // 20 + 4, len(rig.sliders)))
        smooth = CubicSpline(np.arange(len(knots)) * 20, knots)(np.arange(frames))
        weights = np.clip(0.35 * smooth - 0.2, 0, 1)
        places = rest + np.einsum("fs,svc->fvc", weights, moved) + 0.01 * rng.normal(size=(frames, MARKERS, 3))
        path = folder / f"take{number:04d}.c3d"
        fw.save_take(fw.Take(binding.markers, places, RATE, "cm", path.stem), path)
        made.append(path)
    return made


@dataclass
class Usage:
    """Memory and processor time of some processes, and of those that take their places."""

    pids: Callable[[], list[int]]
    memory: list[int] = field(default_factory=list)  # bytes, every second
    before: dict[int, float] = field(default_factory=dict)  # processor time of each process when first looked at
    seconds: dict[int, float] = field(default_factory=dict)  # and when last looked at

    def look(self) -> None:
        self.memory.append(sum(_resident(pid) for pid in self.pids()))
        self.seconds |= {pid: used for pid in self.pids() if (used := _processor(pid)) > 0}
        self.before = self.seconds | self.before

    @property
    def used(self) -> float:
        """Processor time in seconds since it was first looked at."""
        return sum(self.seconds.values()) - sum(self.before.values())

    def flat(self) -> tuple[float, float]:
        """Megabytes after the first tenth, and in the last third."""
        third = len(self.memory) // 3
        first, last = self.memory[len(self.memory) // 10 : third + 1], self.memory[-third:]
        return float(np.median(first)) / MEGA, float(np.median(last)) / MEGA


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # it has just ended
        return 0


def _processor(pid: int) -> float:
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(after_name[11]) + int(after_name[12])) / _TICKS


@dataclass
class Run:
    """What one cluster did."""

    workers: int
    seconds: float
    ends: Counter[str]  # how takes ended; each is told once
    memory: tuple[float, float]
    worker_seconds: float  # processor time
    central_seconds: float  # of the scheduler and of the command
    outputs: dict[str, str]  # checksums
    killed: int = 0


@contextmanager
def clusters(workers: int, folder: Path) -> Iterator[tuple[str, list[Cluster]]]:
    """A scheduler and workers; more than two are on two hosts, each with a folder of its own."""
    with ExitStack() as until:
        hosts = []
        for host in range(1 if workers <= 2 else 2):
            where = folder / f"host{host}"
            where.mkdir(parents=True)
            hosts.append(until.enter_context(Cluster(where)))
        address = hosts[0].add_scheduler(host="127.0.0.1", port=free_port())
        for number in range(workers):
            hosts[number % len(hosts)].add_workers(address, 1)
        yield address, hosts


def run(source: Path, takes: list[Path], workers: int, out: Path, *, kill: float = 0.0, seed: int = 0) -> Run:
    """Solve all takes on a cluster. kill: seconds between kills of workers; the scheduler is killed once then."""
    out.mkdir()
    rng, killed = random.Random(seed), 0
    with clusters(workers, out / "hosts") as (address, hosts):
        start = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "facewright.cli.main", "solve", source / "rig.glb", *takes, "--bind",
             source / "actor.json", "-o", out / "{take}.csv", "--on", address, "--json", "--quiet", "--summary",
             out / "index.html"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        told: list[dict[str, object]] = []
        listening = threading.Thread(target=lambda: told.extend(map(json.loads, process.stdout or ())))
        listening.start()
        every = [each for host in hosts for each in host.processes]
        scheduler, working = every[0], every[1:]
        at_work = Usage(lambda: [each.process.pid for each in working])
        central = Usage(lambda: [scheduler.process.pid, process.pid])
        looked, next_kill, scheduler_killed = start, start + kill, False
        while process.poll() is None:
            for host in hosts:
                host.watch()
            now = time.monotonic()
            if now - looked >= 1 and told:  # not while all is imported
                looked = now
                at_work.look()
                central.look()
            if kill and now >= next_kill and len(told) > 1:
                next_kill, killed = now + kill, killed + 1
                os.kill(rng.choice(working).process.pid, signal.SIGKILL)
            if kill and not scheduler_killed and len(told) > len(takes) // 2:
                scheduler_killed = True
                os.kill(scheduler.process.pid, signal.SIGKILL)
            time.sleep(0.05)
        seconds = time.monotonic() - start
        listening.join()
    names = Counter(str(each["name"]) for each in told if "name" in each)
    assert not kill or (killed and scheduler_killed), "it was over before the scheduler and a worker were killed"
    assert set(names) == {take.stem for take in takes}, "a take is lost"
    assert max(names.values()) == 1, "a take came twice"
    records = [json.loads(file.read_text()) for file in (out / "batch").glob("solve-*.json")]
    outputs = {name: digest for record in records for name, digest in record["outputs"].items()}
    together = Usage(list, [a + b for a, b in zip(at_work.memory, central.memory, strict=True)] or [0])
    before, after = together.flat()
    assert after <= _GROWS * before + _ROOM, f"memory grew from {before:.0f} to {after:.0f} MB"
    return Run(
        workers, seconds, Counter(str(each["status"]) for each in told if "name" in each), together.flat(),
        at_work.used, central.used, outputs, killed,
    )  # fmt: skip


def line(found: Run, takes: int, alone: Run | None) -> str:
    """A row of the table."""
    faster = "" if alone is None else f"{alone.seconds / found.seconds:.2f}"
    share = "" if alone is None else f"{alone.seconds / found.seconds / min(found.workers, os.cpu_count() or 1):.2f}"
    ends = ", ".join(f"{count} {word}" for word, count in found.ends.items())
    return (
        f"| {found.workers} | {found.killed} | {found.seconds:.0f} s | {faster} | {share} | {ends} | "
        f"{found.worker_seconds / takes:.2f} s | {1000 * found.central_seconds / takes:.0f} ms | "
        f"{found.memory[0]:.0f} -> {found.memory[1]:.0f} MB |"
    )


HEAD = (
    "| workers | kills | time | faster | of the cores | takes | processor time a take: workers "
    "| scheduler and command | memory |\n|---|---|---|---|---|---|---|---|---|"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takes", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each take")
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--kill-every", type=float, default=20.0, help="seconds; 0: the run with kills is left out")
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory(prefix="farm-trial-") as name:
        folder = Path(name)
        takes = make_takes(folder, options.takes, options.seconds)
        size, rig = sum(take.stat().st_size for take in takes) / len(takes), (folder / "rig.glb").stat().st_size
        print(
            f"{len(takes)} takes of {options.seconds:g} s, {MARKERS} markers at {RATE:g} Hz, {size / 1e6:.2f} MB each"
        )
        print(f"rig {rig / 1e6:.2f} MB; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print(HEAD, flush=True)
        alone = None
        for workers in map(int, options.workers.split(",")):
            found = run(folder, takes, workers, folder / f"out{workers}")
            alone = alone or found
            print(line(found, len(takes), alone), flush=True)
            assert found.outputs == alone.outputs, "another number of workers gave other bytes"
        if options.kill_every and alone is not None:
            found = run(folder, takes, 2, folder / "killed", kill=options.kill_every)
            print(line(found, len(takes), alone), flush=True)
            assert found.outputs == alone.outputs, "killing workers changed a result"
            print("with kills of workers and of the scheduler, every take came once, with the same bytes")
        written = sum(file.stat().st_size for file in folder.glob("out*/*.csv")) / len(options.workers.split(","))
        print(f"results: {written / len(takes) / 1e6:.2f} MB a take")


if __name__ == "__main__":
    main()
