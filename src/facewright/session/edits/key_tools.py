"""Tools on many keys at once: scale, snap, smooth, reduce, breakdown, blend, paste."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.schema.clip import CurveEntry
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.keys import pasted_keys, scaled_keys, snapped_keys
from facewright.motion.reduce import reduced_keys
from facewright.motion.tween import blended, breakdown, smoothed_keys
from facewright.regions.local_pose import AT
from facewright.rig.controls import mirrored_control
from facewright.rig.names import mirror_name
from facewright.session.context import Context
from facewright.session.edits.clips import create_clip
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.keys import NEW, KeyChoice, at_hand, chosen_keys, each, is_control, with_curves
from facewright.session.fields import Number

Share = Annotated[float, Meta(ge=-2, le=3)]  # between two keys, with some overshoot
Factor = Annotated[float, Meta(gt=0, le=1e6)]
Fraction = Annotated[float, Meta(ge=0, le=1)]


def paste_keys(document: Document, curves: Sequence[CurveEntry], at: float, *, mirrored: bool = False) -> Document:
    """Keys of curves, whose times count from 0, in the clip at hand from a time on; on the other side if mirrored."""
    if not curves:
        raise BadValue("there are no keys to paste; copy some first")
    if not document.clip:
        document = create_clip(document, NEW)
    clip = at_hand(document)
    edited: dict[str, Curve | None] = {}
    for entry in curves:
        name, sign = _mirrored(entry.slider, document) if mirrored else (entry.slider, 1)
        keys = entry.value().scaled(sign)
        edited[name] = pasted_keys(edited.get(name) or clip.curves.get(name), keys, at)
    return with_curves(document, edited)


def _mirrored(curve: str, document: Document) -> tuple[str, int]:
    """The curve of the slider of the other side, the same one where there is none, and the sign of its values."""
    if is_control(document, curve):
        return mirrored_control(curve)
    slider, *region = curve.split(AT)
    other = mirror_name(slider) or ""
    return AT.join([other, *region]) if other in document.rig.sliders else curve, 1


class ScaleKeys(DocumentEdit, frozen=True, kw_only=True):
    """Scale keys of the current clip in time about a moment, and in value about a level."""

    keys: list[KeyChoice]
    about: Number
    factor: Factor = 1.0
    level: Number = 0.0
    gain: Number = 1.0

    def apply(self, document: Document, context: Context) -> Document:
        return each(
            document,
            chosen_keys(self.keys),
            lambda curve, times: scaled_keys(curve, times, self.about, self.factor, level=self.level, gain=self.gain),
        )


class SnapKeys(DocumentEdit, frozen=True, kw_only=True):
    """Put keys of the current clip on whole frames."""

    keys: list[KeyChoice]

    def apply(self, document: Document, context: Context) -> Document:
        rate = at_hand(document).rate
        return each(document, chosen_keys(self.keys), lambda curve, times: snapped_keys(curve, times, rate))


class SmoothKeys(DocumentEdit, frozen=True, kw_only=True):
    """Bring keys of the current clip nearer to the lines between the keys beside them."""

    keys: list[KeyChoice]
    strength: Fraction = 0.5
    passes: Annotated[int, Meta(ge=1, le=1000)] = 1

    def apply(self, document: Document, context: Context) -> Document:
        return each(
            document,
            chosen_keys(self.keys),
            lambda curve, times: smoothed_keys(curve, times, self.strength, self.passes),
        )


class ReduceKeys(DocumentEdit, frozen=True, kw_only=True):
    """Delete those of some keys without which the curves differ by no more than a tolerance."""

    keys: list[KeyChoice]
    tolerance: Annotated[float, Meta(ge=0, le=1e9)]

    def apply(self, document: Document, context: Context) -> Document:
        keys = chosen_keys(self.keys)
        reduced = each(document, keys, lambda curve, times: reduced_keys(curve, times, self.tolerance))
        return reduced if _count(at_hand(reduced)) < _count(at_hand(document)) else document


class TweenKeys(DocumentEdit, frozen=True, kw_only=True):
    """Key values between the keys around each time (breakdown): share 0 is the key before, 1 the key after."""

    keys: list[KeyChoice]  # times that need not have a key yet
    share: Share

    @property
    def label(self) -> str:
        return "Breakdown"

    def apply(self, document: Document, context: Context) -> Document:
        tangent = context.preferences.tangent
        return each(document, chosen_keys(self.keys), lambda curve, times: breakdown(curve, times, self.share, tangent))


class BlendKeys(DocumentEdit, frozen=True, kw_only=True):
    """Key values nearer to the key before (share -1 is all of it) or after (1)."""

    keys: list[KeyChoice]  # times that need not have a key yet
    share: Annotated[float, Meta(ge=-1, le=1)]

    @property
    def label(self) -> str:
        return "Blend to neighbour"

    def apply(self, document: Document, context: Context) -> Document:
        tangent = context.preferences.tangent
        return each(document, chosen_keys(self.keys), lambda curve, times: blended(curve, times, self.share, tangent))


class PasteKeys(DocumentEdit, frozen=True, kw_only=True):
    """Paste keys into the current clip (made where there is none) from a time on, perhaps on the other side."""

    curves: list[CurveEntry]  # whose times count from 0
    at: Number
    mirrored: bool = False

    @property
    def label(self) -> str:
        return "Paste mirrored keys" if self.mirrored else "Paste keys"

    def apply(self, document: Document, context: Context) -> Document:
        return paste_keys(document, self.curves, self.at, mirrored=self.mirrored)


def _count(clip: Clip) -> int:
    return sum(len(curve.times) for curve in clip.curves.values())
