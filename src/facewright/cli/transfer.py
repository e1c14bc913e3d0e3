"""`facewright transfer`: all shapes of a template on another face."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.build.contact import closing_shapes
from facewright.build.transfer import transfer as transfer_shapes
from facewright.cli.faces import template_named
from facewright.cli.screen import plain, screen
from facewright.formats.registry import format_of, load, save


def transfer(
    template: Annotated[str, typer.Argument(help="A rig whose shapes to take, or `sample`: the embedded head's 52.")],
    neutral: Annotated[Path, typer.Argument(help="The face to put them on; it needs the template's topology.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="The rig to write, such as rig.glb.")],
    closed: Annotated[
        bool, typer.Option("--closed/--not-closed", help="Keep lids and lips touching that touch in the template.")
    ] = True,
) -> None:
    """Put all shapes of a template onto another face of the same topology."""
    format_of(out)  # before the work, not after it
    source = template_named(template)
    closing = closing_shapes(source) if closed else {}
    made = transfer_shapes(source, load(neutral), closing=closing)
    save(made, out)
    kept = f"; closed: {', '.join(map(plain, closing))}" if closing else ""
    screen(stderr=True).print(f"{plain(str(out))}: {made.vertex_count:,} vertices, {len(made.shapes)} shapes{kept}")
