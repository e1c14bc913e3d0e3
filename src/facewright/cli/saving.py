"""Writing a document for other programs, in words where it takes more shapes."""

from __future__ import annotations

from pathlib import Path

from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.workflow import export


def save_baked(document: Document, path: Path) -> Document:
    """Save a document in the format of its path, and print what regions became; returns the document as written."""
    saved = export.save_baked(document, path)
    if saved.note:
        screen(stderr=True).print(f"{plain(path.name)}: {plain(saved.note)}", soft_wrap=True)
    return saved.document
