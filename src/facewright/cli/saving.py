"""Writing files: their names are checked before the work, and what became of regions is printed."""

from __future__ import annotations

from pathlib import Path

from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.errors import BadValue
from facewright.workflow import export


def save_baked(document: Document, path: Path) -> Document:
    """Save a document in the format of its path, and print what regions became; returns the document as written."""
    saved = export.save_baked(document, path)
    if saved.note:
        screen(stderr=True).print(f"{plain(path.name)}: {plain(saved.note)}", soft_wrap=True)
    return saved.document


def check_report_name(report: Path | None) -> None:
    """Refuse a name that is not that of a page."""
    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise BadValue(f"a report is a page; name it something.html, not {report.name}")
