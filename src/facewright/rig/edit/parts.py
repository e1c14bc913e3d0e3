"""Extracts parts from a rig, and merges two rigs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facewright.arrays import Ints
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape
from facewright.rig.slider import sliders_of, with_sliders
from facewright.rig.ties import ties_of


def extract_parts(rig: Rig, names: Sequence[str]) -> Rig:
    """The rig with these parts only, in its own order, and the polygons inside them. All shapes and sliders stay."""
    chosen = {rig.part(name).name for name in names}
    if not chosen:
        raise BadValue(f"name at least one part; this rig has {', '.join(part.name for part in rig.parts)}")
    kept = [part for part in rig.parts if part.name in chosen]
    return extract_vertices(rig, np.concatenate([np.arange(part.start, part.stop) for part in kept]))


def extract_vertices(rig: Rig, vertices: Ints) -> Rig:
    """The rig with these vertices (k,) only, which increase, and the polygons between them. All shapes and sliders
    stay; parts without a vertex go.
    """
    now = np.full(rig.vertex_count, -1)
    now[vertices] = np.arange(len(vertices))
    polygons, uvs = _polygons_inside(rig, now)
    left = [(part.name, int((now[part.start : part.stop] >= 0).sum())) for part in rig.parts]
    return replace(
        rig,
        neutral=rig.neutral[vertices],
        polygons=polygons,
        shapes=tuple(_shape_inside(shape, now) for shape in rig.shapes),
        parts=_parts([Part(name, 0, count) for name, count in left if count]),
        uvs=uvs,
        rules=tuple(replace(rule, vertices=_inside(rule.vertices, now)) for rule in rig.rules),
    )


def merge(first: Rig, second: Rig) -> Rig:
    """Merge two rigs: the parts of the second follow those of the first; shapes and sliders of
    equal names become one.
    """
    shift = first.vertex_count
    polygons = Polygons(
        np.concatenate([first.polygons.corners, second.polygons.corners + shift]),
        np.concatenate([first.polygons.counts, second.polygons.counts]),
    )
    rules = [replace(rule, vertices=rule.vertices + shift) for rule in second.rules]
    together = replace(
        first,
        neutral=np.concatenate([first.neutral, second.neutral]),
        polygons=polygons,
        parts=_parts([*first.parts, *second.parts]),
        uvs=_merged_uvs(first, second),
    )
    own = {slider.name for slider in sliders_of(first)}
    _check_bounds_agree(first, second)
    sliders = [*sliders_of(first), *(slider for slider in sliders_of(second) if slider.name not in own)]
    both = with_sliders(together, _merged_shapes(first, second), sliders)
    exclusive = tuple(dict.fromkeys((*first.exclusive, *second.exclusive)))
    stated = first.ties is not None or second.ties is not None
    ties = tuple(dict.fromkeys((*ties_of(first), *ties_of(second)))) if stated else None
    return replace(both, exclusive=exclusive, ties=ties, rules=(*first.rules, *rules))


def _inside(vertices: Ints, now: Ints) -> Ints:
    return np.asarray(now[vertices][now[vertices] >= 0])


def _shape_inside(shape: Shape, now: Ints) -> Shape:
    kept = now[shape.vertices] >= 0
    return replace(shape, vertices=now[shape.vertices[kept]], offsets=shape.offsets[kept])


def _polygons_inside(rig: Rig, now: Ints) -> tuple[Polygons, Uvs | None]:
    corners = now[rig.polygons.corners]
    owner = np.repeat(np.arange(len(rig.polygons)), rig.polygons.counts)
    whole = np.bincount(owner, corners < 0, minlength=len(rig.polygons)) == 0
    kept = whole[owner]
    polygons = Polygons(corners[kept], rig.polygons.counts[whole])
    if rig.uvs is None:
        return polygons, None
    used, rows = np.unique(rig.uvs.corners[kept], return_inverse=True)
    none = int((used == -1).any())  # -1, if present, comes first
    return polygons, Uvs(rig.uvs.coordinates[used[none:]], rows - none)


def _parts(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The same parts, one after the other from vertex 0."""
    stops = np.cumsum([part.stop - part.start for part in parts]).tolist()
    return tuple(Part(part.name, start, stop) for part, start, stop in zip(parts, [0, *stops[:-1]], stops, strict=True))


def _merged_shapes(first: Rig, second: Rig) -> list[Shape]:
    merged = {shape.name: shape for shape in first.shapes}
    for shape in second.shapes:
        moved = replace(shape, vertices=shape.vertices + first.vertex_count)
        old = merged.get(shape.name)
        if old is not None and not old.is_driven_as(shape):
            raise BadValue(f"shape {shape.name!r} is driven differently in the two rigs; rename one of them first")
        merged[shape.name] = (
            moved
            if old is None
            else replace(
                old,
                vertices=np.concatenate([old.vertices, moved.vertices]),
                offsets=np.concatenate([old.offsets, moved.offsets]),
            )
        )
    return list(merged.values())


def _check_bounds_agree(first: Rig, second: Rig) -> None:
    bounds = {slider.name: (slider.low, slider.high) for slider in sliders_of(first)}
    for slider in sliders_of(second):
        if bounds.get(slider.name, (slider.low, slider.high)) != (slider.low, slider.high):
            low, high = bounds[slider.name]
            raise BadValue(f"slider {slider.name!r} goes from {low} to {high} in one rig, and not so in the other")


def _merged_uvs(first: Rig, second: Rig) -> Uvs | None:
    if first.uvs is None and second.uvs is None:
        return None
    uvs = [
        Uvs(np.zeros((0, 2)), np.full(len(rig.polygons.corners), -1)) if rig.uvs is None else rig.uvs
        for rig in (first, second)
    ]
    moved = np.where(uvs[1].corners < 0, -1, uvs[1].corners + len(uvs[0].coordinates))
    return Uvs(np.concatenate([uv.coordinates for uv in uvs]), np.concatenate([uvs[0].corners, moved]))
