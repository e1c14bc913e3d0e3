"""Touching up a shape with a brush, on the face as it is posed. A stroke is one step."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.regions.local_pose import is_local
from facewright.rig.edit.brush import Brush, BrushKind, BrushSurface, Dab, TouchUp, fully_on
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Index, Name, Number, Point
from facewright.workflow.solver_cache import SolverCache

Share = Annotated[float, Meta(ge=0, le=1)]
Path = Annotated[list[tuple[Index, Number, Number, Number]], Meta(min_length=1, max_length=4096)]

_SEES = {"smooth": "Smooth", "relax": "Relax", "grab": "Grab", "erase": "Erase"}


class _Stroke:
    """A stroke that grows: what its first dabs came to is not worked out again."""

    def __init__(self, touching: TouchUp) -> None:
        self.touching = touching
        self._done: tuple[tuple[Any, ...], tuple[Dab, ...]] = ((), ())
        self._offsets = touching.offsets

    def offsets(self, brush: Brush, path: tuple[Dab, ...], move: Point) -> Floats:
        """Offsets (v, 3) after all dabs."""
        by, done = self._done
        if by != (brush, move) or path[: len(done)] != done:
            done, self._offsets = (), self.touching.offsets
        for dab in path[len(done) :]:
            self._offsets = self.touching.dab(self._offsets, brush, dab, move)
        self._done = ((brush, move), path)
        return self._offsets


def touch_up_shape(
    document: Document, name: str, brush: Brush, path: tuple[Dab, ...], move: Point, solvers: SolverCache
) -> Document:
    """The document with one shape of its rig changed by a stroke."""
    if is_local(document):
        raise BadValue("regions have poses of their own; brushes work on the pose of the whole face: reset them first")
    rig = document.rig
    stroke = solvers.kept("stroke", (rig, document.pose, name), lambda: _begun(rig, document.pose, name, solvers))
    if brush.symmetric:
        stroke.touching.use_sides(solvers.symmetry(rig))
    offsets = stroke.offsets(brush, path, move)
    if np.array_equal(offsets, stroke.touching.offsets):
        return document
    changed = stroke.touching.with_offsets(offsets)
    return replace(document, rig=rig.with_shape(changed))


def _begun(rig: Rig, pose: Floats, name: str, solvers: SolverCache) -> _Stroke:
    surface = solvers.kept("brush surface", (rig.polygons,), lambda: BrushSurface(rig.polygons, rig.vertex_count))
    return _Stroke(TouchUp(rig, name, pose, surface=surface))


class TouchUpShape(DocumentEdit, frozen=True, kw_only=True):
    """Change the offsets of a shape along a stroke over the face as it is posed."""

    shape: Name
    kind: BrushKind
    path: Path  # points of the surface, one after the other: a triangle and where in it
    radius: Annotated[float, Meta(gt=0, le=1)]  # of the face's size, along the surface
    strength: Share
    symmetric: bool = False
    move: Point = (0.0, 0.0, 0.0)  # of a grab, scene units

    @property
    def label(self) -> str:
        return f"{_SEES[self.kind]} {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        brush = Brush(self.kind, self.radius, self.strength, self.symmetric)
        path = tuple(Dab(triangle, (a, b, c)) for triangle, a, b, c in self.path)
        return touch_up_shape(document, self.shape, brush, path, self.move, context.solvers)


class ShowShape(DocumentEdit, frozen=True, kw_only=True):
    """Set the sliders of a shape to the values where it is fully on; the others stay."""

    shape: Name

    @property
    def label(self) -> str:
        return f"Show {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        shape = rig.shape(self.shape)
        own = [rig.slider_index(name) for name in shape.sliders]
        pose = document.pose.copy()
        pose[own] = np.clip(fully_on(rig, shape)[own], rig.bounds[own, 0], rig.bounds[own, 1])
        return document if np.array_equal(pose, document.pose) else replace(document, pose=pose)
