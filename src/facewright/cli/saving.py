"""Writing a document for other programs, in words where it takes more shapes."""

from __future__ import annotations

from pathlib import Path

from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.formats.registry import format_of, save
from facewright.regions.bake import bake_regions


def save_baked(document: Document, path: Path) -> Document:
    """Save a document in the format of its path; what only regions can say becomes shapes, except in our own format.

    Returns the document as it was written.
    """
    if ".fwface" not in format_of(path).suffixes:
        baked = bake_regions(document)
        document = baked.document
        if baked.added:
            screen(stderr=True).print(f"{plain(path.name)}: {plain(str(baked))}", soft_wrap=True)
    save(document, path)
    return document
