"""The function that shows a face in a notebook; what it needs is loaded when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from numpy.typing import ArrayLike

from facewright.document import Document
from facewright.errors import MissingExtra
from facewright.motion.clip import Clip
from facewright.options import suggests_options
from facewright.rig.rig import Rig

if TYPE_CHECKING:
    from facewright.notebook.widget import FaceView

Arrangement = Literal["beside", "split", "over"]


@suggests_options
def view(
    face: Rig | Document,
    *,
    pose: Mapping[str, float] | ArrayLike | None = None,
    clip: Clip | str | None = None,
    heat: ArrayLike | None = None,
    other: Rig | Document | None = None,
    other_pose: Mapping[str, float] | ArrayLike | None = None,
    names: tuple[str, str] = ("", ""),
    arrangement: Arrangement = "beside",
    height: int = 480,
) -> FaceView:
    """A face in a notebook, with its sliders: Jupyter shows it as the result of a cell, marimo by `mo.ui.anywidget`.

    pose: of the sliders; by default that of the document. It follows what is done in the page: `view.pose`.
    clip: that is played, or the name of one of the document's.
    heat: a number for each vertex (v,), shown as a colour.
    other: a second face beside it, which the sliders of the same names move, too, unless `other_pose` says what it is
    like; with `other_pose` alone, the same face in two poses. names: of the two, as captions. arrangement: beside each
    other, split by a line that is dragged, or one over the other.
    height: in pixels.
    """
    try:
        from facewright.notebook.widget import FaceView
    except ModuleNotFoundError as problem:
        if problem.name is None or problem.name.split(".")[0] not in ("anywidget", "ipywidgets", "traitlets"):
            raise
        raise MissingExtra("showing a face in a notebook", problem.name, "notebook") from None
    shown = FaceView(face, other, names)
    with shown.hold_sync():
        if pose is not None:
            shown.pose = pose
        shown.other_pose, shown.heat = other_pose, heat
        shown.arrangement, shown.height = arrangement, height
        if clip is not None:
            shown.show_clip(clip)
    return shown
