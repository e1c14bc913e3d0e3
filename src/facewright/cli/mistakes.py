"""Errors as one readable paragraph and exit code 2; with `--debug` anywhere on the line, as a traceback."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from facewright.cli.asked import asked
from facewright.cli.screen import plain, screen
from facewright.errors import FacewrightError, FacewrightWarning, UnknownFormat

_DEBUG, _FILES = "facewright.debug", "facewright.files"


class Commands(TyperGroup):
    """A group of commands that print errors as one paragraph."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ours = args[: args.index("--")] if "--" in args else args
        asked.forget()
        asked.words = list(args)
        ctx.meta[_DEBUG], ctx.meta[_FILES] = "--debug" in ours, [word for word in args if os.path.isfile(word)]
        return super().parse_args(ctx, [one for one in ours if one != "--debug"] + args[len(ours) :])

    def invoke(self, ctx: Any) -> Any:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            warnings.simplefilter("default", FacewrightWarning)
            try:
                done = super().invoke(ctx)
                asked.print()
            except Exception as problem:
                if isinstance(problem, typer.Exit):
                    asked.print()
                elif hasattr(problem, "format_message") and "--json" in asked.words:  # the line cannot be understood
                    asked.json = True
                    asked.list("errors", problem.format_message())
                    asked.print()
                if ctx.meta[_DEBUG] or _is_not_a_mistake(problem):
                    raise
                show_problem(problem, ctx.meta[_FILES])
                if not isinstance(problem, OSError):  # it may be standard output that cannot be written
                    asked.print()
                raise typer.Exit(2) from None
            return done


@contextmanager
def exiting_on_problems() -> Iterator[None]:
    """The same for what happens outside a command."""
    try:
        yield
    except Exception as problem:
        show_problem(problem)
        raise SystemExit(2) from None


def _is_not_a_mistake(problem: Exception) -> bool:
    """Whether it is a way to end of the command line library (usage errors, too), or a pipe that was closed."""
    ends = isinstance(problem, typer.Abort) or hasattr(problem, "exit_code")
    return ends or (isinstance(problem, OSError) and problem.errno == errno.EPIPE)


def show_problem(problem: Exception, files: Sequence[str] = ()) -> None:
    """Print what went wrong, and tell it as JSON if that is asked for."""
    words = _words(problem, files)
    asked.list("errors", words)
    screen(stderr=True, important=True).print(f"[bold red]facewright:[/] {plain(words)}", soft_wrap=True)


def _words(problem: Exception, files: Sequence[str]) -> str:
    """What went wrong, on one line, with the name of the file."""
    text = " ".join(str(problem).split()) or type(problem).__name__
    if isinstance(problem, UnknownFormat) and problem.known:
        return f"{text}. All that are opened: {'; '.join(problem.known)}"
    if isinstance(problem, FacewrightError):
        return text
    if isinstance(problem, OSError):
        return f"{problem.filename}: {problem.strerror}" if problem.filename else problem.strerror or text
    named = f" ({', '.join(files)})" if files else ""
    if isinstance(problem, MemoryError):
        return f"there is not enough memory for this{named}" + f": {text}" * bool(str(problem))
    return f"{type(problem).__name__}{named}: {text}. This should not happen: with --debug it shows where"


def _show_warning(message: Warning | str, category: type[Warning], *_: Any) -> None:
    asked.list("warnings", str(message))
    screen(stderr=True, important=True).print(f"[yellow]facewright:[/] {plain(str(message))}", soft_wrap=True)
