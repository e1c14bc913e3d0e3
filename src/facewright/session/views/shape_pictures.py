"""Small pictures of the shapes for the list of the workbench, drawn when a page first asks for them."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from facewright.arrays import Ints
from facewright.rig.combine import Combine
from facewright.rig.edit.brush import fully_on
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.views.geometry import content_digest
from facewright.session.views.view import Gone, Reply, resource

if TYPE_CHECKING:
    from facewright.render.shape_thumbnails import ShapeThumbnails

_KEPT = 2000  # pictures, of some kilobytes each
_Driving = tuple[object, ...]


class ShapePictures:
    """Ids and pictures of shapes. For any thread; one picture is drawn at a time, so that the session has its turn."""

    def __init__(self) -> None:
        self._busy, self._drawing = threading.Lock(), threading.Lock()
        self._ids: WeakKeyDictionary[Rig, tuple[str, ...]] = WeakKeyDictionary()
        self._active: tuple[_Driving, list[tuple[Ints, bytes]]] | None = None  # how shapes are driven, and what is on
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._drawer: ShapeThumbnails | None = None

    def ids(self, rig: Rig) -> tuple[str, ...]:
        """For each shape a name that changes when its picture does."""
        with self._busy:
            known = self._ids.get(rig)
            if known is None:
                known = self._ids[rig] = tuple(self._made_ids(rig))
            return known

    def picture(self, rig: Rig, id: str) -> bytes:
        """The picture of the shape with an id, as PNG: of this rig, or of another one that steps back lead to."""
        with self._drawing:
            if id not in self._kept:
                owner = self._owner(rig, id)
                if owner is None:
                    raise Gone("the shape is another one now")
                self._kept[id] = self._drawn(owner, owner.shape_names[self.ids(owner).index(id)])
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            return self._kept[id]

    def _owner(self, rig: Rig, id: str) -> Rig | None:
        """The rig that has a shape with an id; a page may ask for it just when a step changes the shape."""
        if id in self.ids(rig):
            return rig
        with self._busy:
            return next((known for known, ids in self._ids.items() if id in ids), None)

    def _drawn(self, rig: Rig, name: str) -> bytes:
        from facewright.render.png import png_bytes  # not in memory before it is needed
        from facewright.render.shape_thumbnails import ShapeThumbnails

        if self._drawer is None or self._drawer.rig is not rig:
            self._drawer = ShapeThumbnails(rig)
        return png_bytes(self._drawer(name))

    def _made_ids(self, rig: Rig) -> list[str]:
        face = hashlib.blake2b(content_digest(rig.polygons) + rig.neutral.tobytes(), digest_size=16).digest()
        own = [content_digest(shape) for shape in rig.shapes]
        made = []
        for i, (active, values) in enumerate(self._on(rig)):
            # What the shape itself moves is coloured, so that it counts twice.
            parts = (face, own[i], values, *(own[j] for j in active))
            made.append(hashlib.blake2b(b"".join(parts), digest_size=12).hexdigest())
        return made

    def _on(self, rig: Rig) -> list[tuple[Ints, bytes]]:
        """For each shape, where it is fully on: which shapes are, and by how much, as bytes."""
        driven = tuple((shape.sliders, shape.at, shape.spans, shape.additive) for shape in rig.shapes)
        driving = (rig.sliders, rig.bounds.tobytes(), driven)
        if self._active is None or self._active[0] != driving:
            poses = np.array([fully_on(rig, shape) for shape in rig.shapes]).reshape(len(rig.shapes), len(rig.sliders))
            found = []
            for values in Combine(rig)(poses):
                active = np.flatnonzero(values)
                found.append((active, values[active].tobytes()))
            self._active = (driving, found)
        return self._active[1]


pictures = ShapePictures()


@resource("shape/{id}")
def shape_picture(context: Context, id: str) -> Reply:
    """The picture of one of the document's shapes."""
    return Reply(pictures.picture(context.document.value.rig, id), "image/png")
