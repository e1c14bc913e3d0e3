"""Faces as a command line names them: files, and `sample` for the embedded head."""

from __future__ import annotations

from pathlib import Path

from facewright.document import Document
from facewright.formats.registry import load, load_document
from facewright.rig.rig import Rig
from facewright.samples.head import sample

SAMPLE = "sample"


def template_named(name: str) -> Rig:
    """The rig in a file; `sample` is the embedded head with its 52 shapes, unless there is a file of that name."""
    return sample() if name == SAMPLE and not Path(name).exists() else load(name)


def document_named(name: str | Path) -> Document:
    """The document in a file; `sample` is the embedded head, unless there is a file of that name."""
    return Document(sample()) if str(name) == SAMPLE and not Path(name).exists() else load_document(name)
