"""The document: a rig with its clips, pose, pins, regions, take, textures, materials, prior and reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import STRONGEST, Floats, Ints, floats, indices, up_to
from facewright.errors import BadValue, UnknownName
from facewright.motion.bake_layers import baked_clip
from facewright.motion.clip import Clip
from facewright.motion.layer import Layer
from facewright.reference.bookmark import CameraBookmark
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.rig.captured import Captured
from facewright.rig.controls import checked_controls
from facewright.rig.expression import Expression, check_expressions
from facewright.rig.head_rig import HeadRig
from facewright.rig.library_pose import LibraryPose
from facewright.rig.materials import Materials
from facewright.rig.prior import Prior
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.scanned import Scanned
from facewright.rig.slider_sets import sliders_in
from facewright.rig.textures import Textures
from facewright.rig.unit import check_unit

X, Y, Z = 1, 2, 4  # axes as bits
_ROUNDED = 1e-6
DRAG_METHODS = ("automatic", "bounded", "natural")  # by what is asked; only what is touched moves; a likely face


@dataclass(frozen=True, kw_only=True)
class PlacedPin:
    """A pin on the surface: on a vertex, or on a triangle of the rig with barycentric coordinates.

    The target of a drag is no part of the document; the pose that it gives is.
    """

    id: int
    vertex: int | None = None
    triangle: int | None = None
    barycentric: tuple[float, float, float] | None = None
    axes: str = "xyz"  # along which a drag counts
    strength: float = 1.0
    hold: bool = False  # it keeps its place exactly while others are dragged
    free: bool = False  # it does not keep its place at all, not even softly

    def __post_init__(self) -> None:
        if (self.vertex is None) == (self.triangle is None) or (self.triangle is None) != (self.barycentric is None):
            raise BadValue(f"pin {self.id} must be on a vertex, or on a triangle with barycentric coordinates")
        if self.barycentric is not None and not _is_inside(self.barycentric):
            raise BadValue(f"pin {self.id}: barycentric coordinates from 0 to 1 sum to 1, not {self.barycentric}")
        if not self.axes or set(self.axes) - set("xyz"):
            raise BadValue(f"pin {self.id}: axes are some of x, y and z, such as 'xy', not {self.axes!r}")
        up_to(f"pin {self.id}: the strength", self.strength, STRONGEST)
        if self.hold and self.free:
            raise BadValue(f"pin {self.id} holds or is free, not both")


@dataclass(frozen=True, eq=False)
class HeldPoints:
    """Vertices that stay still while sliders and pins move, each along some axes, as long as `on`."""

    vertices: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # (k,) increasing
    axes: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # (k,) X + Y + Z
    on: bool = False
    alpha: float | None = None  # how much they count; None: the number of other vertices over that of held ones

    def __post_init__(self) -> None:
        vertices = indices("held vertices", self.vertices, (None,), below=2**31)
        axes = indices("axes of held vertices", self.axes, (len(vertices),), below=X + Y + Z + 1)
        if (np.diff(vertices) <= 0).any() or (axes == 0).any():
            raise BadValue("held vertices must increase, without repeats, each with at least one axis")
        if self.alpha is not None:
            up_to("alpha", self.alpha, STRONGEST)
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "axes", axes)

    def __len__(self) -> int:
        return len(self.vertices)

    @property
    def coordinates(self) -> Ints:
        """3 * vertex + axis for each axis of each vertex, increasing."""
        chosen = (self.axes[:, None] & np.array([X, Y, Z])) > 0
        return np.asarray((3 * self.vertices[:, None] + np.arange(3))[chosen])


@dataclass(frozen=True, eq=False)
class Document:
    """What is opened, edited, saved and undone. A document is replaced, never changed.

    The pose may be given by names: `Document(rig, pose={"jawOpen": 0.5})`; sliders that are not named are 0.
    """

    rig: Rig
    clips: tuple[Clip, ...] = ()
    pose: Floats = None  # type: ignore[assignment]  # (n,) slider values; not given: all 0
    # Kept for saving: the bytes of an opened glTF file, unknown members and keys of a .fwface.
    attachments: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)  # plain JSON values
    pins: tuple[PlacedPin, ...] = ()
    held: HeldPoints = field(default_factory=HeldPoints)
    locked: tuple[str, ...] = ()  # sliders that solvers do not change
    drag_sliders: str | tuple[str, ...] = ""  # those that drags use: a set's name or names; "": by what the pins sit on
    drag_method: str = "automatic"  # how drags are solved, one of DRAG_METHODS
    take_sliders: str | tuple[str, ...] = ""  # those that takes are solved with; "": what the markers ask for
    slider_sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # sets made by hand, name to sliders
    clip: str = ""  # name of the current clip; "": none
    layer: str = ""  # name of the current clip's layer that is posed and keyed; "": the clip itself
    time: float = 0.0  # seconds in the current clip
    regions: Regions | None = None
    local: Floats | None = None  # (m, n) what each region, of any level, adds to those that contain it; None: nothing
    captured: Captured | None = None  # a take of markers with its binding
    scanned: Scanned | None = None  # a depth or scan sequence of a face without markers
    textures: Textures | None = None  # of expressions; None: the materials alone are shown
    materials: Materials | None = None  # of the rig's polygons; None: not given, or for other polygons than the rig has
    prior: Prior | None = None  # which poses are likely, with the sliders it was learned on; None: by names alone
    unit: str = ""  # of all lengths: m, cm, mm, in, dm or ft; "": not known
    sound: ReferenceSound | None = None  # that plays along with the clips
    plane: ReferencePlane | None = None  # a picture or a video with the face
    bookmarks: tuple[CameraBookmark, ...] = ()  # views of the camera
    expressions: tuple[Expression, ...] = ()  # of an avatar: values that drive several shapes
    controls: Mapping[str, float] = field(default_factory=dict)  # of head, neck and eyes, as `rig.controls` has them
    head: HeadRig | None = None  # where head and neck turn; None: about the origin, as in takes
    poses: tuple[LibraryPose, ...] = ()  # a library of poses, each with a name of its own

    if TYPE_CHECKING:  # what may be given is wider than what is kept

        def __init__(
            self,
            rig: Rig,
            clips: Iterable[Clip] = (),
            pose: Mapping[str, float] | ArrayLike | None = None,
            attachments: Mapping[str, bytes] = field(default_factory=dict, repr=False),
            extra: Mapping[str, Any] = field(default_factory=dict, repr=False),
            pins: Iterable[PlacedPin] = (),
            held: HeldPoints = field(default_factory=HeldPoints),  # noqa: B008
            locked: Iterable[str] = (),
            drag_sliders: str | Iterable[str] = "",
            drag_method: str = "automatic",
            take_sliders: str | Iterable[str] = "",
            slider_sets: Mapping[str, Iterable[str]] = field(default_factory=dict),
            clip: str = "",
            layer: str = "",
            time: float = 0.0,
            regions: Regions | None = None,
            local: ArrayLike | None = None,
            captured: Captured | None = None,
            scanned: Scanned | None = None,
            textures: Textures | None = None,
            materials: Materials | None = None,
            prior: Prior | None = None,
            unit: str = "",
            sound: ReferenceSound | None = None,
            plane: ReferencePlane | None = None,
            bookmarks: Iterable[CameraBookmark] = (),
            expressions: Iterable[Expression] = (),
            controls: Mapping[str, float] = field(default_factory=dict),
            head: HeadRig | None = None,
            poses: Iterable[LibraryPose] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        pose = self.rig.weights(self.pose) if self.pose is None or isinstance(self.pose, Mapping) else self.pose
        object.__setattr__(self, "pose", floats("pose", pose, (len(self.rig.sliders),)))
        object.__setattr__(self, "clips", tuple(self.clips))
        object.__setattr__(self, "attachments", MappingProxyType(dict(self.attachments)))
        object.__setattr__(self, "extra", MappingProxyType(dict(self.extra)))
        object.__setattr__(self, "pins", tuple(self.pins))
        object.__setattr__(self, "bookmarks", tuple(self.bookmarks))
        object.__setattr__(self, "expressions", tuple(self.expressions))
        object.__setattr__(self, "poses", tuple(self.poses))
        object.__setattr__(self, "locked", tuple(dict.fromkeys(self.locked)))
        for name in ("drag_sliders", "take_sliders"):
            if not isinstance(chosen := getattr(self, name), str):
                object.__setattr__(self, name, tuple(dict.fromkeys(chosen)))
        sets = {name: tuple(dict.fromkeys(sliders)) for name, sliders in self.slider_sets.items()}
        object.__setattr__(self, "slider_sets", MappingProxyType(sets))
        object.__setattr__(self, "controls", checked_controls(self.controls))
        object.__setattr__(self, "local", _checked_local(self))
        if self.materials is not None and len(self.materials.of_polygon) != len(self.rig.polygons):
            object.__setattr__(self, "materials", None)  # the rig was replaced by one of another topology
        _check(self)
        if self.layer and self.current_layer is None:
            object.__setattr__(self, "layer", "")  # the layer went, or another clip is at hand

    @property
    def current_layer(self) -> Layer | None:
        """The layer that is posed and keyed; None where it is the clip itself, or where there is no clip."""
        layers = self.clip_named(self.clip).layers if self.clip and self.layer else ()
        return next((layer for layer in layers if layer.name == self.layer), None)

    @property
    def usable_prior(self) -> Prior | None:
        """The prior; None, so that names alone count, where it knows no slider of the rig: it was another face's."""
        return self.prior if self.prior is not None and self.prior.knows(self.rig) else None

    def clip_named(self, name: str) -> Clip:
        """The clip of that name; an unknown name raises `UnknownName`."""
        for clip in self.clips:
            if clip.name == name:
                return clip
        raise UnknownName("clip", name, (clip.name for clip in self.clips))

    def pose_named(self, name: str) -> LibraryPose:
        """The pose of the library of that name; an unknown name raises `UnknownName`."""
        for pose in self.poses:
            if pose.name == name:
                return pose
        raise UnknownName("pose", name, (pose.name for pose in self.poses))

    def __repr__(self) -> str:
        return f"Document({self.rig!r}, {len(self.clips)} clips, {len(self.pins)} pins)"


def bake_layers(document: Document, clips: Iterable[str] | None = None) -> Document:
    """The document with the layers of its clips, some or all, baked into their curves, within the sliders' bounds."""
    chosen = None if clips is None else {document.clip_named(name).name for name in clips}
    if not any(clip.layers for clip in document.clips if chosen is None or clip.name in chosen):
        return document
    bounds = dict(zip(document.rig.sliders, map(tuple, document.rig.bounds.tolist()), strict=True))
    baked = [baked_clip(clip, bounds) if chosen is None or clip.name in chosen else clip for clip in document.clips]
    return replace(document, clips=tuple(baked))


def with_materials_of(rig: Rig, face: Document) -> Document:
    """A rig with the materials, textures and attachments of a document; without them where the polygons differ."""
    if rig.vertex_count != face.rig.vertex_count or not rig.polygons.same_as(face.rig.polygons):
        return Document(rig)
    return Document(
        rig,
        attachments=face.attachments,
        extra=face.extra,
        textures=face.textures,
        materials=face.materials,
        unit=face.unit,
        expressions=face.expressions,
    )


def _check(document: Document) -> None:
    rig = document.rig
    check_unit(document.unit)
    names = [clip.name for clip in document.clips]
    if len(set(names)) != len(names):
        raise BadValue(f"two clips have the same name: {', '.join(names)}")
    poses = [pose.name for pose in document.poses]
    if len(set(poses)) != len(poses):
        raise BadValue(f"two poses have the same name: {', '.join(poses)}")
    if document.clip:
        document.clip_named(document.clip)
    views = [bookmark.name for bookmark in document.bookmarks]
    if len(set(views)) != len(views):
        raise BadValue(f"two views have the same name: {', '.join(views)}")
    check_expressions(document.expressions)
    if not np.isfinite(document.time):
        raise BadValue(f"the time must be a number of seconds, not {document.time}")
    for name in document.locked:
        rig.slider_index(name)
    if document.drag_method not in DRAG_METHODS:
        raise UnknownName("method of drags that a document keeps", document.drag_method, DRAG_METHODS)
    for chosen in (document.drag_sliders, document.take_sliders):
        if chosen != "":
            sliders_in(rig, chosen)
    for name, sliders in document.slider_sets.items():
        if not name:
            raise BadValue("a set of sliders needs a name")
        sliders_in(rig, sliders)
    indices("held vertices", document.held.vertices, (None,), below=rig.vertex_count)
    if document.captured is not None:
        document.captured.check(rig)
    _check_pins(document.pins, rig.vertex_count, len(rig.triangles))


def _checked_local(document: Document) -> Floats | None:
    regions = document.regions
    if regions is not None and regions.vertex_count != document.rig.vertex_count:
        raise BadValue(f"the regions are for {regions.vertex_count} vertices, the rig has {document.rig.vertex_count}")
    if document.local is None:
        return None
    if regions is None:
        raise BadValue("values within regions need regions; `segment` finds them")
    return floats("values within regions", document.local, (len(regions.names), len(document.rig.sliders)))


def _is_inside(barycentric: tuple[float, float, float]) -> bool:
    return min(barycentric) > -_ROUNDED and abs(sum(barycentric) - 1) < _ROUNDED


def _check_pins(pins: Sequence[PlacedPin], vertices: int, triangles: int) -> None:
    if len({pin.id for pin in pins}) != len(pins):
        raise BadValue("two pins have the same number; each needs its own")
    for pin in pins:
        what, index, count = (
            ("vertex", pin.vertex, vertices) if pin.triangle is None else ("triangle", pin.triangle, triangles)
        )
        if index is None or not 0 <= index < count:
            raise BadValue(f"pin {pin.id} sits on {what} {index}; they go from 0 to {count - 1}")
