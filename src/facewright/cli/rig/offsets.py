"""What shapes do: replaced by a sculpt, copied, made stronger or weaker, without offsets that nobody sees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.rig.inputs import (
    Face,
    Force,
    Output,
    number_from,
    opened,
    opened_alike,
    pose_from,
    sculpt_from,
    values_from,
    write,
)
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.workflow.edited_rig import with_edited_rig


def replace(
    rig: Face,
    name: Annotated[str, typer.Argument(metavar="SHAPE", help="The shape that changes.")],
    out: Output,
    source: Annotated[Path, typer.Option("--from", help="A sculpt such as smile.obj, or a rig with --shape.")],
    shape: Annotated[str | None, typer.Option(help="The shape of the rig --from that is taken.")] = None,
    pose: Annotated[
        list[str] | None,
        typer.Option(help="jawOpen=0.5: the pose of the sculpt; by default the shape fully on, alone."),
    ] = None,
    force: Force = False,
) -> None:
    """Replace what a shape does by a sculpt, or by a shape of another rig.

    With it the face in that pose is exactly the sculpt. What drives the shape stays.
    """
    document = opened(rig, out, force, [source])
    before = document.rig.shape(name)
    if shape is not None:
        if pose:
            raise BadValue("--pose belongs to a sculpt; the shape of another rig is taken as it is")
        other = opened_alike(document, source).rig.shape(shape)
        made = edit.replace_shape(document.rig, name, other.dense(document.rig.vertex_count))
    else:
        weights = pose_from(pose) if pose else None
        made = edit.fit_shape(document.rig, name, sculpt_from(document, source), weights=weights)
    told = f"{name} moves {len(made.shape(name).vertices)} vertices; it moved {len(before.vertices)}"
    write(with_edited_rig(document, made), out, told)


def copy(
    rig: Face,
    names: Annotated[list[str], typer.Argument(metavar="SHAPE=NEW...", help="Such as smile=smileWide.")],
    out: Output,
    force: Force = False,
) -> None:
    """Copy shapes, each with a slider of its own."""
    document = opened(rig, out, force)
    new = values_from(names, "the name of a copy", "smile=smileWide")
    made = document.rig
    for name, called in new.items():
        made = edit.duplicate_shape(made, name, called)
    write(with_edited_rig(document, made), out, *(f"{called} is a copy of {name}" for name, called in new.items()))


def strength(
    rig: Face,
    factors: Annotated[list[str], typer.Argument(metavar="SHAPE=FACTOR...", help="Such as smile=0.8.")],
    out: Output,
    force: Force = False,
) -> None:
    """Make shapes stronger or weaker."""
    document = opened(rig, out, force)
    wanted = {name: number_from(text, name) for name, text in values_from(factors, "a factor", "smile=0.8").items()}
    made = document.rig
    for name, factor in wanted.items():
        made = edit.scale_shape(made, name, factor)
    write(with_edited_rig(document, made), out, *(f"{name} times {factor:g}" for name, factor in wanted.items()))


def prune(
    rig: Face,
    out: Output,
    names: Annotated[list[str] | None, typer.Argument(metavar="[SHAPE...]", help="By default all shapes.")] = None,
    tolerance: Annotated[float, typer.Option(help="The longest offset that is dropped, of the face's size.")] = 1e-6,
    drop_empty: Annotated[
        bool, typer.Option("--drop-empty", help="Drop shapes that move nothing then, unless a combination needs them.")
    ] = False,
    force: Force = False,
) -> None:
    """Drop offsets of shapes that are too small to be seen."""
    document = opened(rig, out, force)
    found = edit.prune(document.rig, tolerance=tolerance, drop_empty=drop_empty, shapes=names or None)
    told = f"dropped {found.dropped} offsets, the longest {found.worst:.3g}; {found.kept} are left"
    gone = [f"dropped {', '.join(found.shapes)}, which moved nothing"] if found.shapes else []
    write(with_edited_rig(document, found.rig), out, told, *gone)
