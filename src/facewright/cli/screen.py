"""What commands print to a terminal or into a pipe."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.markup import escape

from facewright.cli.asked import asked

_ENDLESS = 100_000  # columns of a pipe, so that nothing is wrapped or cut


def screen(*, stderr: bool = False, important: bool = False) -> Console:
    """A console; one that is not a terminal has no colours and no width.

    With `--quiet` nothing but what is important is printed, with `--json` nothing for people on standard output.
    """
    stream = sys.stderr if stderr else sys.stdout
    silent = (asked.quiet and not important) or (asked.json and not stderr)
    width = None if stream.isatty() else _ENDLESS
    return Console(stderr=stderr, width=width, highlight=False, quiet=silent)


def plain(name: str) -> str:
    """A name from a file, safe to print: no control characters, and nothing that is taken for markup."""
    return escape("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name))
