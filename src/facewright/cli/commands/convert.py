"""Read a rig in one format and write it in another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain as as_text
from facewright.cli.screen import screen
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.registry import format_of
from facewright.report.lint import listed
from facewright.rig import edit
from facewright.rig.names import convention_names
from facewright.workflow.inputs import check_outputs
from facewright.workflow.open import open_as
from facewright.workflow.plain_targets import plain_targets
from facewright.workflow.rename import rename_sliders


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The rig to read.")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="Where to write it, in the format of its suffix; none: a folder.")
    ],
    names: Annotated[str | None, typer.Option(help="Rename shapes to a convention, such as arkit.")] = None,
    scale: Annotated[float, typer.Option(help="Multiply all lengths, such as 0.01 for centimetres to metres.")] = 1.0,
    plain: Annotated[
        bool, typer.Option(help="Make each in-between and combination a target with its own keys, for other programs.")
    ] = False,
    tolerance: Annotated[
        float, typer.Option(help="With --plain: drop those that move no vertex further than this share of the face.")
    ] = 0.0,
) -> None:
    """Read a rig in one format and write it in another."""
    if tolerance and not plain:
        raise BadValue("--tolerance says which targets --plain leaves out; give both")
    if (names, scale, plain) == (None, 1.0, False):  # what is changed may take the place of what it was
        check_outputs([target], [source])
    document = open_as(source, Document)
    console = screen(stderr=True)
    if names is not None:
        new = convention_names(document.rig.sliders, names)
        console.print(_renamed(document.rig.sliders, new, names))
        document = rename_sliders(document, new)
    if scale != 1.0:
        document = replace(document, rig=edit.scale(document.rig, scale))
    if plain:
        made = plain_targets(document, tolerance=tolerance)
        console.print(as_text(str(made)))
        document = made.document
    save_and_tell(document, target)
    format = format_of(target)
    console.print(f"[dim]{format.name}: {as_text(format.loses)}[/]")


def _renamed(sliders: tuple[str, ...], new: Mapping[str, str], convention: str) -> str:
    """What was renamed, and what keeps its name because the convention has none for it."""
    changed = sum(name != other for name, other in new.items())
    kept = [name for name in sliders if name not in new]
    rest = f"; not known there: {as_text(listed(kept))}" if kept else ""
    return f"{changed} of {len(sliders)} sliders renamed to {as_text(convention)}{rest}"
