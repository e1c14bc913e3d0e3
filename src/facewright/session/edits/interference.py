"""Correctives to start from for two sliders that interfere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from facewright.document import Document
from facewright.report.products import full_values
from facewright.rig import edit
from facewright.rig.edit.shapes import free_name
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name
from facewright.workflow.edited_rig import with_edited_rig


def both_at_full(rig: Rig, first: str, second: str) -> dict[str, float]:
    """The pose with two sliders at their full values."""
    full = full_values(rig)
    return {name: float(full[rig.slider_index(name)]) for name in (first, second)}


class AddPairCorrective(DocumentEdit, frozen=True, kw_only=True):
    """Add a combination for each of some pairs of sliders, where both are full: empty, or what takes back what they
    overshoot together.
    """

    pairs: Annotated[list[tuple[Name, Name]], Meta(min_length=1, max_length=2)]  # a pair, and perhaps its mirror image
    softened: bool = False

    @property
    def label(self) -> str:
        first, second = self.pairs[0]
        sides = " on both sides" if len(self.pairs) > 1 else ""
        return f"{'Soften' if self.softened else 'Combine'} {first} with {second}{sides}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        for first, second in self.pairs:
            rig = self._corrected(rig, free_name(rig, f"{first}_{second}"), both_at_full(rig, first, second))
        return with_edited_rig(document, rig)

    def _corrected(self, rig: Rig, name: str, pose: Mapping[str, float]) -> Rig:
        if self.softened:
            return edit.soften_pair(rig, name, pose)
        return edit.extract_corrective(rig, name, pose, evaluate(rig, pose))
