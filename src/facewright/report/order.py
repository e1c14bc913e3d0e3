"""An order of the sliders in which those that interfere are adjacent."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from facewright.arrays import Floats, Ints
from facewright.rig.names import group_of
from facewright.rig.rig import Rig

_FROM_TOP = ("brow", "eye", "nose", "cheek", "mouth", "jaw", "tongue")
_OPTIMAL = 300  # above this number of sliders in a group, the optimal order of the leaves takes too long


def groups_of(rig: Rig) -> tuple[str, ...]:
    """The sliders' groups (n,); from their names if the rig has none."""
    return tuple(
        group_of(name) if group == "other" else group for name, group in zip(rig.sliders, rig.groups, strict=True)
    )


def display_order(rig: Rig, interference: Floats) -> Ints:
    """Sliders (n,) by group from the top of the face down, and within a group by similarity."""
    groups = np.array(groups_of(rig))
    names = sorted(set(groups.tolist()), key=lambda name: (_rank(name), list(groups).index(name)))
    parts = [_by_likeness(np.flatnonzero(groups == name), interference) for name in names]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _rank(group: str) -> int:
    return _FROM_TOP.index(group) if group in _FROM_TOP else len(_FROM_TOP) + (group == "other")


def _by_likeness(members: Ints, interference: Floats) -> Ints:
    if len(members) < 3:
        return members
    apart = np.clip(1 - np.abs(interference[np.ix_(members, members)]), 0, 1)
    np.fill_diagonal(apart, 0.0)
    tree = linkage(squareform(apart, checks=False), "average", optimal_ordering=len(members) <= _OPTIMAL)
    return members[leaves_list(tree)]
