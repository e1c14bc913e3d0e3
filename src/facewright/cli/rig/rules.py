"""The modeller's rules: listed, added and removed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from facewright.arrays import Ints
from facewright.cli.rig.inputs import Face, Force, names_from, opened, vertices_from, write
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.rig.rules import OnlyMovedBy, Rule, StaysWithin
from facewright.workflow.drag.region_values import region_vertices
from facewright.workflow.edited_rig import with_edited_rig

_USUAL = {"only": 1e-4, "within": 0.01}  # of the face's size


def rules(
    rig: Face,
    out: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write the changed rig.")] = None,
    only: Annotated[str | None, typer.Option(help="Add a rule of this name: only --sliders move the points.")] = None,
    within: Annotated[str | None, typer.Option(help="Add a rule of this name: the points stay near rest.")] = None,
    remove: Annotated[list[str] | None, typer.Option(help="Remove the rule of this name.")] = None,
    sliders: Annotated[str, typer.Option(help="With --only: such as eyeBlinkLeft,eyeWideLeft.")] = "",
    share: Annotated[
        float | None, typer.Option(help="Of the face's size: how far with --within, what does not count with --only.")
    ] = None,
    vertices: Annotated[str, typer.Option(help="The points, such as 3,7,20-31.")] = "",
    region: Annotated[str | None, typer.Option(help="The points: those of a region of the file.")] = None,
    force: Force = False,
) -> None:
    """List, add or remove the modeller's rules."""
    adding = only is not None or within is not None
    if only is not None and within is not None:
        raise BadValue("--only and --within are two kinds of rules; add one at a time")
    if not adding and (sliders or share is not None or vertices or region is not None):
        raise BadValue("--sliders, --share, --vertices and --region describe a new rule; name it by --only or --within")
    if (adding or bool(remove)) != (out is not None):
        raise BadValue(
            "a changed rig is written to a file: name it by -o"
            if out is None
            else "nothing changes: add a rule by --only or --within, or remove one by --remove"
        )
    document = opened(rig, out, force)
    if out is None:
        _list(document.rig.rules, document.rig.size)
        return
    changed, told = document.rig, []
    for name in remove or ():
        changed = edit.drop_rule(changed, name)
        told.append(f"{name} is removed")
    if adding:
        made = _rule(document, only, within or "", names_from(sliders), share, _points(document, vertices, region))
        changed = edit.add_rule(changed, made)
        told.append(_words(made, document.rig.size))
    write(with_edited_rig(document, changed), out, *told)


def _rule(
    document: Document, only: str | None, within: str, sliders: tuple[str, ...], share: float | None, points: Ints
) -> Rule:
    if only is not None:
        for name in sliders:
            document.rig.slider_index(name)
        return OnlyMovedBy(only, points, sliders, _USUAL["only"] if share is None else share)
    if sliders:
        raise BadValue("--sliders are those of a rule --only; --within holds for all")
    return StaysWithin(within, points, (_USUAL["within"] if share is None else share) * document.rig.size)


def _points(document: Document, vertices: str, region: str | None) -> Ints:
    given = vertices_from(vertices)
    if len(given) and given[-1] >= document.rig.vertex_count:
        raise BadValue(f"vertex {given[-1]} is not there; they go from 0 to {document.rig.vertex_count - 1}")
    if region is not None:
        given = np.union1d(given, region_vertices(document, region))
    if not len(given):
        raise BadValue("a rule is about points: name them by --vertices 3,7,20-31 or by --region")
    return given


def _list(rules: tuple[Rule, ...], size: float) -> None:
    console = screen()
    for rule in rules:
        console.print(plain(_words(rule, size)), soft_wrap=True)
    if not rules:
        console.print("no rules")


def _words(rule: Rule, size: float) -> str:
    points = f"{len(rule.vertices)} point{'' if len(rule.vertices) == 1 else 's'}"
    if isinstance(rule, OnlyMovedBy):
        movers = ", ".join(rule.sliders) or "no slider"
        return f"{rule.name}: {points}, only moved by {movers} (less than {rule.tolerance:.4g} of the size is nothing)"
    return f"{rule.name}: {points} within {rule.distance / (size or 1.0):.4g} of the size, {rule.distance:.4g}, of rest"
