"""Making combinations and in-betweens from sculpts of poses, and merging sliders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from facewright.cli.rig.inputs import (
    Face,
    Force,
    Output,
    bounds_from,
    opened,
    pose_from,
    sculpt_from,
    values_from,
    write,
)
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.rig.evaluate import evaluate
from facewright.rig.shape import Shape
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.pose_file import load_pose
from facewright.workflow.shape_edits import merge_in_document


def combine(
    rig: Face,
    sliders: Annotated[
        list[str], typer.Argument(metavar="SLIDER=VALUE...", help="Such as jawOpen=1 pucker=0.5; a name alone is 1.")
    ],
    out: Output,
    sculpt: Annotated[Path | None, typer.Option(help="The whole face as it should be in that pose.")] = None,
    name: Annotated[str | None, typer.Option(help="Of the new shape; by default its sliders and their values.")] = None,
    pose: Annotated[
        Path | None, typer.Option(help="The pose of the sculpt, as JSON, if other sliders are on in it, too.")
    ] = None,
    target: Annotated[
        bool, typer.Option(help="Make an in-between the slider's target there, not an addition to what it does.")
    ] = False,
    knots: Annotated[
        list[str] | None, typer.Option(help="Such as jawOpen=0.2:0.8: where that slider's factor falls to 0.")
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Make one slider of two that move together.")] = False,
    force: Force = False,
) -> None:
    """Make a combination of sliders, or an in-between of one.

    With it the face in that pose is exactly the sculpt. Without --sculpt it is empty, to be sculpted later: the face
    stays. With --merge two sliders become one.
    """
    given = pose_from(sliders)
    if merge and (sculpt, pose, target, knots) != (None, None, False, None):
        raise BadValue("--merge makes one slider of two; it takes no sculpt, no pose and no knots")
    document = opened(rig, out, force, [sculpt, pose])
    if merge:
        if len(given) != 2 or set(given.values()) != {1.0}:
            raise BadValue(f"two sliders are merged, named without values, not {', '.join(sliders)}")
        first, second = given
        made = merge_in_document(document, first, second, name=name)
        new = next(each for each in made.rig.sliders if each not in set(document.rig.sliders) - set(given))
        write(made, out, f"{first} and {second} are now {name or new}")
        return
    values = np.zeros(len(document.rig.sliders)) if pose is None else load_pose(pose, document.rig).copy()
    for slider, value in given.items():
        values[document.rig.slider_index(slider)] = value
    face = evaluate(document.rig, values) if sculpt is None else sculpt_from(document, sculpt)
    texts = values_from(knots or (), "a pair of knots", "jawOpen=0.2:0.8")
    spans = {slider: bounds_from(text, slider) for slider, text in texts.items()}
    called = name or _called(given)
    changed = edit.extract_corrective(
        document.rig, called, values, face, sliders=tuple(given), spans=spans, additive=not target
    )
    write(with_edited_rig(document, changed), out, _told(changed.shapes[-1]))


def _called(at: dict[str, float]) -> str:
    """A name from sliders and values: jawOpen_pucker0.5; that of an in-between is not its slider's."""
    return "_".join(slider if value == 1 and len(at) > 1 else f"{slider}{value:g}" for slider, value in at.items())


def _told(shape: Shape) -> str:
    at = " x ".join(f"{slider} at {at:g}" for slider, at in zip(shape.sliders, shape.at, strict=True))
    moved = f"moves {len(shape.vertices)} vertices" if len(shape.vertices) else "is empty"
    return f"{shape.name}, on with {at}, {moved}"
