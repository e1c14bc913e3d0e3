"""Pose and key a face in the browser; nothing leaves this machine."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer


def studio(
    file: Annotated[Path | None, typer.Argument(help="A rig to open; `sample` or none: the embedded head.")] = None,
    folder: Annotated[list[Path] | None, typer.Option(help="A folder below which files may be opened, saved.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: that of the last time, or a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    fresh: Annotated[bool, typer.Option("--fresh", help="Do not go on with unsaved work; it is set aside.")] = False,
    state: Annotated[Path | None, typer.Option(help="Where autosave goes, instead of the user's state folder.")] = None,
    skin: Annotated[bool, typer.Option(help="The embedded head with its skin; it is drawn faster without.")] = True,
    upload_limit: Annotated[int, typer.Option(min=1, help="Megabytes that an uploaded file may have.")] = 512,
) -> None:
    """Pose and key a face in the browser; nothing leaves this machine."""
    from facewright.jobs import use_one_thread
    from facewright.studio.app import Options, Started, serve
    from facewright.workflow.open import SAMPLE

    def say(started: Started) -> None:
        if started.restored:
            typer.echo("Unsaved work was restored; --fresh starts without it.", err=True)
        typer.echo(f"The studio is at {started.address}")
        if browser:
            webbrowser.open(started.address)

    if file is not None and str(file) == SAMPLE and not file.exists():
        file = None  # it opens by itself
    options = Options(file, tuple(folder or ()), port, state, fresh, skin, upload_limit << 20)
    use_one_thread()
    try:
        serve(options, say)
    except KeyboardInterrupt:
        typer.echo("Stopped; unsaved work comes back with the next start.", err=True)
