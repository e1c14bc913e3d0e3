"""Errors as one readable paragraph and exit code 2; with `--debug` anywhere on the line, as a traceback."""

from __future__ import annotations

import errno
import warnings
from typing import Any

import typer
from typer.core import TyperGroup

from facewright.cli.screen import plain, screen
from facewright.errors import FacewrightError, FacewrightWarning

_DEBUG = "facewright.debug"


class Commands(TyperGroup):
    """A group of commands that print errors as one paragraph."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ours = args[: args.index("--")] if "--" in args else args
        ctx.meta[_DEBUG] = "--debug" in ours
        return super().parse_args(ctx, [one for one in ours if one != "--debug"] + args[len(ours) :])

    def invoke(self, ctx: Any) -> Any:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            warnings.simplefilter("default", FacewrightWarning)
            try:
                return super().invoke(ctx)
            except Exception as problem:
                if ctx.meta[_DEBUG] or _is_not_a_mistake(problem):
                    raise
                _show(problem)
                raise typer.Exit(2) from None


def _is_not_a_mistake(problem: Exception) -> bool:
    """Whether it is a way to end of the command line library (usage errors, too), or a pipe that was closed."""
    ends = isinstance(problem, typer.Abort) or hasattr(problem, "exit_code")
    return ends or (isinstance(problem, OSError) and problem.errno == errno.EPIPE)


def _show(problem: Exception) -> None:
    text = " ".join(str(problem).split()) or type(problem).__name__
    if not isinstance(problem, FacewrightError | OSError | MemoryError):
        text = f"{type(problem).__name__}: {text}. This should not happen: with --debug it shows where"
    screen(stderr=True).print(f"[bold red]facewright:[/] {plain(text)}", soft_wrap=True)


def _show_warning(message: Warning | str, category: type[Warning], *_: Any) -> None:
    screen(stderr=True).print(f"[yellow]facewright:[/] {plain(str(message))}", soft_wrap=True)
