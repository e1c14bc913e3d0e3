"""Regions as pages see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import scipy.sparse as sp
from msgspec import Struct

from facewright.arrays import Floats, Ints
from facewright.rig.regions import Regions
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.views.view import pushed

_ALIKE = 0.8  # of the vertices


class RegionInfo(Struct):
    """A region. The finest come first, each further one is made of earlier ones, the last is the whole face."""

    name: str
    parent: int  # -1 for the whole
    level: int  # the first that has it; it is there until its parent is
    color: str  # such as #e0a040
    beside: list[int]  # of the finest ones: those that it touches


@dataclass(frozen=True, eq=False, kw_only=True)
class RegionMap(Frame):
    """Regions, sent whenever they changed, before the Pose; empty for a face without.

    The shares of vertex i in the finest regions are entries starts[i] to starts[i + 1].
    """

    regions: list[RegionInfo]
    starts: Annotated[Ints, Array("u4", ("v+1",))]
    region: Annotated[Ints, Array("u4", ("k",))]
    share: Annotated[Floats, Array("f4", ("k",))]


@pushed(lambda context: (context.document.value.regions,))
def region_map(context: Context) -> RegionMap:
    """All regions, and how much of each vertex belongs to each of the finest."""
    document = context.document.value
    regions = document.regions
    if regions is None:
        none = np.zeros(0, np.int64)
        return RegionMap(regions=[], starts=np.zeros(1, np.int64), region=none, share=np.zeros(0))
    colors = context.task(_RegionColors)
    of_vertices = sp.csc_array(regions.weights)
    return RegionMap(
        regions=_infos(regions, colors.of(context, regions)),
        starts=of_vertices.indptr.astype(np.int64),
        region=of_vertices.indices.astype(np.int64),
        share=of_vertices.data,
    )


class _RegionColors:
    """Regions that are only painted or renamed keep their colours."""

    def __init__(self, context: Context) -> None:
        self._last: tuple[Regions, Floats] | None = None  # regions, and their colours (m, 3)

    def of(self, context: Context, regions: Regions) -> Floats:
        from facewright.render.region_palette import all_colors  # not in memory before it is needed

        if self._last is None or not _is_alike(self._last[0], regions):
            self._last = (regions, all_colors(context.document.value.rig, regions))
        return self._last[1]


def _is_alike(one: Regions, other: Regions) -> bool:
    """Whether two are the same tree over much the same vertices."""
    if one.vertex_count != other.vertex_count or not np.array_equal(one.parents, other.parents):
        return False
    return bool((one.labels() == other.labels()).mean() > _ALIKE)


def _infos(regions: Regions, colored: Floats) -> list[RegionInfo]:
    colors = [_hex(color) for color in colored]
    beside = _beside(regions) + [[]] * (len(regions.names) - regions.count)
    nodes = zip(regions.names, regions.parents.tolist(), regions.first.tolist(), colors, beside, strict=True)
    return [RegionInfo(*node) for node in nodes]


def _beside(regions: Regions) -> list[list[int]]:
    """For each of the finest regions those that share vertices with it."""
    shared = sp.csr_array(regions.weights @ regions.weights.T)
    return [
        [int(other) for other in shared.indices[shared.indptr[i] : shared.indptr[i + 1]] if other != i]
        for i in range(regions.count)
    ]


def _hex(color: np.ndarray) -> str:
    return "#" + "".join(f"{round(255 * float(channel)):02x}" for channel in np.clip(color, 0, 1))
