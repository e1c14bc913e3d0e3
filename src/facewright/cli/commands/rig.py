"""Edit the shapes and sliders of a rig: the edits of the studio's Rig tab, for scripts."""

from __future__ import annotations

import typer

from facewright.cli.rig.check import check
from facewright.cli.rig.combine import combine
from facewright.cli.rig.rules import rules
from facewright.cli.rig.shapes import add, drop, rename
from facewright.cli.rig.sides import mirror, split
from facewright.cli.rig.sliders import bounds, exclude, group, join, order, part, tie

rig = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
rig.__doc__ = __doc__
for verb in (add, rename, drop, mirror, split, combine, bounds, group, order, join, part, exclude, tie, rules, check):
    rig.command()(verb)
