"""`facewright convert`: a rig from one format to another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.registry import format_of, load_document, save
from facewright.motion.clip import Clip
from facewright.rig import edit
from facewright.rig.names import rename_to


def convert(
    source: Annotated[Path, typer.Argument(help="The rig to read.")],
    target: Annotated[Path, typer.Argument(help="Where to write it; the suffix says the format, none means a folder.")],
    names: Annotated[str | None, typer.Option(help="Rename shapes to a convention, such as arkit.")] = None,
    scale: Annotated[float, typer.Option(help="Multiply all lengths, such as 0.01 for centimetres to metres.")] = 1.0,
) -> None:
    """Read a rig in one format and write it in another."""
    document = load_document(source)
    if names is not None:
        document = _rename(document, names)
    if scale != 1.0:
        document = replace(document, rig=edit.scale(document.rig, scale))
    if target.exists() and source.exists() and target.resolve() == source.resolve() and (names, scale) == (None, 1.0):
        raise BadValue(f"{target} is the file that is read; name another one, or something to change")
    save(document, target)
    console = Console(stderr=True)
    rig = document.rig
    console.print(
        f"{target}: {rig.vertex_count:,} vertices, {len(rig.shapes)} shapes, {len(document.clips)} clips", highlight=False
    )
    console.print(f"[dim]{format_of(target).name}: {format_of(target).loses}[/]", highlight=False)


def _rename(document: Document, convention: str) -> Document:
    """The document with its sliders, shapes and clips renamed."""
    new = rename_to(document.rig.sliders, convention)
    clips = tuple(
        Clip(clip.name, {new.get(name, name): curve for name, curve in clip.curves.items()}, clip.rate)
        for clip in document.clips
    )
    locked = tuple(new.get(name, name) for name in document.locked)
    return replace(document, rig=edit.rename(document.rig, new), clips=clips, locked=locked)
