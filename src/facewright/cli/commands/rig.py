"""Edit the shapes and sliders of a rig: the edits of the studio's Rig tab, for scripts."""

from __future__ import annotations

import typer

from facewright.cli.rig.check import check
from facewright.cli.rig.combine import combine
from facewright.cli.rig.in_betweens import inbetweens, soften
from facewright.cli.rig.offsets import copy, prune, replace, strength
from facewright.cli.rig.rules import rules
from facewright.cli.rig.shapes import add, drop, rename
from facewright.cli.rig.sides import mirror, split
from facewright.cli.rig.sliders import bounds, exclude, group, join, order, part, sets, tie

rig = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
rig.__doc__ = __doc__
_SHAPES = (add, replace, copy, rename, drop, strength, prune, mirror, split, combine, inbetweens, soften)
_SLIDERS = (bounds, group, order, join, part, exclude, tie, sets)
for verb in (*_SHAPES, *_SLIDERS, rules, check):
    rig.command()(verb)
