"""The two sides of the face: shapes mirrored, flipped, made symmetric, and split."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from facewright.cli.rig.inputs import Face, Force, Output, names_from, opened, write
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.shape_edits import split_in_document

Shapes = Annotated[list[str], typer.Argument(metavar="SHAPE...", help="The shapes.")]


def mirror(
    rig: Face,
    names: Shapes,
    out: Output,
    to: Annotated[str | None, typer.Option(help="The shape of the other side, where the name has no side.")] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Turn the shapes themselves to the other side.")] = False,
    symmetrise: Annotated[
        Literal["both", "left", "right"] | None,
        typer.Option(help="Make the shapes the same on both sides: by the mean of both, or by one."),
    ] = None,
    force: Force = False,
) -> None:
    """Mirror shapes to the other side of the face.

    The shape of the other side is added where there is none.
    """
    if (to is not None) + flip + (symmetrise is not None) > 1:
        raise BadValue("--to, --flip and --symmetrise are three things to do; choose one")
    if to is not None and len(names) > 1:
        raise BadValue("--to names the other side of one shape; mirror one at a time")
    document = opened(rig, out, force)
    across, told = edit.symmetry(document.rig), []
    for name in names:
        if flip:
            found = edit.flip_shape(document.rig, name, across=across)
        elif symmetrise is not None:
            found = edit.symmetrise_shape(document.rig, name, side=symmetrise, across=across)
        else:
            found = edit.mirror_shape(document.rig, name, to=to, across=across)
        document = with_edited_rig(document, found.rig)
        told.append(str(found))
    write(document, out, *told)


def split(
    rig: Face,
    names: Shapes,
    out: Output,
    falloff: Annotated[float, typer.Option(help="Width of the blend across the middle, of the face's size.")] = 0.1,
    endings: Annotated[
        str | None, typer.Option(help="Such as _L,_R: added to the names; by default as other names of the rig.")
    ] = None,
    force: Force = False,
) -> None:
    """Split shapes and sliders into left and right.

    Both together do what the one did, also in clips.
    """
    ends = None if endings is None else names_from(endings)
    if ends is not None and len(ends) != 2:
        raise BadValue(f"endings are two texts, such as _L,_R, not {endings!r}")
    document = opened(rig, out, force)
    before = set(document.rig.sliders)
    for name in names:
        document = split_in_document(document, name, falloff=falloff, endings=ends and (ends[0], ends[1]))
    new = [name for name in document.rig.sliders if name not in before]
    write(document, out, f"new sliders: {', '.join(new)}")
