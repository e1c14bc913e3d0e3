"""A clip sampled at some times, with the poses of regions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.regions.local_pose import local_curves, within_bounds


@dataclass(frozen=True, eq=False)
class ClipSamples:
    """Slider values over time. Sliders without a curve have the document's value."""

    times: Floats  # (f,) seconds
    weights: Floats  # (f, n) of the whole face
    # (p,) regions and sliders that some region curve moves, or that the document's region pose sets
    spots: tuple[tuple[int, int], ...]
    local: Floats  # (f, p) what the regions add to these sliders

    def of_regions(self, document: Document) -> Floats:
        """Slider values (f, r, n) of each of the finest regions."""
        assert document.regions is not None
        regions, (frames, sliders) = document.regions, self.weights.shape
        added = np.zeros((frames, regions.count, sliders))
        for (node, slider), values in zip(self.spots, self.local.T, strict=True):
            added[:, regions.members(node), slider] += values[:, None]
        return within_bounds(document.rig, self.weights[:, None], added)


def sample_clip(document: Document, clip: Clip, times: Floats) -> ClipSamples:
    """The slider values of a clip at some times (f,), in seconds."""
    sliders = document.rig.sliders
    moved = set(clip.moved)
    own = np.array([slider in moved for slider in sliders], bool)
    weights = np.where(own, clip.sample(sliders, times, document.rig.bounds), document.pose)
    found = {
        (node, slider): clip.sample([name], times)[:, 0]
        for name, node, slider in local_curves(clip, document.rig, document.regions)
    }
    still = [] if document.local is None else [(int(i), int(j)) for i, j in np.argwhere(document.local)]
    spots = tuple(sorted({*found, *still}))
    local = np.zeros((len(times), len(spots)))
    for column, spot in enumerate(spots):
        local[:, column] = found[spot] if spot in found else document.local[spot]  # type: ignore[index]
    return ClipSamples(times, weights, spots, local)


def frame_times(clip: Clip) -> Floats:
    """Times of a clip's frames in seconds; a single time for a clip without curves."""
    return clip.times() if clip.moved else np.zeros(1)
