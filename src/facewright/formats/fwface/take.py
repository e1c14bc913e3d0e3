"""A take as members of a zip: JSON, and the positions of its markers as an array."""

from __future__ import annotations

import msgspec
import numpy as np

from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip, ArrayZipWriter, is_single
from facewright.formats.schema.captured import CapturedEntry, TakeEntry
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.motion.take import Take
from facewright.rig.captured import MOST, Captured

MEMBER = "take.json"
POSITIONS = "arrays/take_positions.npy"


class _TakeFile(TakeEntry, omit_defaults=True):
    glue: CapturedEntry = msgspec.field(default_factory=CapturedEntry)


def read_captured(file: ArrayZip) -> Captured | None:
    """The take in a file, with its binding; None where there is none."""
    if MEMBER not in file.names:
        return None
    entry = entry_from(decode(file.bytes(MEMBER, limit=limits.JSON)), _TakeFile)
    try:
        return entry.glue.value(_read_take(file, entry))
    except BadValue as problem:
        raise BadFile(f"{MEMBER}: {problem}") from problem


def read_take(file: ArrayZip) -> Take:
    """The take in a file, without its binding."""
    return _read_take(file, entry_from(decode(file.bytes(MEMBER, limit=limits.JSON)), TakeEntry))


def write_captured(file: ArrayZipWriter, captured: Captured) -> None:
    """Write a take with its binding."""
    entry = _TakeFile(**msgspec.structs.asdict(TakeEntry.of(captured.take)), glue=CapturedEntry.of(captured))
    _write_take(file, captured.take, entry)


def write_take(file: ArrayZipWriter, take: Take) -> None:
    """Write a take without a binding."""
    _write_take(file, take, TakeEntry.of(take))


def _read_take(file: ArrayZip, entry: TakeEntry) -> Take:
    shape = file.header(POSITIONS, "f").shape
    if len(shape) != 3 or shape[1:] != (len(entry.names), 3) or shape[0] * shape[1] > MOST:
        raise BadFile(f"{POSITIONS} must have shape (frames, {len(entry.names)}, 3), not {shape}")
    try:
        return entry.value(file.array(POSITIONS, "f").astype(np.float64))
    except (BadValue, BadFile) as problem:
        raise BadFile(f"{MEMBER}: {problem}") from problem


def _write_take(file: ArrayZipWriter, take: Take, entry: TakeEntry) -> None:
    file.bytes(MEMBER, encode(plain(entry)))
    number = "<f4" if is_single(take.positions[take.seen]) else "<f8"
    file.array(POSITIONS, take.positions.astype(number))
