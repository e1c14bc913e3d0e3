"""Names for regions, from the shapes that move them most and from their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.regions.vertex_statistics import VertexStatistics
from facewright.rig.names import group_of
from facewright.rig.rig import Rig

_QUIET = 1.0  # in typical motions: a region that no shape moves further is background
# of the motion by the first group: with at least this much, a second and a third group are named too
_ALSO = (1.0, 0.7, 0.8)
_SIDE = 0.9  # of a region's area: with this much on one side, it is named after that side

Members = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class NamingCues:
    """The data from which names are made, for each of the finest regions (r,): sums over its vertices, weighted by
    area.
    """

    areas: Floats  # (r,)
    left: Floats  # (r,) area on the face's left
    height: Floats  # (r,) y times area
    aside: Floats  # (r,) distance from the middle times area
    motion: Floats  # (r, g) motion by the strongest shape of each group, times area
    groups: tuple[str, ...]  # (g,) names such as brow

    @classmethod
    def of(cls, rig: Rig, statistics: VertexStatistics, labels: Ints, from_middle: Floats) -> NamingCues:
        """The data of the regions, for the region (v,) and the signed distance from the middle (v,) of each vertex."""
        count = int(labels.max(initial=-1)) + 1
        names = [_group(rig, i) for i in range(len(rig.shapes))]
        groups = tuple(dict.fromkeys(name for name in names if name != "other"))

        def total(values: Floats) -> Floats:
            """Sums over the vertices of each region."""
            return np.asarray(np.bincount(labels, statistics.areas * values, minlength=count), np.float64)

        ones = np.ones(rig.vertex_count)
        moved = np.stack([total(column) for column in statistics.motion.T] or [np.zeros(count)], axis=1)
        best = [moved[:, [name == group for name in names]].max(axis=1) for group in groups]
        return cls(
            total(ones),
            total((from_middle > 0) + 0.5 * (from_middle == 0)),
            total(rig.neutral[:, 1]),
            total(np.abs(from_middle)),
            np.stack([*best, np.zeros(count)], axis=1),
            groups,
        )


def named(places: NamingCues, members: Iterable[Members]) -> dict[Members, str]:
    """A name for each node of the tree, given by the finest regions that it contains."""
    nodes = list(members)
    finest = [node for node in nodes if len(node) == 1]
    names = _told_apart(places, {node: _base(places, node) for node in finest})
    lively = tuple(node[0] for node in finest if _words(places, node))
    whole = {nodes[-1]: "whole", lively: "face"} if len(lively) < len(finest) else {nodes[-1]: "face"}
    for node in nodes[len(finest) :]:
        names[node] = unused(whole.get(node) or _base(places, node), set(names.values()))
    return names


def _group(rig: Rig, shape: int) -> str:
    slider = rig.shapes[shape].sliders[0]
    known = group_of(slider)
    return known if known != "other" else rig.groups[rig.slider_index(slider)]


def _words(places: NamingCues, node: Members) -> list[str]:
    """The one to three groups that move a node most; none if it hardly moves."""
    motion = places.motion[list(node)].sum(axis=0) / max(float(places.areas[list(node)].sum()), 1e-300)
    order = np.argsort(-motion, kind="stable")
    wanted = [max(share * motion[order[0]], _QUIET) for share in _ALSO]
    return [places.groups[i] for i, least in zip(order, wanted, strict=False) if motion[i] >= least]


def _base(places: NamingCues, node: Members) -> str:
    """Side and groups of a node: those of its finest regions that move decide; the others are added."""
    lively = [one for one in node if _words(places, (one,))]
    if not lively:
        return _side(places, list(node)) + ("background" if places.groups else "region")
    words = _words(places, node) if len(node) == 1 else _firsts(places, lively)
    return _side(places, lively) + _listed(words + ["background"] * (len(lively) < len(node)))


def _side(places: NamingCues, regions: list[int]) -> str:
    share = places.left[regions].sum() / max(float(places.areas[regions].sum()), 1e-300)
    return "left " if share > _SIDE else "right " if share < 1 - _SIDE else ""


def _firsts(places: NamingCues, regions: list[int]) -> list[str]:
    """The groups that move the regions most, each once, the strongest first."""
    motion: dict[str, float] = {}
    for region in regions:
        word = _words(places, (region,))[0]
        motion[word] = motion.get(word, 0.0) + float(places.motion[region, places.groups.index(word)])
    return sorted(motion, key=lambda word: -motion[word])[:3]


def _listed(words: list[str]) -> str:
    """A list such as: brow, eye and nose."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _told_apart(places: NamingCues, bases: Mapping[Members, str]) -> dict[Members, str]:
    """Unique names: two equal ones become upper and lower, or inner and outer; more are numbered from the top."""
    names: dict[Members, str] = {}
    for base in dict.fromkeys(bases.values()):
        alike = [node for node, own in bases.items() if own == base]
        if len(alike) == 1:
            names[alike[0]] = base
        elif base.endswith(("background", "region")):
            alike.sort(key=lambda node: -places.areas[node[0]])
            names |= {node: _numbered(base, i) for i, node in enumerate(alike)}
        elif len(alike) == 2:
            names |= _opposed(places, alike, base)
        else:
            alike.sort(key=lambda node: -_mean(places.height, places, node))
            names |= {node: f"{base} {i + 1}" for i, node in enumerate(alike)}
    return names


def _opposed(places: NamingCues, pair: list[Members], base: str) -> dict[Members, str]:
    up = [_mean(places.height, places, node) for node in pair]
    out = [_mean(places.aside, places, node) for node in pair]
    is_upright = abs(up[0] - up[1]) >= abs(out[0] - out[1])
    words, values = (("lower", "upper"), up) if is_upright else (("inner", "outer"), out)
    low, high = (pair[0], pair[1]) if values[0] <= values[1] else (pair[1], pair[0])
    return {low: f"{words[0]} {base}", high: f"{words[1]} {base}"}


def _mean(values: Floats, places: NamingCues, node: Members) -> float:
    return float(values[node[0]] / max(float(places.areas[node[0]]), 1e-300))


def _numbered(base: str, i: int) -> str:
    return base if i == 0 else f"{base} {i + 1}"


def unused(base: str, taken: set[str]) -> str:
    """The name itself, or with a number if it is taken."""
    i = 0
    while _numbered(base, i) in taken:
        i += 1
    return _numbered(base, i)
