"""Regions as JSON: a file of their own beside a rig, and a part of a .fwface or glTF file."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, indices
from facewright.errors import BadFile, BadValue
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

_FORMAT = "facewright regions"
_VERSION = 1


class RegionEntry(msgspec.Struct, omit_defaults=True):
    """A region: of the finest ones also the vertices that are all its own, and those that it shares, with weights."""

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


def describe_regions(regions: Regions) -> RegionsEntry:
    """Regions as plain values."""
    entries = [
        RegionEntry(name, int(parent), int(level), *_vertices(regions, node))
        for node, (name, parent, level) in enumerate(zip(regions.names, regions.parents, regions.first, strict=True))
    ]
    return RegionsEntry(regions.vertex_count, entries)


def regions_from(entry: RegionsEntry) -> Regions:
    """Regions from plain values; every index and size is checked first."""
    if entry.format != _FORMAT or entry.version != _VERSION:
        raise BadFile(f'this must say "format": "{_FORMAT}" and "version": {_VERSION}')
    finest = [one for one in entry.regions if one.own or one.shared]
    if entry.regions[: len(finest)] != finest:
        raise BadFile("regions that have vertices of their own come first")
    rows = [_row(one, entry.vertices) for one in finest]
    # The claim of how many vertices there are costs nothing; what is stored must cover them.
    if len({int(vertex) for vertices, _ in rows for vertex in vertices}) != entry.vertices:
        raise BadFile(f"the regions must cover all of {entry.vertices} vertices")
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in rows)])
    values, columns = (np.concatenate([row[i] for row in rows]) for i in (1, 0))
    return Regions(
        sp.csr_array((values, columns, starts), shape=(len(rows), entry.vertices)),
        tuple(one.name for one in entry.regions),
        np.array([one.parent for one in entry.regions]),
        np.array([one.level for one in entry.regions]),
    )


def understand_regions(data: Any) -> Regions:
    """Regions from decoded JSON."""
    try:
        return regions_from(msgspec.convert(data, RegionsEntry))
    except (msgspec.ValidationError, BadValue, OverflowError) as problem:
        raise BadFile(f"the JSON does not describe regions: {problem}") from problem


def encode_regions(regions: Regions) -> bytes:
    """JSON with a line for each region."""
    entry = describe_regions(regions)
    lines = b",\n  ".join(msgspec.json.encode(one) for one in entry.regions)
    head = msgspec.json.encode({"format": _FORMAT, "version": _VERSION, "vertices": entry.vertices})
    return head[:-1] + b',\n "regions": [\n  ' + lines + b"\n ]}\n"


def describe_local(
    regions: Regions | None, sliders: tuple[str, ...], local: Floats | None
) -> dict[str, dict[str, float]]:
    """What regions add to the pose: region to slider to value, those that are not 0."""
    if regions is None or local is None:
        return {}
    found: dict[str, dict[str, float]] = {}
    for i, j in np.argwhere(local).tolist():
        found.setdefault(regions.names[i], {})[sliders[j]] = float(local[i, j])
    return found


def local_from(regions: Regions, rig: Rig, values: dict[str, dict[str, float]]) -> Floats | None:
    """Values (m, n) of the regions, None where there are none."""
    local = np.zeros((len(regions.names), len(rig.sliders)))
    for name, row in values.items():
        for slider, value in row.items():
            local[regions.node(name), rig.slider_index(slider)] = value
    return local if values else None


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
