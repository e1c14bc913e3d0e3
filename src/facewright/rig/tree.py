"""Trees in which groups join to larger groups, level by level, until one is left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Ints, indices
from facewright.errors import BadValue


def tree_of(leaves: int, levels: Sequence[ArrayLike]) -> tuple[Ints, Ints, list[tuple[int, ...]]]:
    """The tree of levels of groups (leaves,): the parents, the first level, and the leaves of each node.

    Each level is a union of the one before; the leaves themselves and the whole are added where they are missing.
    Nodes are numbered by first level, the leaves as they are.
    """
    rows = [indices("groups of a level", row, (leaves,), below=max(leaves, 1)) for row in levels]
    rows = [np.arange(leaves), *rows, np.zeros(leaves, np.int64)]
    members: dict[tuple[int, ...], int] = {}  # leaves of a node -> its number
    parents: list[int] = []
    first: list[int] = []
    level, top = 0, list(range(leaves))
    for before, row in zip([None, *rows[:-1]], rows, strict=True):
        groups = [tuple(np.flatnonzero(row == group).tolist()) for group in np.unique(row)]
        if before is not None and len({(int(a), int(b)) for a, b in zip(before, row, strict=True)}) != len(set(before)):
            raise BadValue("each level must be a union of the one below")
        new = [group for group in groups if group not in members]
        for group in new:
            members[group] = len(parents)
            parents.append(-1)
            first.append(level)
            if len(group) > 1 or level:
                for node in {top[leaf] for leaf in group} - {members[group]}:
                    parents[node] = members[group]
                for leaf in group:
                    top[leaf] = members[group]
        level += bool(new)
    return np.array(parents, np.int64), np.array(first, np.int64), list(members)


def check_tree(parents: Ints, first: Ints, leaves: int) -> None:
    """Complain unless nodes 0 to leaves - 1 are the leaves, every parent comes later, and the last is the whole."""
    nodes = len(parents)
    if nodes < leaves or leaves == 0 or parents[-1] != -1:
        raise BadValue(
            f"{nodes} nodes cannot be a tree over {leaves} regions; the last one is the whole, without parent"
        )
    inner = parents[:-1]
    if (inner <= np.arange(nodes - 1)).any() or (inner < leaves).any():
        raise BadValue("every region but the whole is part of a later one, which is none of the finest")
    if (np.bincount(inner, minlength=nodes)[leaves:] < 2).any():
        raise BadValue("a region that is not one of the finest is made of at least two")
    if (first[:leaves] != 0).any() or (first[:-1] >= first[inner]).any():
        raise BadValue("the finest regions are there from level 0 on, every other from a later level than its parts")
    if set(first.tolist()) != set(range(int(first.max()) + 1)):
        raise BadValue("levels are counted without gaps")
