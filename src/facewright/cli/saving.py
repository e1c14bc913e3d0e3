"""Writing files: their names are checked before the work, and what a file kept and what not is printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from facewright.cli.asked import asked
from facewright.cli.screen import plain, screen
from facewright.cli.streams import shown
from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig.rig import Rig

if TYPE_CHECKING:
    from facewright.workflow.export.options import ExportOptions


def save_and_tell(
    thing: Document | Rig, path: Path, more: str = "", *, options: ExportOptions | None = None
) -> Document:
    """Save in the format of a path, print what the file keeps and what not; returns the document as written.

    more: what else there is to say about the file. options: how it is written.
    """
    from facewright.workflow import export  # takes a while to load, and not every command writes a rig

    saved = export.save_baked(thing if isinstance(thing, Document) else Document(thing), path, options)
    lost, name = export.lost_words(saved, path), shown(path)
    notes = [saved.note] if saved.note else []
    asked.list("written", {"file": name, "kept": list(saved.kept), "lost": list(saved.lost), "notes": notes})
    console = screen(stderr=True)
    for note in notes:
        console.print(f"{plain(Path(name).name)}: {plain(note)}", soft_wrap=True)
    console.print(f"{plain(name)}: {', '.join(saved.kept)}{plain(more)}", soft_wrap=True)
    if lost:
        console.print(f"[yellow]{plain(Path(name).name)}: {plain(lost)}[/]", soft_wrap=True)
    return saved.document


def check_report_name(report: Path | None) -> None:
    """Refuse a name that is not that of a page."""
    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise BadValue(f"a report is a page; name it something.html, not {report.name}")
