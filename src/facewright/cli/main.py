"""The `facewright` command. Only the command that is asked for is imported."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any

import typer

import facewright
from facewright.cli.asked import with_options
from facewright.cli.discover import FoundCommand, find_commands
from facewright.cli.mistakes import Commands, exiting_on_problems
from facewright.cli.process import ended_by_signals, flush_output, prepare_streams

_PLAIN: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}


class LazyCommands(Commands):
    """Lists commands by their summaries, and imports the one that is run."""

    @cached_property
    def found(self) -> dict[str, FoundCommand]:
        return find_commands()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.found)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = self.found.get(cmd_name)
        return None if found is None else _command(found.name, _stand_in, found.summary)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        self.commands = {name: self.get_command(ctx, name) for name in self.found}  # for suggestions
        name, known, rest = super().resolve_command(ctx, args)
        return name, known and _command(str(name), self.found[str(name)].load()), rest


def _command(name: str, function: Any, summary: str | None = None) -> Any:
    if isinstance(function, typer.Typer):  # a command with commands of its own
        group = typer.main.get_command(function)
        group.name = name
        return with_options(group)
    alone = typer.Typer(**_PLAIN)
    alone.command(name, help=summary)(function)
    return with_options(typer.main.get_command(alone))


def _stand_in() -> None:
    """Never run: the command of its name is imported instead."""


app = typer.Typer(
    name="facewright",
    cls=LazyCommands,
    help="Build, pose and animate blendshape faces.",
    no_args_is_help=True,
    **{**_PLAIN, "add_completion": True},
)


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
    prepare_streams()
    with ended_by_signals():
        try:
            app()
        finally:
            with exiting_on_problems():
                flush_output()


if __name__ == "__main__":
    main()
