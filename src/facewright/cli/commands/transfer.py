"""Put all shapes of a template onto another face."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.build.contact import closing_shapes
from facewright.build.transfer import TopologyChoice, prepare, transferred
from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.document import Document, with_materials_of
from facewright.formats.registry import format_of
from facewright.workflow.inputs import check_outputs
from facewright.workflow.open import Landmarks, open_as, open_face


def transfer(
    template: Annotated[str, typer.Argument(help="A rig whose shapes to take, or `sample`: the embedded head's 52.")],
    neutral: Annotated[Path, typer.Argument(help="The face to put them on, of any topology, or a scan.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="The rig to write, such as rig.glb.")],
    closed: Annotated[
        bool, typer.Option("--closed/--not-closed", help="Keep lids and lips touching that touch in the template.")
    ] = True,
    landmarks: Annotated[
        Path | None, typer.Option(help='For another topology: {"pairs": [[12, 340], …]}; default found.')
    ] = None,
    topology: Annotated[
        TopologyChoice,
        typer.Option(help="Whose polygons the rig has where they differ; auto: the template's for a scan."),
    ] = "auto",
) -> None:
    """Put all shapes of a template onto another face. One of another topology is registered first."""
    format_of(out)  # before the work, not after it
    check_outputs([out], [template, neutral, landmarks])
    source, face = open_face(template).rig, open_as(neutral, Document)
    closing = closing_shapes(source) if closed else {}
    pairs = None if landmarks is None else open_as(landmarks, Landmarks).pairs
    ready = prepare(source, face.rig, pairs, topology=topology, closing=closing)
    for line in ready.words:
        screen(stderr=True).print(plain(line), soft_wrap=True)
    made = transferred(ready, closing=closing)
    save_and_tell(with_materials_of(made, face), out, f"; closed: {', '.join(closing)}" if closing else "")
