"""A take at work on a rig as plain values, the markers' positions aside: a part of a .fwface file, and of a journal."""

from __future__ import annotations

import msgspec
import numpy as np

from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip, ArrayZipWriter, is_single
from facewright.formats.schema.binding import BindingFile, binding_from, describe_binding
from facewright.formats.schema.json import decode, encode, plain, understand
from facewright.motion.take import METRES, Take
from facewright.rig.binding import SurfacePoint
from facewright.rig.captured import MOST, Captured, SolvedClip

MEMBER = "take.json"
POSITIONS = "arrays/take_positions.npy"


class PointEntry(msgspec.Struct):
    """A point of the surface."""

    vertices: tuple[int, int, int]
    shares: tuple[float, float, float]


class SolvedEntry(msgspec.Struct, omit_defaults=True):
    """What is known of a solved clip."""

    clip: str
    status: list[int] = []
    doubted: list[tuple[int, int]] = []
    notes: list[str] = []


class GlueEntry(msgspec.Struct, omit_defaults=True):
    """Everything but the take itself."""

    pairs: dict[str, PointEntry] = {}
    base: BindingFile | None = None
    origin: str = ""
    binding: BindingFile | None = None
    ignored: list[str] = []
    neutral: int | None = None
    solved: SolvedEntry | None = None


class TakeEntry(msgspec.Struct, omit_defaults=True):
    """A take without its positions."""

    names: list[str]
    rate: float
    unit: str
    name: str = "take"
    notes: list[str] = []
    glue: GlueEntry = msgspec.field(default_factory=GlueEntry)


def describe_glue(captured: Captured) -> GlueEntry:
    """All but the take as plain values."""
    solved = captured.solved
    return GlueEntry(
        {name: PointEntry(point.vertices, point.shares) for name, point in captured.pairs.items()},
        None if captured.base is None else describe_binding(captured.base),
        captured.origin,
        None if captured.binding is None else describe_binding(captured.binding),
        list(captured.ignored),
        captured.neutral,
        None
        if solved is None
        else SolvedEntry(
            solved.clip, solved.status.tolist(), [(f, k) for f, k in solved.doubted.tolist()], list(solved.notes)
        ),
    )


def glued(take: Take, entry: GlueEntry) -> Captured:
    """A take with all that plain values say of it."""
    solved = entry.solved
    return Captured(
        take,
        {name: SurfacePoint(point.vertices, point.shares) for name, point in entry.pairs.items()},
        None if entry.base is None else binding_from(entry.base),
        entry.origin,
        None if entry.binding is None else binding_from(entry.binding),
        tuple(entry.ignored),
        entry.neutral,
        None
        if solved is None
        else SolvedClip(
            solved.clip,
            np.array(solved.status, np.int64),
            np.array(solved.doubted, np.int64).reshape(-1, 2),
            tuple(solved.notes),
        ),
    )


def read_captured(file: ArrayZip) -> Captured | None:
    """The take in a file, if there is one; its claims are checked against each other first."""
    if MEMBER not in file.names:
        return None
    entry = understand(decode(file.bytes(MEMBER, limit=limits.JSON)), TakeEntry)
    shape = file.header(POSITIONS, "f").shape
    if len(shape) != 3 or shape[1:] != (len(entry.names), 3) or shape[0] * shape[1] > MOST:
        raise BadFile(f"{POSITIONS} must have shape (frames, {len(entry.names)}, 3), not {shape}")
    if entry.unit not in METRES:
        raise BadFile(f"{MEMBER}: the unit is {entry.unit!r}; known are {', '.join(METRES)}")
    try:
        positions = file.array(POSITIONS, "f").astype(np.float64)
        take = Take(tuple(entry.names), positions, entry.rate, entry.unit, entry.name, tuple(entry.notes))
        return glued(take, entry.glue)
    except BadValue as problem:
        raise BadFile(f"{MEMBER}: {problem}") from problem


def write_captured(file: ArrayZipWriter, captured: Captured) -> None:
    """The take as two members of a file."""
    take = captured.take
    entry = TakeEntry(list(take.names), take.rate, take.unit, take.name, list(take.notes), describe_glue(captured))
    file.bytes(MEMBER, encode(plain(entry)))
    number = "<f4" if is_single(take.positions[take.seen]) else "<f8"
    file.array(POSITIONS, take.positions.astype(number))
