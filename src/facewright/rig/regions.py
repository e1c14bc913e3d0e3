"""Regions of a face: the share of each vertex in each region, and the tree of regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints, frozen, indices
from facewright.errors import BadValue, UnknownName
from facewright.rig.tree import check_tree, tree_of
from facewright.solve.rows import largest_in_rows

_SUM = 1e-9  # largest deviation of a vertex's weights from the sum 1


@dataclass(frozen=True, eq=False)
class Regions:
    """A tree of regions. Nodes 0 to r - 1 are the finest, which cover the face; the last node is the whole face.

    The nodes of each level cover the face: at level 0 the finest, at each further level unions of those below, at the
    last
    level the whole face alone. Near borders a vertex belongs to several regions, with weights that sum to 1, so that
    regions in different poses join without a crack.
    """

    weights: sp.csr_array  # (r, v) share of each vertex in each of the finest regions
    names: tuple[str, ...]  # (m,) unique
    parents: Ints  # (m,) the node that each is part of, which comes later; -1 for the whole face
    first: Ints  # (m,) the first level with the node; it is there until its parent is

    def __post_init__(self) -> None:
        weights = _checked(self.weights)
        nodes = len(self.names)
        parents = indices("parents", self.parents, (nodes,), below=max(nodes, 1), least=-1)
        first = indices("first levels", self.first, (nodes,), below=max(nodes, 1))
        check_tree(parents, first, weights.shape[0])
        _check_names(self.names)
        for name, value in (("weights", weights), ("names", tuple(self.names)), ("parents", parents), ("first", first)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, weights: sp.csr_array, levels: Sequence[ArrayLike], names: Mapping[tuple[int, ...], str]) -> Regions:
        """Regions from levels of groups (r,), each a union of the one before, and names by the finest regions of each
        node.
        """
        parents, first, members = tree_of(weights.shape[0], levels)
        return cls(weights, tuple(names[node] for node in members), parents, first)

    @property
    def vertex_count(self) -> int:
        """The number of vertices v."""
        return int(self.weights.shape[1])

    @property
    def count(self) -> int:
        """The number of regions at the finest level."""
        return int(self.weights.shape[0])

    @property
    def levels(self) -> int:
        """The number of levels; the last is the whole face alone."""
        return int(self.first[-1]) + 1

    def node(self, name: str) -> int:
        """The number of a region of any level; an unknown name raises `UnknownName`."""
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownName("region", name, self.names) from None

    def nodes(self, level: int = 0) -> Ints:
        """The regions (k,) of a level."""
        if not 0 <= level < self.levels:
            raise BadValue(f"there is no level {level}; levels go from 0, the finest, to {self.levels - 1}")
        last = np.append(self.first, self.levels)[self.parents]
        return np.flatnonzero((self.first <= level) & (level < last))

    def names_at(self, level: int = 0) -> tuple[str, ...]:
        """Names of the regions of a level, in the order of `nodes`."""
        return tuple(self.names[node] for node in self.nodes(level))

    def groups(self, level: int = 0) -> Ints:
        """For each of the finest regions (r,) the row of `nodes(level)` that it is part of."""
        at = np.arange(self.count)
        while (outside := ~np.isin(at, self.nodes(level))).any():
            at = np.where(outside, self.parents[at], at)
        return np.searchsorted(self.nodes(level), at)

    def members(self, node: int | str) -> Ints:
        """The finest regions that a region of any level consists of."""
        return np.flatnonzero(self.inside(node)[: self.count])

    def inside(self, node: int | str) -> NDArray[np.bool_]:
        """Which regions (m,) of any level are part of a region, including itself."""
        wanted = self.node(node) if isinstance(node, str) else node
        inside = np.zeros(len(self.names), bool)
        inside[wanted] = True
        for child in range(wanted - 1, -1, -1):  # parents come later, so that each is set before its children
            inside[child] |= inside[self.parents[child]]
        return inside

    @cached_property
    def _finest(self) -> Ints:
        return frozen(largest_in_rows(sp.csr_array(self.weights.T)))

    def labels(self, level: int = 0) -> Ints:
        """For each vertex (v,) the row of `nodes(level)` with its largest share; the first of equals."""
        return np.asarray(self.groups(level)[self._finest])

    def weights_at(self, level: int = 0) -> sp.csr_array:
        """The share (k, v) of each vertex in each region of a level; they sum to 1 over the regions."""
        groups = self.groups(level)
        joined = sp.csr_array((np.ones(self.count), (groups, np.arange(self.count))), (groups.max() + 1, self.count))
        return sp.csr_array(joined @ self.weights)

    def field(self, region: int | str) -> Floats:
        """The share (v,) of each vertex in a region of any level."""
        chosen = np.zeros(self.count)
        chosen[self.members(region)] = 1.0
        return np.asarray(np.minimum(chosen @ self.weights, 1.0))

    def inherited(self, values: Floats) -> Floats:
        """For each region the sum (m, ...) of its values and those of all regions that contain it."""
        sums = np.array(values, np.float64)
        for node in range(len(self.names) - 2, -1, -1):  # parents come later, so that each is set before its children
            sums[node] += sums[self.parents[node]]
        return sums

    def __repr__(self) -> str:
        names = ", ".join(self.names_at())
        return f"Regions({self.count} over {self.vertex_count} vertices, {self.levels} levels; {names})"

    def renamed(self, names: Mapping[str, str]) -> Regions:
        """The same regions with other names, old to new; names may be swapped."""
        for name in names:
            self.node(name)
        return replace(self, names=tuple(names.get(name, name) for name in self.names))


def _checked(weights: sp.csr_array) -> sp.csr_array:
    """A read-only copy without zeros; raises an error unless each vertex's weights are from 0 to 1 and sum to 1."""
    if not sp.issparse(weights):
        weights = sp.csr_array(np.asarray(weights, np.float64))
    copy = sp.csr_array(weights, copy=True).astype(np.float64)
    copy.sum_duplicates()
    copy.eliminate_zeros()
    if copy.shape[0] == 0:
        raise BadValue("a face has at least one region")
    if not (np.isfinite(copy.data).all() and (copy.data > 0).all()):
        raise BadValue("weights of regions are from 0 to 1")
    sums = np.asarray(copy.sum(axis=0))
    wrong = np.flatnonzero(np.abs(sums - 1) > _SUM)
    if len(wrong):
        raise BadValue(f"the weights of vertex {wrong[0]} sum to {sums[wrong[0]]:g}, not to 1")
    if (np.diff(copy.indptr) == 0).any():
        raise BadValue(f"region {int((np.diff(copy.indptr) == 0).argmax())} has no vertices")
    for array in (copy.data, copy.indices, copy.indptr):
        frozen(array)
    return copy


def _check_names(names: Sequence[str]) -> None:
    if any(not isinstance(name, str) or not name for name in names):
        raise BadValue("every region needs a name")
    if len(set(names)) != len(names):
        twice = next(name for name, count in Counter(names).items() if count > 1)
        raise BadValue(f"there are two regions named {twice!r}; each needs its own name")
