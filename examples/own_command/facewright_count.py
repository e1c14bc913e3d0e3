"""Print how many vertices each shape of a rig moves."""

from pathlib import Path
from typing import Annotated

import typer

import facewright as fw


def count(rig: Annotated[Path, typer.Argument(help="A rig in any format.")]) -> None:
    """Print how many vertices each shape of a rig moves, the largest number first."""
    shapes = fw.load(rig).shapes
    for shape in sorted(shapes, key=lambda shape: len(shape.vertices), reverse=True):
        typer.echo(f"{len(shape.vertices):8,}  {shape.name}")
