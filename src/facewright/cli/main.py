"""The `facewright` command: one place that knows all commands."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer

import facewright
from facewright.cli.mistakes import Commands

# Only the one that is asked for is loaded; its own help begins with the words that stand here.
COMMANDS = {
    "inspect": "Show what a rig holds and what is unusual about it.",
    "convert": "Read a rig in one format and write it in another.",
    "pose": "Bring points of a face to places and write the pose that does it.",
    "solve": "Turn recorded takes into clips of a rig.",
    "segment": "Divide a face into regions that each move in their own way, and these into larger ones.",
    "register": "Lay a mesh onto another one of any topology.",
    "transfer": "Put all shapes of a template onto another face.",
    "build": "Make a rig from a template, a neutral face and some poses of it.",
    "texture": "Give a face textures for its expressions; or bake them.",
    "render": "Draw a face as a picture, a clip as a film, or all shapes of a rig on a sheet.",
    "studio": "Pose and key a face in the browser; nothing leaves this machine.",
}
_PLAIN: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}


class _Lazily(Commands):
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, known, rest = super().resolve_command(ctx, args)
        return name, known and _loaded(name), rest


def _loaded(name: str | None) -> Any:
    alone = typer.Typer(**_PLAIN)
    alone.command(name)(getattr(import_module(f"facewright.cli.{name}"), str(name)))
    return typer.main.get_command(alone)


def _stand_in() -> None:
    """Never run: the command of this name is loaded in its place."""


app = typer.Typer(
    name="facewright", cls=_Lazily, help="Build, pose and animate blendshape faces.", no_args_is_help=True, **_PLAIN
)
for _name, _says in COMMANDS.items():
    app.command(_name, help=_says)(_stand_in)


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
