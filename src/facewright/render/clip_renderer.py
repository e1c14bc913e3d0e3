"""Pictures of a clip, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Literal, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.options import suggests_options
from facewright.render.camera import frame
from facewright.render.clip_frames import ClipFrames
from facewright.render.face_renderer import FaceOptions, FaceRenderer
from facewright.render.heat import Heat
from facewright.render.material_set import Details
from facewright.render.picture import SIZE
from facewright.render.poser import Poser
from facewright.render.renderers import for_many
from facewright.render.tone import Bytes
from facewright.rig.character import HeadTurn
from facewright.rig.rig import Rig
from facewright.solve.threads import ahead_on_threads

T = TypeVar("T")

_PREVIEWS, _PREVIEW_SIZE = 8, (360, 360)  # frames from which the colours of a GIF are chosen


@dataclass(frozen=True, eq=False)
class _Moment:
    """What is drawn in one frame."""

    positions: Floats  # (v, 3)
    weights: Floats  # (n,) of the sliders, or (r, n) of those of each of the finest regions
    details: Details
    turn: HeadTurn | None
    heat: Heat | None
    shown: Bytes | None  # of the video or picture of reference


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
        renderer = for_many(options.get("renderer", "cpu"))
        self._options: FaceOptions = {**options, "renderer": renderer}
        self._heat_at = heat_at
        self._known: list[Details] = []
        self.frames = ClipFrames(Poser(self.document), played, rate=rate, times=times, head=head)
        self._face = self._framed(options.get("size", SIZE))
        self.frames.look = self._face.camera.eye if isinstance(look, str) else look
        self._reference = None if self._face.plane is None else self._face.reference(self.frames.rate)

    def __len__(self) -> int:
        return len(self.frames)

    def __call__(self, index: int) -> Bytes:
        """The picture (h, w, 3) of a frame."""
        return self._draw(self._moment(index))

    def pictures(self, start: int = 0) -> Generator[Bytes, None, None]:
        """The pictures of all frames from one on, in their order; several are drawn at a time."""
        return self.packed(lambda picture: picture, start)

    def packed(self, pack: Callable[[Bytes], T], start: int = 0) -> Generator[T, None, None]:
        """The same as what `pack` makes of each picture, beside the drawing of others."""
        moments = (self._moment(index) for index in range(start, len(self)))
        if self._options["renderer"] == "gl":  # a context belongs to one thread
            return (pack(self._draw(moment)) for moment in moments)
        return ahead_on_threads(lambda moment: pack(self._draw(moment)), moments)

    def preview(self) -> list[Bytes]:
        """A few small pictures, evenly spread over the clip."""
        small = self._framed(_PREVIEW_SIZE)
        chosen = np.unique(np.linspace(0, len(self) - 1, _PREVIEWS).astype(int))
        return [self._draw(self._moment(int(i)), small) for i in chosen]

    def _moment(self, index: int) -> _Moment:
        heat = None if self._heat_at is None else self._heat_at(index)
        frames = self.frames
        shown = None if self._reference is None else self._reference(float(frames.times[index]))
        weights, details = frames.shown_weights(index), self._details(index)
        return _Moment(frames(index), weights, details, frames.turn(index), heat, shown)

    def _details(self, index: int) -> Details:
        """Whose detail the textures show in a frame: they change gradually from frame to frame."""
        known, chosen = self._known, self._face.material_set.details
        while len(known) <= index:
            weights = self.frames.shown_weights(len(known))
            known.append(chosen(weights, known[-1], 1 / self.frames.rate) if known else chosen(weights))
        return known[index]

    def _draw(self, moment: _Moment, face: FaceRenderer | None = None) -> Bytes:
        face = face or self._face
        materials = face.material_set.at(moment.weights, moment.details)
        return face.of(moment.positions, heat=moment.heat, materials=materials, turn=moment.turn, shown=moment.shown)

    def _framed(self, size: tuple[int, int]) -> FaceRenderer:
        camera = self._options.get("camera") or frame(
            self.frames.reach(), self._options.get("view", "front"), aspect=size[0] / size[1]
        )
        options: FaceOptions = {**self._options, "size": size, "camera": camera}
        return FaceRenderer(self.document, **options)
