"""Register a mesh to another one of any topology."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.build.register import Registration
from facewright.build.register import register as registered
from facewright.build.registration.nonrigid import RegistrationProgress
from facewright.cli.asked import asked
from facewright.cli.outputs import check_outputs
from facewright.cli.progress_bar import progress_bar
from facewright.cli.saving import check_report_name, save_and_tell
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.formats.files import write_atomically
from facewright.formats.registry import format_of
from facewright.jobs import EXIT, interruptions
from facewright.rig.rig import Rig
from facewright.workflow.open import Landmarks, open_as, open_face
from facewright.workflow.report.register import register_report


def register(
    source: Annotated[str, typer.Argument(help="The mesh to fit, a rig's neutral, or `sample`: the embedded head.")],
    target: Annotated[Path, typer.Argument(help="The mesh or scan to fit it to.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="The fitted mesh, such as fitted.obj.")],
    landmarks: Annotated[
        Path | None, typer.Option(help='Points that belong together: {"pairs": [[12, 340], ...]}; default found.')
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write how well it fits, such as out.html.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write the mesh also where the fit is bad.")] = False,
) -> None:
    """Register a mesh to another one of any topology. Ctrl-C keeps the last whole step; a bad fit is refused."""
    format_of(out)  # before the work, not after it
    check_report_name(report)
    check_outputs([out, report], [source, target, landmarks])
    pairs = None if landmarks is None else open_as(landmarks, Landmarks).pairs
    ours, theirs = open_face(source).rig, open_as(target, Document).rig
    console = screen(stderr=True)
    with interruptions() as pressed, progress_bar(console, "") as bar:
        task = bar.add_task("fitting", total=None, speed="")

        def told(step: RegistrationProgress) -> bool:
            bar.update(task, completed=step.step, total=step.steps, speed=f"{step.distance:.2%} apart")
            return not pressed

        found = registered(ours, theirs, pairs, progress=told)
    asked.tell(verdict=str(found.verdict), pairs=found.pairs.origin, notes=list(found.notes), finished=found.finished)
    for line in (found.pairs.origin, *found.notes):
        console.print(plain(line), soft_wrap=True)
    if report is not None:
        write_atomically(report, register_report(target.name, found).encode())
        console.print(f"report: {plain(str(report))}")
    if not force:
        found.require()
    save_and_tell(_fitted(found), out, f"; {found.verdict}")
    if not found.finished:
        console.print("[yellow]stopped early, after the last whole step[/]")
        raise typer.Exit(EXIT)


def _fitted(found: Registration) -> Rig:
    """The source's mesh where it lies now, without shapes: those of the source are another face's."""
    source = found.source
    return Rig(found.fitted, source.polygons, parts=source.parts, uvs=source.uvs)
