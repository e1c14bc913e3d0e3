"""Read a rig in one format and write it in another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain as as_text
from facewright.cli.screen import screen
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.registry import format_of
from facewright.workflow.export.options import KEYS, TEXTURES, ExportOptions, option_names
from facewright.workflow.inputs import check_outputs
from facewright.workflow.open import open_as


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The rig to read.")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="Where to write it, in the format of its suffix; none: a folder.")
    ],
    names: Annotated[str, typer.Option(help="Rename shapes to a convention, such as arkit.")] = "",
    unit: Annotated[
        str, typer.Option(help="The unit of IN, such as cm, if it does not say its own; default by the face's size.")
    ] = "",
    scale: Annotated[float, typer.Option(help="Multiply all lengths. glTF is in metres by itself, by the unit.")] = 1.0,
    plain: Annotated[
        bool, typer.Option(help="Make each in-between and combination a target with its own keys, for other programs.")
    ] = False,
    tolerance: Annotated[
        float, typer.Option(help="With --plain: drop those that move no vertex further than this share of the face.")
    ] = 0.0,
    clips: Annotated[
        list[str] | None, typer.Option("--clip", help="A clip to write, once for each; default all.")
    ] = None,
    start: Annotated[float | None, typer.Option(help="Second of the clips that becomes 0; default the first.")] = None,
    end: Annotated[float | None, typer.Option(help="Second at which the clips end; default the last.")] = None,
    rate: Annotated[float, typer.Option(help="Frames a second of the clips; default their own.")] = 0.0,
    keys: Annotated[str, typer.Option(help=f"{option_names(KEYS)}.")] = "kept",
    textures: Annotated[str, typer.Option(help=f"{option_names(TEXTURES)}.")] = "all",
) -> None:
    """Read a rig in one format and write it in another."""
    if tolerance and not plain:
        raise BadValue("--tolerance says which targets --plain leaves out; give both")
    options = ExportOptions(
        names=names,
        unit=unit,
        scale=scale,
        plain=plain,
        tolerance=tolerance,
        clips=tuple(clips) if clips else None,
        start=start,
        end=end,
        rate=rate,
        keys=keys,
        textures=textures,
    )
    if options == ExportOptions():  # what is changed may take the place of what it was
        check_outputs([target], [source])
    document = open_as(source, Document)
    save_and_tell(document, target, options=options)
    format = format_of(target)
    screen(stderr=True).print(f"[dim]{format.name}: {as_text(format.loses)}[/]")
