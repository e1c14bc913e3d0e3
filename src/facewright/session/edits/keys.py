"""Keys of the clip at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from msgspec import Struct

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.keys import SAME_TIME, copied_keys, moved_keys, with_keys, without_keys
from facewright.motion.tangents import Tangent
from facewright.regions.local_pose import local_curves, local_name, local_place
from facewright.rig.controls import CONTROLS, TARGET, within_range
from facewright.session.context import Context
from facewright.session.edits.active_layer import (
    LAYER_WEIGHT,
    active_bounds,
    active_clip,
    active_value,
    resting_values,
    touched,
    with_active_curves,
)
from facewright.session.edits.clips import create_clip
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.time import resampled
from facewright.session.fields import Number, some

Keys = Mapping[str, Sequence[float]]  # curve -> times of keys
NEW = "clip 1"
_NOTICEABLE = 5e-4  # half of the last digit that sliders show


def set_keys(
    document: Document, time: float, sliders: Sequence[str] | None = None, tangent: Tangent | None = None
) -> Document:
    """A key of the pose at a time, for all sliders or some, with what regions add; the first one makes a clip.

    tangent: of new keys; by default as their curves are.
    """
    if not document.clip:
        document = create_clip(document, NEW)
    rig, clip = document.rig, active_clip(document)
    chosen = (*rig.sliders, *document.controls) if sliders is None else sliders
    of_rig = [name for name in chosen if not is_control(document, name)]
    pose = {name: float(document.pose[rig.slider_index(name)]) for name in of_rig}
    pose |= {name: control_value(document, name) for name in chosen if is_control(document, name)}
    values = {name: active_value(document, name, time, value) for name, value in pose.items()}
    curves = {name: with_keys(clip.curves.get(name), [time], [value], tangent) for name, value in values.items()}
    curves |= _of_regions(document, clip, float(time), {rig.slider_index(name) for name in of_rig}, tangent)
    return replace(with_active_curves(document, curves), time=float(time))


def key_changes(document: Document, time: float, tangent: Tangent | None = None) -> Document:
    """A key of the sliders that are not as the clip has them; where all are, of every slider that has a curve.

    A slider that gets its first key was at rest at the keys of the clip around it, and gets keys there as well. In a
    clip without keys, a pose that is all at rest is keyed whole, so that motion can begin from it.
    """
    clip = active_clip(document) if document.clip else Clip(NEW)
    changed = changed_sliders(document)
    if changed:
        return set_keys(_at_rest_around(document, clip, changed, time, tangent), time, changed, tangent)
    curved = [name for name in (*document.rig.sliders, *document.controls) if name in clip.curves]
    return set_keys(document, time, curved or None, tangent)


def changed_sliders(document: Document) -> list[str]:
    """Sliders whose values, all over the face or in a region, differ from what the clip has at the document's time.

    Without a curve a slider is at rest.
    """
    rig, regions = document.rig, document.regions
    clip = document.clip_named(document.clip) if document.clip else Clip(NEW)
    held = clip.sample(rig.sliders, [document.time], rig.bounds)[0]
    resting = ~np.isin(rig.sliders, clip.moved)
    held[resting] = np.clip(0.0, *rig.bounds[resting].T)
    differs = np.abs(document.pose - held) > _NOTICEABLE
    if regions is not None and document.local is not None:
        local = document.local.copy()
        for name, node, slider in local_curves(clip, rig, regions):
            local[node, slider] -= clip.sample([name], [document.time])[0, 0]
        differs |= (np.abs(local) > _NOTICEABLE).any(axis=0)
    found = [name for name, is_other in zip(rig.sliders, differs, strict=True) if is_other]
    return found + _changed_controls(document, clip)


def _changed_controls(document: Document, clip: Clip) -> list[str]:
    """Controls whose values differ from what the clip has at the document's time; without a curve they are at rest.

    An eye's angle or a place to look at that is set counts even at 0, as it is not where the pose has the eye.
    """
    found = []
    for name, value in document.controls.items():
        held = float(clip.sample([name], [document.time])[0, 0]) if name in clip.moved else CONTROLS[name].rest
        scale = document.rig.size if CONTROLS[name].unit == "length" else 1.0
        is_new = name not in clip.moved and CONTROLS[name].group in ("eyes", "gaze")
        if is_new or abs(value - held) > _NOTICEABLE * scale:
            found.append(name)
    return found


def is_control(document: Document, name: str) -> bool:
    """Whether a name is that of a control of head, neck or eyes, and of no slider of the rig."""
    return name in CONTROLS and name not in document.rig.sliders


def control_value(document: Document, name: str) -> float:
    """The value of a control; where it is not set, that at rest."""
    return document.controls.get(name, CONTROLS[name].rest)


def key_values(
    document: Document, time: float, values: Mapping[str, float], tangent: Tangent | None = None
) -> Document:
    """A key of given values at a time, which becomes that of the document."""
    pose, controls = document.pose.copy(), dict(document.controls)
    for name, value in values.items():
        if is_control(document, name):
            controls[name] = within_range(name, value)
            continue
        at = document.rig.slider_index(name)
        pose[at] = np.clip(value, *document.rig.bounds[at])
    keyed = set_keys(replace(document, pose=pose, controls=controls), time, list(values), tangent)
    return resampled(keyed)


def _at_rest_around(
    document: Document, clip: Clip, sliders: Sequence[str], time: float, tangent: Tangent | None
) -> Document:
    """The document with keys at rest, before and after a time, of sliders that the clip does not move yet."""
    every = np.unique(np.concatenate([np.zeros(0), *(curve.times for curve in clip.curves.values())]))
    around = np.concatenate([every[every < time - SAME_TIME][-1:], every[every > time + SAME_TIME][:1]])
    new = [name for name in sliders if name not in clip.curves]
    if not len(around) or not new:
        return document
    values = {name: resting_values(document, name, around, _rest(document, name)) for name in new}
    return with_active_curves(document, {name: with_keys(None, around, own, tangent) for name, own in values.items()})


def _rest(document: Document, name: str) -> float:
    """The value of a slider or a control at rest. A place to look at is the same before: only its weight goes."""
    if is_control(document, name):
        return control_value(document, name) if name in TARGET else CONTROLS[name].rest
    return float(np.clip(0.0, *document.rig.bounds[document.rig.slider_index(name)]))


def _of_regions(
    document: Document, clip: Clip, time: float, sliders: set[int], tangent: Tangent | None
) -> dict[str, Curve]:
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
            value = active_value(document, name, time, float(local[node, slider]))
            found[name] = with_keys(before, [time], [value], tangent)
    return found


def _nothing_around(slider: Curve | None, time: float) -> Curve | None:
    """Keys of 0 where the slider has its keys before and after a time: there the region added nothing."""
    if slider is None:
        return None
    earlier, later = slider.times[slider.times < time - SAME_TIME], slider.times[slider.times > time + SAME_TIME]
    times = np.concatenate([earlier[-1:], later[:1]])
    way: Tangent = {"linear": "linear", "step": "step", "cubic": "auto"}[slider.interpolation]  # type: ignore[assignment]
    return with_keys(None, times, np.zeros(len(times)), way) if len(times) else None


def move_keys(document: Document, keys: Keys, by: float = 0.0, lift: float = 0.0, *, beyond: bool = True) -> Document:
    """Keys at other times and values, within the bounds of their sliders unless `beyond`."""
    edited = {
        name: moved_keys(
            curve_of(at_hand(document), name), times, by, lift, None if beyond else _bounds(document, name)
        )
        for name, times in keys.items()
    }
    return with_curves(document, edited)


def place_keys(document: Document, keys: Keys, time: float | None, value: float | None) -> Document:
    """Keys whose first one is at a time, or all of them at a value within the bounds of their sliders."""
    first = min((min(times) for times in keys.values() if len(times)), default=0.0)
    by = 0.0 if time is None else time - first
    edited = {}
    for name, times in keys.items():
        curve = curve_of(at_hand(document), name)
        if value is not None:
            curve = with_keys(curve, times, np.full(len(times), np.clip(value, *_bounds(document, name))))
        edited[name] = moved_keys(curve, times, by)
    return with_curves(document, edited)


def _bounds(document: Document, name: str) -> tuple[float, float]:
    """The values that keys of a curve keep to: those of the slider; in a region, all that can be added to it."""
    rig = document.rig
    if name == LAYER_WEIGHT:
        return 0.0, 1.0
    place = local_place(name, rig, document.regions)
    if is_control(document, name):
        return active_bounds(document, CONTROLS[name].low, CONTROLS[name].high)
    if name not in rig.sliders and place is None:
        return -np.inf, np.inf
    low, high = rig.bounds[rig.slider_index(name) if place is None else place[1]].tolist()
    return active_bounds(document, low, high) if place is None else (low - high, high - low)


def copy_keys(document: Document, keys: Keys, by: float) -> Document:
    """Keys once more, at other times."""
    return each(document, keys, lambda curve, times: copied_keys(curve, times, by))


def delete_keys(document: Document, keys: Keys) -> Document:
    return each(document, keys, without_keys)


def each(document: Document, keys: Keys, edit: Callable[[Curve, Sequence[float]], Curve | None]) -> Document:
    """The document with an edit of some keys of each curve."""
    clip = at_hand(document)
    return with_curves(document, {name: edit(curve_of(clip, name), times) for name, times in keys.items()})


def with_curves(document: Document, edited: Mapping[str, Curve | None]) -> Document:
    """The document with other curves in its clip, and the pose as they now have it."""
    if not edited:
        return document
    return resampled(with_active_curves(document, edited), touched(document, tuple(edited)))


def at_hand(document: Document) -> Clip:
    """The curves that are edited, as a clip: those of the current clip, or of its current layer."""
    if not document.clip:
        raise BadValue("no clip is at hand; choose one, or set a key to make one")
    return active_clip(document)


def curve_of(clip: Clip, slider: str) -> Curve:
    """The curve of a slider; a slider without one is refused."""
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
        return set_keys(document, self.time, self.sliders, context.preferences.tangent)


class KeyChanges(DocumentEdit, frozen=True, kw_only=True):
    """Key the sliders that are not as the current clip has them; where all are, those with a curve, or else all."""

    time: Number

    def apply(self, document: Document, context: Context) -> Document:
        return key_changes(document, self.time, context.preferences.tangent)


class KeyValues(DocumentEdit, frozen=True, kw_only=True):
    """Key values at a time of the current clip, and go there: a pose that was left without a key."""

    time: Number
    weights: dict[str, Number]

    @property
    def label(self) -> str:
        return f"Key {some(list(self.weights))}"

    def apply(self, document: Document, context: Context) -> Document:
        return key_values(document, self.time, self.weights, context.preferences.tangent)


class MoveKeys(DocumentEdit, frozen=True, kw_only=True):
    """Move keys of the current clip in time and value; a key that lands on another replaces it.

    They keep to the bounds of their sliders unless `beyond`.
    """

    keys: list[KeyChoice]
    by: Number = 0.0  # seconds
    lift: Number = 0.0
    beyond: bool = False

    def apply(self, document: Document, context: Context) -> Document:
        return move_keys(document, chosen_keys(self.keys), self.by, self.lift, beyond=self.beyond)


class PlaceKeys(DocumentEdit, frozen=True, kw_only=True):
    """Put the first of some keys of the current clip at a time, the others along with it, or all at one value."""

    keys: list[KeyChoice]
    time: Number | None = None
    value: Number | None = None

    def apply(self, document: Document, context: Context) -> Document:
        return place_keys(document, chosen_keys(self.keys), self.time, self.value)


class CopyKeys(DocumentEdit, frozen=True, kw_only=True):
    """Copy keys of the current clip to a later or earlier time."""

    keys: list[KeyChoice]
    by: Number

    def apply(self, document: Document, context: Context) -> Document:
        return copy_keys(document, chosen_keys(self.keys), self.by)


class DeleteKeys(DocumentEdit, frozen=True, kw_only=True):
    """Delete keys of the current clip."""

    keys: list[KeyChoice]

    def apply(self, document: Document, context: Context) -> Document:
        return delete_keys(document, chosen_keys(self.keys))


def chosen_keys(choices: Sequence[KeyChoice]) -> dict[str, list[float]]:
    """Times of keys by their curves."""
    found: dict[str, list[float]] = {}
    for choice in choices:
        found.setdefault(choice.slider, []).extend(choice.times)
    return found
