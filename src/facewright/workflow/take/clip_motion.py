"""How a clip moves bound markers, on the whole face and where regions add to it."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.capture.markers import BoundRig
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.regions.local_pose import local_curves, within_bounds

_CHUNK = 4096  # frames at a time


def clip_motion(document: Document, clip: Clip, times: Floats, bound: BoundRig) -> Floats:
    """Motion (f, k, 3) of bound markers at times (f,); sliders without a curve are as the document has them."""
    parts = [_motion(document, clip, times[at : at + _CHUNK], bound) for at in range(0, len(times), _CHUNK)]
    return np.concatenate(parts) if parts else np.zeros((0, len(bound), 3))


def _motion(document: Document, clip: Clip, times: Floats, bound: BoundRig) -> Floats:
    sliders = document.rig.sliders
    own = np.isin(sliders, clip.moved)
    pose = np.where(own, clip.sample(sliders, times, document.rig.bounds), document.pose)
    added = _added(document, clip, times)
    if not added or document.regions is None:
        return bound.motion(pose)
    of_vertices = document.regions.weights.toarray()  # (r, v)
    binding, motion = bound.binding, np.zeros((len(times), len(bound), 3))
    for region in range(document.regions.count):
        share = (binding.barycentric * of_vertices[region][binding.vertices]).sum(axis=1)  # (k,)
        weights = within_bounds(document.rig, pose, _inherited(document, added, region, pose))
        motion += share[:, None] * bound.motion(weights)
    return motion


def _added(document: Document, clip: Clip, times: Floats) -> dict[int, Floats]:
    """Offsets (f, n) of each region that has some from the region around it; without a curve, those of the document."""
    local = np.zeros((0, 0)) if document.local is None else document.local
    found = {int(node): np.tile(local[node], (len(times), 1)) for node in np.flatnonzero(local.any(axis=1))}
    for name, node, slider in local_curves(clip, document.rig, document.regions):
        found.setdefault(node, np.zeros((len(times), len(document.pose))))[:, slider] = clip.sample([name], times)[:, 0]
    return found


def _inherited(document: Document, added: dict[int, Floats], region: int, like: Floats) -> Floats:
    """The sum (f, n) of the offsets of one of the finest regions and of all regions around it."""
    assert document.regions is not None
    total, node = np.zeros_like(like), region
    while node >= 0:
        if node in added:
            total = total + added[node]
        node = int(document.regions.parents[node])
    return total
