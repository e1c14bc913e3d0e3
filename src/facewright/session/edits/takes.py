"""A take of markers on the face: brought, glued, corrected, taken away."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from facewright.capture.bind import bind
from facewright.capture.neutral import check_neutral
from facewright.document import Document
from facewright.errors import BadValue, FacewrightError
from facewright.motion.take import Take
from facewright.rig.binding import Binding, SurfacePoint
from facewright.rig.captured import Captured, SolvedClip
from facewright.rig.head_motion import about
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.clips import free_name
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.time import choose_clip
from facewright.session.fields import Index, Name, Point, slider_set, some
from facewright.workflow.take.solve import SolvedTake, captured_of, grown_alike, on_grown_rig

RestPose = Literal["neutral", "solved", "shown"]
NAMES, FILE = "names", "file"
LEAST = 3  # pairs that say where a take belongs


@dataclass(frozen=True, eq=False)
class TriedBinding:
    """How a take is bound to a rig by the names of its markers, worked out before it is loaded."""

    rig: Rig
    binding: Binding | None  # None: the names do not say enough


def bring_take(document: Document, take: Take, tried: TriedBinding | None = None) -> Document:
    """Another take in place of the last: glued as that one was where it shows the same markers, else by their names.

    A take whose names say nothing waits for pairs. tried: spares binding it to the same rig once more.
    """
    before = document.captured
    if before is not None and before.binding is not None and set(before.binding.markers) <= set(take.names):
        kept = replace(before, take=take, neutral=(), solved=None, ignored=_known(before.ignored, take))
        return replace(document, captured=replace(kept, pairs=_pairs_of(before, take)))
    if tried is None or tried.rig is not document.rig:
        return replace(document, captured=glued_again(document.rig, Captured(take)))
    return replace(document, captured=_glued_by(document.rig, Captured(take), tried.binding))


def remove_take(document: Document) -> Document:
    return replace(document, captured=None)


def bind_by_names(document: Document) -> Document:
    """Glue the markers by what their names say; pairs made by hand count more."""
    captured = captured_of(document)
    base = bind(document.rig, captured.take, neutral=captured.neutral or None, rest_pose=captured.rest_pose)
    return _with(document, replace(captured, base=base, origin=NAMES))


def use_binding(document: Document, binding: Binding) -> Document:
    """Glue the markers as a file says; pairs made by hand are gone."""
    captured = captured_of(document)
    binding.check(document.rig)
    there = [name for name in binding.markers if name in captured.take.names]
    if len(there) < LEAST:
        raise BadValue(
            f"the binding is of the markers {_some(binding.markers)}; the take has {len(there)} of them, and three are "
            "the least"
        )
    return _with(document, replace(captured, base=binding, origin=FILE, pairs={}))


def unbind(document: Document) -> Document:
    """All markers loose again."""
    loose = replace(captured_of(document), base=None, origin="", binding=None, pairs={})
    return replace(document, captured=loose)


def pair_marker(document: Document, marker: str, triangle: int, barycentric: tuple[float, float, float]) -> Document:
    """Say where on the face a marker belongs. The third pair brings the take onto the face."""
    captured, rig = captured_of(document), document.rig
    captured.take.index(marker)
    if captured.binding is not None and marker not in captured.binding.markers:
        raise BadValue(f"marker {marker!r} is hardly ever seen, or was not named: it cannot be bound")
    if not 0 <= triangle < len(rig.triangles):
        raise BadValue(f"there is no triangle {triangle}; they go from 0 to {len(rig.triangles) - 1}")
    a, b, c = rig.triangles[triangle].tolist()
    shares = np.clip(barycentric, 0.0, 1.0)
    total = float(shares.sum())
    if not total > 0.5:
        raise BadValue(f"barycentric coordinates from 0 to 1 sum to 1, not {barycentric}")
    u, v, w = (shares / total).tolist()
    return _with(document, replace(captured, pairs={**captured.pairs, marker: SurfacePoint((a, b, c), (u, v, w))}))


def unpair_markers(document: Document, markers: Collection[str] | None = None) -> Document:
    """Without pairs of some markers, or of all: they are where names, a file or the other pairs put them."""
    captured = captured_of(document)
    missing = next((name for name in markers or () if name not in captured.pairs), None)
    if missing is not None:
        raise BadValue(f"marker {missing!r} has no pair; there are {_some(tuple(captured.pairs)) or 'none'}")
    kept = {name: at for name, at in captured.pairs.items() if markers is not None and name not in markers}
    return _with(document, replace(captured, pairs=kept)) if len(kept) < len(captured.pairs) else document


def ignore_markers(document: Document, markers: Collection[str], ignored: bool) -> Document:
    """Let solves do without markers, or with them again."""
    captured = captured_of(document)
    for name in markers:
        captured.take.index(name)
    others = [name for name in captured.ignored if name not in markers]
    now = (*others, *markers) if ignored else tuple(others)
    return document if set(now) == set(captured.ignored) else replace(document, captured=replace(captured, ignored=now))


def change_take(
    document: Document,
    *,
    unit: str | None = None,
    rate: float | None = None,
    neutral: Sequence[int] | None = None,
    rest_pose: RestPose | None = None,
) -> Document:
    """Say what the file says wrongly: the unit of its numbers, frames a second, the face at rest.

    neutral: frames at rest, of which the mean counts; none of them: to be found. rest_pose: which pose of the rig the
    face at rest is in.
    """
    captured = captured_of(document)
    take = captured.take
    if unit is not None and unit != take.unit:
        take = take.really_in(unit)
    if rate is not None and rate != take.rate:
        take = replace(take, rate=rate)
    rest = captured.neutral if neutral is None else tuple(neutral)
    pose = captured.rest_pose if rest_pose is None else _rest_pose(document, rest_pose)
    changed = replace(captured, take=take, neutral=rest, rest_pose=pose)
    check_neutral(take, rest or None)
    is_same = changed.neutral == captured.neutral and changed.rest_pose == captured.rest_pose
    if take is captured.take and is_same:
        return document
    moved = take.unit != captured.take.unit or not is_same
    return replace(document, captured=glued_again(document.rig, changed) if moved else changed)


def _rest_pose(document: Document, chosen: RestPose) -> Mapping[str, float] | Literal["solved"] | None:
    """The pose at rest that is chosen: the neutral, one that is solved, or the one that is shown."""
    if chosen != "shown":
        return "solved" if chosen == "solved" else None
    shown = {name: float(value) for name, value in zip(document.rig.sliders, document.pose, strict=True) if value}
    if not shown:
        raise BadValue("the face that is shown is the neutral; pose it as the actor's face is at rest")
    return shown


def glued_again(rig: Rig, captured: Captured) -> Captured:
    """A take glued to a rig for the first time, or to another: by names where they say enough, and by pairs."""
    pose = captured.rest_pose
    if isinstance(pose, Mapping):  # a pose of sliders that this rig does not have is none
        pose = {name: value for name, value in pose.items() if name in rig.sliders} or None
    loose = replace(captured, base=None, origin="", binding=None, rest_pose=pose)
    try:
        return _glued_by(rig, loose, bind(rig, loose.take, neutral=loose.neutral or None, rest_pose=loose.rest_pose))
    except FacewrightError:
        return _glued_by(rig, loose, None)


def _glued_by(rig: Rig, loose: Captured, names: Binding | None) -> Captured:
    """A loose take glued by its names, where they say enough, and by its pairs."""
    if names is None:
        return _by_pairs(rig, loose)
    return replace(loose, base=names, origin=NAMES, binding=names.moved(_of(loose.pairs, names)))


def add_solved(document: Document, found: SolvedTake, take: Take | None = None) -> Document:
    """The document with the solved clip as the current one, and with the rig's new shapes, if there are any.

    take: what was solved; if the document has another one by now, only the clip is added.
    """
    captured = document.captured
    if found.rig is not None:
        document = on_grown_rig(document, grown_alike(document.rig, found.rig))
    clip = replace(about(found.clip, None, document.head), name=free_name(document, found.name))
    if captured is not None and (take is None or captured.take is take):
        record = SolvedClip(clip.name, found.status, found.doubted, found.notes)
        captured = replace(captured, solved=record)
    return choose_clip(replace(document, clips=(*document.clips, clip), captured=captured), clip.name)


def _with(document: Document, captured: Captured) -> Document:
    """The document with a take glued by its base and its pairs."""
    base = captured.base
    if base is None:
        return replace(document, captured=_by_pairs(document.rig, captured, strictly=True))
    return replace(document, captured=replace(captured, binding=base.moved(_of(captured.pairs, base))))


def _by_pairs(rig: Rig, captured: Captured, *, strictly: bool = False) -> Captured:
    if len(captured.pairs) < LEAST:
        return replace(captured, binding=None)
    try:
        neutral, pose = captured.neutral or None, captured.rest_pose
        return replace(captured, binding=bind(rig, captured.take, captured.pairs, neutral=neutral, rest_pose=pose))
    except BadValue:
        if strictly:
            raise
        return replace(captured, binding=None)


def _of(pairs: Mapping[str, SurfacePoint], binding: Binding) -> dict[str, SurfacePoint]:
    return {name: at for name, at in pairs.items() if name in binding.markers}


def _pairs_of(captured: Captured, take: Take) -> dict[str, SurfacePoint]:
    return {name: at for name, at in captured.pairs.items() if name in take.names}


def _known(names: Collection[str], take: Take) -> tuple[str, ...]:
    return tuple(name for name in names if name in take.names)


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


class PairMarker(DocumentEdit, frozen=True, kw_only=True):
    """Say where on the face a marker belongs; the third pair brings a loose take onto the face."""

    marker: Name
    triangle: Index
    barycentric: Point

    @property
    def label(self) -> str:
        return f"Bind {self.marker}"

    def apply(self, document: Document, context: Context) -> Document:
        return pair_marker(document, self.marker, self.triangle, self.barycentric)


class UnpairMarkers(DocumentEdit, frozen=True, kw_only=True):
    """Remove pairs; all where none are named."""

    markers: list[str] | None = None

    @property
    def label(self) -> str:
        return "Remove all pairs" if self.markers is None else f"Remove pair of {some(self.markers)}"

    def apply(self, document: Document, context: Context) -> Document:
        return unpair_markers(document, self.markers)


class BindByNames(DocumentEdit, frozen=True, kw_only=True):
    """Bind the take's markers by what their names say; pairs count more."""

    slow: ClassVar[str] = "binding the take"

    def apply(self, document: Document, context: Context) -> Document:
        return bind_by_names(document)


class Unbind(DocumentEdit, frozen=True, kw_only=True):
    """Loosen all markers from the face."""

    @property
    def label(self) -> str:
        return "Unbind take"

    def apply(self, document: Document, context: Context) -> Document:
        return unbind(document)


class IgnoreMarkers(DocumentEdit, frozen=True, kw_only=True):
    """Let solves do without markers, or with them again."""

    markers: list[str]
    ignored: bool

    @property
    def label(self) -> str:
        return f"{'Ignore' if self.ignored else 'Use'} {some(self.markers)}"

    def apply(self, document: Document, context: Context) -> Document:
        return ignore_markers(document, self.markers, self.ignored)


class ChangeTake(DocumentEdit, frozen=True, kw_only=True):
    """Correct what the file says wrongly; what is not given stays. neutral: frames at rest, none: to be found."""

    slow: ClassVar[str] = "binding the take"

    unit: Annotated[str, Meta(max_length=10)] | None = None
    rate: Annotated[float, Meta(gt=0, le=100_000)] | None = None
    neutral: Annotated[list[Index], Meta(max_length=1000)] | None = None
    rest_pose: RestPose | None = None  # of the rig: its neutral, solved from the take, or as the face is shown

    @property
    def label(self) -> str:
        if self.unit is not None:
            return f"Take in {self.unit}"
        if self.rate is not None:
            return f"Take at {self.rate} frames a second"
        return "Change rest frames" if self.rest_pose is None else "Change pose at rest"

    def apply(self, document: Document, context: Context) -> Document:
        return change_take(document, unit=self.unit, rate=self.rate, neutral=self.neutral, rest_pose=self.rest_pose)


class SetTakeSliders(DocumentEdit, frozen=True, kw_only=True):
    """Choose the sliders that takes are solved with: a set's name, names, or "" for what the markers ask for."""

    sliders: str | list[str]

    @property
    def label(self) -> str:
        return f"Solve with {slider_set(self.sliders)}"

    def apply(self, document: Document, context: Context) -> Document:
        chosen = self.sliders if isinstance(self.sliders, str) else tuple(self.sliders)
        return replace(document, take_sliders=chosen)


class RemoveTake(DocumentEdit, frozen=True, kw_only=True):
    """The face without its take; clips stay."""

    def apply(self, document: Document, context: Context) -> Document:
        return remove_take(document)


class LoadTake(DocumentEdit, frozen=True, kw_only=True):
    """A take of markers on the face, in place of the last one."""

    from_page: ClassVar[bool] = False

    take: Take
    tried: TriedBinding | None = None

    @property
    def label(self) -> str:
        return f"Load take {self.take.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return bring_take(document, self.take, self.tried)


class UseBinding(DocumentEdit, frozen=True, kw_only=True):
    """Bind the take's markers as a file says."""

    from_page: ClassVar[bool] = False

    binding: Binding

    @property
    def label(self) -> str:
        return "Bind take by file"

    def apply(self, document: Document, context: Context) -> Document:
        return use_binding(document, self.binding)


class AddSolvedTake(DocumentEdit, frozen=True, kw_only=True):
    """The clip that was solved from a take, and the shapes that were added for it."""

    from_page: ClassVar[bool] = False

    solved: SolvedTake
    take: Take

    @property
    def label(self) -> str:
        return f"Solve {self.solved.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return add_solved(document, self.solved, self.take)
