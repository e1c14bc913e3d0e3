"""The journal on disk: each step is written before the page hears of it, so a kill at any moment loses none.

Flushing to the disk itself, for the case that the power goes, may take long and follows in a thread of its own.

`journal` names the document it begins with (`base-N.fwface`) and grows by a record with each step. A new journal is
written beside the old one and renamed over it, after the document that it names.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from facewright.document import Document
from facewright.errors import BadFile, FacewrightError
from facewright.formats.files import flush_folder, write_atomically
from facewright.formats.registry import load_document, save
from facewright.session.changes import changes, same_base
from facewright.session.journal import MAGIC, Record, Told, framed, tell
from facewright.session.session import Session

LONGEST = 64 << 20  # bytes of a journal; then a new one begins with the document as it is
_RECOVERED = 20  # files kept


class Autosave:
    """What happened in a session, kept in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = folder / "journal"
        self._file = -1
        self._flushing = ThreadPoolExecutor(1, "flush")
        self._flushed: Future[None] | None = None
        self._length = 0
        self._last: Document | None = None  # as the journal tells it
        self._about: dict[str, str] = {}

    def restore(self) -> Told | None:
        """The session that was going on here, and its journal ready to go on; None where there was none."""
        told = self._told()
        if told is None:
            return None
        self._open(told.length)
        self._last, self._about = told.session.document, told.about
        return told

    def start(self, session: Session, about: dict[str, str]) -> None:
        """Begin anew with a session's document; its earlier steps are not told again."""
        base = self._keep(session.document)
        first = framed(Record(base=base, saved=not session.unsaved, about=about))
        write_atomically(self._journal, MAGIC + first)
        self._open(len(MAGIC) + len(first))
        self._last, self._about = session.document, about
        for old in self._folder.glob("base-*.fwface"):
            if old.name != base:
                old.unlink(missing_ok=True)

    def step(self, session: Session, *, is_new: bool) -> None:
        """The session made a step (`is_new`), or went to another place in its history."""
        last = self._known()
        history, now = session.history, session.document
        base = "" if same_base(last, now) else self._keep(now)
        label = history.last.label if is_new and history.last else None
        record = Record(label, history.at, base, changes(now if base else last, now))
        self._append(record, session)

    def mark(self, session: Session, about: dict[str, str]) -> None:
        """The document was saved, or is called something else now."""
        self._about = about
        last = self._known()
        record = Record(None, session.history.at, "", changes(last, session.document), not session.unsaved, about)
        self._append(record, session)

    def close(self) -> None:
        """Let go of the journal once it is on the disk."""
        self._wait()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _told(self) -> Told | None:
        if not self._journal.is_file():
            return None
        try:
            return tell(self._journal.read_bytes(), lambda base: load_document(self._base(base)))
        except (FacewrightError, OSError):
            return None

    def _base(self, name: str) -> Path:
        if name != Path(name).name or not name.startswith("base-"):
            raise BadFile(f"the journal names {name!r}, which is none of its documents")
        return self._folder / name

    def _keep(self, document: Document) -> str:
        """Write a whole document; the name it is kept under."""
        numbers = [int(path.stem[5:]) for path in self._folder.glob("base-*.fwface") if path.stem[5:].isdigit()]
        name = f"base-{max(numbers, default=0) + 1}.fwface"
        save(document, self._folder / name)
        return name

    def _open(self, length: int) -> None:
        """Go on after so many bytes; what is behind them was cut off."""
        self.close()
        self._file = os.open(self._journal, os.O_RDWR | getattr(os, "O_BINARY", 0))
        os.ftruncate(self._file, length)
        os.lseek(self._file, 0, os.SEEK_END)
        self._length = length

    def _append(self, record: Record, session: Session) -> None:
        if self._flushed is not None and self._flushed.done():
            self._wait()
        data = memoryview(framed(record))
        written = 0
        while written < len(data):
            written += os.write(self._file, data[written:])
        self._flushed = self._flushing.submit(os.fsync, self._file)
        self._length += len(data)
        self._last = session.document
        if self._length > LONGEST:
            self.start(session, self._about)

    def _wait(self) -> None:
        """Until the last record is on the disk; an error there is ours."""
        flushed, self._flushed = self._flushed, None
        if flushed is not None:
            flushed.result()

    def _known(self) -> Document:
        assert self._last is not None, "start or restore comes first"
        return self._last


def set_aside(document: Document, name: str, folder: Path) -> Path:
    """Keep work that was never saved, with the newest of its kind."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    safe = (
        "".join(letter if letter.isalnum() or letter in "-_ ." else "_" for letter in name)[:60].strip(". ") or "face"
    )
    path = folder / f"{safe} {time.strftime('%Y-%m-%d %H-%M-%S')}.fwface"
    save(document, path)
    oldest_first = sorted(folder.glob("*.fwface"), key=lambda each: each.stat().st_mtime)
    for old in oldest_first[:-_RECOVERED]:
        old.unlink(missing_ok=True)
    flush_folder(folder)
    return path
