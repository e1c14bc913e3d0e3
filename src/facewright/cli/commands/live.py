"""Record faces that phones and programs send, list who sends, and send clips to other programs."""

from __future__ import annotations

import typer

from facewright.cli.live.play import play
from facewright.cli.live.record import record
from facewright.cli.live.sources import sources

live = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
live.__doc__ = __doc__
live.command()(record)
live.command()(play)
live.command("list")(sources)
