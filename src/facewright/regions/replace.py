"""A posed document with other regions: the region poses of the document and its clips are converted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.options import suggests_options
from facewright.regions.local_pose import local_curves, local_name
from facewright.rig.regions import Regions


@suggests_options
def with_regions(document: Document, regions: Regions | None, *, by_name: bool = True) -> Document:
    """The document with other regions, in the same pose as far as the new regions allow.

    A new finest region takes the pose of the old region of its name, or of the one that had most of its vertices;
    larger
    regions of the same name keep what they add. by_name: whether equal names mean the same region; False for regions
    that
    were found anew.
    """
    old = document.regions
    if old is None or regions is None:
        clips = tuple(_without_regions(document, clip) for clip in document.clips)
        return replace(document, regions=regions, local=None, clips=clips)
    matrix = _carrying(old, regions, by_name)
    local = None if document.local is None else matrix @ document.local
    clips = tuple(_carried(document, clip, regions, matrix) for clip in document.clips)
    return replace(document, regions=regions, local=local, clips=clips)


def renamed_regions(document: Document, names: Mapping[str, str]) -> Document:
    """The document with renamed regions; names: old to new."""
    assert document.regions is not None
    regions = document.regions.renamed(names)
    clips = tuple(_carried(document, clip, regions, np.eye(len(regions.names))) for clip in document.clips)
    return replace(document, regions=regions, clips=clips)


def _carrying(old: Regions, new: Regions, by_name: bool) -> Floats:
    """The shares (m', m) of what each old region adds that each new region adds; 1, 0 or -1 except for rare trees."""
    same = np.zeros((len(new.names), len(old.names)))
    for node, name in enumerate(new.names):
        if by_name and name in old.names:
            same[node, old.node(name)] = 1.0
    before, after = old.inherited(np.eye(len(old.names))), new.inherited(same)  # the sum in each region
    rest = before[_sources(old, new, by_name)] - after[: new.count]
    return np.asarray(same + np.pad(rest, ((0, len(new.names) - new.count), (0, 0))))


def _sources(old: Regions, new: Regions, by_name: bool) -> Ints:
    """The old finest region (r',) whose pose each new finest region takes."""
    shared = np.zeros((new.count, old.count))
    np.add.at(shared, (new.labels(), old.labels()), 1)
    most = shared.argmax(axis=1)
    known = {name: leaf for leaf, name in enumerate(old.names[: old.count])} if by_name else {}
    return np.array([known.get(name, most[leaf]) for leaf, name in enumerate(new.names[: new.count])])


def _without_regions(document: Document, clip: Clip) -> Clip:
    gone = {name for name, _, _ in local_curves(clip, document.rig, document.regions)}
    return clip.with_each(lambda curves: {name: curve for name, curve in curves.items() if name not in gone})


def _carried(document: Document, clip: Clip, regions: Regions, matrix: Floats) -> Clip:
    """The clip with the curves of old regions converted to new ones."""
    places = {name: (node, slider) for name, node, slider in local_curves(clip, document.rig, document.regions)}
    if not places:
        return clip

    def carried(before: Mapping[str, Curve]) -> Mapping[str, Curve]:
        found: dict[int, dict[int, Curve]] = {}  # by slider, then by old region
        for name, curve in before.items():
            if name in places:
                node, slider = places[name]
                found.setdefault(slider, {})[node] = curve
        curves = {name: curve for name, curve in before.items() if name not in places}
        for slider, by_region in found.items():
            for name, row in zip(regions.names, matrix, strict=True):
                parts = [(float(row[old]), curve) for old, curve in by_region.items() if row[old]]
                if parts:
                    curves[local_name(document.rig.sliders[slider], name)] = _sum(parts)
        return curves

    return clip.with_each(carried)


def _sum(parts: list[tuple[float, Curve]]) -> Curve:
    """The sum of curves; linear between all of their keys if there are several."""
    if len(parts) == 1 and parts[0][0] == 1:
        return parts[0][1]
    times = np.unique(np.concatenate([curve.times for _, curve in parts]))
    return Curve(times, sum((share * curve(times) for share, curve in parts), np.zeros(len(times))))
