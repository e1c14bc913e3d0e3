"""Reading a file that is not trusted in a process of its own, which hands over what it found as files of our own.

Nothing of what was read is pickled: rigs, takes, clips and pictures are written by the codecs of the journal.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from facewright.capture.bind import bind
from facewright.document import Document
from facewright.errors import BadFile, FacewrightError
from facewright.formats.fwface.scan import packed_frames
from facewright.formats.parts import frames_from_bytes, frames_to_bytes, take_from_bytes, take_to_bytes
from facewright.formats.scans import load_scan
from facewright.formats.scans.packed import pack_sequence
from facewright.formats.schema.binding import BindingEntry
from facewright.formats.schema.clip import ClipEntry
from facewright.formats.schema.prior import PriorEntry
from facewright.formats.schema.reference import ReferenceEntry
from facewright.formats.schema.scanned import ScannedEntry
from facewright.image.codec import pixels
from facewright.image.encoded import MOST_BYTES, Encoded
from facewright.jobs.task import Task
from facewright.motion.clip import Clip
from facewright.motion.depth import ScanSequence
from facewright.motion.take import Take
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.rig.binding import Binding
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.rig.scanned import Scanned
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import DocumentCodec
from facewright.workflow.open import Opened, open_any, open_as
from facewright.workflow.reference_files import load_plane, load_sound
from facewright.workflow.track.scan import placed_scan

# What a file has to hold; any: what the studio opens.
Wanted = Literal["any", "face", "picture", "sound", "plane", "scan"]
Usable = Document | Clip | Take | Binding | Prior | Encoded | ReferenceSound | ReferencePlane | Scanned
_NOTE, _BINDING = "note", "binding"  # names of files
_WORDS = "a rig, a clip, a take of markers, a binding of markers, a prior of poses, a depth or scan sequence"


class _Note(msgspec.Struct):
    kind: Literal["document", "clip", "take", "binding", "prior", "picture", "reference", "scan"]
    data: bytes


class _PlainFolder:
    """Blobs as files that nobody needs after a crash."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, data: bytes) -> None:
        (self._folder / name).write_bytes(data)

    def get(self, name: str) -> bytes:
        if not name.isalnum():
            raise BadFile("a part that was read has a strange name")
        return (self._folder / name).read_bytes()


def read_into(task: Task, path: Path, name: str, wanted: Wanted, folder: Path, rig: Rig | None = None) -> None:
    """Read a file and put what it holds into a folder. `name` is the file's own, by which errors call it.

    rig: a face to which the markers of a take are bound by their names, if they say enough; see `get_binding`. Its head
    is looked for in a sequence.
    """
    try:
        found = _read(path, name, wanted)
        put_opened(_placed(found, rig) if isinstance(found, ScanSequence) else found, folder, name)
    except BadFile as problem:
        raise BadFile(str(problem).replace(str(path), name)) from problem
    if rig is None or not isinstance(found, Take):
        return
    with suppress(FacewrightError, MemoryError):
        (folder / _BINDING).write_bytes(msgspec.msgpack.encode(BindingEntry.of(bind(rig, found))))


def _placed(sequence: ScanSequence, rig: Rig | None) -> Scanned:
    packed = pack_sequence(sequence)
    return Scanned(packed) if rig is None else placed_scan(rig, packed)


def put_opened(found: Opened | Scanned, folder: Path, name: str = "this file") -> None:
    """Put something that was read into an empty folder. `name` is what errors call its file."""
    match found:
        case Document():
            note = _Note("document", DocumentCodec().encode(None, found, Blobs(_PlainFolder(folder))))
        case Clip():
            note = _Note("clip", msgspec.msgpack.encode(ClipEntry.of(found)))
        case Take():
            note = _Note("take", take_to_bytes(found))
        case Binding():
            note = _Note("binding", msgspec.msgpack.encode(BindingEntry.of(found)))
        case Prior():
            note = _Note("prior", msgspec.msgpack.encode(PriorEntry.of(found)))
        case Scanned():
            frames = frames_to_bytes(packed_frames(found.sequence))
            note = _Note("scan", msgspec.msgpack.encode((ScannedEntry.of(found), frames)))
        case Encoded():
            note = _Note("picture", found.data)
        case ReferenceSound() | ReferencePlane():
            sound, plane = (found, None) if isinstance(found, ReferenceSound) else (None, found)
            blobs = Blobs(_PlainFolder(folder))
            entry = ReferenceEntry.of(sound, plane, lambda file: blobs.keep(file.data, lambda: file.data))
            note = _Note("reference", msgspec.msgpack.encode(entry))
        case _:
            raise BadFile(f"{name} holds none of what the studio opens: {_WORDS}")
    (folder / _NOTE).write_bytes(msgspec.msgpack.encode(note))


def get_opened(folder: Path) -> Usable:
    """What was put into a folder."""
    note = msgspec.msgpack.decode((folder / _NOTE).read_bytes(), type=_Note)
    match note.kind:
        case "document":
            return DocumentCodec().decode(None, note.data, Blobs(_PlainFolder(folder)))
        case "clip":
            return msgspec.msgpack.decode(note.data, type=ClipEntry).value()
        case "take":
            return take_from_bytes(note.data)
        case "binding":
            return msgspec.msgpack.decode(note.data, type=BindingEntry).value()
        case "prior":
            return msgspec.msgpack.decode(note.data, type=PriorEntry).value()
        case "picture":
            return Encoded(note.data)
        case "scan":
            entry, frames = msgspec.msgpack.decode(note.data, type=tuple[ScannedEntry, bytes])
            return entry.value(frames_from_bytes(frames))
        case "reference":
            return _reference(note.data, Blobs(_PlainFolder(folder)))


def get_binding(folder: Path) -> Binding | None:
    """How the take in a folder is bound to the face that `read_into` was given; None: its names do not say enough."""
    path = folder / _BINDING
    return msgspec.msgpack.decode(path.read_bytes(), type=BindingEntry).value() if path.exists() else None


def _read(path: Path, name: str, wanted: Wanted) -> Opened:
    match wanted:
        case "any":
            return open_any(path, name=name)
        case "face":
            return open_as(path, Document)
        case "picture":
            return _picture(path, name)
        case "sound":
            return load_sound(path, name)
        case "plane":
            return load_plane(path, name)
        case "scan":
            return replace(load_scan(path), name=Path(name).stem)


def _reference(data: bytes, blobs: Blobs) -> ReferenceSound | ReferencePlane:
    sound, plane = msgspec.msgpack.decode(data, type=ReferenceEntry).value(lambda place: blobs.find(place, bytes))
    found = sound or plane
    assert found is not None
    return found


def _picture(path: Path, name: str) -> Encoded:
    """A picture, unpacked once to know that it can be."""
    if path.stat().st_size > MOST_BYTES:
        raise BadFile(f"{name}: a picture may have {MOST_BYTES >> 20} MB")
    try:
        picture = Encoded(path.read_bytes())
        pixels(picture)
    except BadFile as problem:
        raise BadFile(f"{name}: {problem}") from problem
    return picture
