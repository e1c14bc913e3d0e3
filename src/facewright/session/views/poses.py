"""The libraries of poses as pages see them, and the keys of the current clip as poses, with small pictures."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats
from facewright.document import Document
from facewright.rig.library_pose import LibraryPose
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.tasks.poses import PoseLibrary
from facewright.session.views.rig import known_rig_id
from facewright.session.views.view import Gone, Reply, resource, view

if TYPE_CHECKING:
    from facewright.render.shape_thumbnails import ShapeThumbnails

_SIZE = (96, 96)  # pixels
_KEPT = 2000  # pictures, of some kilobytes each
_MOST_KEYS = 200  # times of a clip whose keys are offered as poses; a take has keys on every frame


class PoseInfo(Struct):
    """A pose of a library."""

    name: str
    tags: list[str]
    weights: dict[str, float]
    picture: str  # the id of its picture
    file: str = ""  # in the folder; "": it is in the document
    time: float | None = None  # of the keys of the clip, in seconds


class PosePictures:
    """Ids and pictures of poses. For any thread; one picture is drawn at a time."""

    def __init__(self) -> None:
        self._busy, self._drawing = threading.Lock(), threading.Lock()
        self._values: OrderedDict[str, Floats] = OrderedDict()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._drawer: ShapeThumbnails | None = None

    def id(self, context: Context, pose: LibraryPose) -> str:
        """A name that changes when the picture of a pose on the document's face does."""
        rig = context.document.value.rig
        values = pose.on(rig, np.clip(0.0, *rig.bounds.T))
        name = hashlib.blake2b(known_rig_id(context, rig).encode() + values.tobytes(), digest_size=12).hexdigest()
        with self._busy:
            self._values[name] = values
            self._values.move_to_end(name)
            while len(self._values) > _KEPT:
                self._values.popitem(last=False)
        return name

    def picture(self, context: Context, id: str) -> bytes:
        """The picture of a pose as PNG."""
        with self._drawing:
            if id not in self._kept:
                with self._busy:
                    values = self._values.get(id)
                rig = context.document.value.rig
                if values is None or len(values) != len(rig.sliders):
                    raise Gone("the pose is another one now")
                self._kept[id] = self._drawn(rig, values)
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            return self._kept[id]

    def _drawn(self, rig: Rig, values: Floats) -> bytes:
        from facewright.render.png import png_bytes  # not in memory before it is needed
        from facewright.render.shape_thumbnails import ShapeThumbnails

        if self._drawer is None or self._drawer.rig is not rig:
            self._drawer = ShapeThumbnails(rig, size=_SIZE)
        return png_bytes(self._drawer.of_pose(values))


pictures = PosePictures()


def _info(context: Context, pose: LibraryPose, **more: Any) -> PoseInfo:
    return PoseInfo(pose.name, list(pose.tags), dict(pose.weights), pictures.id(context, pose), **more)


@view("poses", lambda context: (context.document.value.poses, context.document.value.rig))
def poses(context: Context) -> list[PoseInfo]:
    """The poses of the document."""
    return [_info(context, pose) for pose in context.document.value.poses]


@view("folder_poses", lambda context: (context.task(PoseLibrary).listing, context.document.value.rig))
def folder_poses(context: Context) -> list[PoseInfo]:
    """The poses of the folder."""
    return [_info(context, one.pose, file=one.file) for one in context.task(PoseLibrary).listing.poses]


@view(
    "key_poses",
    lambda context: (context.document.value.clips, context.document.value.clip, context.document.value.rig),
)
def key_poses(context: Context) -> list[PoseInfo]:
    """The poses that the current clip has at its keys; none where it has keys at very many times."""
    document = context.document.value
    return [_info(context, pose, time=time) for time, pose in poses_of_clip(document)]


def poses_of_clip(document: Document) -> list[tuple[float, LibraryPose]]:
    """The pose of the sliders that a clip moves, at the time of each of its keys."""
    if not document.clip:
        return []
    clip, rig = document.clip_named(document.clip), document.rig
    moved = [name for name in rig.sliders if name in set(clip.moved)]
    curves = [*clip.curves.values(), *(curve for layer in clip.layers for curve in layer.curves.values())]
    if not moved or max(len(curve.times) for curve in curves) > _MOST_KEYS:
        return []
    times = np.unique(np.concatenate([curve.times for curve in curves]).round(6))
    if len(times) > _MOST_KEYS:
        return []
    values = clip.sample(moved, times, rig.bounds[[rig.slider_index(name) for name in moved]])
    return [
        (time, LibraryPose(f"{clip.name[:150]}, frame {round(time * clip.rate)}", dict(zip(moved, row, strict=True))))
        for time, row in zip(times.tolist(), values.tolist(), strict=True)
    ]


@resource("pose/{id}")
def pose_picture(context: Context, id: str) -> Reply:
    """The picture of a pose on the document's face."""
    return Reply(pictures.picture(context, id), "image/png")
