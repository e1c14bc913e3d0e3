"""Pictures of a clip, frame by frame, and films of it."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.options import suggests_options
from facewright.render.camera import frame
from facewright.render.clip_frames import ClipFrames
from facewright.render.face_renderer import FaceOptions, FaceRenderer
from facewright.render.film_files import film_writer
from facewright.render.film_sound import film_sound
from facewright.render.heat import Heat
from facewright.render.picture import SIZE
from facewright.render.poser import Poser
from facewright.render.tone import Bytes
from facewright.rig.rig import Rig

_PREVIEWS, _PREVIEW_SIZE = 8, (360, 360)  # frames from which the colours of a GIF are chosen


class ClipRenderer:
    """Draws the frames of a clip from one camera, which shows the head in every frame."""

    @suggests_options
    def __init__(
        self,
        face: Rig | Document,
        clip: Clip | str,
        *,
        rate: float | None = None,
        times: Floats | None = None,
        head: bool = True,
        look: ArrayLike | Literal["camera"] | None = None,
        heat_at: Callable[[int], Heat | None] | None = None,
        **options: Unpack[FaceOptions],
    ) -> None:
        """Prepare a clip, or the document's clip of that name.

        rate: frames a second; by default the clip's own. times: seconds (frames,) of the frames instead.
        head: whether the head makes the motion that the clip has for it.
        look: a point (3,) in scene units that the eyes look at, or "camera".
        heat_at: returns the numbers that a frame, counted from 0, shows as colours.
        options: those of `FaceRenderer`.
        """
        self.document = face if isinstance(face, Document) else Document(face)
        played = self.document.clip_named(clip) if isinstance(clip, str) else clip
        self._options, self._heat_at = options, heat_at
        self.frames = ClipFrames(Poser(self.document), played, rate=rate, times=times, head=head)
        self._face = self._framed(options.get("size", SIZE))
        self.frames.look = self._face.camera.eye if isinstance(look, str) else look

    def __len__(self) -> int:
        return len(self.frames)

    def __call__(self, index: int) -> Bytes:
        """The picture (h, w, 3) of a frame. Textures change gradually if frames are drawn one after the other."""
        return self._picture(self._face, index, 1 / self.frames.rate if index else None)

    def preview(self) -> list[Bytes]:
        """A few small pictures, evenly spread over the clip."""
        small = self._framed(_PREVIEW_SIZE)
        chosen = np.unique(np.linspace(0, len(self) - 1, _PREVIEWS).astype(int))
        return [self._picture(small, int(i), None) for i in chosen]

    def _picture(self, face: FaceRenderer, index: int, seconds: float | None) -> Bytes:
        materials = face.material_set.at(self.frames.weights(index), seconds)
        heat = None if self._heat_at is None else self._heat_at(index)
        return face.of(self.frames(index), heat=heat, materials=materials, turn=self.frames.turn(index))

    def _framed(self, size: tuple[int, int]) -> FaceRenderer:
        camera = self._options.get("camera") or frame(
            self.frames.reach(), self._options.get("view", "front"), aspect=size[0] / size[1]
        )
        options: FaceOptions = {**self._options, "size": size, "camera": camera}
        return FaceRenderer(self.document, **options)


@suggests_options
def film(
    face: Rig | Document,
    clip: Clip | str,
    path: str | PathLike[str],
    *,
    rate: float | None = None,
    head: bool = True,
    look: ArrayLike | Literal["camera"] | None = None,
    progress: Callable[[int, int], bool | None] | None = None,
    **options: Unpack[FaceOptions],
) -> int:
    """Draw a clip into a .mp4 or .gif file, or into a folder of PNG files; returns the number of frames written.

    A .mp4 file has the document's sound, where it has one that is not muted.

    rate, head, look and options: as for `ClipRenderer`.
    progress: called with the number of frames written and their total; False stops, and leaves a shorter film.
    """
    drawn, target = ClipRenderer(face, clip, rate=rate, head=head, look=look, **options), Path(path)
    preview = drawn.preview() if target.suffix.lower() == ".gif" else []
    sound = film_sound(drawn.document, drawn.frames)
    with film_writer(target, drawn.frames.rate, preview=preview, sound=sound) as add:
        for index in range(len(drawn)):
            add(drawn(index))
            if progress is not None and progress(index + 1, len(drawn)) is False:
                return index + 1
    return len(drawn)
