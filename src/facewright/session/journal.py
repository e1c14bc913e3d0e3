"""The journal: every step as a record, one after the other, so that a session can be told again from its bytes.

A record is its length, its checksum and its content. Reading stops at the first one that is cut off or damaged: what
was being written when the power went is lost, what was written before is not.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from facewright.document import Document
from facewright.errors import BadFile, FacewrightError
from facewright.session.changes import Changes, changed
from facewright.session.history import Step
from facewright.session.session import Session

MAGIC = b"FWJ1"
_HEAD = struct.Struct("<II")  # length, checksum of the content
_LONGEST = 1 << 30


class Record(msgspec.Struct, omit_defaults=True):
    """What happened: a step (with a label) or a move in the history, told by what it changed."""

    label: str | None = None  # of a new step; none: no step
    at: int = 0  # place in the history afterwards
    base: str = ""  # where a whole document is kept, which the changes are made to instead of the last one
    changes: Changes = msgspec.field(default_factory=Changes)
    saved: bool | None = None  # whether the file has all of it now
    about: dict[str, str] | None = None  # whatever the keeper of the journal wants to know again


@dataclass(frozen=True, eq=False)
class Told:
    """A session as its journal tells it."""

    session: Session
    about: dict[str, str]
    length: int  # bytes that could be read


def framed(record: Record) -> bytes:
    """A record as it is appended."""
    content = msgspec.msgpack.encode(record)
    return _HEAD.pack(len(content), zlib.crc32(content)) + content


def records(data: bytes) -> Iterator[tuple[Record, int]]:
    """Each whole record and where it ends."""
    at = len(MAGIC)
    if data[:at] != MAGIC:
        raise BadFile("this is no journal")
    while len(data) >= at + _HEAD.size:
        length, checksum = _HEAD.unpack_from(data, at)
        content = data[at + _HEAD.size : at + _HEAD.size + length]
        if length > _LONGEST or len(content) < length or zlib.crc32(content) != checksum:
            return
        try:
            record = msgspec.msgpack.decode(content, type=Record)
        except msgspec.DecodeError:
            return
        at += _HEAD.size + length
        yield record, at


def tell(data: bytes, load: Callable[[str], Document]) -> Told | None:
    """The session that a journal's bytes tell, as far as they can be read; `load` finds documents by their base."""
    told: Told | None = None
    for record, end in records(data):
        try:
            session = _after(record, None if told is None else told.session, load)
        except (FacewrightError, OSError):
            break
        told = Told(session, record.about or (told.about if told else {}), end)
    return told


def _after(record: Record, session: Session | None, load: Callable[[str], Document]) -> Session:
    """The session once a record has happened."""
    if session is None and not record.base:
        raise BadFile("the journal does not begin with a document")
    base = load(record.base) if record.base or session is None else session.document
    document = changed(base, record.changes)
    session = session or Session(document)
    if record.label is not None:
        session.history.add(Step(record.label, session.document, document))
    else:
        session.history.at = min(record.at, len(session.history.steps))
    session.document = document
    if record.saved is not None:
        session.mark_saved(record.saved)
    return session
