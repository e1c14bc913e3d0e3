"""Edits of shapes for `tools.kills`, carried out beside the studio as well, to know what has to come back."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from facewright.document import Document
from facewright.samples import sample
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.pose import SetWeights
from facewright.session.edits.rig import MoveShape, ScaleShape
from facewright.session.edits.sides import FlipShape
from facewright.session.edits.touch_up import ShowShape, TouchUpShape
from facewright.session.views.geometry import rig_id

SHAPE = "browInnerUp"
_ON = 0.5  # of its slider, from which on it is touched up
_DABS = 3


class EditedShapes:
    """The embedded head in a session of its own."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._context = Context(Document(sample()), fresh_plan(), lambda run, newest=None: run())
        self._next: DocumentEdit | None = None
        self._gesture = 0

    @property
    def rig(self) -> str:
        """The id of the rig as it is."""
        return rig_id(self._context.document.value.rig)

    def next_messages(self) -> list[dict[str, Any]]:
        """The messages of some edit: one, or those of a stroke. `carry_out` is called when the last one is sent."""
        document = self._context.document.value
        rig = document.rig
        if document.pose[rig.slider_index(SHAPE)] < _ON:
            return self._chosen(ShowShape(shape=SHAPE))
        factor = float(1 + self._rng.uniform(0.001, 0.05))
        edits: list[DocumentEdit] = [
            ScaleShape(shape=SHAPE, factor=factor),
            MoveShape(shape=str(self._rng.choice(rig.shape_names[1:])), before=rig.shape_names[0]),
            FlipShape(shape="mouthLeft"),
            self._stroke(),
            self._stroke(),
        ]
        return self._chosen(edits[int(self._rng.integers(len(edits)))])

    def carry_out(self) -> None:
        """Make the edit here."""
        assert self._next is not None
        self._context.apply(self._next)

    def set_weight(self, slider: str, value: float) -> None:
        self._context.apply(SetWeights(weights={slider: value}))

    def go_to(self, at: int) -> None:
        self._context.go_to("document", at)

    def _chosen(self, edit: DocumentEdit) -> list[dict[str, Any]]:
        self._next = edit
        message = msgspec.to_builtins(edit)
        if not isinstance(edit, TouchUpShape):
            return [message]
        self._gesture += 1
        begun = [{**message, "path": message["path"][:dabs], "gesture": self._gesture} for dabs in range(1, _DABS + 1)]
        end = {"type": "Commit", "gesture": self._gesture}
        return [{"type": "Begin", "gesture": self._gesture, "label": edit.label}, *begun, end]

    def _stroke(self) -> TouchUpShape:
        """A stroke over what the shape moves most."""
        rig = self._context.document.value.rig
        shape = rig.shape(SHAPE)
        lively = shape.vertices[np.linalg.norm(shape.offsets, axis=1).argsort()[-200:]]
        triangles = np.flatnonzero(np.isin(rig.triangles, lively).all(axis=1))
        path = [(int(triangle), 0.2, 0.3, 0.5) for triangle in self._rng.choice(triangles, _DABS)]
        return TouchUpShape(shape=SHAPE, kind="erase", path=path, radius=0.05, strength=0.3)
