"""Why no head is found, and what would help, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from facewright.errors import BadValue
from facewright.motion.depth import DepthImage, PointCloud, ScanFrame
from facewright.tracking.find import ENOUGH, FoundHead, find_head
from facewright.tracking.observed import observed
from facewright.tracking.surface_samples import EYES, SurfaceSamples

_RANGE = (0.05, 20.0)  # metres: depths at which a camera sees a face
_UNITS = {"millimetres": 0.001, "centimetres": 0.01}
_FACTORS = {0.5: "half", 2.0: "twice", 0.25: "a quarter of", 4.0: "four times"}
_BETTER = 0.7  # of the distance of a head: with another lens it is at most so far off
_SIZES = (0.6, 1.6)  # of an adult's head


def check_measured(frame: ScanFrame | None) -> None:
    """Raise an error where no face could be measured at such distances: another unit was meant."""
    if not isinstance(frame, DepthImage):
        return
    middle = float(np.median(frame.depth[frame.depth > 0]))
    for words, factor in _UNITS.items():
        if middle > _RANGE[1] and _RANGE[0] <= middle * factor <= _RANGE[1]:
            raise BadValue(
                f"what was measured is {middle:.4g} m away: the depths seem to be in {words}; say so (--unit, or"
                " `depth_scale` beside the intrinsics, the metres of a depth of 1)"
            )
    if not _RANGE[0] <= middle <= _RANGE[1]:
        raise BadValue(
            f"what was measured is {middle:.3g} m away; a face is followed from {_RANGE[0]:g} to {_RANGE[1]:g} m:"
            " give the depth's unit (--unit, or `depth_scale` beside the intrinsics, the metres of a depth of 1)"
        )


def no_head(samples: SurfaceSamples, frame: ScanFrame) -> BadValue:
    """The error for a frame without a head, with what was found to help."""
    text = "no head was found that looks like the rig's"
    if isinstance(frame, DepthImage):
        return BadValue(f"{text}: {_without_depth(samples, frame)}")
    return BadValue(f"{text}: {_in_cloud(samples, frame)}")


def check_lens(samples: SurfaceSamples, frames: Sequence[ScanFrame], found: FoundHead) -> None:
    """Raise an error where a head fits poorly, and well in one of the frames with a lens for another size."""
    if found.share >= ENOUGH:
        return
    for frame in frames:
        if isinstance(frame, DepthImage) and (words := _better_lens(samples, frame, (2.0, 0.5), _BETTER * found.off)):
            raise BadValue(
                f"the head that was found fits poorly; it fits with {words} the focal length: the intrinsics seem to be"
                " for pictures of another size"
            )


def _better_lens(samples: SurfaceSamples, frame: DepthImage, factors: Iterable[float], most: float = np.inf) -> str:
    """With how much of the focal length a head is found, no further off than so many eye distances; else empty."""
    lens = frame.lens
    for factor in factors:
        try:
            other = replace(lens, fx=factor * lens.fx, fy=factor * lens.fy)
        except BadValue:
            continue
        head = find_head(samples, observed(replace(frame, lens=other)))
        if head is not None and head.share >= ENOUGH and head.off < most:
            return _FACTORS[factor]
    return ""


def _without_depth(samples: SurfaceSamples, frame: DepthImage) -> str:
    if words := _better_lens(samples, frame, _FACTORS):
        return f"with {words} the focal length one is; the intrinsics seem to be for pictures of another size"
    behind = frame.depth.max() - np.where(frame.depth > 0, frame.depth, frame.depth.max())
    if _is_found(samples, replace(frame, depth=(behind + 0.3).astype(np.float32) * (frame.depth > 0))):
        return "one is found where near and far are exchanged; the pictures seem to hold disparity, not depth"
    return (
        f"{frame.seen:,} of {frame.depth.size:,} pixels have a depth. The face should be the nearest thing, 20 to 80 cm"
        " away, with brows, nose and mouth in the picture"
    )


def _in_cloud(samples: SurfaceSamples, frame: PointCloud) -> str:
    mirrored = replace(frame, points=frame.points * [-1, 1, 1], normals=frame.normals * [-1, 1, 1])
    inside_out = replace(frame, normals=-frame.normals)
    if _is_found(samples, inside_out):
        return "one is found where the normals are turned round; reverse the corners of each polygon"
    if _is_found(samples, mirrored):
        return "one is found in the mirror image; negate one axis of the points, such as x"
    for words, factor in {"ten times larger": 10.0, "ten times smaller": 0.1}.items():
        if _is_found(samples, replace(frame, points=factor * frame.points)):
            return f"one is found where the points are {words}; give their unit (--unit)"
    return f"there are {frame.seen:,} points; the face should be among them, with brows, nose and mouth"


def _is_found(samples: SurfaceSamples, frame: ScanFrame) -> bool:
    found = find_head(samples, observed(frame))
    return found is not None and found.share >= ENOUGH


def size_note(samples: SurfaceSamples, scale: float) -> str:
    """A remark where a head is far larger or smaller than an adult's; empty where it is not."""
    size = samples.eyes * scale / EYES
    if _SIZES[0] <= size <= _SIZES[1]:
        return ""
    return (
        f"the head is {size:.2g} times as large as an adult's: the intrinsics or the depth's unit may be wrong;"
        " weights do not depend on it"
    )
