"""The journal: every step as a record, one after the other, from which a session can be restored.

A record is a mark, its length, its checksum and its content. A damaged record is skipped: reading goes on at the next
mark, and what is missing is counted. Records say what the fields of a value are afterwards, so that later ones can
mostly be applied without an earlier one.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

import msgspec

from facewright.errors import BadFile
from facewright.session.history import Step
from facewright.session.session import Session
from facewright.session.storage.blobs import Blobs

MAGIC = b"FWJ2"
MARK = b"\xf5FWr"
_HEAD = struct.Struct("<4sII")  # mark, length, checksum of the content
_LONGEST = 1 << 30
V = TypeVar("V")


class Codec(Protocol[V]):
    """Makes bytes of what differs between two values, and back."""

    def encode(self, before: V | None, after: V, blobs: Blobs) -> bytes: ...

    def decode(self, before: V | None, data: bytes, blobs: Blobs) -> V: ...


class Record(msgspec.Struct, omit_defaults=True):
    """What happened: how the value changed, and what became of the history."""

    kind: Literal["start", "new", "amended", "moved", "marked"]
    number: int  # counts the records
    changes: bytes = b""  # by the codec; at the start, of nothing
    label: str = ""
    at: int = 0  # place in the history afterwards
    saved: bool | None = None  # whether the file has all of it now
    about: dict[str, str] | None = None  # whatever the keeper of the journal wants to know again


@dataclass(frozen=True, eq=False)
class Restored(Generic[V]):
    """A session as its journal has it."""

    session: Session[V]
    about: dict[str, str]
    length: int  # bytes up to the end of the last whole record
    number: int  # of that record
    missing: int = 0  # records that are damaged or could not be applied; all damaged ones at the end count as one


def framed(record: Record) -> bytes:
    """A record as it is appended."""
    content = msgspec.msgpack.encode(record)
    return _HEAD.pack(MARK, len(content), zlib.crc32(content)) + content


def records(data: bytes) -> Iterator[tuple[Record, int]]:
    """Each whole record and where it ends."""
    if data[: len(MAGIC)] != MAGIC:
        raise BadFile("this is no journal")
    at = len(MAGIC)
    while (at := data.find(MARK, at)) >= 0:
        record, end = _record_at(data, at)
        if record is None:
            at += 1
            continue
        yield record, end
        at = end


def restore(data: bytes, codec: Codec[V], blobs: Blobs) -> Restored[V] | None:
    """The session that a journal's bytes hold; None where it begins with nothing that can be read."""
    found = _Reading(codec, blobs)
    for record, end in records(data):
        found.read(record, end)
    session = found.session
    if session is None:
        return None
    missing = found.missing + (not _is_torn(data[found.length :]))
    return Restored(session, found.about, found.length, found.number, missing)


@dataclass(eq=False)
class _Reading(Generic[V]):
    codec: Codec[V]
    blobs: Blobs
    session: Session[V] | None = None
    about: dict[str, str] = field(default_factory=dict)
    length: int = 0
    number: int = -1
    missing: int = 0
    lost: int = 0  # steps that the history had when it was written and does not have now

    def read(self, record: Record, end: int) -> None:
        """Let a record happen; one that cannot be applied is counted as missing."""
        self.missing += max(record.number - self.number - 1, 0) if self.number >= 0 else record.number
        self.number, self.length = max(record.number, self.number), end
        try:
            self.session = self._after(record)
        except Exception:  # whatever a record holds, the others are read
            self.missing += 1
            return
        self.about = record.about if record.about is not None else self.about

    def _after(self, record: Record) -> Session[V]:
        session = self.session
        if session is None and record.kind != "start":
            raise BadFile("the journal does not begin with a whole value")
        before = None if session is None or record.kind == "start" else session.value
        value = self.codec.decode(before, record.changes, self.blobs) if record.changes else before
        if value is None:
            raise BadFile("the journal's first record holds no value")
        session = session or Session(value)
        match record.kind:
            case "new":
                session.history.add(Step(record.label, session.value, value))
                session.history.keep_newest(max(record.at, 1))  # as many as were kept then
                self.lost = record.at - len(session.history.steps)
            case "amended":
                session.history.amend_last(value)
            case "moved":
                session.history.at = min(max(record.at - self.lost, 0), len(session.history.steps))
        session.value = value
        if record.saved is not None:
            session.mark_saved(record.saved)
        return session


def _is_torn(end: bytes) -> bool:
    """Whether bytes behind the last whole record are the beginning of one, as a kill leaves it, and no damaged one."""
    end = end.rstrip(b"\0")  # a power cut may leave room that was never written
    if len(end) < _HEAD.size:
        return MARK.startswith(end[: len(MARK)])
    mark, length, _ = _HEAD.unpack_from(end)
    return bool(mark == MARK and len(end) < _HEAD.size + length)


def _record_at(data: bytes, at: int) -> tuple[Record | None, int]:
    if len(data) < at + _HEAD.size:
        return None, at
    _, length, checksum = _HEAD.unpack_from(data, at)
    content = data[at + _HEAD.size : at + _HEAD.size + length]
    if length > _LONGEST or len(content) < length or zlib.crc32(content) != checksum:
        return None, at
    try:
        return msgspec.msgpack.decode(content, type=Record), at + _HEAD.size + length
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None, at
