"""Journals on disk: each step is written before the page hears of it, so a kill at any moment loses none.

Flushing to the disk itself, for the case that the power goes, may take long and follows in a thread of its own: it
begins as soon as a step is written. After a power cut the steps are there whose flush had ended, in order and without a
gap; the parts that a record names are flushed before it is written, and closing waits for the last flush.

If writing fails, the journal is cut back to its last whole record, and every later step tries to begin it anew with the
value as it is. As long as that fails, `trouble` says why.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.formats.files import flush_folder, read_up_to, write_atomically
from facewright.formats.registry import save
from facewright.session.journal import MAGIC, Codec, Record, Restored, framed, restore
from facewright.session.session import Session, StepKind
from facewright.session.storage.blobs import Blobs

LONGEST = 64 << 20  # bytes of a journal; then a new one begins with the value as it is
LARGEST = 1 << 30  # bytes of parts that a journal may add to those of its first value; then, too
_READ = 1 << 30  # bytes of a journal that is read back
_RECOVERED = 20  # files kept
_DAMAGED = 3  # damaged journals kept
_ASIDE = 5  # folders set aside that are kept
_NAME = re.compile(rb"[0-9a-f]{40}")  # of a part
V = TypeVar("V")
_log = logging.getLogger(__name__)


class FolderOfBlobs:
    """Files named by their content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, data: bytes) -> None:
        path = self._folder / name
        if not (path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data):  # it may be damaged
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomically(path, data)

    def get(self, name: str) -> bytes:
        if name != Path(name).name or not name.isalnum():
            raise FacewrightError(f"the journal names {name[:80]!r}, which is none of its parts")
        return read_up_to(self._folder / name, _READ)

    def sweep(self, used: Iterable[str]) -> None:
        """Remove all files but those that are named."""
        wanted = set(used)
        for path in self._folder.glob("*") if self._folder.is_dir() else ():
            if path.name not in wanted:
                with suppress(OSError):
                    path.unlink()


class Autosave(Generic[V]):
    """What happened in a session, kept in a folder of its own. For one thread."""

    def __init__(self, folder: Path, codec: Codec[V]) -> None:
        self._folder, self._codec = folder, codec
        self._journal, self._parts = folder / "journal", folder / "parts"
        self._files = FolderOfBlobs(self._parts)
        self._blobs = Blobs(self._files)
        self._file = -1
        self._flushing = ThreadPoolExecutor(1, "flush")
        self._flushes: list[Future[None]] = []  # that have not been seen to end
        self._length = self._number = self._first_bytes = 0
        self._last: V | None = None  # as the journal has it
        self._about: dict[str, str] = {}
        self.trouble = ""  # why nothing is kept, "" where it is
        self.damaged = ""  # the name of the copy of a damaged journal that `restore` found

    def restore(self) -> Restored[V] | None:
        """The session that was going on here, and its journal ready to go on; None where there was none.

        A damaged journal is set aside as a copy before it is used.
        """
        data, found = b"", None
        try:
            self._clear_the_way()
            if not self._journal.is_file():
                return None
            data = read_up_to(self._journal, _READ)
            found = restore(data, self._codec, self._blobs)
        except Exception:  # whatever the files hold, a studio starts
            _log.debug("%s cannot be restored", self._journal, exc_info=True)
        if found is None or found.missing:
            self._keep_damaged()
        if found is None:
            self._blobs.begin_anew()
            return None
        self._last, self._about, self._number = found.session.value, found.about, found.number
        try:
            if found.missing:
                self.start(found.session, found.about)
            else:
                self._open(found.length)
                self._sweep()
        except OSError as problem:
            self._fail(problem)
        return found

    def set_aside(self) -> Path:
        """Rename the folder with all that is in it, which takes no room on the disk. Returns its new name.

        Of those that were set aside earlier the newest are kept. Where the folder cannot be renamed, its journal gets
        another name in it.
        """
        self.close()
        aside = _free(self._folder.with_name(f"{self._folder.name} {_now()}"))
        self._blobs.begin_anew()
        if self._folder.is_dir():
            try:
                self._folder.rename(aside)
            except OSError:  # a studio starts all the same
                self._keep_damaged()
                return self._folder / self.damaged
        for old in sorted(self._folder.parent.glob(f"{self._folder.name} 2*"))[:-_ASIDE]:
            shutil.rmtree(old, ignore_errors=True)
        return aside

    def start(self, session: Session[V], about: dict[str, str]) -> None:
        """Begin anew with a session's value; its earlier steps are not restored any more."""
        self._about = about
        try:
            self._start(session)
        except Exception as problem:
            self._fail(problem)

    def step(self, session: Session[V], kind: StepKind) -> None:
        """Keep the step that the session has just made, changed or gone to."""
        label = session.history.last.label if kind == "new" and session.history.last else ""
        self._keep(session, lambda changes: Record(kind, self._number + 1, changes, label, session.history.at))

    def mark(self, session: Session[V], about: dict[str, str]) -> None:
        """Keep that the value was saved, or is called something else now."""
        self._about = about
        saved = not session.unsaved
        self._keep(
            session, lambda changes: Record("marked", self._number + 1, changes, "", session.history.at, saved, about)
        )

    def check(self, session: Session[V]) -> bool:
        """Whether the journal is still there. It begins anew where it was deleted or could not be written before."""
        self._note_failed_flushes()
        is_gone = self._file >= 0 and not (self._journal.is_file() and self._parts.is_dir())
        if is_gone:
            self._close()
        if self._file < 0:
            self.start(session, self._about)
        return not is_gone

    def close(self) -> None:
        """Close the journal once it is on the disk."""
        with suppress(OSError):
            self._check_flushes(wait=True)
        self._close()

    def _keep(self, session: Session[V], record: Callable[[bytes], Record]) -> None:
        self._note_failed_flushes()
        try:
            if self._file < 0:  # it could not be written before
                self._start(session)
                return
            self._append(record(self._codec.encode(self._last, session.value, self._blobs)))
            self._last = session.value
            if self._length > LONGEST or self._blobs.bytes_used - self._first_bytes > LARGEST:
                self._start(session)
        except Exception as problem:  # the step is made: whatever the reason, it is said as long as it lasts
            self._fail(problem)

    def _start(self, session: Session[V]) -> None:
        self._blobs.begin_anew()
        changes = self._codec.encode(None, session.value, self._blobs)
        first = framed(Record("start", 0, changes, "", 0, not session.unsaved, self._about))
        self._journal.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # it may have been deleted
        write_atomically(self._journal, MAGIC + first)
        self._open(len(MAGIC) + len(first))
        self._number, self._last, self.trouble = 0, session.value, ""
        self._first_bytes = self._blobs.bytes_used
        self._sweep()

    def _append(self, record: Record) -> None:
        if not self._journal.is_file():
            raise OSError(f"{self._journal} is gone")
        data = memoryview(framed(record))
        written = 0
        while written < len(data):
            written += os.write(self._file, data[written:])
        self._flushes = [each for each in self._flushes if not each.cancel()]  # those that have not begun
        self._flushes.append(self._flushing.submit(os.fsync, self._file))
        self._length += len(data)
        self._number = record.number

    def _fail(self, problem: Exception) -> None:
        """Cut the journal back to its last whole record, and close it."""
        if not isinstance(problem, OSError):
            _log.error("autosave failed", exc_info=problem)
        words = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        self.trouble = f"Autosave does not work: {words.rstrip('.')}. Save the file yourself."
        if self._file >= 0:
            with suppress(OSError):
                os.ftruncate(self._file, self._length)
        self._flushes = []
        self._close()

    def _open(self, length: int) -> None:
        """Continue after so many bytes; what is behind them is cut off."""
        self.close()
        self._file = os.open(self._journal, os.O_RDWR | getattr(os, "O_BINARY", 0))
        os.ftruncate(self._file, length)
        os.lseek(self._file, 0, os.SEEK_END)
        self._length = length

    def _close(self) -> None:
        if self._file >= 0:
            file, self._file = self._file, -1
            with suppress(OSError):
                os.close(file)

    def _note_failed_flushes(self) -> None:
        try:
            self._check_flushes()
        except OSError as problem:
            self._fail(problem)

    def _check_flushes(self, *, wait: bool = False) -> None:
        """Raises where a record could not be flushed to the disk. wait: until the last one is."""
        ended = [each for each in self._flushes if wait or each.done()]
        self._flushes = [each for each in self._flushes if each not in ended]
        for each in ended:
            each.result()

    def _sweep(self) -> None:
        """Remove the parts that neither the journal nor a damaged one names."""
        damaged = (path.read_bytes() for path in self._folder.glob("damaged *") if path.is_file())
        named = {name.decode() for data in damaged for name in _NAME.findall(data)}
        self._files.sweep(self._blobs.used | named)

    def _clear_the_way(self) -> None:
        """Rename what is in the place of the folder, its journal or its parts and is of another kind."""
        for path, is_right in (
            (self._folder, self._folder.is_dir()),
            (self._journal, self._journal.is_file()),
            (self._parts, self._parts.is_dir()),
        ):
            if not is_right and os.path.lexists(path):
                path.rename(_free(path.with_name(f"damaged {path.name} {_now()}")))

    def _keep_damaged(self) -> None:
        """Give a damaged journal a second name, which takes no room."""
        path = _free(self._folder / f"damaged {_now()}")
        with suppress(OSError):
            try:
                os.link(self._journal, path)
            except OSError:  # not every file system has links
                write_atomically(path, self._journal.read_bytes())
            self.damaged = path.name
            kept = sorted(each for each in self._folder.glob("damaged *") if each.is_file())
            for old in kept[:-_DAMAGED]:
                old.unlink(missing_ok=True)


def set_aside(document: Document, name: str, folder: Path) -> Path:
    """Save work that is in no file yet, with the newest of its kind. Returns the file."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    safe = (
        "".join(letter if letter.isalnum() or letter in "-_ ." else "_" for letter in name)[:60].strip(". ") or "face"
    )
    path = _free(folder / f"{safe} {_now()}.fwface")
    save(document, path)
    oldest_first = sorted(folder.glob("*.fwface"), key=lambda each: each.stat().st_mtime)
    for old in oldest_first[:-_RECOVERED]:
        old.unlink(missing_ok=True)
    flush_folder(folder)
    return path


def _now() -> str:
    return time.strftime("%Y-%m-%d %H-%M-%S")


def _free(path: Path) -> Path:
    """A path with this name, or with a number behind it where that is taken."""
    numbered = (path.with_name(f"{path.stem} {number}{path.suffix}") for number in range(2, 1000))
    return next(each for each in (path, *numbered) if not os.path.lexists(each))
