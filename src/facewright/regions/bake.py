"""Baking of region poses into shapes, for programs that have one weight per shape and no regions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document, bake_layers
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.regions.clip_samples import frame_times, sample_clip
from facewright.regions.local_pose import is_local, local_curves, local_name, weights_of
from facewright.regions.region_names import unused
from facewright.rig.combine import Combine
from facewright.rig.edit.shapes import add_shape
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_LISTED = 6


@dataclass(frozen=True, eq=False)
class BakedRegions:
    """A document without region poses that shows the same face, and the shapes that were added for it."""

    document: Document
    added: tuple[str, ...]  # names of the new shapes; each has a slider of the same name

    def __str__(self) -> str:
        count = len(self.added)
        if not count:
            return "every shape has one weight all over the face; nothing was added"
        names = ", ".join(self.added[:_LISTED]) + (" ..." if count > _LISTED else "")
        what = "1 shape was" if count == 1 else f"{count} shapes were"
        return f"{what} added for what differs between regions: {names}"


def bake_regions(document: Document) -> BakedRegions:
    """Replace region poses by shapes such as `jawOpen @ left cheek`, so that the face has one weight per shape.

    Existing sliders keep their values, shapes and curves. Each new slider has, in the pose and in every frame of every
    clip, the difference between the shape's value in the region and in the whole face. Regions whose values are always
    equal share one shape, named after the largest region with these values. Layers of clips are baked, too.
    """
    document = bake_layers(document)
    regions = document.regions
    if regions is None or not _uses_regions(document):
        return BakedRegions(replace(document, local=None), ())
    lengths, table = _beyond(document, regions)
    rig, columns = document.rig, {}
    for i in np.flatnonzero(table.any(axis=(0, 1))):
        for node in _alike(regions, table[:, :, i]):
            values = table[:, regions.members(node)[0], i]
            name = unused(local_name(rig.shapes[i].name, regions.names[node]), {*rig.shape_names, *rig.sliders})
            rig = _with_part(rig, rig.shapes[i], name, regions.field(node), values)
            columns[name] = values
    pose = np.concatenate([document.pose, [values[0] for values in columns.values()]])
    clips = tuple(_with_curves(document, clip, columns, *lengths[clip.name]) for clip in document.clips)
    return BakedRegions(replace(document, rig=rig, pose=pose, clips=clips, local=None), tuple(columns))


def _uses_regions(document: Document) -> bool:
    animated = (local_curves(clip, document.rig, document.regions) for clip in document.clips)
    return is_local(document) or any(next(curves, None) for curves in animated)


def _beyond(document: Document, regions: Regions) -> tuple[dict[str, tuple[int, Floats]], Floats]:
    """The difference (f, r, s) of each shape's value in a region from that in the whole face: in the pose, then in all
    clips.

    Also returns, for each clip, its first row and its times.
    """
    combine = Combine(document.rig)
    rows = [combine(weights_of(document)) - combine(document.pose)]
    starts, at = {}, 1
    for clip in document.clips:
        times = _times(clip)
        moments = sample_clip(document, clip, times)
        flat = moments.of_regions(document).reshape(-1, len(document.pose))
        values = combine(flat).reshape(len(times), regions.count, -1)
        rows.extend(values - combine(moments.weights)[:, None])
        starts[clip.name] = (at, times)
        at += len(times)
    return starts, np.array(rows)


def _times(clip: Clip) -> Floats:
    """Times of all frames, and of all keys between them."""
    return np.unique(np.concatenate([frame_times(clip), *(curve.times for curve in clip.curves.values())]).round(9))


def _alike(regions: Regions, values: Floats) -> list[int]:
    """The fewest nodes that cover all finest regions with values (f, r) other than 0; each covers equal values only."""
    found: list[int] = []
    done = np.asarray(~values.any(axis=0))
    for node in range(len(regions.names) - 1, -1, -1):  # larger nodes first
        members = regions.members(node)
        if not done[members].any() and (values[:, members] == values[:, members[:1]]).all():
            found.append(node)
            done[members] = True
    return sorted(found)


def _with_part(rig: Rig, shape: Shape, name: str, field: Floats, values: Floats) -> Rig:
    inside = field[shape.vertices] > 0
    vertices = shape.vertices[inside]
    part = Shape(name, vertices, shape.offsets[inside] * field[vertices][:, None])
    low, high = float(values.min()), float(values.max())
    bounds = (min(low, -1.0) if low < 0 else 0.0, max(high, 1.0))
    return add_shape(rig, part, bounds=bounds, group=rig.groups[rig.slider_index(shape.sliders[0])])


def _with_curves(document: Document, clip: Clip, columns: dict[str, Floats], start: int, times: Floats) -> Clip:
    """The clip with curves of the new sliders instead of curves of regions."""
    gone = {name for name, _, _ in local_curves(clip, document.rig, document.regions)}
    rest = {name: curve for name, curve in clip.curves.items() if name not in gone}
    return replace(clip, curves=rest | dict(_moving(columns, start, times)))


def _moving(columns: dict[str, Floats], start: int, times: Floats) -> Iterator[tuple[str, Curve]]:
    """A curve for each column whose values differ from the pose's."""
    for name, values in columns.items():
        own = values[start : start + len(times)]
        if (own != values[0]).any():
            yield name, Curve(times, own)
