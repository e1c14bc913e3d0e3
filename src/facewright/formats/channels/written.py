"""The meshes and channels that a document becomes: which shapes are the targets of which channel of which mesh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.formats.gltf.accessors.rows import Rows, on_part
from facewright.formats.rig_meshes import home_parts, joined_parts
from facewright.formats.unique_names import unique
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.combine import Combine
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape


@dataclass(frozen=True, eq=False)
class WrittenChannel:
    """A channel: the targets of a slider, or one shape that follows from sliders and has a channel of its own."""

    name: str
    shapes: tuple[Shape, ...]  # by the values at which they are on
    at: tuple[float, ...]
    slider: str  # "" of a shape of its own
    value: float  # at rest


@dataclass(frozen=True, eq=False)
class WrittenMesh:
    """A part of the rig that becomes a mesh."""

    part: Part
    order: Ints  # (f,) its polygons in the rig
    polygons: Polygons  # over the part's own points
    uvs: Uvs | None
    channels: tuple[WrittenChannel, ...]
    rows: dict[str, Rows]  # offsets of its own points by each shape of its channels


def channels_of(document: Document) -> tuple[WrittenChannel, ...]:
    """The channels of a document, in the order of its sliders, then of the shapes that follow from them."""
    rig = document.rig
    targets: dict[str, dict[float, Shape]] = {}
    alone = []
    for shape in rig.shapes:
        if shape.additive or shape.at[0] in targets.setdefault(shape.sliders[0], {}):
            alone.append(shape)  # also a second target at one value, of which a channel has no two
        else:
            targets[shape.sliders[0]][shape.at[0]] = shape
    sliders = [name for name in rig.sliders if targets.get(name)]
    names = unique([*sliders, *(shape.name for shape in alone)])
    values = dict(zip(rig.shape_names, Combine(rig)(document.pose).tolist(), strict=True))
    found = []
    for name in sliders:
        shapes = tuple(shape for _, shape in sorted(targets[name].items()))
        value = float(document.pose[rig.slider_index(name)])
        found.append(WrittenChannel(name, shapes, tuple(shape.at[0] for shape in shapes), name, value))
    for name, shape in zip(names[len(sliders) :], alone, strict=True):
        found.append(WrittenChannel(name, (shape,), (1.0,), "", values[shape.name]))
    return tuple(found)


def pieces_of(document: Document, channels: Sequence[WrittenChannel]) -> list[WrittenMesh]:
    """The parts, as one where polygons join them; every channel is in at least one."""
    rig = document.rig
    parts = joined_parts(rig)
    home = home_parts(rig, parts)
    moved = [{shape.name: on_part(shape, part) for shape in rig.shapes} for part in parts]
    moving = [[any(len(rows[shape.name].rows) for shape in one.shapes) for one in channels] for rows in moved]
    most = int(np.argmax([sum(row) for row in moving]))
    idle = [not any(row[n] for row in moving) for n in range(len(channels))]
    found = []
    for number, part in enumerate(parts):
        own = tuple(one for n, one in enumerate(channels) if moving[number][n] or (idle[n] and number == most))
        found.append(_piece(rig, part, np.flatnonzero(home == number), own, moved[number]))
    return found


def _piece(
    rig: Rig, part: Part, order: Ints, channels: tuple[WrittenChannel, ...], rows: dict[str, Rows]
) -> WrittenMesh:
    counts = rig.polygons.counts[order]
    corners = np.repeat(rig.polygons.starts[order] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    polygons = Polygons(rig.polygons.corners[corners] - part.start, counts)
    return WrittenMesh(part, order, polygons, _uvs(rig, corners), channels, rows)


def _uvs(rig: Rig, corners: Ints) -> Uvs | None:
    """The texture coordinates of some corners, those that are used alone."""
    if rig.uvs is None or not (rig.uvs.corners[corners] >= 0).any():
        return None
    rows = rig.uvs.corners[corners]
    used = np.unique(rows[rows >= 0])
    places = np.where(rows >= 0, np.searchsorted(used, rows), -1)
    return Uvs(_rows(rig.uvs.coordinates, used), places)


def _rows(table: Floats, rows: Ints) -> Floats:
    return np.asarray(table[rows])
