"""Expressions of avatars: list, show, make and change them, or make those of ARKit; and what avatars state."""

from __future__ import annotations

import typer

from facewright.cli.vrm.expressions import add, bind, change, drop, list_, rename, show
from facewright.cli.vrm.meta import meta
from facewright.cli.vrm.sync import sync

vrm = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
vrm.__doc__ = __doc__
vrm.command("list")(list_)
for verb in (show, add, bind, rename, drop, change, meta, sync):
    vrm.command()(verb)
