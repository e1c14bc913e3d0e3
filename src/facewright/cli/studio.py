"""`facewright studio`: pose and key a face in the browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

# numpy takes its threads when it is first imported. A second one makes single drags slower and stutters beside the
# server's own thread; whoever wants more says so in the environment.
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def studio(
    file: Annotated[Path | None, typer.Argument(help="A rig to open; the embedded head if none is given.")] = None,
    folder: Annotated[list[Path] | None, typer.Option(help="A folder below which the page may open and save files.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: that of the last time, or a free one.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    fresh: Annotated[bool, typer.Option("--fresh", help="Do not go on with unsaved work; it is set aside.")] = False,
    state: Annotated[Path | None, typer.Option(help="Where autosave goes, instead of the user's state folder.")] = None,
    upload_limit: Annotated[int, typer.Option(min=1, help="Megabytes that an uploaded file may have.")] = 512,
) -> None:
    """Pose and key a face in the browser; nothing leaves this machine."""
