"""Trees of groups that join to larger groups, level by level, up to a single one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Ints, indices
from facewright.errors import BadValue


def tree_of(leaves: int, levels: Sequence[ArrayLike]) -> tuple[Ints, Ints, list[tuple[int, ...]]]:
    """The tree of levels of groups (leaves,): the parents, the first level, and the leaves of each node.

    Each level is a union of the one before. The leaves and the whole are added if they are missing, and levels that
    change
    nothing are left out. Nodes are numbered by their first level; leaves keep their numbers.
    """
    rows = [indices("groups of a level", row, (leaves,), below=max(leaves, 1)) for row in levels]
    if leaves < 1:
        raise BadValue("a tree has at least one leaf")
    members: list[tuple[int, ...]] = [(leaf,) for leaf in range(leaves)]
    # top: the node that each leaf is part of so far
    parents, first, top = [-1] * leaves, [0] * leaves, list(range(leaves))
    for row in [*rows, np.zeros(leaves, np.int64)]:
        level = first[-1] + 1
        for group in np.unique(row):
            inside = np.flatnonzero(row == group).tolist()
            parts = {top[leaf] for leaf in inside}
            if sum(len(members[part]) for part in parts) != len(inside):
                raise BadValue("each level must be a union of the one below")
            if len(parts) > 1:
                for part in parts:
                    parents[part] = len(parents)
                for leaf in inside:
                    top[leaf] = len(parents)
                members.append(tuple(inside))
                parents.append(-1)
                first.append(level)
    return np.array(parents, np.int64), np.array(first, np.int64), members


def check_tree(parents: Ints, first: Ints, leaves: int) -> None:
    """Raise `BadValue` unless nodes 0 to leaves - 1 are the leaves, every parent comes later, and the last is the
    whole.
    """
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
