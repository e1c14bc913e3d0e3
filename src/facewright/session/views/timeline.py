"""Clips and their curves as pages see them, and a clip frame by frame for playing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve, Interpolation, Outside
from facewright.motion.tangents import TANGENTS, Tangent
from facewright.regions.clip_samples import frame_times, sample_clip
from facewright.rig.head_motion import controls_of
from facewright.session.context import Context
from facewright.session.edits.active_layer import active_clip
from facewright.session.frames import Array, Frame
from facewright.session.views.view import Query, pushed_items, view

TABLE_BYTES = 64 << 20  # of a ClipTable; enough for an hour of 60 shapes at 30 frames a second


class ClipInfo(Struct):
    """A clip without its keys."""

    name: str
    rate: float
    start: float  # seconds
    end: float
    sliders: list[str]  # those with a curve
    layers: int  # how many lie over it


def _edited(context: Context) -> tuple[Any, ...]:
    document = context.document.value
    return document.clips, document.clip, document.layer


def _shown(document: Document, clip: Clip) -> Mapping[str, Curve]:
    """The curves that pages show of a clip: of the current one those of its current layer, where it has it."""
    return active_clip(document).curves if clip.name == document.clip else clip.curves


@view("clips", _edited)
def clips(context: Context) -> list[ClipInfo]:
    """The document's clips. A curve that none of them lists any more is gone."""
    document = context.document.value
    return [
        ClipInfo(clip.name, clip.rate, clip.start, clip.end, list(_shown(document, clip)), len(clip.layers))
        for clip in document.clips
    ]


class CurveHead(Struct):
    """A curve without its keys."""

    clip: str
    slider: str
    interpolation: Interpolation
    outside: Outside
    keys: int  # how many
    has_tangents: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveKeys(Frame):
    """Curves that are new or changed, their keys one curve after the other: a take has a hundred thousand of them."""

    curves: list[CurveHead]
    tangent_names: list[Tangent]  # that numbers in `tangents` stand for
    times: Annotated[Floats, Array("f8", ("k",))]  # seconds
    values: Annotated[Floats, Array("f8", ("k",))]
    slopes: Annotated[Floats, Array("f8", ("c", 2))]  # arriving, leaving; of cubic curves alone
    tangents: Annotated[Ints, Array("u4", ("t",))]  # places in `tangent_names`; of curves that have them


def curve_keys(curves: Mapping[tuple[str, str], Curve]) -> CurveKeys:
    """A frame of curves by clip and slider."""
    heads = [
        CurveHead(clip, slider, curve.interpolation, curve.outside, len(curve.times), curve.tangents is not None)
        for (clip, slider), curve in curves.items()
    ]
    slopes = [curve.slopes for curve in curves.values() if curve.slopes is not None]
    tangents = [curve.tangents for curve in curves.values() if curve.tangents is not None]
    return CurveKeys(
        curves=heads,
        tangent_names=list(TANGENTS),
        times=np.concatenate([np.zeros(0), *(curve.times for curve in curves.values())]),
        values=np.concatenate([np.zeros(0), *(curve.values for curve in curves.values())]),
        slopes=np.concatenate([np.zeros((0, 2)), *slopes]),
        tangents=np.concatenate([np.zeros(0, np.int64), *tangents]),
    )


@pushed_items(_edited, curve_keys)
def curves(context: Context) -> dict[tuple[str, str], Curve]:
    """Curves by clip and slider, of the current clip those of its current layer; only new and changed ones are sent."""
    document = context.document.value
    return {(clip.name, name): curve for clip in document.clips for name, curve in _shown(document, clip).items()}


@view("clip", lambda context: (context.document.value.clip,))
def current_clip(context: Context) -> str:
    """The name of the current clip, "" where there is none."""
    return context.document.value.clip


class KeyingInfo(Struct):
    """How keys are set."""

    auto_key: bool  # every step that changes the pose is keyed
    tangent: Tangent  # of new keys


@view("keying", lambda context: (context.preferences,))
def keying(context: Context) -> KeyingInfo:
    """How keys are set from now on."""
    return KeyingInfo(context.preferences.auto_key, context.preferences.tangent)


@view("time", lambda context: (str(context.document.value.time),))
def time(context: Context) -> float:
    """The time in the current clip, seconds."""
    return context.document.value.time


@dataclass(frozen=True, eq=False, kw_only=True)
class ClipTable(Frame):
    """A clip frame by frame, or at fewer evenly spaced times if it is very long. What has no curve stays as it is."""

    seq: int
    clip: str
    rate: float
    times: Annotated[Floats, Array("f4", ("f",))]  # seconds
    weights: Annotated[Floats, Array("f4", ("f", "n"))]
    values: Annotated[Floats, Array("f4", ("f", "r", "s"))]  # rows as in Pose
    spots: Annotated[Ints, Array("u4", ("p", 2))]  # as in Pose
    local: Annotated[Floats, Array("f4", ("f", "p"))]
    controls: list[str]  # of head, neck and eyes that the clip moves
    settings: Annotated[Floats, Array("f4", ("f", "c"))]  # their values


class SampleClip(Query, frozen=True, kw_only=True):
    """Ask for a clip frame by frame, to play it: answered by a ClipTable frame."""

    clip: str

    def answer(self, context: Context, seq: int) -> ClipTable:
        document = context.document.value
        clip = document.clip_named(self.clip)
        every = frame_times(clip)
        times = _thinned(every, document)
        moments = sample_clip(document, clip, times)
        weights, rows = moments.weights, moments.weights[:, None]
        if moments.spots:
            rows = np.concatenate([rows, moments.of_regions(document)], axis=1)
        values = context.solvers.combine(document.rig)(rows.reshape(-1, rows.shape[2])).reshape(*rows.shape[:2], -1)
        controls = controls_of(clip)
        return ClipTable(
            controls=list(controls),
            settings=clip.sample(controls, times),
            seq=seq,
            clip=self.clip,
            rate=clip.rate if times is every else float((len(times) - 1) / (times[-1] - times[0])),
            times=moments.times,
            weights=weights,
            values=values,
            spots=np.array(moments.spots, np.int64).reshape(-1, 2),
            local=np.asarray(moments.local).reshape(len(weights), -1) if moments.spots else np.zeros((len(weights), 0)),
        )


def _thinned(times: Floats, document: Document) -> Floats:
    """As many evenly spaced times as a table of a limited size has room for; pages interpolate between them."""
    regions = 0 if document.regions is None else document.regions.count
    numbers = 1 + len(document.rig.sliders) + (1 + regions) * len(document.rig.shapes)  # of one time
    room = max(TABLE_BYTES // (4 * numbers), 2)
    return times if len(times) <= room else np.linspace(times[0], times[-1], room)
