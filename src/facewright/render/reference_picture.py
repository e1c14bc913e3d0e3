"""The picture or video of reference in pictures of a face: behind it, or at a place of the picture."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.reference.plane import ReferencePlane
from facewright.render.camera import Camera
from facewright.render.tone import Bytes
from facewright.render.video_frames import VideoFrames
from facewright.rig.rig import Rig


class ReferencePicture:
    """What the plane of a document shows at a moment of the timeline."""

    def __init__(self, plane: ReferencePlane, *, rate: float, tallest: int) -> None:
        self._offset = plane.offset
        self._video = VideoFrames(plane.file, rate, tallest) if plane.is_video else None
        self._still = None if plane.is_video else pixels(Encoded(plane.file.data))

    def __call__(self, time: float) -> Bytes:
        """The picture (h, w, 3) at a time, seconds."""
        if self._video is not None:
            return self._video(time - self._offset)
        assert self._still is not None
        return self._still


def shown_plane(document: Document) -> ReferencePlane | None:
    """The plane that can be drawn; None where there is none, or where its file is missing, which is said."""
    plane = document.plane
    if plane is not None and plane.file.is_missing:
        warnings.warn(f"{plane.file.name} is missing, and is not drawn", FacewrightWarning, stacklevel=2)
        return None
    return plane


@dataclass(frozen=True)
class PlaneRectangle:
    """Where a plane is in a picture, in pixels from its upper left corner; its width follows from what it shows."""

    x: float  # of the middle
    y: float
    height: float

    @classmethod
    def of(cls, plane: ReferencePlane, rig: Rig, camera: Camera, size: tuple[int, int]) -> PlaneRectangle:
        """As the studio places it: in sizes of the face round its middle, or in heights of the picture."""
        width, height = size
        if plane.placement == "beside":
            return cls(width / 2 + plane.x * height, height / 2 - plane.y * height, plane.scale * height)
        across, up, away = camera.seen((rig.neutral.min(axis=0) + rig.neutral.max(axis=0)) / 2)
        half = camera.half_height * (max(away, camera.near) / camera.distance if camera.perspective else 1.0)
        pixel = height / 2 / half
        x, y = across + plane.x * rig.size, up + plane.y * rig.size
        return cls(width / 2 + pixel * x, height / 2 - pixel * y, pixel * plane.scale * rig.size)

    def drawn(self, on: Bytes, shown: Bytes, opacity: float) -> Bytes:
        """A picture (h, w, 3) with another one over it in this rectangle."""
        tall, wide, _ = shown.shape
        width = self.height * wide / tall
        columns, across = _samples(on.shape[1], self.x - width / 2, width, wide)
        rows, down = _samples(on.shape[0], self.y - self.height / 2, self.height, tall)
        if not (len(columns) and len(rows)):
            return on
        made, place = np.array(on), np.ix_(rows, columns)
        found = _smooth(shown, down, across)
        made[place] = np.rint(opacity * found + (1 - opacity) * made[place]).astype(np.uint8)
        return made


def over(face: Bytes, behind: Bytes) -> Bytes:
    """A picture with opacity (h, w, 4) over another one (h, w, 3)."""
    share = face[..., 3:].astype(np.float32) / 255
    return np.asarray(np.rint(share * face[..., :3] + (1 - share) * behind).astype(np.uint8))


def _samples(count: int, start: float, length: float, pixels: int) -> tuple[np.ndarray, Floats]:
    """The pixels of a picture, of `count` in a line, that lie in a range, and the places (k,) of another one there."""
    inside = np.arange(max(int(np.ceil(start - 0.5)), 0), min(int(np.ceil(start + length - 0.5)), count))
    return inside, np.clip((inside + 0.5 - start) / length * pixels - 0.5, 0, pixels - 1)


def _smooth(picture: Bytes, rows: Floats, columns: Floats) -> Floats:
    """Values of a picture at places between its pixels, by straight lines; pixels too many are joined first."""
    rows, columns, picture = _thinned(picture, rows, columns)
    top, left = np.floor(rows).astype(int), np.floor(columns).astype(int)
    below, right = np.minimum(top + 1, picture.shape[0] - 1), np.minimum(left + 1, picture.shape[1] - 1)
    down, across = (rows - top)[:, None, None], (columns - left)[None, :, None]
    upper = picture[np.ix_(top, left)] * (1 - across) + picture[np.ix_(top, right)] * across
    lower = picture[np.ix_(below, left)] * (1 - across) + picture[np.ix_(below, right)] * across
    return np.asarray(upper * (1 - down) + lower * down)


def _thinned(picture: Bytes, rows: Floats, columns: Floats) -> tuple[Floats, Floats, Bytes]:
    """The picture halved while two of its pixels or more would fall on one, and the places in it."""
    step = min(np.diff(rows).min(initial=np.inf), np.diff(columns).min(initial=np.inf))
    while np.isfinite(step) and step >= 2 and min(picture.shape[:2]) >= 2:
        tall, wide = (2 * (length // 2) for length in picture.shape[:2])
        even = picture[:tall, :wide].astype(np.uint16)
        picture = ((even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2] + 2) // 4).astype(np.uint8)
        rows = np.clip((rows - 0.5) / 2, 0, picture.shape[0] - 1)
        columns = np.clip((columns - 0.5) / 2, 0, picture.shape[1] - 1)
        step /= 2
    return rows, columns, picture
