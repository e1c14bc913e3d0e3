"""Read a rig in one format and write it in another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.formats.registry import format_of
from facewright.report.lint import listed
from facewright.rig import edit
from facewright.rig.names import convention_names
from facewright.workflow.inputs import check_outputs
from facewright.workflow.open import open_as
from facewright.workflow.rename import rename_sliders


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The rig to read.")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="Where to write it, in the format of its suffix; none: a folder.")
    ],
    names: Annotated[str | None, typer.Option(help="Rename shapes to a convention, such as arkit.")] = None,
    scale: Annotated[float, typer.Option(help="Multiply all lengths, such as 0.01 for centimetres to metres.")] = 1.0,
) -> None:
    """Read a rig in one format and write it in another."""
    if (names, scale) == (None, 1.0):  # what is changed may take the place of what it was
        check_outputs([target], [source])
    document = open_as(source, Document)
    console = screen(stderr=True)
    if names is not None:
        new = convention_names(document.rig.sliders, names)
        console.print(_renamed(document.rig.sliders, new, names))
        document = rename_sliders(document, new)
    if scale != 1.0:
        document = replace(document, rig=edit.scale(document.rig, scale))
    save_and_tell(document, target)
    format = format_of(target)
    console.print(f"[dim]{format.name}: {plain(format.loses)}[/]")


def _renamed(sliders: tuple[str, ...], new: Mapping[str, str], convention: str) -> str:
    """What was renamed, and what keeps its name because the convention has none for it."""
    changed = sum(name != other for name, other in new.items())
    kept = [name for name in sliders if name not in new]
    rest = f"; not known there: {plain(listed(kept))}" if kept else ""
    return f"{changed} of {len(sliders)} sliders renamed to {plain(convention)}{rest}"
