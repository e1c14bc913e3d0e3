"""A pose of regions: slider values for the whole face, and what regions of any level add to them.

A region adds to the region that contains it: `mouth` to the whole face, `left corner` to `mouth`. The sum is clipped to
the sliders' bounds. In a clip, the curve of a region has a name such as `jawOpen @ mouth`.
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
    """The name of the curve of a slider in a region."""
    return f"{slider}{AT}{region}"


def local_place(name: str, rig: Rig, regions: Regions | None) -> tuple[int, int] | None:
    """The region and the slider of a curve; None for a curve of the whole face, or of no slider."""
    if regions is None or name in rig.sliders:
        return None
    words = name.split(AT)
    for cut in range(1, len(words)):
        slider, region = AT.join(words[:cut]), AT.join(words[cut:])
        if slider in rig.sliders and region in regions.names:
            return regions.node(region), rig.slider_index(slider)
    return None


def local_curves(clip: Clip, rig: Rig, regions: Regions | None) -> Iterator[tuple[str, int, int]]:
    """The curves of regions in a clip and its layers: name, region, slider."""
    for name in clip.moved:
        place = local_place(name, rig, regions)
        if place is not None:
            yield name, *place


def node_weights(document: Document) -> Floats:
    """Slider values (m, n) of each region of any level; those of its parts may differ."""
    assert document.regions is not None
    return within_bounds(document.rig, document.pose, _added(document))


def weights_of(document: Document) -> Floats:
    """Slider values (r, n) of each of the finest regions; a single row if the document has no regions."""
    if document.regions is None:
        return document.pose[None]
    return within_bounds(document.rig, document.pose, _added(document)[: document.regions.count])


def is_local(document: Document) -> bool:
    """Whether any region adds to the pose."""
    return document.local is not None and bool(document.local.any())


def _added(document: Document) -> Floats:
    assert document.regions is not None
    if document.local is None:
        return np.zeros((len(document.regions.names), len(document.pose)))
    return document.regions.inherited(document.local)


def within_bounds(rig: Rig, pose: Floats, added: Floats) -> Floats:
    """The sum of a pose (..., n) and what is added, clipped to the bounds; a pose outside the
    bounds stays where it is.
    """
    low, high = rig.bounds.T
    moved = np.clip(pose + added, np.minimum(low, pose), np.maximum(high, pose))
    return np.where(added == 0, pose, moved)
