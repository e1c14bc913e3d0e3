"""The expressions of an avatar as pages see them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from msgspec import Struct

from facewright.rig.expression import Expression, Override, pose_of_expressions
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.tasks.perfect_sync import PerfectSyncing
from facewright.session.tasks.rig_check import CheckProgress
from facewright.session.views.view import view


class BindInfo(Struct):
    """A shape that an expression drives; one that the rig does not have is not `known`."""

    shape: str
    value: float
    part: str  # "": all parts
    known: bool


class ExpressionInfo(Struct):
    """An expression, and the sliders that it moves: index, and value where it is 1."""

    name: str
    preset: str
    binds: list[BindInfo]
    is_binary: bool
    blink: Override
    look: Override
    mouth: Override
    more: bool  # whether it does things to materials, which are kept and not shown
    sliders: list[tuple[int, float]]


@view("expressions", lambda context: (context.document.value.expressions, context.document.value.rig))
def expressions(context: Context) -> list[ExpressionInfo]:
    """The expressions of the document."""
    document = context.document.value
    return [_info(one, document.rig) for one in document.expressions]


@view("perfect_sync", lambda context: (context.task(PerfectSyncing).progress,))
def perfect_sync(context: Context) -> CheckProgress | None:
    """How far the making of ARKit's expressions is; null where none is under way."""
    return context.task(PerfectSyncing).progress


def _info(one: Expression, rig: Rig) -> ExpressionInfo:
    full = pose_of_expressions(rig, [replace(one, preset="", is_binary=False)], {one.name: 1.0})
    binds = [BindInfo(bind.shape, bind.value, bind.part, bind.shape in rig.shape_names) for bind in one.binds]
    materials = any(one.more.get(key) for key in ("materialColorBinds", "textureTransformBinds", "materialValues"))
    moved = [(i, float(full[i])) for i in np.flatnonzero(full).tolist()]
    options = (one.is_binary, one.blink, one.look, one.mouth)
    return ExpressionInfo(one.name, one.preset, binds, *options, materials, moved)
