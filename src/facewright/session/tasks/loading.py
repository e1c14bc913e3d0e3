"""Reading files in a process of its own, with a limit of memory and time, so that no file stops the session."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from facewright import jobs
from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.motion.take import Take
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.takes import TriedBinding
from facewright.session.fields import Label
from facewright.session.storage.opened import Usable, Wanted, get_binding, get_opened, read_into
from facewright.session.tasks.action import Action
from facewright.workflow.file_kind import FileKind

MEMORY = 4 << 30  # bytes that reading a file may take
SECONDS = 120.0
_RECORDED = (*FileKind.TAKE.suffixes, *FileKind.SCAN.suffixes)
_IDLE = 10.0  # seconds after which the process is ended


class LoadingInfo(Struct, frozen=True):
    """A file that is being read."""

    name: Label
    waiting: int  # files that are read after it


class StopLoading(Action, frozen=True, kw_only=True):
    """Stop reading the file that is being read, and those that wait."""

    def run(self, context: Context) -> None:
        context.task(Loading).stop()


@dataclass(frozen=True, eq=False)
class BoundTake:
    """A take that was read, and how its markers are bound to the face that was open then."""

    take: Take
    tried: TriedBinding


Loaded = Usable | BoundTake


@dataclass(frozen=True, eq=False)
class _Load:
    path: Path
    name: str
    wanted: Wanted
    heard: Callable[[Loaded | Exception], None]


class Loading:
    """Files that are being read, one after the other. For the session's thread."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._loads: list[_Load] = []  # the first one is under way
        self._process = jobs.WorkerProcess()
        self._job: jobs.Job[None] | None = None
        self._folder: Path | None = None
        self._count = 0
        self.info: LoadingInfo | None = None

    def start(self, path: Path, name: str, wanted: Wanted, heard: Callable[[Loaded | Exception], None]) -> None:
        """Read a file; `heard` is called in the session's thread with what it holds, or why it cannot be read.

        A take comes bound to the open face, since that may take long, too.
        """
        self._loads.append(_Load(path, name, wanted, heard))
        if len(self._loads) == 1:
            self._begin()
        self._show()

    def stop(self) -> None:
        if not self._loads:
            raise BadValue("no file is being read")
        loads, self._loads = self._loads, []
        self._end_job()
        self._show()
        for load in loads:
            load.heard(BadValue(f"Reading {load.name} was stopped."))

    def close(self) -> None:
        """End what is under way; nobody hears of it."""
        self._loads = []
        self._end_job()

    def _begin(self) -> None:
        load, self._count = self._loads[0], self._count + 1
        number = self._count
        try:
            self._context.scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder = self._folder = Path(tempfile.mkdtemp(prefix="read-", dir=self._context.scratch))
        except OSError as problem:
            words = f"there is no room to read {load.name}: {problem.strerror or problem}"
            self._context.post(lambda: self._finish(number, BadFile(words)))
            return

        is_recorded = load.wanted == "scan" or load.path.suffix.lower() in _RECORDED or load.path.is_dir()
        rig = self._context.document.value.rig if is_recorded and load.wanted != "face" else None

        def heard(news: jobs.Progress | jobs.Finished[None] | jobs.Failed) -> None:  # in the job's thread
            if not isinstance(news, jobs.Progress):
                outcome = _outcome(news, load.name, folder, rig)
                self._context.post(lambda: self._finish(number, outcome))

        self._job = jobs.start(
            read_into, load.path, load.name, load.wanted, folder, rig,
            where="process", process=self._process, memory_limit=MEMORY, time_limit=SECONDS, heard=heard,
        )  # fmt: skip

    def _finish(self, number: int, outcome: Loaded | Exception) -> None:
        if number != self._count or not self._loads:
            return  # it was stopped meanwhile
        self._remove_folder()
        load, self._job = self._loads.pop(0), None
        if self._loads:
            self._begin()
        else:
            self._context.post_after(_IDLE, lambda: self._end_if_idle(number))
        self._show()
        load.heard(outcome)

    def _end_if_idle(self, number: int) -> None:
        if number == self._count and not self._loads:
            self._process.close()

    def _end_job(self) -> None:
        if self._job is not None:
            self._job.kill()
        self._process.kill()
        self._process, self._job, self._count = jobs.WorkerProcess(), None, self._count + 1
        self._remove_folder()

    def _remove_folder(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = None

    def _show(self) -> None:
        self.info = LoadingInfo(self._loads[0].name[:200], len(self._loads) - 1) if self._loads else None


class PictureLoading(Loading):
    """Faces that are read for their small pictures alone.

    No page is told of them, `StopLoading` does not stop them, and no file that is to be opened waits for them.
    """


def load_face(path: Path, scratch: Path) -> Document:
    """The document in a file, read in a process of its own with the same limits; it is waited for."""
    scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix="read-", dir=scratch) as made:
        folder, name = Path(made), str(path)
        wanted: Wanted = "face"
        job = jobs.start(
            read_into, path, name, wanted, folder, None,
            where="process", memory_limit=MEMORY, time_limit=SECONDS, heard=lambda news: None,
        )  # fmt: skip
        try:
            news = job.wait()
        finally:
            job.kill()  # it has ended, unless the wait was interrupted
        assert news is not None
        found = _outcome(news, name, folder, None)
    if isinstance(found, Exception):
        raise found
    assert isinstance(found, Document)
    return found


def _outcome(news: jobs.Finished[None] | jobs.Failed, name: str, folder: Path, rig: Rig | None) -> Loaded | Exception:
    if isinstance(news, jobs.Finished):
        try:
            found = get_opened(folder)
            if isinstance(found, Take) and rig is not None:
                return BoundTake(found, TriedBinding(rig, get_binding(folder)))
            return found
        except Exception as problem:
            news = jobs.failure(problem)
    return news.cause if isinstance(news.cause, FacewrightError | OSError) else BadFile(f"{name}: {news.message}")
