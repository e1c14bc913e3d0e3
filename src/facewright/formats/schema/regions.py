"""Regions, and the values that they add to the pose."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, indices
from facewright.errors import BadFile, BadValue
from facewright.formats.schema.json import entry_from
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

_FORMAT = "facewright regions"
_VERSION = 1
_MOST_LOCAL = 1 << 24  # values of sliders within regions, which are kept as one table


class RegionEntry(msgspec.Struct, omit_defaults=True):
    """A region. One of the finest also has the vertices that are all its own, and those it shares, with weights."""

    name: str
    parent: int = -1
    level: int = 0
    own: list[int] = []
    shared: list[int] = []
    weights: list[float] = []


class RegionsEntry(msgspec.Struct):
    """All regions, the finest first."""

    vertices: int
    regions: list[RegionEntry]
    format: str = _FORMAT
    version: int = _VERSION

    @classmethod
    def of(cls, regions: Regions) -> RegionsEntry:
        columns = zip(regions.names, regions.parents, regions.first, strict=True)
        entries = [
            RegionEntry(name, int(parent), int(level), *_vertices(regions, node))
            for node, (name, parent, level) in enumerate(columns)
        ]
        return cls(regions.vertex_count, entries)

    def value(self) -> Regions:
        """The regions; every index and size is checked first."""
        if self.format != _FORMAT or self.version != _VERSION:
            raise BadFile(f'this must say "format": "{_FORMAT}" and "version": {_VERSION}')
        finest = [one for one in self.regions if one.own or one.shared]
        if self.regions[: len(finest)] != finest:
            raise BadFile("regions that have vertices of their own come first")
        if not finest:
            raise BadFile("no region has a vertex")
        rows = [_row(one, self.vertices) for one in finest]
        # A file can claim any number of vertices; those that are stored must cover them.
        if len({int(vertex) for vertices, _ in rows for vertex in vertices}) != self.vertices:
            raise BadFile(f"the regions must cover all of {self.vertices} vertices")
        starts = np.cumsum([0, *(len(vertices) for vertices, _ in rows)])
        values, columns = (np.concatenate([row[i] for row in rows]) for i in (1, 0))
        return Regions(
            sp.csr_array((values, columns, starts), shape=(len(rows), self.vertices)),
            tuple(one.name for one in self.regions),
            np.array([one.parent for one in self.regions]),
            np.array([one.level for one in self.regions]),
        )


def regions_from(data: Any) -> Regions:
    """Regions from decoded JSON."""
    try:
        return entry_from(data, RegionsEntry, "regions").value()
    except (BadValue, OverflowError) as problem:
        raise BadFile(f"the JSON does not describe regions: {problem}") from problem


def encode_regions(regions: Regions) -> bytes:
    """JSON with a line for each region."""
    entry = RegionsEntry.of(regions)
    lines = b",\n  ".join(msgspec.json.encode(one) for one in entry.regions)
    head = msgspec.json.encode({"format": _FORMAT, "version": _VERSION, "vertices": entry.vertices})
    return head[:-1] + b',\n "regions": [\n  ' + lines + b"\n ]}\n"


def describe_local(
    regions: Regions | None, sliders: tuple[str, ...], local: Floats | None
) -> dict[str, dict[str, float]]:
    """The values that regions add to the pose and that are not 0: region to slider to value."""
    if regions is None or local is None:
        return {}
    found: dict[str, dict[str, float]] = {}
    for i, j in np.argwhere(local).tolist():
        found.setdefault(regions.names[i], {})[sliders[j]] = float(local[i, j])
    return found


def local_from(regions: Regions, rig: Rig, values: dict[str, dict[str, float]]) -> Floats | None:
    """Values (m, n) that regions add to the pose; None where all are 0."""
    if not values:
        return None
    if len(regions.names) * len(rig.sliders) > _MOST_LOCAL:
        raise BadFile(f"{len(regions.names)} regions of {len(rig.sliders)} sliders have too many values of their own")
    local = np.zeros((len(regions.names), len(rig.sliders)))
    nodes = {name: i for i, name in enumerate(regions.names)}
    columns = {name: i for i, name in enumerate(rig.sliders)}
    for name, row in values.items():
        at = nodes[name] if name in nodes else regions.node(name)
        for slider, value in row.items():
            local[at, columns[slider] if slider in columns else rig.slider_index(slider)] = value
    return local


def _vertices(regions: Regions, node: int) -> tuple[list[int], list[int], list[float]]:
    if node >= regions.count:
        return [], [], []
    start, stop = regions.weights.indptr[node : node + 2]
    vertices, weights = regions.weights.indices[start:stop], regions.weights.data[start:stop]
    whole = weights == 1
    return vertices[whole].tolist(), vertices[~whole].tolist(), weights[~whole].tolist()


def _row(entry: RegionEntry, count: int) -> tuple[np.ndarray, Floats]:
    if len(entry.shared) != len(entry.weights):
        raise BadValue(f"region {entry.name!r} shares {len(entry.shared)} vertices, with {len(entry.weights)} weights")
    vertices = indices(f"vertices of region {entry.name!r}", [*entry.own, *entry.shared], (None,), below=count)
    if len(np.unique(vertices)) != len(vertices):
        raise BadValue(f"region {entry.name!r} names a vertex twice")
    order = np.argsort(vertices)
    return vertices[order], np.concatenate([np.ones(len(entry.own)), entry.weights])[order]
