"""A pose of regions: slider values for the whole face, and what single regions, of any level, add to them.

A region adds to what contains it: `mouth` to the whole face, `left corner` to `mouth`. What comes of it stays within
the sliders' bounds. In a clip, a region's curve is named after both, such as `jawOpen @ mouth`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

AT = " @ "


def local_name(slider: str, region: str) -> str:
    """What a region's curve of a slider is called."""
    return f"{slider}{AT}{region}"


def local_place(name: str, rig: Rig, regions: Regions | None) -> tuple[int, int] | None:
    """The region and the slider that a curve is of; None for one of the whole face, or of nothing."""
    if regions is None or name in rig.sliders:
        return None
    words = name.split(AT)
    for cut in range(1, len(words)):
        slider, region = AT.join(words[:cut]), AT.join(words[cut:])
        if slider in rig.sliders and region in regions.names:
            return regions.node(region), rig.slider_index(slider)
    return None


def local_curves(clip: Clip, rig: Rig, regions: Regions | None) -> Iterator[tuple[str, int, int]]:
    """The curves of a clip that are of a region: name, region, slider."""
    for name in clip.curves:
        place = local_place(name, rig, regions)
        if place is not None:
            yield name, *place


def node_weights(document: Document) -> Floats:
    """The slider values (m, n) of each region, of any level; those of the parts it is made of may differ."""
    assert document.regions is not None
    return within_bounds(document.rig, document.pose, _added(document))


def weights_of(document: Document) -> Floats:
    """The slider values (r, n) of each of the finest regions; one row where a document has no regions."""
    if document.regions is None:
        return document.pose[None]
    return within_bounds(document.rig, document.pose, _added(document)[: document.regions.count])


def is_local(document: Document) -> bool:
    """Whether any region is posed for itself."""
    return document.local is not None and bool(document.local.any())


def _added(document: Document) -> Floats:
    assert document.regions is not None
    if document.local is None:
        return np.zeros((len(document.regions.names), len(document.pose)))
    return document.regions.inherited(document.local)


def within_bounds(rig: Rig, pose: Floats, added: Floats) -> Floats:
    """A pose (..., n) with what is added to it, within the sliders' bounds; what is outside without it stays so."""
    low, high = rig.bounds.T
    moved = np.clip(pose + added, np.minimum(low, pose), np.maximum(high, pose))
    return np.where(added == 0, pose, moved)
