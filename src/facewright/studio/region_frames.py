"""Regions as a page sees them."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats
from facewright.document import Document
from facewright.render.region_palette import all_colors
from facewright.rig.regions import Regions
from facewright.studio.frames import RegionMap, pack
from facewright.studio.region_messages import RegionInfo

_ALIKE = 0.8  # of the vertices


class RegionFrames:
    """Tells of regions; those that are only painted or renamed keep their colours."""

    def __init__(self) -> None:
        self._last: tuple[Regions, Floats] | None = None  # regions, and their colours (m, 3)

    def frame(self, document: Document) -> bytes:
        """All regions, and how much of each vertex belongs to each of the finest; none where a face has none."""
        regions = document.regions
        if regions is None:
            nothing = {"starts": np.zeros(1, np.int64), "region": np.zeros(0, np.int64), "share": np.zeros(0)}
            return pack(RegionMap, nothing, regions=[])
        if self._last is None or not _is_alike(self._last[0], regions):
            self._last = (regions, all_colors(document.rig, regions))
        of_vertices = sp.csc_array(regions.weights)
        arrays = {"starts": of_vertices.indptr, "region": of_vertices.indices, "share": of_vertices.data}
        return pack(RegionMap, arrays, regions=_infos(regions, self._last[1]))


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
