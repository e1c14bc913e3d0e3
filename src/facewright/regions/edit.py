"""Edits of regions: merge, split, paint, erase. Each returns new regions; the given ones stay as they were."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from facewright.arrays import Ints, indices
from facewright.errors import BadValue
from facewright.mesh.topology import Topology
from facewright.regions.region_evaluator import check_fit
from facewright.regions.region_names import unused
from facewright.regions.soft_borders import soft_weights
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.tree import tree_of

Members = tuple[int, ...]


def merge_regions(regions: Regions, names: Sequence[str], into: str) -> Regions:
    """Merge regions of any level into one of the finest regions, named `into`.

    At higher levels, a region that contained one of them then contains all of them.
    """
    merged = sorted({int(leaf) for name in names for leaf in regions.members(name)})
    if len(merged) < 2:
        raise BadValue(f"merging takes at least two regions, not {', '.join(names) or 'none'}")
    now = np.zeros(regions.count, np.int64)  # new number of each of the finest regions
    now[merged[1:]] = -1
    now = np.where(now < 0, -1, np.cumsum(now == 0) - 1)
    now[merged] = now[merged[0]]
    kept = np.unique(now, return_index=True)[1]
    join = sp.csr_array((np.ones(regions.count), (now, np.arange(regions.count))))
    levels = [_one_group(regions.groups(level), merged)[kept] for level in range(1, regions.levels)]
    before = {tuple(np.unique(now[list(old)]).tolist()): name for old, name in _by_members(regions).items()}
    return _renewed(sp.csr_array(join @ regions.weights), levels, before | {(int(now[merged[0]]),): into})


def split_region(regions: Regions, rig: Rig, name: str, vertices: ArrayLike, into: tuple[str, str]) -> Regions:
    """Split one of the finest regions: the given vertices (k,) become a region of their own.

    into: the names of the remaining region and of the new one. Both form a new finest level; at the next level they are
    one region with the old name.
    """
    leaf, new = finest_named(regions, name), regions.count
    labels = np.array(regions.labels())
    chosen = indices("vertices", vertices, (None,), below=regions.vertex_count)
    if (labels[chosen] != leaf).any() or not 0 < len(np.unique(chosen)) < (labels == leaf).sum():
        raise BadValue(f"a region is split by some of its own vertices; not all of these, or all, are in {name!r}")
    labels[chosen] = new
    of = np.append(np.arange(new), leaf)  # the old region of each new one
    levels = [of, *(regions.groups(level)[of] for level in range(1, regions.levels))]
    before = {tuple(np.flatnonzero(np.isin(of, old)).tolist()): own for old, own in _by_members(regions).items()}
    return _renewed(_repainted(regions, rig, labels), levels, before | {(leaf,): into[0], (new,): into[1]})


def paint_region(regions: Regions, rig: Rig, name: str, vertices: ArrayLike) -> Regions:
    """Assign vertices (k,) to one of the finest regions; weights change only near these vertices."""
    leaf = finest_named(regions, name)
    labels = np.array(regions.labels())
    labels[indices("vertices", vertices, (None,), below=regions.vertex_count)] = leaf
    return _relabelled(regions, rig, labels)


def erase_region(regions: Regions, rig: Rig, name: str, vertices: ArrayLike) -> Regions:
    """Remove vertices (k,) from one of the finest regions; each joins the nearest neighbouring region, counted in
    edges.

    Vertices outside the region do not change, nor do those from which no edges lead out of it.
    """
    leaf = finest_named(regions, name)
    labels = np.array(regions.labels())
    chosen = indices("vertices", vertices, (None,), below=regions.vertex_count)
    labels[chosen[labels[chosen] == leaf]] = -1
    adjacency = Topology(rig.polygons, rig.vertex_count).adjacency
    while len(ring := _beside(adjacency, labels, leaf)):
        labels[ring[:, 0]] = ring[:, 1]
    labels[labels < 0] = leaf
    return _relabelled(regions, rig, labels)


def _beside(adjacency: sp.csr_array, labels: Ints, leaf: int) -> Ints:
    """Vertices without a label beside a region other than `leaf`, each with the region it touches most: (k, 2)."""
    free = np.flatnonzero(labels < 0)
    outside = (labels >= 0) & (labels != leaf)
    of = sp.csr_array((outside.astype(float), (np.arange(len(labels)), np.maximum(labels, 0))))
    touched = (adjacency[free] @ of).toarray()  # (free, r)
    some = touched.any(axis=1)
    return np.stack([free[some], touched[some].argmax(axis=1)], axis=1)


def _relabelled(regions: Regions, rig: Rig, labels: Ints) -> Regions:
    gone = np.setdiff1d(np.arange(regions.count), labels)
    if len(gone):
        raise BadValue(f"nothing would be left of {regions.names[gone[0]]!r}; merge the two instead")
    return Regions(_repainted(regions, rig, labels), regions.names, regions.parents, regions.first)


def finest_named(regions: Regions, name: str) -> int:
    """The number of a region; raises `BadValue` if it is not one of the finest."""
    node = regions.node(name)
    if node >= regions.count:
        inside = ", ".join(regions.names[leaf] for leaf in regions.members(node))
        raise BadValue(f"{name!r} is made of {inside}; name one of these")
    return node


def _repainted(regions: Regions, rig: Rig, labels: Ints) -> sp.csr_array:
    """Weights for other labels (v,); they stay as they are where the labels make no difference."""
    check_fit(rig, regions)
    rows = int(labels.max()) + 1
    before, old = (_padded(w, rows) for w in (soft_weights(rig, regions.labels()), regions.weights))
    after = soft_weights(rig, labels)
    touched = np.asarray(abs(before - after).sum(axis=0)) > 0
    return sp.csr_array(after * touched + old * ~touched)


def _padded(weights: sp.csr_array, rows: int) -> sp.csr_array:
    """The same matrix with so many rows."""
    more = np.full(rows - weights.shape[0], weights.indptr[-1])
    starts = np.append(weights.indptr, more)
    return sp.csr_array((weights.data, weights.indices, starts), shape=(rows, weights.shape[1]))


def _one_group(groups: Ints, merged: Iterable[int]) -> Ints:
    joined = groups[list(merged)]
    return np.asarray(np.where(np.isin(groups, joined), joined[0], groups))


def _by_members(regions: Regions) -> dict[Members, str]:
    return {tuple(regions.members(node).tolist()): name for node, name in enumerate(regions.names)}


def _renewed(weights: sp.csr_array, levels: Sequence[Ints], known: dict[Members, str]) -> Regions:
    """Regions with the known names, and with new names for new nodes."""
    levels = [np.unique(level, return_inverse=True)[1] for level in levels]
    names: dict[Members, str] = {}
    nodes = tree_of(weights.shape[0], levels)[2]
    taken = {known[node] for node in nodes if node in known}
    for node in nodes:
        names[node] = known.get(node) or unused(" and ".join(known[(leaf,)] for leaf in node[:2]), taken)
        taken.add(names[node])
    return Regions.of(weights, levels, names)
