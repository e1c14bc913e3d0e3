"""The expressions of ARKit on an avatar."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.rig.inputs import Face, Force, Output, opened, write
from facewright.workflow.open import Landmarks, open_as, open_face
from facewright.workflow.perfect_sync import perfect_sync


def sync(
    rig: Face,
    out: Output,
    template: Annotated[str, typer.Option(help="A rig with the shapes of ARKit, or `sample`.")] = "sample",
    landmarks: Annotated[
        Path | None,
        typer.Option(help='Vertices of template and avatar that belong together: {"pairs": [[12, 340], ...]}.'),
    ] = None,
    force: Force = False,
) -> None:
    """Make the 52 expressions of ARKit ("perfect sync"): shapes by transfer, and an expression for each."""
    document = opened(rig, out, force, [landmarks])
    pairs = None if landmarks is None else open_as(landmarks, Landmarks).pairs
    made = perfect_sync(document, template=open_face(template).rig, landmarks=pairs)
    write(made.document, out, str(made))
