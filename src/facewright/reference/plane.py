"""A picture or a video behind the face, or beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from facewright.arrays import up_to
from facewright.errors import BadValue
from facewright.reference.media_file import MediaFile
from facewright.reference.sound import check_offset

Placement = Literal["behind", "beside"]
_FURTHEST = 100.0  # sizes of the face
_SCALES = (0.01, 100.0)


@dataclass(frozen=True)
class ReferencePlane:
    """A picture or a video that is shown with the face, always towards the camera.

    behind: it stands behind the middle of the face, and shifts and grows with it; x, y and scale are in sizes of the
    face. beside: it stays at its place in the window, over the face; x, y and scale are shares of the window's height.
    """

    file: MediaFile
    placement: Placement = "behind"
    x: float = 0.0  # of its middle, to the right
    y: float = 0.0  # upwards
    scale: float = 1.0  # its height
    opacity: float = 1.0
    offset: float = 0.0  # seconds of the timeline at which a video begins

    def __post_init__(self) -> None:
        if self.file.media.split("/")[0] not in ("image", "video"):
            raise BadValue(f"{self.file.name}: a picture or a video is shown, not {self.file.media}")
        if self.placement not in get_args(Placement):
            raise BadValue(f"a picture is {' or '.join(get_args(Placement))} the face, not {self.placement!r}")
        if not all(np.isfinite(at) and abs(at) <= _FURTHEST for at in (self.x, self.y)):
            raise BadValue(f"a picture is shifted by up to {_FURTHEST:g} sizes of the face, not {self.x}, {self.y}")
        if not _SCALES[0] <= self.scale <= _SCALES[1]:
            raise BadValue(f"a picture has a height from {_SCALES[0]:g} to {_SCALES[1]:g}, not {self.scale}")
        up_to("the opacity", self.opacity, 1.0)
        check_offset(self.offset)

    @property
    def is_video(self) -> bool:
        """Whether it moves."""
        return self.file.media.startswith("video/")

    def instead_of(self, other: ReferencePlane | None) -> ReferencePlane:
        """The plane to use where another one was, at whose place it is."""
        return self if other is None else replace(other, file=self.file)
