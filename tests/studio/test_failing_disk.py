"""A disk that refuses anything at any moment, and a power cut at any moment: what was said to be kept is there."""

import errno
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from facewright.document import Document
from facewright.session.edits.pose import SetWeights
from facewright.session.session import Session
from facewright.studio.autosave import Autosave
from facewright.studio.files import Folders
from facewright.studio.state_directory import StateDirectory
from facewright.studio.workspace import Workspace
from tests.power_cut import TAILS, PowerCut
from tests.session.faces import document
from tests.studio.test_autosave import FullDisk, at_time, kept_in, restored

CALLS = ("write", "fsync", "replace", "ftruncate", "open", "link", "mkdir")


class FailingDisk:
    """Counts what the program asks of the disk, and refuses some of it. A refused write has written a part."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, self.refused = 0, range(0)
        self._lock = threading.Lock()
        for name in CALLS:
            monkeypatch.setattr(os, name, self._refusing(name, getattr(os, name)))
        monkeypatch.setattr(tempfile, "mkstemp", self._refusing("mkstemp", tempfile.mkstemp))

    def _refusing(self, name: str, run: Callable[..., Any]) -> Callable[..., Any]:
        def refusing(*arguments: Any, **options: Any) -> Any:
            with self._lock:
                self.count += 1
                refused = self.count in self.refused
            if not refused:
                return run(*arguments, **options)
            if name == "write":
                run(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")

        return refusing


def edited(session: Session[Document], keeper: Autosave[Document], turn: int) -> None:
    """A step of some kind: an edit, an undo, another face, saved, opened."""
    match turn % 5:
        case 0 | 1:
            session.do(f"step {turn}", at_time(turn + 1.0))
            keeper.step(session, "new")
        case 2:
            session.do(f"face {turn}", lambda d: replace(document(turn), time=d.time + 0.5))
            keeper.step(session, "new")
        case 3:
            session.undo()
            keeper.step(session, "moved")
        case 4:
            session.mark_saved()
            keeper.mark(session, {"name": f"face {turn}"})


def check_kept(session: Session[Document], keeper: Autosave[Document], folder: Path, aside: Path) -> None:
    """What autosave does not complain about is there; what it complains about left something whole."""
    if not folder.is_dir():
        assert keeper.trouble
        return
    shutil.copytree(folder, aside)
    other = kept_in(aside)
    told = other.restore()
    other.close()
    if not keeper.trouble:
        assert told is not None
        assert told.session.value.time == session.value.time
        assert told.session.unsaved == session.unsaved
        assert told.session.value.rig.neutral.tobytes() == session.value.rig.neutral.tobytes()
    if told is not None:
        assert told.missing == 0
    shutil.rmtree(aside)


def session_on_a_failing_disk(disk: FailingDisk, refused: range, folder: Path, check: Callable[..., None]) -> int:
    """Work through a session in which the disk refuses these calls; how many calls it took."""
    disk.count, disk.refused = 0, range(0)
    session, keeper = Session(document()), kept_in(folder)
    disk.refused = refused
    keeper.start(session, {"name": "face"})
    for turn in range(7):
        edited(session, keeper, turn)
        wait(keeper._flushes)
        seen = disk.count
        disk.refused, held = range(0), disk.refused
        check(session, keeper, folder, folder.with_name("aside"))
        disk.count, disk.refused = seen, held
    needed, disk.refused = disk.count, range(0)
    session.do("at the end", at_time(99.0))
    keeper.step(session, "new")
    assert keeper.trouble == ""
    keeper.close()
    assert restored(folder).session.value.time == 99.0
    return needed


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.long)])
def test_a_disk_that_refuses_once_at_any_moment_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    disk = FailingDisk(monkeypatch)
    needed = session_on_a_failing_disk(disk, range(0), tmp_path / "none" / "state", check_kept)
    assert needed > 30
    for moment in range(1, needed + 1, every):
        folder = tmp_path / str(moment) / "state"
        session_on_a_failing_disk(disk, range(moment, moment + 1), folder, check_kept)
        shutil.rmtree(folder.parent)


@pytest.mark.parametrize("every", [13, pytest.param(1, marks=pytest.mark.long)])
def test_a_disk_that_is_full_for_a_while_at_any_moment_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    disk = FailingDisk(monkeypatch)
    for moment in range(0, 60, every):
        for calls in (3, 10**6):
            folder = tmp_path / f"{moment} {calls}" / "state"
            session_on_a_failing_disk(disk, range(moment, moment + calls), folder, check_kept)


@pytest.mark.parametrize("limit", [0, 10, 100, 700, 3000, 20_000])
def test_files_that_cannot_grow_lose_nothing(tmp_path: Path, limit: int) -> None:
    session, keeper = Session(document()), kept_in(tmp_path / "state")
    keeper.start(session, {})
    for turn in range(12):
        with FullDisk(limit):
            edited(session, keeper, turn)
        check_kept(session, keeper, tmp_path / "state", tmp_path / "aside")
    session.do("at the end", at_time(99.0))
    keeper.step(session, "new")
    assert keeper.trouble == ""
    keeper.close()
    assert restored(tmp_path / "state").session.value.time == 99.0


def test_a_studio_started_on_a_full_disk_takes_edits_and_says_that_it_keeps_none(tmp_path: Path) -> None:
    with FullDisk(0):
        state = StateDirectory(tmp_path)
        workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
        workspace.begin(None)
        assert state.token()
        state.keep_port(1234)
        context = workspace.context
        slider = context.document.value.rig.sliders[0]
        for value in (0.25, 0.5):
            assert context.apply(SetWeights(weights={slider: value}))
            assert context.document.value.pose[0] == value
            assert "Autosave does not work: File too large" in workspace.trouble
    context.apply(SetWeights(weights={slider: 0.75}))
    workspace.check()
    assert workspace.trouble == ""
    workspace.close()
    assert restored(state.folder / "document").session.value.pose[0] == 0.75
    state.close()


def test_work_that_cannot_be_set_aside_at_a_fresh_start_keeps_its_journal(tmp_path: Path) -> None:
    def begin(*, fresh: bool) -> Workspace:
        workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
        workspace.begin(None, fresh=fresh)
        return workspace

    state = StateDirectory(tmp_path)
    workspace = begin(fresh=False)
    slider = workspace.context.document.value.rig.sliders[0]
    workspace.context.apply(SetWeights(weights={slider: 0.5}))
    workspace.close()
    with FullDisk(1000):
        workspace = begin(fresh=True)
    (notice,) = workspace.context.notices()
    (kept,) = state.folder.glob("document 2*")
    assert str(kept) in notice
    assert restored(kept).session.value.pose[0] == 0.5
    workspace.close()
    state.close()


@pytest.mark.parametrize("tail", TAILS)
def test_after_a_power_cut_every_flushed_step_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tail: str
) -> None:
    disk = PowerCut(monkeypatch, tmp_path / "state")
    slow = threading.Event()
    slow.set()
    monkeypatch.setattr(os, "fsync", _held_back(os.fsync, slow))
    session, keeper = Session(document()), kept_in(tmp_path / "state")
    keeper.start(session, {})
    flushed = 0.0
    for turn in range(14):
        if turn % 3 == 2:
            slow.clear()  # the disk takes its time: this step is answered before it is flushed
        edited(session, keeper, 2 if turn == 4 else 0)
        if slow.is_set():
            wait(keeper._flushes)
            flushed = session.value.time
        after = tmp_path / f"after {turn}"
        disk.left(after, TAILS[tail])
        told = restored(after)
        assert told.missing == 0
        assert told.session.value.time in (flushed, session.value.time)
        assert told.session.value.time == flushed or not slow.is_set() or flushed == session.value.time
        slow.set()
    keeper.close()
    disk.left(tmp_path / "closed", TAILS[tail])
    assert restored(tmp_path / "closed").session.value.time == session.value.time


def _held_back(fsync: Callable[[int], None], until: threading.Event) -> Callable[[int], None]:
    """Flush only once that is allowed, in the thread that flushes the journal."""

    def flush(handle: int) -> None:
        if threading.current_thread() is not threading.main_thread():
            until.wait()
        fsync(handle)

    return flush


def test_a_state_folder_that_is_deleted_is_noticed_and_made_again(tmp_path: Path) -> None:
    state = StateDirectory(tmp_path)
    workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
    workspace.begin(None)
    token = state.token()
    slider = workspace.context.document.value.rig.sliders[0]
    workspace.context.apply(SetWeights(weights={slider: 0.5}))
    workspace.check()
    assert workspace.context.notices() == []
    for gone in (tmp_path, state.folder, state.folder / "document", state.folder / "build" / "parts"):
        shutil.rmtree(gone)
        workspace.check()
        (notice,) = workspace.context.notices()
        assert f"{state.folder} was deleted while the studio was running" in notice
        assert restored(state.folder / "document").session.value.pose[0] == 0.5
        assert (state.folder / "token").read_text() == token
        other = StateDirectory(tmp_path)
        assert other.folder != state.folder  # the lock is there again, too
        other.close()
    workspace.close()
    state.close()
