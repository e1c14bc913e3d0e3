"""What the page and the server say about takes of markers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from facewright.studio.message import Edit, FromPage, Index, Label, Name, Point

# From the page ------------------------------------------------------------------------------------------------------


class PairMarker(Edit, kw_only=True):
    """Say where on the face a marker belongs; the third pair brings a loose take onto the face."""

    marker: Name
    triangle: Index
    barycentric: Point


class UnpairMarkers(Edit, kw_only=True):
    """Take pairs away; all where none are named."""

    markers: list[str] | None = None


class BindByNames(Edit, kw_only=True):
    """Glue the take's markers by what their names say; pairs count more."""


class Unbind(Edit, kw_only=True):
    """All markers loose again."""


class IgnoreMarkers(Edit, kw_only=True):
    """Let solves do without markers, or with them again."""

    markers: list[str]
    ignored: bool


class ChangeTake(Edit, kw_only=True):
    """Say what the file says wrongly; what is not given stays. neutral: the frame at rest, -1: to be found."""

    unit: Annotated[str, Meta(max_length=10)] | None = None
    rate: Annotated[float, Meta(gt=0, le=100_000)] | None = None
    neutral: Annotated[int, Meta(ge=-1, lt=2**31)] | None = None


class RemoveTake(Edit, kw_only=True):
    """The face without its take; clips stay."""


class SolveTake(FromPage, kw_only=True):
    """Solve the take in the background: State.solving tells how far it is, and the clip comes as a step."""

    smooth: Annotated[str, Meta(max_length=20)] = ""  # euro, or a cutoff in Hz
    keys: Annotated[float, Meta(ge=0, le=1)] = 0.005  # curves may change by as much for fewer keys; 0: keep all
    residual: bool = False  # add shapes, so that markers are met exactly
    gaze: bool = False  # solve gaze and tongue, too
    steady: Annotated[float, Meta(ge=0, le=1000)] = 1.0
    by_region: bool = False
    level: Index = 0


class StopSolve(FromPage, kw_only=True):
    """Stop solving, and keep what is solved so far."""


class AskFit(FromPage, kw_only=True):
    """Ask how near a clip ("": none) comes to the take: answered by a TakeFitTable frame."""

    clip: str


TakeEdit = PairMarker | UnpairMarkers | BindByNames | Unbind | IgnoreMarkers | ChangeTake | RemoveTake

# To the page --------------------------------------------------------------------------------------------------------


class PointInfo(Struct):
    """A point of the surface: three rig vertices and their shares."""

    vertices: tuple[int, int, int]
    shares: tuple[float, float, float]


class MarkerInfo(Struct):
    """A marker of the take."""

    name: str
    seen: float  # share of the frames
    gap: int  # frames of its longest gap
    point: PointInfo | None  # where it is glued, or is to be
    offset: tuple[float, float, float] | None  # from there to where it is at rest, scene units
    paired: bool  # by hand
    ignored: bool
    bindable: bool  # it was named, and is seen often enough


class PlaceInfo(Struct):
    """From the take's room to the scene: x -> scale R x + offset, after x is reversed where mirrored."""

    rotation: list[float]  # (9,) rows first
    offset: tuple[float, float, float]
    scale: float
    mirrored: bool


class SolvedInfo(Struct):
    """The clip that was solved from the take."""

    clip: str
    frames: int
    notes: list[str]


class TakeInfo(Struct):
    """The take without its positions, which are at `GET /api/take/{id}`."""

    id: str  # changes when the positions do, and only then
    name: str
    unit: str
    units: list[str]  # that there are
    rate: float
    frames: int
    gaps: float  # share of all positions
    markers: list[MarkerInfo]
    notes: list[str]  # of the file and of the binding
    place: PlaceInfo
    bound: bool  # else it stands beside the face
    origin: str  # of the binding: names, file, or "" (pairs)
    neutral: int | None  # the frame at rest, where somebody said so
    millimetres: float  # of the actor in a scene unit; 0 where it is not bound
    solved: SolvedInfo | None


class SolvingInfo(Struct):
    """A solve under way."""

    take: Label
    done: int  # frames
    total: int
    speed: float  # frames a second, 0 where it is not known yet
    stopping: bool
