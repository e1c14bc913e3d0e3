"""Edits of shapes in a document, with all that names them: dropped, split, merged."""

from __future__ import annotations

from facewright.document import Document
from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig import edit
from facewright.rig.edit.split import side_endings, slider_to_split
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.shape_uses import UsesOfShapes


@suggests_options
def drop_in_document(document: Document, shape: str, *, with_uses: bool = False) -> Document:
    """The document without a shape, and without its slider if that drives nothing else.

    with_uses: drop what needs the slider, too; otherwise `BadValue` names it.
    """
    uses = UsesOfShapes(document)(document.rig.shape(shape))
    if uses.any and not with_uses:
        names = ", ".join((*uses.shapes, *uses.clips, *uses.rules))
        listed = f" ({names})" if names else ""
        raise BadValue(
            f"{shape} is in use: {uses}{listed}; it can be dropped together with that (`with_uses`, on the command "
            "line `--with-uses`)"
        )
    return with_edited_rig(document, edit.drop_shape(document.rig, shape, cascade=True))


@suggests_options
def split_in_document(
    document: Document, shape: str, *, falloff: float = 0.1, endings: tuple[str, str] | None = None
) -> Document:
    """The document with a shape and its slider split into one for each side of the face (`edit.split_shape`)."""
    rig = document.rig
    ends = side_endings(rig) if endings is None else endings
    slider = slider_to_split(rig, shape)
    halves = edit.split_shape(rig, shape, falloff=falloff, endings=ends)

    def both(name: str) -> tuple[str, ...]:
        return tuple(name + end for end in ends)

    shapes = {one.name: both(one.name) for one in rig.shapes if slider in one.sliders}
    return with_edited_rig(document, halves, became={slider: both(slider)}, shapes=shapes)


@suggests_options
def merge_in_document(document: Document, first: str, second: str, *, name: str | None = None) -> Document:
    """The document with two shapes and their sliders merged into one (`edit.merge_shapes`)."""
    merged = edit.merge_shapes(document.rig, first, second, name=name)
    became = dict.fromkeys(merged.sliders, (merged.name,))
    return with_edited_rig(document, merged.rig, became=became, shapes=merged.shapes)
