"""Kinds of work for `tools.kills`: a studio is killed at some moment of each, and what was answered has to come back.

What a page saw after the last answer is compared with what a page sees after the next start: the same steps in the
same order, or one more, which was carried out and not answered any more. Where it is as many, all else is the same.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPException
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import numpy as np
from tests.session.acted import acted
from tests.studio.served import PATIENCE, Page, Served
from tests.studio.test_autosave import EARLIER_STATE, EARLIER_STEPS, EARLIER_WEIGHTS
from websockets.exceptions import ConnectionClosed

from facewright.formats.registry import load_document, save
from facewright.formats.takes import save_take
from facewright.live.livelink import write_livelink
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.samples import sample

SLIDER, KEYED = "jawOpen", "browInnerUp"
_SAVED = "kept.fwface"
_FINE = 4096  # numbers that single precision holds exactly
_JOBS = "spawn_main"  # in the command of a process that solves
_LIMITS = {"drag": 1.0, "keys": 1.0, "save": 1.5, "take": 4.0, "build": 4.0, "live": 2.0, "start": 0.4}  # seconds
_UPGRADE, _STARTS = "upgrade", 1.0  # seconds until a studio has started
KINDS = (*_LIMITS, _UPGRADE)
_ENDED = (ConnectionClosed, ConnectionError, HTTPException, EOFError, TimeoutError)


@dataclass(frozen=True)
class Seen:
    """What a page sees of the document and of the build."""

    labels: tuple[str, ...]  # of the steps that are done
    weights: tuple[float, ...]
    clips: tuple[tuple[str, tuple[str, ...]], ...]
    rig: str
    take: str
    poses: tuple[str, ...]  # of the build

    @classmethod
    def of(cls, page: Page) -> Seen:
        state = page.state
        history = state["history"]
        clips = tuple((clip["name"], tuple(clip["sliders"])) for clip in state["clips"])
        poses = tuple(pose["name"] for pose in (state.get("build") or {}).get("poses", ()))
        take = (state.get("take") or {}).get("name", "")
        done = tuple(history["labels"][: history["at"]])
        return cls(done, tuple(page.weights.tolist()), clips, state["rig"]["id"], take, poses)


@dataclass
class Work:
    """One studio that is worked in until it is killed, and what was answered."""

    served: Served
    rng: np.random.Generator
    seen: Seen | None = None  # after the last answer
    steps: int = 0  # that were answered
    saved: list[float] = field(default_factory=list)  # values of the slider in the file as it was, and as answered
    saving: float | None = None  # in one that was not answered yet
    _count: int = 0

    def run(self, kind: str, page: Page) -> None:
        """Work until the studio is gone."""
        with suppress(*_ENDED):
            self._noted(page)
            while True:
                getattr(self, f"_{kind}")(page)

    def number(self) -> float:
        """A value of a slider that was not used yet."""
        self._count = self._count % (_FINE - 1) + 1
        return self._count / _FINE

    def _noted(self, page: Page) -> None:
        page.do("Ping")  # all that is on its way has then come
        self.seen, self.steps = Seen.of(page), self.steps + 1

    def _done(self, page: Page, type: str, **fields: object) -> None:
        page.do(type, **fields)
        self._noted(page)

    def _drag(self, page: Page) -> None:
        pin = self._count = self._count + 1
        shape = sample().shape("mouthSmileLeft")
        self._done(page, "AddPin", pin=pin, vertex=int(self.rng.choice(shape.vertices)))
        place = page.pose[1]["places"][-1]
        page.do("Begin", gesture=pin, label=f"drag {pin}")
        for share in np.linspace(0, 1, 6):
            target = place + share * 0.02 * page.state["rig"]["size"] * self.rng.normal(size=3)
            page.do("DragPins", gesture=pin, targets=[{"pin": pin, "target": target.tolist()}])
        self._done(page, "Commit", gesture=pin)

    def _keys(self, page: Page) -> None:
        self._done(page, "SetWeights", weights={KEYED: self.number()})
        self._done(page, "SetKeys", time=self._count / 30, sliders=[KEYED])

    def _save(self, page: Page) -> None:
        value = self.number()
        self._done(page, "SetWeights", weights={SLIDER: value})
        self.saving = value
        page.do("Save", path=f"{self.served.folder.name}/{_SAVED}", replace=True)
        self.saved.append(value)
        self.saving = None
        self._noted(page)

    def _take(self, page: Page) -> None:
        self._count += 1
        name = f"take{self._count}"
        status, _, data = self.served.ask("POST", f"/api/upload?name={name}.c3d&how=clips", _take_file())
        assert status == 200, data
        page.until(lambda: (page.state.get("take") or {}).get("name") == name, "the take is there")
        self._noted(page)
        before = len(page.state["clips"])
        page.do("SolveTake")
        page.until(lambda: len(page.state["clips"]) > before and page.state["solving"] is None, "the take is solved")
        self._noted(page)

    def _build(self, page: Page) -> None:
        self._count += 1
        rig, name = sample(), f"pose {self._count}"
        pose = dict(zip(self.rng.choice(rig.sliders, 3, replace=False), self.rng.uniform(0.3, 1, 3), strict=True))
        has_neutral = bool((page.state.get("build") or {}).get("neutral"))
        face = Rig(evaluate(rig, pose if has_neutral else {}), rig.polygons)
        query = f"pose?name={quote(name)}.npz" if has_neutral else "neutral?name=neutral.npz"
        status, _, data = self.served.ask("POST", f"/api/upload/{query}", _written(face))
        assert status == 200, data
        if has_neutral:
            page.until(lambda: name in Seen.of(page).poses, "the pose is there")
        else:
            page.until(lambda: (page.state.get("build") or {}).get("neutral"), "the neutral is there")
        self._noted(page)

    def _live(self, page: Page) -> None:
        page.do("StartLive", port=0)
        page.do("RecordLive", name="live")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
            for frame in range(12):
                values = {SLIDER: float(self.rng.uniform())}
                phone.sendto(
                    write_livelink(values, frame=frame, subject="phone"), ("127.0.0.1", page.state["live"]["port"])
                )
                time.sleep(1 / 60)  # the pace of a phone
        page.until(lambda: page.state["live"]["recorded"], "a frame is recorded")
        page.do("FinishLive")
        page.do("StopLive")
        self._noted(page)

    def _start(self, page: Page) -> None:
        """Nothing: the studio is killed soon after it has started."""
        page.next()


@contextmanager
def _killed_after(served: Served, seconds: float) -> Iterator[list[int]]:
    """The studio is killed meanwhile; the processes that solved for it at that moment."""
    jobs: list[int] = []

    def kill() -> None:
        jobs.extend(served.children(_JOBS))
        served.process.kill()

    killer = threading.Timer(seconds, kill)
    killer.start()
    try:
        yield jobs
    finally:
        killer.join()


class KillingWork:
    """One state folder, and a folder of files, through kills in the middle of all kinds of work."""

    def __init__(self, folder: Path, seed: int) -> None:
        files = folder / "files"
        files.mkdir(parents=True, exist_ok=True)
        self._served = Served(folder / "state", "--no-skin", folder=files)
        self._folder, self._rng = folder, np.random.default_rng(seed)
        self._in_file: list[float] = []  # the slider's value there, if there is a file
        self.answered = 0  # steps, in all

    def once(self, kind: str) -> None:
        """Start, work, kill at some moment, start again. Raises AssertionError where something is lost."""
        if kind == _UPGRADE:
            self._upgrade()
            return
        served = self._served.start()
        try:
            page = served.page()
            page.do("OpenSample")
            page.do("ClearBuild")
            work = Work(served, self._rng, saved=list(self._in_file))
            with _killed_after(served, float(self._rng.uniform(0, _LIMITS[kind]))) as jobs:
                work.run(kind, page)
            served.kill()
            self.answered += work.steps
            _check_ended(jobs)
            page = served.start().page()
            _check(work, Seen.of(page), lambda: _said(page))
            if work.saved or work.saving is not None:
                self._in_file = _check_file(served.folder / _SAVED, work)
            _check_clean(served.folder)
            page.do("SetWeights", weights={SLIDER: work.number()})  # it goes on
        finally:
            served.kill()

    def _upgrade(self) -> None:
        """Start on what an earlier version kept, kill meanwhile, start again, go on, kill, start again."""
        state = self._folder / "earlier"
        shutil.rmtree(state, ignore_errors=True)
        shutil.copytree(EARLIER_STATE, state / "studio-0")
        served = Served(state, "--no-skin")
        try:
            _killed_at_start(served, float(self._rng.uniform(0, _STARTS)))
            page = served.start().page()
            page.do("Ping")
            assert Seen.of(page).labels == EARLIER_STEPS, page.state["history"]
            assert np.array_equal(page.weights, EARLIER_WEIGHTS), page.weights
            work = Work(served, self._rng)
            work._done(page, "SetWeights", weights={page.state["rig"]["sliders"][-1]["name"]: work.number()})
            served.kill()
            self.answered += 1
            page = served.start().page()
            _check(work, Seen.of(page), lambda: _said(page))
        finally:
            served.kill()


def _killed_at_start(served: Served, seconds: float) -> None:
    """Start a studio that is killed so soon that it may not have started."""

    def kill() -> None:
        end = time.monotonic() + PATIENCE
        while not hasattr(served, "process") and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(seconds)
        served.process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    with suppress(AssertionError, *_ENDED):  # it did not come to saying its address
        served.start()
    killer.join()
    served.kill()


@cache
def _take_file() -> bytes:
    with tempfile.TemporaryDirectory(prefix="facewright-kill-") as folder:
        path = Path(folder) / "take.c3d"
        save_take(acted(200).take, path)
        return path.read_bytes()


def _written(face: Rig) -> bytes:
    file = BytesIO()
    save(face, file, format=".npz")
    return file.getvalue()


def _said(page: Page) -> list[str]:
    return [said.get("message", "") for said in page.told if "could not be restored" in said.get("message", "")]


def _check(work: Work, now: Seen, said: Callable[[], list[str]]) -> None:
    assert not said(), said()
    last = work.seen
    if last is None:  # not even the first answer came
        return
    assert now.labels[: len(last.labels)] == last.labels, f"steps {last.labels} became {now.labels}"
    assert len(now.labels) <= len(last.labels) + 1
    assert now.poses[: len(last.poses)] == last.poses
    if len(now.labels) == len(last.labels):
        for name in ("clips", "rig", "take", "weights"):
            before, after = getattr(last, name), getattr(now, name)
            assert before == after, f"after {last.labels} the {name} were {before} and are {after}"


def _check_file(path: Path, work: Work) -> list[float]:
    """The file is whole, and one that was asked for: the last that was answered, or the one after it. What it has."""
    if not work.saved and not path.exists():
        return []
    document = load_document(path)
    value = float(document.pose[document.rig.slider_index(SLIDER)])
    allowed = [*work.saved[-1:], *([] if work.saving is None else [work.saving])]
    assert value in allowed, f"the file has {value}, and {allowed} were saved"
    return [value]


def _check_clean(folder: Path) -> None:
    """Nothing is beside the file but what a killed save was writing, one hidden file, which the next one uses."""
    left = sorted({path.name for path in folder.iterdir()} - {_SAVED, f".{_SAVED}.unfinished"})
    assert not left, f"files that nobody asked for: {', '.join(left)}"


def _check_ended(processes: list[int]) -> None:
    """Processes that solved for a studio end after it."""
    end = time.monotonic() + PATIENCE
    for process in processes:
        while os.path.exists(f"/proc/{process}") and time.monotonic() < end:
            time.sleep(0.05)
        assert not os.path.exists(f"/proc/{process}"), f"process {process} goes on without its studio"
