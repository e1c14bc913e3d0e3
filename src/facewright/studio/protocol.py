"""Every message between the page and the server. The page's types are generated from here; see web/PROTOCOL.md."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from facewright.studio.answers import HttpAnswer as HttpAnswer  # part of the protocol, in their own files
from facewright.studio.build_messages import BuildMessage as BuildMessage
from facewright.studio.build_messages import BuildNews as BuildNews
from facewright.studio.build_messages import BuildWish as BuildWish
from facewright.studio.build_messages import OpenBuilt as OpenBuilt
from facewright.studio.frames import FrameHeader as FrameHeader
from facewright.studio.look_messages import LookEdit as LookEdit
from facewright.studio.look_messages import LookInfo as LookInfo
from facewright.studio.message import Axes, Count, FromPage, Index, Label, Name, Number, Point, ToPage
from facewright.studio.message import Edit as Edit
from facewright.studio.region_messages import FindRegions as FindRegions
from facewright.studio.region_messages import Region
from facewright.studio.region_messages import RegionEdit as RegionEdit
from facewright.studio.take_messages import AskFit as AskFit
from facewright.studio.take_messages import SolveTake as SolveTake
from facewright.studio.take_messages import SolvingInfo as SolvingInfo
from facewright.studio.take_messages import StopSolve as StopSolve
from facewright.studio.take_messages import TakeEdit as TakeEdit
from facewright.studio.take_messages import TakeInfo as TakeInfo

PROTOCOL = 2  # grows when an old page would misunderstand the server

PLACE = ("vertex", "triangle", "barycentric")  # fields that say where a pin sits
Interpolation = Literal["step", "linear", "cubic"]  # cubic eases in and out
# new: a document of its own. keep: another face for the pose and clips that are there. clips: only those of the file.
How = Literal["new", "keep", "clips"]


# From the page ------------------------------------------------------------------------------------------------------


class Begin(FromPage, kw_only=True):
    """Open a gesture: what follows with this number is one undo entry, or none."""

    gesture: Annotated[int, Meta(ge=1, lt=2**53)]
    label: Label


class Commit(FromPage, kw_only=True):
    """Close a gesture and keep what it did."""

    gesture: Count


class Discard(FromPage, kw_only=True):
    """Close a gesture and take back what it did."""

    gesture: Count


class SetWeights(Edit, kw_only=True):
    """Move sliders, all over or in a region; others keep their value, unless held points or a partner forbid it."""

    weights: dict[str, Number]
    region: Region = ""


class ResetWeights(Edit, kw_only=True):
    """Sliders back to 0 (or the nearest bound), in a region to what they are around it; all that are not locked, where
    none are named.
    """

    sliders: list[str] | None = None
    region: Region = ""


class LockSliders(Edit, kw_only=True):
    """Keep solvers and resets from moving sliders, or let them again."""

    sliders: list[str]
    locked: bool


class AddPin(Edit, kw_only=True):
    """Set a pin on a vertex, or on a triangle with barycentric coordinates. The page chooses its number."""

    pin: Count
    vertex: Index | None = None
    triangle: Index | None = None
    barycentric: Point | None = None
    hold: bool = False


class MovePin(Edit, kw_only=True):
    """Set a pin elsewhere on the surface; the face stays."""

    pin: Count
    vertex: Index | None = None
    triangle: Index | None = None
    barycentric: Point | None = None


class ChangePins(Edit, kw_only=True):
    """What is not given stays as it is."""

    pins: list[Count]
    hold: bool | None = None
    axes: Axes | None = None
    strength: Annotated[float, Meta(ge=0, le=1e6)] | None = None


class DeletePins(Edit, kw_only=True):
    """Take pins away."""

    pins: list[Count]


class MirrorPins(Edit, kw_only=True):
    """Set the same pins on the other side of the face."""

    pins: list[Count]


class PinTarget(Struct, forbid_unknown_fields=True):
    """Where a pin is dragged to, in scene units."""

    pin: Count
    target: Point


class DragPins(Edit, kw_only=True):
    """Bring pins to places; pins with `hold` stay. Counts from the gesture's beginning.

    `plane` is the normal of the view plane in which the targets count (null: in space, along `axes`). `symmetric` moves
    the mirrored points alike. With a `region` only that moves, by pins inside it.
    """

    targets: Annotated[list[PinTarget], Meta(min_length=1, max_length=1000)]
    plane: Point | None = None
    axes: Axes = "xyz"
    symmetric: bool = False
    region: Region = ""


class HoldVertices(Edit, kw_only=True):
    """Choose points that stay still: add to them, take from them, or choose these instead. Axes are those of these."""

    vertices: list[Index]
    axes: Axes = "xyz"
    mode: Literal["add", "remove", "set"] = "add"


class SetHoldAxes(Edit, kw_only=True):
    """The axes along which all chosen points stay still."""

    axes: Axes


class SetHolding(Edit, kw_only=True):
    """Whether chosen points are held, and how much that counts (null: unchosen over chosen points)."""

    on: bool
    alpha: Annotated[float, Meta(ge=0, le=1e12)] | None = None


class SetKeys(Edit, kw_only=True):
    """Key the pose at a time of the current clip (made where there is none); all sliders, or some."""

    time: Number
    sliders: list[str] | None = None


class KeyChoice(Struct, forbid_unknown_fields=True):
    """Keys of one slider, by their times."""

    slider: str
    times: list[Number]


class MoveKeys(Edit, kw_only=True):
    """Move keys of the current clip in time and value; a key that lands on another replaces it."""

    keys: list[KeyChoice]
    by: Number = 0.0  # seconds
    lift: Number = 0.0


class CopyKeys(Edit, kw_only=True):
    """Copy keys of the current clip to a later or earlier time."""

    keys: list[KeyChoice]
    by: Number


class DeleteKeys(Edit, kw_only=True):
    """Take keys out of the current clip."""

    keys: list[KeyChoice]


class SetInterpolation(Edit, kw_only=True):
    """How curves of the current clip go from key to key; all, or some."""

    interpolation: Interpolation
    sliders: list[str] | None = None


class CreateClip(Edit, kw_only=True):
    """A new clip, empty or a copy of another, which becomes the current one."""

    name: Name
    rate: Annotated[float, Meta(gt=0, le=1000)] = 30.0
    copy_of: str | None = None


class RenameClip(Edit, kw_only=True):
    """Give a clip another name."""

    clip: str
    name: Name


class DeleteClip(Edit, kw_only=True):
    """Take a clip away."""

    clip: str


class SetRate(Edit, kw_only=True):
    """Frames a second that a clip is played and sampled at; its keys stay at their times."""

    clip: str
    rate: Annotated[float, Meta(gt=0, le=1000)]


class Scrub(FromPage, kw_only=True):
    """Go to a time: sliders with a curve in the current clip take its values. No undo entry."""

    time: Number


class ChooseClip(FromPage, kw_only=True):
    """Make a clip (or none: "") the current one. No undo entry."""

    clip: str


class Undo(FromPage, kw_only=True):
    """Take the last change back."""


class Redo(FromPage, kw_only=True):
    """Do what was taken back again."""


class GoTo(FromPage, kw_only=True):
    """Undo or redo to a place in the history: 0 is before all entries."""

    at: Count


class SetDragOptions(FromPage, kw_only=True):
    """How drags are solved from now on: a method of `Welcome.methods`, or landweber(20) for more or fewer steps."""

    method: Label
    damped: bool = False


class Remember(FromPage, kw_only=True):
    """What the page wants to find again: camera, panels, chosen sliders. Not undoable; at most 64 KB."""

    view: dict[str, Any]


class OpenSample(FromPage, kw_only=True):
    """Open an embedded person; all but "new" are undoable edits."""

    person: str = "default"
    shapes: str = "arkit"
    how: How = "new"


class OpenPath(FromPage, kw_only=True):
    """Open a file below a folder that was named on the command line, by a path of `GET /api/files`."""

    path: Annotated[str, Meta(max_length=4096)]
    how: How = "new"


class Save(FromPage, kw_only=True):
    """Save as .fwface: where it came from (no path), or below a named folder."""

    path: Annotated[str, Meta(max_length=4096)] | None = None


class SampleClip(FromPage, kw_only=True):
    """Ask for a clip frame by frame, to play it: answered by a ClipTable frame."""

    clip: str


class Ping(FromPage, kw_only=True):
    """Ask whether the server is there."""


# To the page --------------------------------------------------------------------------------------------------------


class Welcome(ToPage):
    """The first message of a connection."""

    protocol: int
    version: str
    methods: list[str]
    upload_limit: int  # bytes
    formats: list[str]  # suffixes that can be uploaded
    folders: list[str]  # names of the folders below which files can be opened


class SliderInfo(Struct):
    """A slider."""

    name: str
    low: float
    high: float
    group: str
    mirror: int  # index of the slider for the other side, -1 where there is none


class ShapeInfo(Struct):
    """A shape: its value is that of its slider (1 at `at`, hats between neighbours), or the product of several."""

    name: str
    sliders: list[int]
    at: float


class PartInfo(Struct):
    """A part of the face, as a range of rig vertices."""

    name: str
    start: int
    stop: int


class RigInfo(Struct):
    """The rig without its arrays, which are at `GET /api/geometry/{id}`."""

    id: str  # changes when anything of the rig does, and only then
    vertices: int
    triangles: int
    size: float  # diagonal of the neutral's bounding box, scene units
    sliders: list[SliderInfo]
    shapes: list[ShapeInfo]
    parts: list[PartInfo]
    exclusive: list[tuple[int, int]]


class PinInfo(Struct):
    """A pin on the surface. Its place is in the Pose frame."""

    id: int
    vertex: int | None
    triangle: int | None
    barycentric: tuple[float, float, float] | None
    axes: str
    strength: float
    hold: bool


class HeldInfo(Struct):
    """Points that stay still while sliders and pins move, as long as `on`."""

    vertices: list[int]
    axes: list[int]  # for each vertex, 1 x + 2 y + 4 z
    on: bool
    alpha: float | None  # null: default_alpha
    default_alpha: float


class ClipInfo(Struct):
    """A clip without its keys."""

    name: str
    rate: float
    start: float  # seconds
    end: float
    sliders: list[str]  # those with a curve


class CurveInfo(Struct):
    """Keys of one slider in one clip."""

    clip: str
    slider: str
    times: list[float]
    values: list[float]
    interpolation: Interpolation
    slopes: list[tuple[float, float]] | None


class HistoryInfo(Struct):
    """Labels of what was done, the oldest first; `at` of them are done, the others can be done again."""

    labels: list[str]
    at: int
    gesture: str  # label of the open gesture, "" where there is none


class FileInfo(Struct):
    """What is open."""

    name: str
    unsaved: bool
    saves_to: str  # path as in OpenPath where Save goes without a path, "" where it needs one


class DragOptions(Struct):
    """How drags are solved."""

    method: str
    damped: bool


class State(ToPage):
    """The document and all about it. Complete at first; then only what changed, the rest left out."""

    revision: int  # grows with every message
    rig: RigInfo | UnsetType = UNSET
    pins: list[PinInfo] | UnsetType = UNSET
    held: HeldInfo | UnsetType = UNSET
    locked: list[str] | UnsetType = UNSET
    clips: list[ClipInfo] | UnsetType = UNSET
    curves: list[CurveInfo] | UnsetType = UNSET  # new or changed ones; a curve that no clip lists any more is gone
    clip: str | UnsetType = UNSET
    time: float | UnsetType = UNSET
    history: HistoryInfo | UnsetType = UNSET
    file: FileInfo | UnsetType = UNSET
    drag: DragOptions | UnsetType = UNSET
    view: dict[str, Any] | UnsetType = UNSET
    take: TakeInfo | UnsetType | None = UNSET
    solving: SolvingInfo | UnsetType | None = UNSET
    look: LookInfo | UnsetType | None = UNSET


class Done(ToPage):
    """A message was carried out, and is kept even if the server dies now."""

    seq: int


class Refused(ToPage):
    """A message was not carried out; the document is as it was. `message` is for the person."""

    seq: int
    message: str


class Notice(ToPage):
    """Something the person should know."""

    message: str


class Busy(ToPage):
    """What the server is doing for longer than a moment; "" when it is done."""

    doing: str


class Pong(ToPage):
    """The server is there."""

    seq: int


PageMessage = (
    Begin | Commit | Discard | SetWeights | ResetWeights | LockSliders | AddPin | MovePin | ChangePins | DeletePins
    | MirrorPins | DragPins | HoldVertices | SetHoldAxes | SetHolding | SetKeys | MoveKeys | CopyKeys | DeleteKeys
    | SetInterpolation | CreateClip | RenameClip | DeleteClip | SetRate | Scrub | ChooseClip | Undo | Redo | GoTo
    | SetDragOptions | Remember | OpenSample | OpenPath | Save | SampleClip | Ping | RegionEdit
    | TakeEdit | SolveTake | StopSolve | AskFit | LookEdit | BuildMessage
)  # fmt: skip
ServerMessage = Welcome | State | Done | Refused | Notice | Busy | Pong | BuildNews

decode_page_message = msgspec.json.Decoder(PageMessage).decode
encode = msgspec.json.encode
