"""Adding, renaming and dropping shapes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.rig.inputs import (
    Face,
    Force,
    Output,
    bounds_from,
    opened,
    opened_alike,
    pose_from,
    sculpt_from,
    values_from,
    write,
)
from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.rename import rename_sliders
from facewright.workflow.shape_edits import drop_in_document


def add(
    rig: Face,
    out: Output,
    source: Annotated[Path, typer.Option("--from", help="A sculpt such as smile.obj, or a rig with --shape.")],
    shape: Annotated[str | None, typer.Option(help="The shape of the rig --from that is taken.")] = None,
    name: Annotated[str | None, typer.Option(help="Its name here; by default that of the shape or the file.")] = None,
    driven: Annotated[
        str | None, typer.Option("--as", help="jawOpen=0.5: an in-between there. jawOpen=1,pucker=0.5: a combination.")
    ] = None,
    target: Annotated[
        bool, typer.Option(help="Make an in-between the slider's target there, not an addition to what it does.")
    ] = False,
    bounds: Annotated[str, typer.Option(help="Of a new slider.")] = "0:1",
    group: Annotated[str | None, typer.Option(help="Of a new slider; by default by its name.")] = None,
    force: Force = False,
) -> None:
    """Add a shape from a sculpt or from another rig.

    It gets a slider of its own, or is an in-between or a combination with --as. A sculpt is the whole face as it should
    be where the new shape is on.
    """
    document = opened(rig, out, force, [source])
    called = name or shape or source.stem
    at = {} if driven is None else pose_from([driven])
    if driven is not None and not at:
        raise BadValue("--as names sliders and values, such as jawOpen=0.5")
    if shape is not None:
        other = opened_alike(document, source).rig.shape(shape)
        made = _copied(document.rig, other, called, at, additive=not target, bounds=bounds, group=group)
    else:
        made = _sculpted(document, source, called, at, additive=not target, bounds=bounds, group=group)
    new = made.shapes[-1]
    if shape is None and not len(new.vertices):
        raise BadValue(f"{source.name} is the face as it is already; a shape of a rig is named by --shape")
    write(with_edited_rig(document, made), out, f"{new.name} moves {len(new.vertices)} vertices, driven by {_by(new)}")


def _copied(
    rig: Rig, other: Shape, name: str, at: dict[str, float], *, additive: bool, bounds: str, group: str | None
) -> Rig:
    """The rig with the offsets of a shape of another one."""
    for slider in at:
        rig.slider_index(slider)
    plain = replace(other, name=name, sliders=(name,), at=(), spans=(), additive=False)
    if not at:
        return edit.add_shape(rig, plain, bounds=bounds_from(bounds, "--bounds"), group=group)
    driven = replace(plain, sliders=tuple(at), at=tuple(at.values()), additive=additive)
    return edit.add_shape(rig, driven)


def _sculpted(
    document: Document, file: Path, name: str, at: dict[str, float], *, additive: bool, bounds: str, group: str | None
) -> Rig:
    """The rig with a shape that brings a pose to a sculpt, the neutral where no slider is named."""
    rig, sculpt = document.rig, sculpt_from(document, file)
    if at:
        return edit.extract_corrective(rig, name, at, sculpt, additive=additive)
    shape = Shape.from_dense(name, sculpt - rig.neutral)
    return edit.add_shape(rig, shape, bounds=bounds_from(bounds, "--bounds"), group=group)


def _by(shape: Shape) -> str:
    return " x ".join(f"{slider} at {at:g}" for slider, at in zip(shape.sliders, shape.at, strict=True))


def rename(
    rig: Face,
    names: Annotated[list[str], typer.Argument(metavar="OLD=NEW...", help="Such as mouthOpen=jawOpen.")],
    out: Output,
    force: Force = False,
) -> None:
    """Rename shapes and sliders.

    Clips, textures and all that names them follow. Names may be swapped.
    """
    document = opened(rig, out, force)
    new = values_from(names, "a new name", "mouthOpen=jawOpen")
    write(rename_sliders(document, new), out, *(f"{old} is now {now}" for old, now in new.items()))


def drop(
    rig: Face,
    names: Annotated[list[str], typer.Argument(metavar="SHAPE...", help="The shapes to drop.")],
    out: Output,
    with_uses: Annotated[bool, typer.Option("--with-uses", help="Drop what needs them, too.")] = False,
    force: Force = False,
) -> None:
    """Drop shapes, and sliders that drive nothing else.

    What depends on them is named, and goes only with --with-uses.
    """
    document = opened(rig, out, force)
    before = document.rig
    for name in names:
        before.shape(name)  # all of them, before the first is dropped
    for name in names:
        if name in document.rig.shape_names:  # one may have gone with another
            document = drop_in_document(document, name, with_uses=with_uses)
    gone = [name for name in before.shape_names if name not in document.rig.shape_names]
    idle = [name for name in before.sliders if name not in document.rig.sliders]
    write(document, out, f"dropped {', '.join(gone)}" + (f"; sliders {', '.join(idle)}" if idle else ""))
