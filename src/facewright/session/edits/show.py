"""Showing a pose: some sliders at given values, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.document import Document
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Label, Number


class ShowPose(DocumentEdit, frozen=True, kw_only=True):
    """Set some sliders to values within their bounds, and all others of the whole face and of regions to 0."""

    weights: dict[str, Number]
    what: Label = "a pose"  # what is shown, for the undo menu

    @property
    def label(self) -> str:
        return f"Show {self.what}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        pose = np.clip(rig.weights(self.weights), *rig.bounds.T)
        is_same = np.array_equal(pose, document.pose) and document.local is None
        return document if is_same else replace(document, pose=pose, local=None)
