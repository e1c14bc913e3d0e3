"""Opening any file: what it holds is found out, read, and returned as the object that it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from facewright.document import Document
from facewright.errors import BadFile, FacewrightError, UnknownFormat
from facewright.formats.clips import load_clip
from facewright.formats.files import read_up_to
from facewright.formats.json_files import End, load_binding, load_landmarks, load_regions
from facewright.formats.npy import load_numbers
from facewright.formats.prior_file import load_prior
from facewright.formats.registry import load_document
from facewright.formats.scans import load_scan
from facewright.formats.sources import naming
from facewright.formats.takes import load_take
from facewright.image.encoded import MOST_BYTES, Encoded
from facewright.motion.clip import Clip
from facewright.motion.depth import ScanSequence
from facewright.motion.take import Take
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.rig.binding import Binding
from facewright.rig.prior import Prior
from facewright.rig.regions import Regions
from facewright.samples.head import UNIT, sample
from facewright.workflow.build.poses_file import NamedPose, load_poses
from facewright.workflow.drag.pins_file import PinsFile, load_pins
from facewright.workflow.file_kind import FileKind, kind_of
from facewright.workflow.pose_file import PoseFile, load_pose_file
from facewright.workflow.reference_files import load_plane, load_sound

SAMPLE = "sample"  # the name of the embedded head, where a file can be named
_RATE = 30.0  # frames a second of a table that counts frames


@dataclass(frozen=True)
class Landmarks:
    """Pairs of points: vertices of the source and of the target, or names of landmarks."""

    pairs: list[tuple[End, End]]


@dataclass(frozen=True)
class ExamplePoses:
    """Files of example poses, with guesses of their weights."""

    poses: tuple[NamedPose, ...]


Opened = (
    Document
    | Clip
    | Take
    | Binding
    | Regions
    | Landmarks
    | PoseFile
    | PinsFile
    | ExamplePoses
    | Encoded
    | np.ndarray
    | Prior
    | ReferenceSound
    | ReferencePlane
    | ScanSequence
)
T = TypeVar("T", bound=Opened)
_KINDS: dict[type, FileKind] = {
    Document: FileKind.RIG,
    Clip: FileKind.CLIP,
    Take: FileKind.TAKE,
    Binding: FileKind.BINDING,
    Regions: FileKind.REGIONS,
    Landmarks: FileKind.LANDMARKS,
    PoseFile: FileKind.POSE,
    PinsFile: FileKind.PINS,
    ExamplePoses: FileKind.POSES,
    Encoded: FileKind.PICTURE,
    np.ndarray: FileKind.NUMBERS,
    Prior: FileKind.PRIOR,
    ReferenceSound: FileKind.SOUND,
    ReferencePlane: FileKind.VIDEO,
    ScanSequence: FileKind.SCAN,
}


def open_any(path: Path, *, name: str = "", rate: float | None = None, unit: str = "") -> Opened:
    """The content of a file, whatever it holds.

    name: the file's own name, where `path` is a temporary copy; clips and takes are called by it, as errors are.
    rate, unit: of a take or a table, where the file does not say.
    """
    if not name:
        return _read(path, kind_of(path), rate, unit)
    try:
        found = _read(path, kind_of(path), rate, unit)
    except BadFile as problem:
        raise BadFile(str(problem).replace(str(path), name)) from problem
    except UnknownFormat as problem:
        raise UnknownFormat(str(problem).replace(str(path), name)) from problem
    return replace(found, name=Path(name).stem) if isinstance(found, Clip | Take | ScanSequence) else found


def open_as(path: Path, wanted: type[T], *, rate: float | None = None, unit: str = "") -> T:
    """The content of a file that has to hold a certain thing; an error says what it holds instead."""
    kind = _KINDS[wanted]
    try:
        found = kind_of(path)
    except FacewrightError:
        found = kind  # its own reader says best what is wrong
    if found is not kind:
        wanted_here = kind.words.removeprefix("a ").removeprefix("an ")
        raise BadFile(f"{path}: this file holds {found.words}, but no {wanted_here} ({', '.join(kind.suffixes)})")
    content = _read(path, kind, rate, unit)
    assert isinstance(content, wanted)
    return content


def open_face(name: str | Path) -> Document:
    """The document in a file; `sample` is the embedded head, unless there is a file of that name."""
    if str(name) == SAMPLE and not Path(name).exists():
        return Document(sample(), unit=UNIT)
    return open_as(Path(name), Document)


def open_prior(path: Path) -> Prior:
    """The prior in a file of its own, or of the document in a rig's file."""
    if str(path) == SAMPLE and not path.exists():
        raise BadFile(f"{SAMPLE}: the embedded head has no prior; `facewright prior learn {SAMPLE} CLIP` learns one")
    return load_prior(path) if kind_of(path) is FileKind.RIG else open_as(path, Prior)


def _read(path: Path, kind: FileKind, rate: float | None, unit: str) -> Opened:
    readers: dict[FileKind, Callable[[Path], Opened]] = {
        FileKind.RIG: load_document,
        FileKind.CLIP: lambda path: load_clip(path, rate=rate or _RATE),
        FileKind.TAKE: lambda path: load_take(path, rate=rate, unit=unit),
        FileKind.BINDING: load_binding,
        FileKind.REGIONS: load_regions,
        FileKind.LANDMARKS: lambda path: Landmarks(load_landmarks(path)),
        FileKind.POSE: load_pose_file,
        FileKind.PINS: load_pins,
        FileKind.POSES: lambda path: ExamplePoses(load_poses(path)),
        FileKind.PICTURE: _picture,
        FileKind.NUMBERS: load_numbers,
        FileKind.PRIOR: load_prior,
        FileKind.SOUND: load_sound,
        FileKind.VIDEO: load_plane,
        FileKind.SCAN: lambda path: load_scan(path, rate=rate, unit=unit),
    }
    return readers[kind](path)


def _picture(path: Path) -> Encoded:
    with naming(path):
        return Encoded(read_up_to(path, MOST_BYTES))
