"""Keys of the clip at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from msgspec import Struct

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve, Interpolation
from facewright.motion.keys import SAME_TIME, copied_keys, interpolated, moved_keys, with_keys, without_keys
from facewright.regions.local_pose import local_curves, local_name
from facewright.session.context import Context
from facewright.session.edits.clips import create_clip, with_clip
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.time import resampled
from facewright.session.fields import Number, some

Keys = Mapping[str, Sequence[float]]  # curve -> times of keys
NEW = "clip 1"


def set_keys(document: Document, time: float, sliders: Sequence[str] | None = None) -> Document:
    """A key of the pose at a time, for all sliders or some, with what regions add; the first one makes a clip."""
    if not document.clip:
        document = create_clip(document, NEW)
    rig, clip = document.rig, document.clip_named(document.clip)
    chosen = rig.sliders if sliders is None else sliders
    values = {name: float(document.pose[rig.slider_index(name)]) for name in chosen}
    curves = {name: with_keys(clip.curves.get(name), [time], [value]) for name, value in values.items()}
    curves |= _of_regions(document, clip, float(time), {rig.slider_index(name) for name in chosen})
    return replace(with_clip(document, _with(clip, curves)), time=float(time))


def _of_regions(document: Document, clip: Clip, time: float, sliders: set[int]) -> dict[str, Curve]:
    """Curves of regions with a key of what they add, wherever they add something or already have a curve."""
    regions, names = document.regions, document.rig.sliders
    if regions is None:
        return {}
    local = np.zeros((len(regions.names), len(names))) if document.local is None else document.local
    spots = {(node, slider) for _, node, slider in local_curves(clip, document.rig, regions)}
    spots |= {(int(node), int(slider)) for node, slider in np.argwhere(local)}
    found = {}
    for node, slider in sorted(spots):
        if slider in sliders:
            name = local_name(names[slider], regions.names[node])
            before = clip.curves.get(name) or _nothing_around(clip.curves.get(names[slider]), time)
            found[name] = with_keys(before, [time], [float(local[node, slider])])
    return found


def _nothing_around(slider: Curve | None, time: float) -> Curve | None:
    """Keys of 0 where the slider has its keys before and after a time: there the region added nothing."""
    if slider is None:
        return None
    earlier, later = slider.times[slider.times < time - SAME_TIME], slider.times[slider.times > time + SAME_TIME]
    times = np.concatenate([earlier[-1:], later[:1]])
    return Curve(times, np.zeros(len(times)), slider.interpolation) if len(times) else None


def move_keys(document: Document, keys: Keys, by: float = 0.0, lift: float = 0.0) -> Document:
    """Keys at other times and values."""
    return _each(document, keys, lambda curve, times: moved_keys(curve, times, by, lift))


def copy_keys(document: Document, keys: Keys, by: float) -> Document:
    """Keys once more, at other times."""
    return _each(document, keys, lambda curve, times: copied_keys(curve, times, by))


def delete_keys(document: Document, keys: Keys) -> Document:
    return _each(document, keys, without_keys)


def set_interpolation(document: Document, way: Interpolation, sliders: Sequence[str] | None = None) -> Document:
    """Another way from key to key, for all curves or some."""
    chosen = _at_hand(document).curves if sliders is None else sliders
    return _each(document, dict.fromkeys(chosen, ()), lambda curve, _: interpolated(curve, way))


def _each(document: Document, keys: Keys, edit: Callable[[Curve, Sequence[float]], Curve | None]) -> Document:
    """Curves edited, and the pose as they now have it."""
    clip = _at_hand(document)
    edited = {name: edit(_curve(clip, name), times) for name, times in keys.items()}
    return resampled(with_clip(document, _with(clip, edited)), edited) if edited else document


def _with(clip: Clip, curves: Mapping[str, Curve | None]) -> Clip:
    now = {**clip.curves, **curves}
    return Clip(clip.name, {name: curve for name, curve in now.items() if curve is not None}, clip.rate)


def _at_hand(document: Document) -> Clip:
    if not document.clip:
        raise BadValue("no clip is at hand; choose one, or set a key to make one")
    return document.clip_named(document.clip)


def _curve(clip: Clip, slider: str) -> Curve:
    if slider not in clip.curves:
        raise UnknownName(f"curve in clip {clip.name!r}", slider, clip.curves)
    return clip.curves[slider]


class KeyChoice(Struct, forbid_unknown_fields=True):
    """Keys of one slider, by their times."""

    slider: str
    times: list[Number]


class SetKeys(DocumentEdit, frozen=True, kw_only=True):
    """Key the pose at a time of the current clip (made where there is none); all sliders, or some."""

    time: Number
    sliders: list[str] | None = None

    @property
    def label(self) -> str:
        return f"Key {'pose' if self.sliders is None else some(self.sliders)}"

    def apply(self, document: Document, context: Context) -> Document:
        return set_keys(document, self.time, self.sliders)


class MoveKeys(DocumentEdit, frozen=True, kw_only=True):
    """Move keys of the current clip in time and value; a key that lands on another replaces it."""

    keys: list[KeyChoice]
    by: Number = 0.0  # seconds
    lift: Number = 0.0

    def apply(self, document: Document, context: Context) -> Document:
        return move_keys(document, _chosen(self.keys), self.by, self.lift)


class CopyKeys(DocumentEdit, frozen=True, kw_only=True):
    """Copy keys of the current clip to a later or earlier time."""

    keys: list[KeyChoice]
    by: Number

    def apply(self, document: Document, context: Context) -> Document:
        return copy_keys(document, _chosen(self.keys), self.by)


class DeleteKeys(DocumentEdit, frozen=True, kw_only=True):
    """Delete keys of the current clip."""

    keys: list[KeyChoice]

    def apply(self, document: Document, context: Context) -> Document:
        return delete_keys(document, _chosen(self.keys))


class SetInterpolation(DocumentEdit, frozen=True, kw_only=True):
    """How curves of the current clip go from key to key; all, or some. Cubic eases in and out."""

    interpolation: Interpolation
    sliders: list[str] | None = None

    @property
    def label(self) -> str:
        return {"cubic": "Ease in and out", "linear": "Straight curves", "step": "Stepped curves"}[self.interpolation]

    def apply(self, document: Document, context: Context) -> Document:
        return set_interpolation(document, self.interpolation, self.sliders)


def _chosen(choices: Sequence[KeyChoice]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for choice in choices:
        found.setdefault(choice.slider, []).extend(choice.times)
    return found
