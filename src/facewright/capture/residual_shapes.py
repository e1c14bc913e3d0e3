"""The residual of a take as a few more shapes, so that weights alone can meet the markers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.capture.markers import BoundRig
from facewright.capture.playback import Playback
from facewright.capture.residual import ResidualField
from facewright.capture.solution import TakeSolution
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.options import suggests_options
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.slider import Slider, sliders_of, with_sliders

NAME = "residual{:02d}"
GROUP = "residual"


@suggests_options
def with_residual_shapes(solved: TakeSolution, *, tolerance: float = 0.02) -> tuple[Rig, Clip]:
    """The rig with more shapes, and the clip with their weights, that meet the markers up to a tolerance.

    The tolerance, a share of the markers' spacing, holds for all markers in 99 % of the frames. The shapes are the
    principal components of the residual, which with distances at rest is a sum of one fixed field for each marker.
    """
    if not tolerance > 0:
        raise BadValue(f"the tolerance is a share of the markers' spacing above 0, not {tolerance}")
    bound = BoundRig(solved.rig, solved.binding)
    field = ResidualField(bound)
    strengths = field.strengths(solved.filled_offsets)  # (frames, k, 3)
    weights, modes = _principal(field, strengths, tolerance * bound.spacing)
    rig, clip = solved.rig, solved.clip
    lids, around = _around_eyes(solved, field, weights)
    for number, (values, mode) in enumerate(zip(weights.T, modes, strict=True), 1):
        name = _free_name(rig, number)
        delta = np.zeros((rig.vertex_count, 3))
        delta[field.skin] = field.shapes() @ mode
        delta[lids] = around[number - 1]
        low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
        slider = Slider(name, low, high, GROUP)
        rig = with_sliders(rig, (*rig.shapes, Shape.from_dense(name, delta)), (*sliders_of(rig), slider))
        clip = replace(clip, curves={**clip.curves, name: Curve(solved.times, values)})
    return rig, clip


def _principal(field: ResidualField, strengths: Floats, tolerance: float) -> tuple[Floats, Floats]:
    """Weights (frames, r), the largest of each about 1, and modes (r, k, 3) of strengths (frames, k, 3)."""
    frames, k, _ = strengths.shape
    measure = np.linalg.cholesky(
        field.shapes().T @ field.shapes() + 1e-12 * np.eye(k)
    )  # |strengths @ measure| is how far the skin moves
    scaled = (np.swapaxes(strengths, 1, 2) @ measure).reshape(frames, 3 * k)
    U, size, Vt = np.linalg.svd(scaled, full_matrices=False)
    back = np.linalg.inv(measure)
    modes = np.swapaxes(Vt.reshape(-1, 3, k) @ back, 1, 2)  # (r, k, 3)
    at_markers = field.at_markers(modes)
    whole, so_far = field.at_markers(strengths), np.zeros_like(strengths)
    count = 0
    while count < len(size) and np.quantile(np.linalg.norm(whole - so_far, axis=2).max(axis=1), 0.99) > tolerance:
        so_far = so_far + (U[:, count] * size[count])[:, None, None] * at_markers[count]
        count += 1
    weights = U[:, :count] * size[:count]
    scale = np.abs(weights).max(axis=0, initial=0.0)
    scale = np.where(scale > 0, scale, 1.0)
    return weights / scale, modes[:count] * scale[:, None, None]


def _around_eyes(solved: TakeSolution, field: ResidualField, weights: Floats) -> tuple[Ints, Floats]:
    """The skin around the eyeballs (z,), and its offsets (r, z, 3) in the shapes, fitted to its motion in the take."""
    lids = np.unique(np.concatenate([np.zeros(0, np.int64), *(ball.skin for ball in field.eyeballs)]))
    asked, done = np.zeros((weights.shape[1], 3 * len(lids))), 0
    if not len(lids) or not weights.shape[1]:
        return lids, np.zeros((weights.shape[1], len(lids), 3))
    for before, after in zip(Playback(solved, residual=False).chunks(), Playback(solved).chunks(), strict=True):
        offsets = (after[:, lids] - before[:, lids]).reshape(len(after), -1)
        asked += weights[done : done + len(after)].T @ offsets
        done += len(after)
    return lids, (np.linalg.pinv(weights.T @ weights) @ asked).reshape(-1, len(lids), 3)


def _free_name(rig: Rig, number: int) -> str:
    name = NAME.format(number)
    while name in rig.sliders or name in rig.shape_names:
        name += "_"
    return name
