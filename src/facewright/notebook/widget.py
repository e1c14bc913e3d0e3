"""The widget: what Python and the page of a notebook both know of a face that is shown, and keep equal."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from facewright.arrays import Floats, floats
from facewright.document import Document
from facewright.errors import BadFile, BadValue, UnknownName
from facewright.motion.clip import Clip
from facewright.notebook.face import clip_weights, packed_clip, packed_face
from facewright.notebook.pose import ViewPose
from facewright.rig.rig import Rig

ARRANGEMENTS = ("beside", "split", "over")
_LEAST, _MOST = 160, 4000  # pixels


def bundle() -> Path:
    """The script of the page, which is part of the package."""
    return Path(str(files("facewright.notebook") / "static" / "view.js"))


def _weights(pose: ViewPose | None, _: FaceView) -> list[float] | None:
    return None if pose is None else pose.weights.tolist()


def _bytes(values: Floats | None, _: FaceView) -> bytes | None:
    return None if values is None else values.astype("<f4").tobytes()


class FaceView(anywidget.AnyWidget):
    """A face in a notebook. Every trait may be set, and observed: `view.observe(function, "pose")`.

    `pose`, `time`, `playing` and `arrangement` follow what is done in the page; after the first time only they are
    sent, never the mesh.
    """

    _esm: Any = ""  # see __init__
    _faces: Any = traitlets.List().tag(sync=True)  # one or two, packed
    _clip = traitlets.Dict().tag(sync=True)  # packed; empty: none

    pose: Any = traitlets.Any().tag(sync=True, to_json=_weights, from_json=lambda value, view: view._read(value))
    other_pose: Any = traitlets.Any(None, allow_none=True).tag(
        sync=True, to_json=_weights, from_json=lambda value, view: view._read_other(value)
    )  # None: the other face follows the sliders
    other_name = traitlets.Unicode("").tag(sync=True)
    heat: Any = traitlets.Any(None, allow_none=True).tag(
        sync=True, to_json=_bytes, from_json=lambda value, view: view._read_heat(value)
    )  # (v,)
    heat_range = traitlets.Tuple(traitlets.Float(), traitlets.Float(), allow_none=True, default_value=None).tag(
        sync=True
    )  # None: from 0, or the lowest value below it, to the highest
    heat_label = traitlets.Unicode("").tag(sync=True)
    time = traitlets.Float(0.0).tag(sync=True)  # seconds in the clip
    playing = traitlets.Bool(False).tag(sync=True)
    loop = traitlets.Bool(True).tag(sync=True)
    arrangement = traitlets.Unicode(ARRANGEMENTS[0]).tag(sync=True)
    height = traitlets.Int(480).tag(sync=True)  # pixels

    def __init__(
        self, face: Rig | Document, other: Rig | Document | None = None, names: tuple[str, str] = ("", "")
    ) -> None:
        """other: a second face, which the sliders of the same names move, too. names: of the two, as captions."""
        if not bundle().is_file():
            raise BadFile(
                "the notebook's page is not built in this checkout; build it with `npm install` and `npm run build` in "
                "web/, or with `make test-page`. An installed package carries it already"
            )
        self.document = _document("the face", face)
        self.clip: Clip | None = None
        self.other = None if other is None else _document("the other face", other)
        self._esm = bundle().read_text("utf8")
        faces = [packed_face(self.document, names[0])]
        if self.other is not None:
            faces.append(packed_face(self.other, names[1]))
        super().__init__(_faces=faces, pose=self.document.pose, other_name=names[1])

    @property
    def rig(self) -> Rig:
        """The rig of the face."""
        return self.document.rig

    @property
    def weights(self) -> Floats:
        """The pose as an array (n,)."""
        pose: ViewPose = self.pose
        return pose.weights

    def show_clip(self, clip: Clip | str | None) -> None:
        """Let the page play a clip, or the one of the document that has this name; None: none."""
        self.clip = None if clip is None else self._named(clip)
        with self.hold_sync():
            self.playing = False
            self._clip = {} if self.clip is None else packed_clip(self.document, self.clip)
            self.time = 0.0 if self.clip is None else self.clip.start
            self._show_time()

    def play(self, clip: Clip | str | None = None) -> None:
        """Play a clip, or go on with the one that is shown."""
        if clip is not None:
            self.show_clip(clip)
        if self.clip is None:
            named = ", ".join(one.name for one in self.document.clips) or "none of its own"
            raise BadValue(f"there is no clip to play: view.play(clip); the document has {named}")
        self.playing = True

    def pause(self) -> None:
        """Let the face stand still where it is."""
        self.playing = False

    def _named(self, clip: Clip | str) -> Clip:
        if isinstance(clip, Clip):
            return clip
        for one in self.document.clips:
            if one.name == clip:
                return one
        raise UnknownName("clip", clip, (one.name for one in self.document.clips))

    @traitlets.observe("time")
    def _jump(self, _: Any) -> None:
        if "time" not in self._property_lock:  # else the page has set it, and sends the pose that comes of it
            self._show_time()

    def _show_time(self) -> None:
        """ViewPose the face as the clip has it. While it plays, the page does so."""
        if self.clip is not None and not self.playing:
            self.pose = clip_weights(self.document, self.clip, [self.time])[0]

    @property
    def _second(self) -> Rig:
        return self.rig if self.other is None else self.other.rig

    @traitlets.validate("pose")
    def _check_pose(self, proposal: Any) -> ViewPose:
        return ViewPose(self.rig, proposal["value"])

    @traitlets.validate("other_pose")
    def _check_other_pose(self, proposal: Any) -> ViewPose | None:
        value = proposal["value"]
        return None if value is None else ViewPose(self._second, value)

    @traitlets.validate("arrangement")
    def _check_arrangement(self, proposal: Any) -> str:
        value: str = proposal["value"]
        if value not in ARRANGEMENTS:
            raise BadValue(f"faces are arranged as one of {', '.join(ARRANGEMENTS)}, not {value!r}")
        return value

    @traitlets.validate("height")
    def _check_height(self, proposal: Any) -> int:
        value: int = proposal["value"]
        if not _LEAST <= value <= _MOST:
            raise BadValue(f"the height is {_LEAST} to {_MOST} pixels, not {value}")
        return value

    @traitlets.validate("heat")
    def _check_heat(self, proposal: Any) -> Floats | None:
        value = proposal["value"]
        return None if value is None else floats("heat", value, (self.rig.vertex_count,))

    def _read(self, value: list[float] | None) -> ViewPose:
        """The pose that a page sent."""
        return ViewPose(self.rig, np.array(value, np.float64))

    def _read_other(self, value: list[float] | None) -> ViewPose | None:
        return None if value is None else ViewPose(self._second, np.array(value, np.float64))

    def _read_heat(self, value: bytes | None) -> Floats | None:
        return None if value is None else np.frombuffer(value, "<f4").astype(np.float64)


def _document(what: str, face: Rig | Document) -> Document:
    if isinstance(face, Rig):
        return Document(face)
    if isinstance(face, Document):
        return face
    raise BadValue(f"{what} is a Rig or a Document, not {type(face).__name__}: fw.load(path), fw.load_document(path)")
