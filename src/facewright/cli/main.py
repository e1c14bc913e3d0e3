"""The `facewright` command: one place that knows all commands."""

from __future__ import annotations

from typing import Annotated

import typer

import facewright
from facewright.cli.build import build
from facewright.cli.convert import convert
from facewright.cli.inspect import inspect
from facewright.cli.mistakes import Commands
from facewright.cli.pose import pose
from facewright.cli.register import register
from facewright.cli.render import render
from facewright.cli.segment import segment
from facewright.cli.solve import solve
from facewright.cli.studio import studio
from facewright.cli.texture import texture
from facewright.cli.transfer import transfer

app = typer.Typer(
    name="facewright",
    cls=Commands,
    help="Build, pose and animate blendshape faces.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(inspect)
app.command()(convert)
app.command()(pose)
app.command()(solve)
app.command()(segment)
app.command()(register)
app.command()(transfer)
app.command()(build)
app.command()(texture)
app.command()(render)
app.command()(studio)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"facewright {facewright.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print it.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error comes from.")] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line: exit code 0, or 2 with a readable reason."""
    app()


if __name__ == "__main__":
    main()
