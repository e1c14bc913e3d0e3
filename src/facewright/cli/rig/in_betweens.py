"""In-betweens given in the other way, and the softening of two sliders that overshoot together."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from facewright.cli.rig.inputs import Face, Force, Output, opened, pose_from, write
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.rig.edit.shapes import free_name
from facewright.workflow.edited_rig import with_edited_rig


def inbetweens(
    rig: Face,
    out: Output,
    given: Annotated[
        Literal["additions", "targets"],
        typer.Option("--as", help="Additions to the straight line, or the slider's targets there."),
    ],
    names: Annotated[list[str] | None, typer.Argument(metavar="[SLIDER...]", help="By default all sliders.")] = None,
    force: Force = False,
) -> None:
    """Give in-betweens as additions to what their slider does, or as its targets.

    The face stays the same at every value.
    """
    document = opened(rig, out, force)
    convert = edit.additive_in_betweens if given == "additions" else edit.target_in_betweens
    made = convert(document.rig, sliders=names or None)
    before = dict(zip(document.rig.shape_names, document.rig.shapes, strict=True))
    changed = [each.name for each in made.shapes if each.name not in before or before[each.name] is not each]
    told = f"as {given}: {', '.join(changed)}" if changed else f"all in-betweens are {given} already"
    write(with_edited_rig(document, made), out, told)


def soften(
    rig: Face,
    sliders: Annotated[
        list[str], typer.Argument(metavar="SLIDER=VALUE...", help="Two, such as jawOpen=1 pucker=0.5; alone it is 1.")
    ],
    out: Output,
    name: Annotated[str | None, typer.Option(help="Of the new shape; by default the names of both.")] = None,
    force: Force = False,
) -> None:
    """Add a combination that takes back what two sliders overshoot together."""
    document, pose = opened(rig, out, force), pose_from(sliders)
    if len(pose) != 2:
        raise BadValue(f"two sliders are softened together, not {', '.join(pose) or 'none'}")
    called = name or free_name(document.rig, "_".join(pose))
    made = edit.soften_pair(document.rig, called, pose)
    told = f"{called} moves {len(made.shape(called).vertices)} vertices where {' and '.join(pose)} are on"
    write(with_edited_rig(document, made), out, told)
