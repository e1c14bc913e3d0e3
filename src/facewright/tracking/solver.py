"""Weights and the head's place from one frame after another (Weise et al. 2009, 2011; Li, Weise and Pauly 2010).

In each frame the unknowns are the head's place (6), its size, and the sliders. Samples of the skin are compared with
what was measured, along their normals; what that leaves open follows from a prior and from the frame before
(`PoseProcess`). The update is a bounded quadratic program, repeated as the comparison changes. What is learned of the
size stays: it soon changes no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.motion.depth import ScanFrame
from facewright.options import suggests_options
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.rig.slider_sets import sliders_in
from facewright.solve.active_set import ActiveSetQP
from facewright.solve.solution import Solution
from facewright.terms.prior_evidence import PosePrior
from facewright.terms.rules import forbidden_sliders, vertex_offsets
from facewright.terms.unasked import off_skin, unasked_sliders
from facewright.tracking.comparison import SurfaceComparison, Tolerance, compare
from facewright.tracking.filter import FilteredPose, PoseBelief, PoseProcess
from facewright.tracking.find import ENOUGH, FoundHead, find_head, fit_rigid, judged
from facewright.tracking.landmarks import LandmarkBelief, LandmarkPose, LandmarkRows, RigLandmarks
from facewright.tracking.observed import Observed, observed
from facewright.tracking.options import TrackOptions
from facewright.tracking.placement import HeadPlacement
from facewright.tracking.surface_samples import SampledPose, SurfaceSamples

HEAD = 7  # unknowns: shifts, turns, size
_STEPS = ((0.15, 6.0), (0.1, 4.0), (0.08, 3.0))  # most distance, in eye distances, and the usual one, in noises
_FEWER = 1500  # samples that are compared before the last step, or a few more
_COARSE = (0.4, 0.25)  # most distance while only the head moves
_FAINT = 0.05  # of the largest motion of a sample by any slider: one that it moves less does not ask for it
_FIRST_NOISE = 0.02  # of the distance between the eyes
_PATCH = 6  # samples of a patch whose mean is looked at
_SLOW = 0.8  # share of the last frame's noise that is kept
_HELD = 1e-3  # so little holds a head that is hardly seen
_LOST = 0.25  # share of the face: where less lies on what was measured, the head is lost
_PARTLY = 0.5  # the same: where less does, the frame is solved from a part
_POOR = 2.5  # times the usual residual
_SIZE = 0.1  # standard deviation of the logarithm of a head's size when it was just found
_FIXED_SIZE = 1e-6


class TrackStatus(Enum):
    """How a frame was followed, in a sentence for the user."""

    FOLLOWED = "followed"
    PARTLY_SEEN = "less than half of the face was measured: the rest follows from what is likely"
    POOR_FIT = "the rig does not reach what was measured: see the map of the residual"
    DROPPED = "the frame is missing: it is interpolated from its neighbours"
    EMPTY = "nothing was measured: it is interpolated from its neighbours"
    LOST = "no head was found: it is interpolated from its neighbours"
    NOT_BEST = "stopped early: inside the bounds and usable, but not the best there is"

    @property
    def seen(self) -> bool:
        """Whether the frame itself tells the pose."""
        return self not in (TrackStatus.DROPPED, TrackStatus.EMPTY, TrackStatus.LOST)


@dataclass(frozen=True, eq=False)
class TrackedFrame:
    """What is known after a frame."""

    time: float
    status: TrackStatus
    weights: Floats  # (n,)
    place: HeadPlacement
    pose: FilteredPose
    head_slope: Floats  # (6, f) how shifts and turns of the head change with the weights, other things equal
    noise: float  # standard deviation of the residuals, metres
    size: float  # standard deviation of the logarithm of the head's size
    residual: float = np.nan  # root mean square along the normals, metres
    evidence: float = 0.0  # how much more a slider explains than noise would, on average: 1 where nothing moves
    motion: float = 0.0  # of the skin along its normals that only sliders explain: root mean square, eye distances
    independent: float = 1.0  # share of the samples that tell something of their own
    share: float = 0.0  # of the face that faces the camera: how much of it lies on what was measured
    comparison: SurfaceComparison | None = None
    landmarks: LandmarkBelief | None = None  # None before any were seen
    landmarks_off: float = np.nan  # metres: how far half of the landmarks are off, or more


@dataclass(frozen=True, eq=False)
class ExpectedFrame:
    """What is expected of a frame before it is compared."""

    pose: PoseBelief
    scale: float  # metres in a scene unit
    size: float  # standard deviation of its logarithm
    noise: float  # metres
    independent: float  # share of the samples that tell something of their own
    landmarks: tuple[Floats, Floats] | None = None  # H and g of their squared residuals, about the current pose
    fewer: int = 1  # one of so many samples was compared: each counts as so many


class TrackSolver:
    """A rig prepared for following a face, and what was seen so far. Each call of `next` gives one more frame."""

    @suggests_options
    def __init__(
        self, rig: Rig, *, prior: Prior | None = None, options: TrackOptions | None = None, scale: float | None = None
    ) -> None:
        """scale: metres in a scene unit of the rig, where the rig has the actor's true size."""
        self.rig, self.options, self.scale = rig, options or TrackOptions(), scale
        self.samples = SurfaceSamples(rig, self.options.samples)
        self.free = np.setdiff1d(np.arange(len(rig.sliders)), self._fixed())  # (f,)
        self.low, self.high = rig.bounds[self.free].T
        self.moment = PosePrior(rig, prior).cautious(self.free)  # (f, f)
        self._process = PoseProcess(self.moment, self.options.memory)
        edge = np.full(HEAD, np.inf)
        self._qp = ActiveSetQP(np.concatenate([-edge, self.low]), np.concatenate([edge, self.high]))
        self.last: TrackedFrame | None = None
        self._landmarks: RigLandmarks | None = None
        self._before: TrackedFrame | None = None

    def next(self, frame: ScanFrame | None, time: float) -> TrackedFrame:
        """The next frame, None if it was dropped, at a time in seconds."""
        if self.last is None:
            found = self._started(frame, time)
        elif frame is None or not frame.seen:
            found = self._missing(self.last, time, TrackStatus.DROPPED if frame is None else TrackStatus.EMPTY)
        else:
            found = self.follow(self.last, frame, time, self._expected_place(self.last, time))
            if found.status is TrackStatus.LOST:
                found = self._found_again(self.last, frame, time)
        if self.last is not None:
            self._before = self.last
        self.last = found if found.status.seen or self.last is not None else None
        return found

    def find(self, frame: ScanFrame) -> FoundHead | None:
        """The head in one frame."""
        return self._found(frame, self.scale)

    def _found(self, frame: ScanFrame, scale: float | None) -> FoundHead | None:
        start = self.landmarks.place(frame, scale) if frame.landmarks else None
        return find_head(self.samples, observed(frame), scale, start)

    @property
    def landmarks(self) -> RigLandmarks:
        """Those of the rig, found when a frame has some."""
        if self._landmarks is None:
            self._landmarks = RigLandmarks(self.rig, self.samples.eyes)
        return self._landmarks

    @suggests_options
    def begin(self, place: HeadPlacement, time: float = 0.0, *, size: float | None = None) -> None:
        """Begin with a face at rest whose head is somewhere; size: standard deviation of its logarithm."""
        self.last, self._before = self._at_rest(place, time, size), None

    def _at_rest(self, place: HeadPlacement, time: float, size: float | None = None) -> TrackedFrame:
        noise = _FIRST_NOISE * self.samples.eyes * place.scale
        pose = FilteredPose(self._process.moment, 0.0, self._process.rest())
        unsure = size if size is not None else _SIZE if self.scale is None else _FIXED_SIZE
        rest = np.clip(0.0, *self.rig.bounds.T)
        slope = np.zeros((6, len(self.free)))
        return TrackedFrame(time, TrackStatus.LOST, rest, place, pose, slope, noise, unsure)

    def _started(self, frame: ScanFrame | None, time: float) -> TrackedFrame:
        found = self.find(frame) if frame is not None and frame.seen else None
        nowhere = HeadPlacement(np.eye(3), np.zeros(3), self.scale or 1.0)
        if frame is None or found is None or found.share < ENOUGH:
            why = TrackStatus.DROPPED if frame is None else TrackStatus.LOST if frame.seen else TrackStatus.EMPTY
            return replace(self._at_rest(nowhere, time), status=why)
        return self.follow(self._at_rest(found.place, time), frame, time, found.place)

    def _found_again(self, last: TrackedFrame, frame: ScanFrame, time: float) -> TrackedFrame:
        found = self._found(frame, last.place.scale)
        if found is None or found.share < ENOUGH:
            return self._missing(last, time, TrackStatus.LOST)
        again = self.follow(last, frame, time, found.place)
        return again if again.status.seen else self._missing(last, time, TrackStatus.LOST)

    def _missing(self, last: TrackedFrame, time: float, why: TrackStatus) -> TrackedFrame:
        """A frame that tells nothing."""
        kept, expected = self._process.expected(last.pose.belief, time - last.time)
        weights = last.weights.copy()
        weights[self.free] = np.clip(expected.mean, self.low, self.high)
        pose = FilteredPose(expected.covariance, kept, expected)
        slope = np.zeros_like(last.head_slope)
        return TrackedFrame(
            time, why, weights, last.place, pose, slope, last.noise, last.size, independent=last.independent,
            landmarks=last.landmarks,
        )  # fmt: skip

    def _expected_place(self, last: TrackedFrame, time: float) -> HeadPlacement:
        """Where the head is if it moves on as it did between the last two frames."""
        before = self._before
        if before is None or not (last.status.seen and before.status.seen) or last.time == before.time:
            return last.place
        from scipy.spatial.transform import Rotation

        share = (time - last.time) / (last.time - before.time)
        turn = Rotation.from_matrix(last.place.rotation @ before.place.rotation.T).as_rotvec()
        rotation = Rotation.from_rotvec(np.clip(share, -2, 2) * turn).as_matrix() @ last.place.rotation
        middle = self.samples.middle
        there = last.place(middle) + np.clip(share, -2, 2) * (last.place(middle) - before.place(middle))
        return replace(last.place, rotation=rotation, offset=there - last.place.scale * rotation @ middle)

    def follow(self, last: TrackedFrame, frame: ScanFrame, time: float, place: HeadPlacement) -> TrackedFrame:
        """A frame after another one, the head expected at a place."""
        kept, expected = self._process.expected(last.pose.belief, time - last.time)
        weights, noise, independent = last.weights.copy(), last.noise, last.independent
        pose = self.samples.posed(weights)
        seen = observed(frame, place(pose.points))
        place = fit_rigid(self.samples, seen, place, weights=weights, limits=_COARSE, fixed_scale=True)
        some = np.flatnonzero(_may_face(pose, place, seen))
        marks = last.landmarks or self.landmarks.believed() if frame.landmarks else last.landmarks
        for step, (most, usual) in enumerate(_STEPS):
            fewer = max(1, len(some) // _FEWER) if step < len(_STEPS) - 1 else 1
            part = some[::fewer]
            eyes = self.samples.eyes * place.scale
            tolerance = Tolerance(most * eyes, usual * max(noise, self.options.floor * eyes))
            posed = self.samples.posed(weights, part)
            found = compare(self.samples, posed, place, seen, tolerance, of=part, scaled=True)
            marked = self._marked(frame, weights, place, marks, found.middle)
            pull = None if marked is None or marks is None else self._pull(marked, marks, place)
            known = ExpectedFrame(expected, last.place.scale, last.size, noise, independent, pull, fewer)
            H, answer = self.update(found, weights, place, known)
            place = place.moved(answer.x[:HEAD] * self._head_units(place), found.middle)
            weights[self.free] = answer.x[HEAD:]
            noise = self._noise(found, last.noise, eyes)
            independent = self._independent(found, last.independent)
        covariance = np.asarray(np.linalg.inv(H), np.float64)
        evidence, motion = self._evidence(found, weights, place, known)
        slope = -np.linalg.solve(H[:6, :6], H[:6, HEAD:]) * self._head_units(place)[:6, None]
        filtered = FilteredPose(expected.covariance, kept, PoseBelief(weights[self.free], covariance[HEAD:, HEAD:]))
        share, residual = judged(self.samples, seen, place, weights).share, float(np.sqrt(found.cost))
        status = self._status(share, residual, last, answer.solved)
        size = float(np.sqrt(covariance[6, 6]))
        marked, off = self._marked(frame, weights, place, marks, found.middle), np.nan
        if marked is not None and marks is not None:
            off = float(np.median(np.linalg.norm(marked.residual, axis=1)))
            marks = self.landmarks.learned(marked, marks, place)
        return TrackedFrame(
            time, status, weights, place, filtered, slope, noise, size, residual, evidence, motion, independent, share,
            found, marks, off,
        )  # fmt: skip

    def _marked(
        self, frame: ScanFrame, weights: Floats, place: HeadPlacement, marks: LandmarkBelief | None, middle: Floats
    ) -> LandmarkRows | None:
        if marks is None or not frame.landmarks:
            return None
        return self.landmarks.compared(frame, LandmarkPose(weights, place, middle, self.free), marks)

    def _pull(self, found: LandmarkRows, marks: LandmarkBelief, place: HeadPlacement) -> tuple[Floats, Floats]:
        """H and g of the landmarks, in the unknowns of `update`."""
        units = np.concatenate([self._head_units(place), np.ones(len(self.free))])
        H, g = self.landmarks.equations(found, marks, place.scale)
        return units[:, None] * H * units, units * g

    def update(
        self, found: SurfaceComparison, weights: Floats, place: HeadPlacement, known: ExpectedFrame
    ) -> tuple[Floats, Solution]:
        """The curvature H (7 + f, 7 + f), and the change of the head with the free sliders' values that is best."""
        H, g = self._equations(found, weights, place, known)
        if known.landmarks is not None:
            H, g = H + known.landmarks[0], g + known.landmarks[1]
        H[6, 6] += 1 / known.size**2
        g[6] += np.log(known.scale / place.scale) / known.size**2
        precision = np.linalg.inv(known.pose.covariance)
        H[HEAD:, HEAD:] += precision
        g[HEAD:] += precision @ (known.pose.mean - weights[self.free])
        at = np.concatenate([np.zeros(HEAD), weights[self.free]])
        return H, self._qp.solve(H, -(g + H @ at))

    def _status(self, share: float, residual: float, last: TrackedFrame, solved: bool) -> TrackStatus:
        if share < _LOST:
            return TrackStatus.LOST
        if share < _PARTLY:
            return TrackStatus.PARTLY_SEEN
        if np.isfinite(last.residual) and residual > _POOR * last.noise:
            return TrackStatus.POOR_FIT
        return TrackStatus.FOLLOWED if solved else TrackStatus.NOT_BEST

    def _head_units(self, place: HeadPlacement) -> Floats:
        """What the unknowns of the head are multiplied by, so that all are about 1."""
        eyes = self.samples.eyes * place.scale
        return np.array([eyes, eyes, eyes, 1.0, 1.0, 1.0, 1.0])

    def rows(self, found: SurfaceComparison, weights: Floats, place: HeadPlacement) -> NDArray[np.float32]:
        """How the compared samples (m, 7 + f) move along their normals with the head and the free sliders, metres."""
        slopes = self.samples.slopes(found.normals, found.which)  # (m, s)
        jacobian = self.samples.combine.jacobian(weights)[:, self.free].astype(np.float32)
        rows = np.empty((len(found.which), HEAD + len(self.free)), np.float32)
        rows[:, :HEAD] = found.rows * self._head_units(place)
        np.matmul(slopes, place.scale * jacobian, out=rows[:, HEAD:])
        return rows

    def _equations(
        self, found: SurfaceComparison, weights: Floats, place: HeadPlacement, known: ExpectedFrame
    ) -> tuple[Floats, Floats]:
        """H (7 + f, 7 + f) and g (7 + f,) of the squared residuals about the current pose."""
        rows = self.rows(found, weights, place)
        each = known.fewer * min(known.independent, self.options.independent) / known.noise**2
        counts = each * self.samples.weights[found.which] * found.sure
        counted = rows * counts[:, None].astype(np.float32)
        H = (counted.T @ rows).astype(np.float64)
        H[np.arange(HEAD), np.arange(HEAD)] += _HELD
        return H, (counted.T @ found.residual.astype(np.float32)).astype(np.float64)

    def _noise(self, found: SurfaceComparison, before: float, eyes: float) -> float:
        """Standard deviation of the residuals, metres; the frames before count too."""
        if not len(found.residual):
            return before
        now = 1.4826 * float(np.median(np.abs(found.residual)))
        return max(_SLOW * before + (1 - _SLOW) * now, self.options.floor * eyes)

    def _evidence(
        self, found: SurfaceComparison, weights: Floats, place: HeadPlacement, known: ExpectedFrame
    ) -> tuple[float, float]:
        """Squared distance of the pose from rest in units of what independent samples tell, for each free slider.

        And the motion that this is, root mean square along the normals in eye distances.
        """
        H = self._equations(found, weights, place, known)[0]
        tied = np.linalg.solve(H[:HEAD, :HEAD], H[:HEAD, HEAD:])
        alone = H[HEAD:, HEAD:] - H[HEAD:, :HEAD] @ tied  # the head may move as it likes
        free, each = weights[self.free], known.fewer * min(known.independent, self.options.independent)
        squared = float(free @ alone @ free) / each
        counted = float(self.samples.weights[found.which] @ found.sure) / known.noise**2
        motion = np.sqrt(max(squared, 0.0) / max(counted, 1e-12)) / (self.samples.eyes * place.scale)
        return squared / max(len(free), 1), float(motion)

    def _independent(self, found: SurfaceComparison, before: float) -> float:
        """The share of the samples that tell something of their own: less, the more the residuals of patches agree.

        The mean of n residuals of the variance s, of which t is common to a patch, varies by s / n + t: it is worth
        1 / (1 + n t / s) of n independent ones.
        """
        usual, common = self.common_variance(found)
        if not usual:
            return before
        now = 1 / (1 + usual * common / max(found.cost, 1e-30))
        return _SLOW * before + (1 - _SLOW) * now

    def common_variance(self, found: SurfaceComparison) -> tuple[float, float]:
        """The usual number of samples of a patch, 0 where none has enough, and the variance that they share, m^2."""
        patches = self.samples.patches[found.which]
        counts = np.bincount(patches)
        large = counts >= _PATCH
        if not large.any():
            return 0.0, 0.0
        means = np.bincount(patches, found.sure * found.residual) / np.maximum(np.bincount(patches, found.sure), 1e-9)
        n, variance = counts[large], max(found.cost, 1e-30)
        common = float((n * means[large] ** 2).sum() - large.sum() * variance) / float(n.sum())
        return float(n.mean()), max(common, 0.0)

    def _fixed(self) -> Ints:
        """Sliders (k,) that stay at 0: those that the skin does not show, the locked ones, those that rules forbid."""
        rig = self.rig
        slopes = np.abs(self.samples.combine.jacobian(np.clip(0.0, *rig.bounds.T)))
        speed = np.linalg.norm(self.samples.rows, axis=1) @ slopes  # (k, n)
        speed = np.where(speed < _FAINT * speed.max(initial=0.0), 0.0, speed)
        if self.options.sliders is None:
            unused = np.union1d(unasked_sliders(off_skin(rig), speed), np.flatnonzero(~speed.any(axis=0)))
        else:
            used = [rig.slider_index(name) for name in sliders_in(rig, self.options.sliders)]
            unused = np.setdiff1d(np.arange(len(rig.sliders)), used)
        locked = np.array([rig.slider_index(name) for name in self.options.locked], np.int64)
        return np.unique(np.concatenate([unused, locked, forbidden_sliders(rig, vertex_offsets(rig))]))


def _may_face(pose: SampledPose, place: HeadPlacement, seen: Observed) -> NDArray[np.bool_]:
    """Which samples (k,) face the camera, or nearly do."""
    points = place(pose.points)
    towards = seen.towards(points)
    if towards is None:
        return np.ones(len(points), bool)
    return np.asarray(((pose.normals @ place.rotation.T) * towards).sum(axis=1) > 0)
