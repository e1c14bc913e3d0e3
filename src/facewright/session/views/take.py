"""The document's take as pages see it, and how near a clip comes to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.gaps import runs
from facewright.capture.placement import placed_beside
from facewright.capture.statistics import worst_frames
from facewright.document import Document
from facewright.mesh.align import Similarity
from facewright.motion.take import METRES, Take
from facewright.rig.binding import Binding, SurfacePoint
from facewright.rig.captured import Captured
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.takes import FILE, NAMES
from facewright.session.frames import Array, Frame
from facewright.session.tasks.background_solve import SolvingInfo
from facewright.session.tasks.take import TakeSolving
from facewright.session.views.view import Gone, Query, Reply, resource, view
from facewright.workflow.solver_cache import SolverCache
from facewright.workflow.take.fit import TakeFit, take_fit
from facewright.workflow.take.solve import STATUSES

_SEEN = 0.02  # share of the frames in which a marker must be seen to be bound
_WORST = 8  # frames that are marked


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
    neutral: list[int]  # frames at rest, where somebody said so
    rest_pose: str  # of the rig at rest: neutral, solved, or given
    millimetres: float  # of the actor in a scene unit; 0 where it is not bound
    solved: SolvedInfo | None


def _rest_pose(captured: Captured) -> str:
    if captured.rest_pose is None:
        return "neutral"
    return "solved" if isinstance(captured.rest_pose, str) else "given"


def take_id(take: Take) -> str:
    """A name that changes when the markers or their positions do, and only then."""
    digest = hashlib.blake2b(repr((take.names, take.positions.shape)).encode(), digest_size=12)
    digest.update(take.positions.tobytes())
    return digest.hexdigest()


@view("take_sliders", lambda context: (context.document.value.take_sliders,))
def take_sliders(context: Context) -> str | list[str]:
    """The sliders that takes are solved with: the name of a set, names, or "" for what the markers ask for."""
    chosen = context.document.value.take_sliders
    return chosen if isinstance(chosen, str) else list(chosen)


@view("take", lambda context: (context.document.value.rig, context.document.value.captured))
def take(context: Context) -> TakeInfo | None:
    """The document's take, if it has one."""
    document = context.document.value
    captured = document.captured
    if captured is None:
        return None
    return take_info(document.rig, captured, context.ids.of(captured.take, take_id), context.solvers)


def take_info(rig: Rig, captured: Captured, id: str, solvers: SolverCache) -> TakeInfo:
    take, binding = captured.take, captured.binding
    gaps = solvers.kept("take gaps", (take,), lambda: _gaps(take))
    place = solvers.kept("take place", (rig, take, binding), lambda: _placed(rig, take, binding))
    solved = captured.solved
    return TakeInfo(
        id=id,
        name=take.name,
        unit=take.unit,
        units=list(METRES),
        rate=take.rate,
        frames=len(take),
        gaps=float(1 - take.seen.mean()) if take.seen.size else 0.0,
        markers=_markers(rig, captured, gaps),
        notes=[*take.notes, *(() if binding is None else binding.notes)],
        place=place,
        bound=binding is not None,
        origin=captured.origin,
        neutral=list(captured.neutral),
        rest_pose=_rest_pose(captured),
        millimetres=0.0 if binding is None else 1000 * METRES[binding.unit] / binding.to_rig.scale,
        solved=None if solved is None else SolvedInfo(solved.clip, len(solved.status), list(solved.notes)),
    )


def summary(captured: Captured) -> str:
    """A take in a sentence, and what to do with it."""
    take, binding = captured.take, captured.binding
    gaps = 1 - take.seen.mean() if take.seen.size else 0.0
    facts = f"{take.name}: {len(take.names)} markers, {len(take):,} frames at {take.rate:g} a second, in {take.unit}"
    facts += f", {gaps:.1%} gaps" if gaps else ", no gaps"
    if binding is None:
        return (
            f"{facts}. Their names do not say where they belong: click three markers, each with its place on the face."
        )
    how = {NAMES: "by names", FILE: "as before"}.get(captured.origin, "as before")
    doubts = "".join(f" {note[0].upper()}{note[1:]}." for note in binding.notes if "no face" in note)
    return f"{facts}; {len(binding)} of them bound {how}.{doubts}"


@dataclass(frozen=True, eq=False, kw_only=True)
class TakeTable(Frame):
    """Where the markers of a take are, in the take's room; NaN where one was not seen."""

    take: str  # its id
    positions: Annotated[Floats, Array("f4", ("f", "m", 3))]


@resource("take/{id}")
def take_table(context: Context, id: str) -> Reply:
    """All positions, for the page to show."""
    captured = context.document.value.captured
    if captured is None or id != context.ids.of(captured.take, take_id):
        raise Gone("another take is loaded now")
    return Reply(TakeTable(take=id, positions=captured.take.positions).pack())


@dataclass(frozen=True, eq=False, kw_only=True)
class TakeFitTable(Frame):
    """How near a clip comes to the take, frame by frame of the take; no frames where the take is not bound.

    Markers count as in TakeInfo.
    """

    seq: int
    clip: str
    statuses: list[str]
    worst_frames: list[int]
    typical: float  # millimetres, the mean of all
    most: float  # 95 % are below
    mean: Annotated[Floats, Array("f4", ("f",))]  # millimetres, NaN where nothing is known
    worst: Annotated[Ints, Array("u4", ("f",))]  # the marker furthest off
    status: Annotated[Ints, Array("u4", ("f",))]  # of `statuses`
    doubted: Annotated[Ints, Array("u4", ("q", 2))]  # frame and marker that were recorded, but not used
    # Rotation, rows first, and offset, as the still markers show it; empty where the clip has the head's motion itself.
    head: Annotated[Floats, Array("f4", ("*", 12))]


class AskFit(Query, frozen=True, kw_only=True):
    """Ask how near a clip ("": none) comes to the take: answered by a TakeFitTable frame."""

    aside: ClassVar[bool] = True

    clip: str

    def answer(self, context: Context, seq: int) -> TakeFitTable:
        document = context.document.value
        if self.clip:
            document.clip_named(self.clip)
        return fit_table(document, self.clip, context.solvers_aside, seq)


def fit_table(document: Document, clip: str, solvers: SolverCache, seq: int) -> TakeFitTable:
    """How near a clip comes to the take."""
    fit = take_fit(document, clip, solvers)
    captured, none = document.captured, np.zeros(0, np.int64)
    if fit is None or captured is None or captured.active is None:
        return TakeFitTable(
            seq=seq, clip=clip, statuses=[], worst_frames=[], typical=0.0, most=0.0, mean=np.zeros(0), worst=none,
            status=none, doubted=none.reshape(0, 2), head=np.zeros((0, 12)),
        )  # fmt: skip
    names = captured.take.names
    columns = np.array([names.index(name) if name in names else 0 for name in captured.active.markers], np.int64)
    known = fit.residual[~np.isnan(fit.residual)]
    return TakeFitTable(
        seq=seq,
        clip=clip,
        statuses=[status.value for status in STATUSES],
        worst_frames=worst_frames(fit.mean, _WORST, captured.take.rate).tolist(),
        typical=float(known.mean()) if len(known) else 0.0,
        most=float(np.quantile(known, 0.95)) if len(known) else 0.0,
        mean=fit.mean,
        worst=columns[fit.worst],
        status=fit.status,
        doubted=np.column_stack([fit.doubted[:, 0], columns[fit.doubted[:, 1]]]),
        head=_head(fit),
    )


def _head(fit: TakeFit) -> Floats:
    """Rotation, rows first, and offset (f, 12), where the clip does not say it; else nothing."""
    if not fit.from_markers:
        return np.zeros((0, 12))
    return np.concatenate([fit.head.rotations.reshape(-1, 9), fit.head.offsets], axis=1)


def _markers(rig: Rig, captured: Captured, gaps: NDArray[np.int64]) -> list[MarkerInfo]:
    take, binding = captured.take, captured.binding
    share = take.seen.mean(axis=0) if len(take) else np.zeros(len(take.names))
    named = set(take.labelled)
    away = {} if binding is None else _away(rig, binding)
    found = []
    for i, name in enumerate(take.names):
        point = _point(captured, name)
        found.append(
            MarkerInfo(
                name=name,
                seen=float(share[i]),
                gap=int(gaps[i]),
                point=None if point is None else PointInfo(point.vertices, point.shares),
                offset=away.get(name),
                paired=name in captured.pairs,
                ignored=name in captured.ignored,
                bindable=name in named and bool(share[i] >= _SEEN),
            )
        )
    return found


def _point(captured: Captured, name: str) -> SurfacePoint | None:
    binding = captured.binding
    if binding is None or name not in binding.markers:
        return captured.pairs.get(name)
    at = binding.index(name)
    a, b, c = binding.vertices[at].tolist()
    u, v, w = binding.barycentric[at].tolist()
    return SurfacePoint((a, b, c), (max(u, 0.0), max(v, 0.0), max(w, 0.0)))


def _away(rig: Rig, binding: Binding) -> dict[str, tuple[float, float, float]]:
    """From where each marker is glued to where it is on the actor at rest."""
    offsets = binding.to_rig(binding.rest) - binding.places(rig.neutral)
    return {name: (x, y, z) for name, (x, y, z) in zip(binding.markers, offsets.tolist(), strict=True)}


def _placed(rig: Rig, take: Take, binding: Binding | None) -> PlaceInfo:
    if binding is None:
        return _place(placed_beside(rig, take), 1.0, mirrored=False)
    return _place(binding.to_rig, METRES[take.unit] / METRES[binding.unit], mirrored=binding.mirrored)


def _place(way: Similarity, unit: float, *, mirrored: bool) -> PlaceInfo:
    x, y, z = way.offset.tolist()
    return PlaceInfo(way.rotation.ravel().tolist(), (x, y, z), way.scale * unit, mirrored)


def _gaps(take: Take) -> NDArray[np.int64]:
    """Frames (m,) of each marker's longest gap."""
    longest = np.zeros(len(take.names), np.int64)
    for marker in np.flatnonzero(~take.seen.all(axis=0)):
        longest[marker] = max(stop - start for start, stop in runs(~take.seen[:, marker]))
    return longest


@view("solving", lambda context: (context.task(TakeSolving).info,))
def solving(context: Context) -> SolvingInfo | None:
    """The solve that is under way."""
    return context.task(TakeSolving).info
