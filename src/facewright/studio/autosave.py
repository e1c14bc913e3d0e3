"""Journals on disk: each step is written before the page hears of it, so a kill at any moment loses none.

Flushing to the disk itself, for the case that the power goes, may take long and follows in a thread of its own.

If writing fails, the journal is cut back to its last whole record, and every later step tries to begin it anew with the
value as it is. As long as that fails, `trouble` says why.
"""

from __future__ import annotations

import os
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
_READ = 1 << 30  # bytes of a journal that is read back
_RECOVERED = 20  # files kept
_DAMAGED = 3  # damaged journals kept
V = TypeVar("V")


class FolderOfBlobs:
    """Files named by their content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, data: bytes) -> None:
        path = self._folder / name
        if not path.is_file() or path.stat().st_size != len(data):
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
        self._journal = folder / "journal"
        self._files = FolderOfBlobs(folder / "parts")
        self._blobs = Blobs(self._files)
        self._file = -1
        self._flushing = ThreadPoolExecutor(1, "flush")
        self._flushed: Future[None] | None = None
        self._length = self._number = 0
        self._last: V | None = None  # as the journal has it
        self._about: dict[str, str] = {}
        self.trouble = ""  # why nothing is kept, "" where it is
        self.damaged = ""  # the name of the copy of a damaged journal that `restore` found

    def restore(self) -> Restored[V] | None:
        """The session that was going on here, and its journal ready to go on; None where there was none.

        A damaged journal is set aside as a copy before it is used.
        """
        if not self._journal.is_file():
            return None
        try:
            data = read_up_to(self._journal, _READ)
            found = restore(data, self._codec, self._blobs)
        except (FacewrightError, OSError, MemoryError):
            found = None
            data = b""
        if found is None or found.missing or found.length < len(data.rstrip(b"\0")):
            self._keep_damaged(torn_only=found is not None and not found.missing)
        if found is None:
            return None
        self._last, self._about, self._number = found.session.value, found.about, found.number
        try:
            if found.missing:
                self.start(found.session, found.about)
            else:
                self._open(found.length)
                self._files.sweep(self._blobs.used)
        except OSError as problem:
            self._fail(problem)
        return found

    def start(self, session: Session[V], about: dict[str, str]) -> None:
        """Begin anew with a session's value; its earlier steps are not restored any more."""
        self._about = about
        try:
            self._start(session)
        except OSError as problem:
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

    def close(self) -> None:
        """Close the journal once it is on the disk."""
        with suppress(OSError):
            self._wait()
        self._close()

    def _keep(self, session: Session[V], record: Callable[[bytes], Record]) -> None:
        try:
            if self._file < 0:  # it could not be written before
                self._start(session)
                return
            self._append(record(self._codec.encode(self._last, session.value, self._blobs)))
            self._last = session.value
            if self._length > LONGEST:
                self._start(session)
        except OSError as problem:
            self._fail(problem)

    def _start(self, session: Session[V]) -> None:
        self._blobs.begin_anew()
        changes = self._codec.encode(None, session.value, self._blobs)
        first = framed(Record("start", 0, changes, "", 0, not session.unsaved, self._about))
        write_atomically(self._journal, MAGIC + first)
        self._open(len(MAGIC) + len(first))
        self._number, self._last, self.trouble = 0, session.value, ""
        self._files.sweep(self._blobs.used)

    def _append(self, record: Record) -> None:
        if self._flushed is not None and self._flushed.done():
            self._wait()
        if not self._journal.is_file():
            raise OSError(f"{self._journal} is gone")
        data = memoryview(framed(record))
        written = 0
        while written < len(data):
            written += os.write(self._file, data[written:])
        self._flushed = self._flushing.submit(os.fsync, self._file)
        self._length += len(data)
        self._number = record.number

    def _fail(self, problem: OSError) -> None:
        """Cut the journal back to its last whole record, and close it."""
        self.trouble = f"Autosave does not work: {problem.strerror or problem}. Save the file yourself."
        if self._file >= 0:
            with suppress(OSError):
                os.ftruncate(self._file, self._length)
        self._flushed = None
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

    def _wait(self) -> None:
        """Wait until the last record is on the disk; raises where that failed."""
        flushed, self._flushed = self._flushed, None
        if flushed is not None:
            flushed.result()

    def _keep_damaged(self, *, torn_only: bool) -> None:
        """Copy a damaged journal aside. A torn end, as a kill leaves it, is no damage."""
        if torn_only:
            return
        name = f"damaged {time.strftime('%Y-%m-%d %H-%M-%S')}"
        with suppress(OSError):
            write_atomically(self._folder / name, self._journal.read_bytes())
            self.damaged = name
            kept = sorted(self._folder.glob("damaged *"))
            for old in kept[:-_DAMAGED]:
                old.unlink(missing_ok=True)


def set_aside(document: Document, name: str, folder: Path) -> Path:
    """Save work that is in no file yet, with the newest of its kind. Returns the file."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    safe = (
        "".join(letter if letter.isalnum() or letter in "-_ ." else "_" for letter in name)[:60].strip(". ") or "face"
    )
    stem = f"{safe} {time.strftime('%Y-%m-%d %H-%M-%S')}"
    names = (f"{stem}.fwface", *(f"{stem} {number}.fwface" for number in range(2, 1000)))
    path = next(folder / free for free in names if not (folder / free).exists())
    save(document, path)
    oldest_first = sorted(folder.glob("*.fwface"), key=lambda each: each.stat().st_mtime)
    for old in oldest_first[:-_RECOVERED]:
        old.unlink(missing_ok=True)
    flush_folder(folder)
    return path
