"""Go on with many takes: do again what failed, or write the page over all of them."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import join
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.outputs import check_folder, writing_within
from facewright.cli.saving import check_report_name
from facewright.cli.screen import plain, screen
from facewright.errors import BadFile
from facewright.formats.files import write_atomically
from facewright.workflow.batch.record import all_records, kept_commands
from facewright.workflow.report.batch import batch_report

batch = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
batch.__doc__ = __doc__
_COMMANDS = ("solve", "render", "build", "track")

Folder = Annotated[Path, typer.Argument(help="Where the results are: that of -o, before {take}.")]


@batch.command()
def summary(
    folder: Folder,
    out: Annotated[Path, typer.Option("-o", "--output", help="The page, such as index.html.")],
) -> None:
    """Write a page over all takes: residuals, worst frames, what failed and why, and a link to each report."""
    check_report_name(out)
    check_folder(out)
    records = list(all_records(folder))
    if not records:
        raise BadFile(f"{folder}: no batch was made in this folder")
    write_atomically(out, batch_report(folder, records, out).encode())
    asked.tell(page=str(out), takes=len(records))
    screen(stderr=True).print(f"{plain(str(out))}: {len(records)} takes", soft_wrap=True)


@batch.command()
def retry(
    folder: Folder,
    on: Annotated[str, typer.Option("--on", help="On a cluster, by the address of its scheduler.")] = "",
) -> None:
    """Give the command that made the takes again, for those that failed, are missing or are out of date."""
    from facewright.cli.main import app

    code = 0
    for kept in kept_commands(folder):
        if kept.words[:1] not in [[name] for name in _COMMANDS]:
            raise BadFile(f"{folder}: the command that is kept there, {' '.join(kept.words[:1])!r}, makes no batch")
        shown = [f"--{name}" for name in ("json", "quiet") if getattr(asked, name)]
        words = [*kept.words, "--resume", *(("--on", on) if on else ()), *shown]
        screen(stderr=True).print(plain(f"facewright {join(words)}"), soft_wrap=True)
        here = Path.cwd()
        with writing_within(folder):
            os.chdir(kept.folder)
            try:
                code = max(code, typer.main.get_command(app).main(words, "facewright", standalone_mode=False) or 0)
            finally:
                os.chdir(here)
                asked.forget()  # it has been told
    raise typer.Exit(code)
