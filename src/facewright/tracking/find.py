"""The head in a single frame, without anything known before.

A face is tried at many places and in many directions, also sideways and upside down, by a few of its points. The best
ones are fitted rigidly, coarse to fine, with the size of the head as a further unknown, and compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.spatial.transform import Rotation

from facewright.arrays import Floats, Ints
from facewright.tracking.comparison import Tolerance, compare
from facewright.tracking.observed import Observed
from facewright.tracking.placement import TO_CAMERA, HeadPlacement
from facewright.tracking.surface_samples import EYES, SurfaceSamples

ENOUGH = 0.5  # share of the face that has to lie on what was measured
_POINTS = 150  # of the face, for the search
_PLACES = 400  # that are tried
_TRIED = 60  # places that are fitted roughly
_ROLLS, _YAWS, _PITCHES = (0, 90, 180, 270), (-75, -50, -25, 0, 25, 50, 75), (-25, 0, 25)  # degrees
_NEAR = 0.3  # of the distance between the eyes: points further off than this are equally wrong
_CLOSE = 0.05  # the same: points nearer than this lie on the surface
_FIT = (0.8, 0.8, 0.6, 0.6, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.2)  # the same: most distance in each step of a fit
_ROUGH = (0.8, 0.8, 0.6, 0.6, 0.5)
_MARKED = (0.4, 0.4, 0.3, 0.3, 0.3, 0.2, 0.2, 0.2, 0.2)  # the same, about where landmarks say that it is
_RIGID = 1500  # samples of a rigid fit
_ROUNDS = ((_ROUGH, 300, 10), (_FIT, _RIGID, 1))  # most distances, samples, and how many places are kept
_SCALED = 6  # steps before the size is fitted, too
_TRIED_SIZES = (0.85, 1.0, 1.15)
_SIZES = 0.12  # standard deviation of the logarithm of the size of heads


@dataclass(frozen=True, eq=False)
class FoundHead:
    """Where a head seems to be."""

    place: HeadPlacement
    share: float  # of the face that faces the camera: how much of it lies on what was measured
    off: float  # mean distance of that face, eye distances; further points count as `_NEAR`


def find_head(
    samples: SurfaceSamples, seen: Observed, scale: float | None = None, start: HeadPlacement | None = None
) -> FoundHead | None:
    """The head that fits best, of a person of a usual size or with a known scale, metres in a scene unit.

    start: where landmarks say that it is; if there is a face, it is taken. None where there is nothing that a face
    could be compared with.
    """
    fixed = scale is not None
    if start is not None:
        near = fit_rigid(samples, seen, start, limits=_MARKED, fixed_scale=fixed)
        if (marked := judged(samples, seen, near)).share >= ENOUGH:
            return marked
    sizes = [scale] if scale else [factor * EYES / samples.eyes for factor in _TRIED_SIZES]
    scored = sorted((start for size in sizes for start in _search(samples, seen, size)), key=lambda each: each[0])
    starts = [place for _, place in scored[:_TRIED]]
    for limits, count, kept in _ROUNDS:
        fitted = [fit_rigid(samples, seen, start, limits=limits, count=count, fixed_scale=fixed) for start in starts]
        found = sorted((judged(samples, seen, place) for place in fitted), key=lambda each: each.off)
        starts = [each.place for each in found[:kept]]
    return found[0] if found else None


def _search(samples: SurfaceSamples, seen: Observed, scale: float) -> list[tuple[float, HeadPlacement]]:
    """Places at which a few points of the face are near to what was measured, and how far they are on average."""
    places = seen.places(_PLACES)
    if len(places) < 3:
        return []
    any_direction = seen.towards(places[:1]) is None
    if any_direction:  # twice as many directions, and all of the face is shown in each
        places = places[::4]
    pose = samples.posed(np.zeros(len(samples.rig.sliders)))
    face = np.flatnonzero(samples.face & (pose.normals[:, 2] > 0)) if samples.face.any() else np.arange(len(samples))
    face = face[:: max(1, len(face) // (2 * _POINTS))]
    near = _NEAR * samples.eyes * scale
    scored: list[tuple[float, HeadPlacement]] = []
    for rotation in _rotations(any_direction):
        points, normals = scale * pose.points[face] @ rotation.T, pose.normals[face] @ rotation.T
        shown = np.arange(len(face)) if any_direction else np.flatnonzero(normals[:, 2] < -0.2)
        if len(shown) < 10:
            continue
        points = points[shown]
        anchor = points[((points - points.mean(axis=0))[:, :2] ** 2).sum(axis=1).argmin()]
        tried = places[:, None] + (points - anchor)
        off = np.minimum(seen.rough_gaps(tried.reshape(-1, 3)), near).reshape(len(places), -1).mean(axis=1) / near
        best = np.argsort(off)[:2].tolist()
        scored += [(float(off[i]), HeadPlacement(rotation, places[i] - anchor, scale)) for i in best]
    return scored


def _rotations(any_direction: bool) -> list[Floats]:
    """Directions in which a head may be seen; of a cloud, from where is not known."""
    facing = [TO_CAMERA, np.eye(3)] if any_direction else [TO_CAMERA]
    turns = [
        Rotation.from_euler("ZYX", [roll, yaw, pitch], degrees=True).as_matrix()
        for roll, yaw, pitch in product(_ROLLS, _YAWS, _PITCHES)
    ]
    return [base @ turn for base in facing for turn in turns]


def fit_rigid(
    samples: SurfaceSamples,
    seen: Observed,
    place: HeadPlacement,
    *,
    weights: Floats | None = None,
    limits: tuple[float, ...] = _FIT,
    count: int = _RIGID,
    fixed_scale: bool = False,
) -> HeadPlacement:
    """The place from which a posed face fits best, without a change of its weights (n,)."""
    some = every(samples, count)
    pose = samples.posed(np.zeros(len(samples.rig.sliders)) if weights is None else weights, some)
    usual = place.scale
    for number, most in enumerate(limits):
        eyes = samples.eyes * place.scale
        tolerance = Tolerance(most * eyes, most * eyes / 2)
        found = compare(samples, pose, place, seen, tolerance, of=some, scaled=True)
        if len(found.which) < 10:
            return place
        units = np.array([eyes, eyes, eyes, 1.0, 1.0, 1.0, 1.0])
        rows = found.rows * units
        counts = samples.weights[found.which] * found.sure / (tolerance.usual / 4) ** 2
        H, g = (rows.T * counts) @ rows, (rows.T * counts) @ found.residual
        H[np.arange(6), np.arange(6)] += 1.0
        held = fixed_scale or number < _SCALED
        H[6, 6] += 1e12 if held else 1 / _SIZES**2
        g[6] += 0.0 if held else np.log(usual / place.scale) / _SIZES**2
        place = place.moved(units * np.linalg.solve(H, g), found.middle)
    return place


def judged(samples: SurfaceSamples, seen: Observed, place: HeadPlacement, weights: Floats | None = None) -> FoundHead:
    """How well a face lies on what was measured."""
    some = every(samples, _RIGID)
    pose = samples.posed(np.zeros(len(samples.rig.sliders)) if weights is None else weights, some)
    points, normals = place(pose.points), pose.normals @ place.rotation.T
    towards = seen.towards(points)
    facing = (normals * towards).sum(axis=1) > 0.3 if towards is not None else samples.face[some]
    if facing.sum() < 10:
        return FoundHead(place, 0.0, _NEAR)
    off = seen.gaps(points[facing]) / (samples.eyes * place.scale)
    counts = samples.weights[some][facing]
    share = float(counts @ (off < _CLOSE) / counts.sum())
    return FoundHead(place, share, float(counts @ np.minimum(off, _NEAR) / counts.sum()))


def every(samples: SurfaceSamples, count: int) -> Ints:
    """About so many of the samples (k,), evenly chosen."""
    return np.arange(0, len(samples), max(1, len(samples) // count))
