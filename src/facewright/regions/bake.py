"""What one weight per shape cannot say, made into shapes of its own: for programs that know no regions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.regions.naming import unused
from facewright.rig.combine import Combine
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.shapes import add_shape


@dataclass(frozen=True, eq=False)
class Baked:
    """A document whose pose says everything, and what it took."""

    document: Document
    added: tuple[str, ...]  # new shapes, each with a slider of its name

    def __str__(self) -> str:
        if not self.added:
            return "every shape has one weight all over the face; nothing was added"
        return f"{len(self.added)} shapes were added for what differs between regions: {', '.join(self.added)}"


def weights_of(document: Document) -> Floats:
    """The slider values (r, n) of each of the finest regions: the pose and what is added to it, within the bounds."""
    if document.regions is None or document.local is None:
        rows = 1 if document.regions is None else document.regions.count
        return np.tile(document.pose, (rows, 1))
    low, high = document.rig.bounds.T
    moved = np.clip(document.pose + document.local, np.minimum(low, document.pose), np.maximum(high, document.pose))
    return np.where(document.local == 0, document.pose, moved)


def bake_regions(document: Document) -> Baked:
    """The same face with one weight per shape: where regions differ, they get shapes such as `jawOpen @ left cheek`.

    Sliders that exist keep their values, shapes and curves; each new slider has the value that the region's shape
    has beyond the pose. Regions of one value share a shape, under the name of the largest region that has it all over.
    """
    regions = document.regions
    if regions is None or document.local is None or not document.local.any():
        return Baked(replace(document, local=None), ())
    combine = Combine(document.rig)
    more = combine(weights_of(document)) - combine(document.pose)  # (r, s)
    rig, values = document.rig, {}
    for i in np.flatnonzero(more.any(axis=0)):
        for node in _alike(regions, more[:, i]):
            value = float(more[regions.members(node)[0], i])
            name = unused(f"{rig.shapes[i].name} @ {regions.names[node]}", {*rig.shape_names, *rig.sliders})
            rig = _with_part(rig, rig.shapes[i], name, regions.field(node), value)
            values[name] = value
    pose = np.concatenate([document.pose, list(values.values())])
    return Baked(replace(document, rig=rig, pose=pose, local=None), tuple(values))


def _alike(regions: Regions, values: Floats) -> list[int]:
    """The fewest nodes of the tree that cover all finest regions whose values (r,) are not 0, each of one value."""
    found: list[int] = []
    done = np.zeros(regions.count, bool)
    for node in range(len(regions.names) - 1, -1, -1):  # larger ones first
        members = regions.members(node)
        if not done[members].any() and values[members[0]] != 0 and (values[members] == values[members[0]]).all():
            found.append(node)
            done[members] = True
    return sorted(found)


def _with_part(rig: Rig, shape: Shape, name: str, field: Floats, value: float) -> Rig:
    inside = field[shape.vertices] > 0
    vertices = shape.vertices[inside]
    part = Shape(name, vertices, shape.offsets[inside] * field[vertices][:, None])
    bounds = (min(value, -1.0), max(value, 1.0)) if value < 0 else (0.0, max(value, 1.0))
    return add_shape(rig, part, bounds=bounds, group=rig.groups[rig.slider_index(shape.sliders[0])])
