"""How curves pass through their keys, and go on outside of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facewright.document import Document
from facewright.motion.curve import Outside
from facewright.motion.keys import with_handle, with_outside, with_tangents
from facewright.motion.tangents import Tangent
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.keys import KeyChoice, at_hand, chosen_keys, curve_of, with_curves
from facewright.session.fields import Number, some

_CYCLES = {"hold": "Hold the ends of", "cycle": "Repeat", "offset": "Repeat with offset"}


def set_tangents(
    document: Document,
    tangent: Tangent,
    keys: Mapping[str, Sequence[float]] | None = None,
    sliders: Sequence[str] | None = None,
) -> Document:
    """Tangents of another kind at some keys, or at all keys of some curves, or of all."""
    clip = at_hand(document)
    if keys is not None:
        return with_curves(document, {n: with_tangents(curve_of(clip, n), at, tangent) for n, at in keys.items()})
    chosen = clip.curves if sliders is None else sliders
    return with_curves(document, {name: with_tangents(curve_of(clip, name), None, tangent) for name in chosen})


class SetTangents(DocumentEdit, frozen=True, kw_only=True):
    """Give keys of the current clip another tangent: some keys, all keys of some curves, or all keys."""

    tangent: Tangent
    keys: list[KeyChoice] | None = None
    sliders: list[str] | None = None

    @property
    def label(self) -> str:
        return f"{self.tangent.capitalize()} tangents"

    def apply(self, document: Document, context: Context) -> Document:
        return set_tangents(document, self.tangent, None if self.keys is None else chosen_keys(self.keys), self.sliders)


class TurnHandle(DocumentEdit, frozen=True, kw_only=True):
    """Turn the tangent of a key: both sides, or, where it is or becomes broken, one."""

    slider: str
    time: Number
    slope: Number  # units a second
    leaving: bool
    broken: bool = False

    def apply(self, document: Document, context: Context) -> Document:
        curve = curve_of(at_hand(document), self.slider)
        turned = with_handle(curve, self.time, self.slope, leaving=self.leaving, broken=self.broken)
        return with_curves(document, {self.slider: turned})


class SetOutside(DocumentEdit, frozen=True, kw_only=True):
    """Let curves of the current clip, some or all, hold their ends, repeat, or repeat from where they came to."""

    outside: Outside
    sliders: list[str] | None = None

    @property
    def label(self) -> str:
        return f"{_CYCLES[self.outside]} {'all curves' if self.sliders is None else some(self.sliders)}"

    def apply(self, document: Document, context: Context) -> Document:
        clip = at_hand(document)
        chosen = clip.curves if self.sliders is None else self.sliders
        return with_curves(document, {name: with_outside(curve_of(clip, name), self.outside) for name in chosen})
