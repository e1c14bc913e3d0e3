"""What the HTTP routes answer with, where it is JSON."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from facewright.workflow.file_kind import FileKind

Brought = Literal["face", "clip", "take", "binding", "prior", "scan"]


class Problem(Struct):
    """Any status from 400 up: what is wrong and what would have worked, for the person."""

    problem: str


class Health(Struct):
    """The server is there."""

    version: str
    protocol: int


class SampleInfo(Struct):
    """An embedded person, with the sets of shapes that OpenSample takes."""

    person: str
    shapes: list[str]


class SampleList(Struct):
    """GET /api/samples."""

    samples: list[SampleInfo]


class OpenableFile(Struct):
    """A file that OpenPath takes."""

    path: str
    bytes: int
    changed: float  # seconds since 1970


class FileList(Struct):
    """GET /api/files: below the folders named on the command line, and work that was never saved."""

    files: list[OpenableFile]
    recovered: list[OpenableFile]
    recent: list[OpenableFile]  # those that were opened or saved last


class Uploaded(Struct):
    """POST /api/upload: what was opened; the State that says all about it comes over the socket."""

    name: str
    brings: Brought = "face"


class RecognisedFile(Struct):
    """POST /api/kind: what a file holds, by its name and its beginning or all of it."""

    kind: FileKind | None
    problem: str = ""  # why it is of no kind that is known, for the user
    whole: bool = False  # the beginning does not tell: send all of it
    known: list[str] = []  # what would be of a kind, a line each, where the problem names only some of it


class Taken(Struct):
    """POST /api/build/faces: what the faces are called that were taken; the Build that says all about them follows."""

    names: list[str]


HttpAnswer = Problem | Health | SampleList | FileList | Uploaded | RecognisedFile | Taken
