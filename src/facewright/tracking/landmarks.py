"""Landmarks of a frame beside those of the rig: where the head is at first, and a pull on what depth leaves open.

Depth says nothing of motion along the skin, as of the lids or the corners of the mouth; landmarks do. A detector's
landmark is not exactly the rig's: each has an offset that stays, which is learned from frame to frame, and an error
that changes, of which the size is measured. Landmarks that are far off are not believed.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.build.registration.face_mesh import FaceMesh
from facewright.capture.places import places_of
from facewright.errors import BadValue
from facewright.mesh.align import align
from facewright.motion.depth import DepthImage, ScanFrame, ScanSequence
from facewright.rig.combine import Combine
from facewright.rig.evaluate import delta_rows
from facewright.rig.landmark_numbering import sides_exchanged
from facewright.rig.rig import Rig
from facewright.tracking.placement import HeadPlacement

# All lengths in distances between the eyes:
_OFFSET = 0.06  # standard deviation of the offset that stays
_ERROR = 0.04  # of the error that changes, at first
_LEAST_ERROR = 0.015
_FAR = 0.35  # landmarks that are further off are not the face's
_TRIMMED = 0.25  # the same where a head is placed by them
_USUAL = 3.0  # errors: a landmark this far off counts a quarter
_SLOW = 0.95  # share of the last frame's error that is kept
_LASTING = 0.1  # of a landmark that counts as new in each frame: its error changes slowly, too
_FEWEST = 4  # landmarks that place a head
_RAYLEIGH = 1.18  # median of a length in the plane, in standard deviations along each axis
_AROUND = 2  # pixels around a landmark whose median depth is its own
_PLACES = {"nose": "nose tip", "mouth left": "mouth left", "mouth right": "mouth right", "chin": "chin"}


@dataclass(frozen=True, eq=False)
class LandmarkBelief:
    """What is known of the landmarks of a detector."""

    offset: Floats  # (l, 3) scene units, from the rig's landmark to the detector's
    variance: Floats  # (l,) of that, scene units squared
    error: float  # standard deviation of what changes, scene units


@dataclass(frozen=True, eq=False)
class LandmarkPose:
    """A pose at which landmarks are compared."""

    weights: Floats  # (n,)
    place: HeadPlacement
    middle: Floats  # (3,) before the camera: what the head is turned about
    free: Ints  # (f,) sliders that are solved


@dataclass(frozen=True, eq=False)
class LandmarkRows:
    """The landmarks of a frame, compared in a pose."""

    which: Ints  # (m,) of the rig's
    residual: Floats  # (m, 2) across the view, or (m, 3); metres
    rows: Floats  # (m, 2 or 3, p): how they move with the pose
    across: Floats  # (m, 2 or 3, 3): what of a motion before the camera is compared


class RigLandmarks:
    """Vertices of a rig that are landmarks, by name; none where its eyes and mouth are not found."""

    def __init__(self, rig: Rig, eyes: float) -> None:
        """eyes: their distance, scene units."""
        found = _vertices(rig)
        self.names, self._eyes = tuple(found), eyes
        self._vertices = np.array(list(found.values()), np.int64)
        self._put(rig)

    def _put(self, rig: Rig) -> None:
        self._combine, self._rest = Combine(rig), rig.neutral[self._vertices]
        self._shapes = delta_rows(rig, self._vertices)  # (s, l, 3)

    def on(self, rig: Rig) -> RigLandmarks:
        """The same vertices of a rig of the same topology."""
        other = copy(self)
        other._put(rig)
        return other

    def believed(self) -> LandmarkBelief:
        """Before any frame."""
        count = len(self.names)
        return LandmarkBelief(np.zeros((count, 3)), np.full(count, (_OFFSET * self._eyes) ** 2), _ERROR * self._eyes)

    def known(self, frame: ScanFrame) -> tuple[Ints, Floats]:
        """Which of the rig's landmarks (m,) a frame has, and where (m, 2 or 3); none where sides are exchanged."""
        at = {name: np.asarray(each, float) for name, each in frame.landmarks.items() if np.isfinite(each).all()}
        which = [i for i, name in enumerate(self.names) if name in at]
        if not which or sides_exchanged(at):
            return np.zeros(0, np.int64), np.zeros((0, 2))
        return np.array(which, np.int64), np.array([at[self.names[i]] for i in which])

    def place(self, frame: ScanFrame, scale: float | None) -> HeadPlacement | None:
        """Where the landmarks of a frame put a head at rest; None where too few of them agree.

        scale: metres in a scene unit, if it is known.
        """
        which, at = self.known(frame)
        if isinstance(frame, DepthImage):
            at = _lifted(frame, at)
        kept = np.array(np.isfinite(at).all(axis=1), bool)
        while kept.sum() >= _FEWEST:
            own = (scale or 1.0) * self._rest[which[kept]]
            try:
                found = align(own, at[kept], scaled=scale is None)
            except BadValue:  # they lie on a line
                return None
            off = np.linalg.norm(found(own) - at[kept], axis=1)
            metres = found.scale * (scale or 1.0)
            if off.max() < _TRIMMED * self._eyes * metres:
                return HeadPlacement(found.rotation, found.offset, metres)
            kept[np.flatnonzero(kept)[off.argmax()]] = False
        return None

    def compared(self, frame: ScanFrame, pose: LandmarkPose, belief: LandmarkBelief) -> LandmarkRows | None:
        """The landmarks of a frame beside those of the rig in a pose, with the offsets that are believed."""
        which, at = self.known(frame)
        if not len(which):
            return None
        rest = self._rest[which] + np.tensordot(self._combine(pose.weights), self._shapes[:, which], axes=1)
        points = pose.place(rest + belief.offset[which])
        across, residual = _seen(frame, points, at)
        return LandmarkRows(which, residual, across @ self._motions(points, which, pose), across)

    def _motions(self, points: Floats, which: Ints, pose: LandmarkPose) -> Floats:
        """How points (m, 3) before the camera move (m, 3, 7 + f) with the head and the free sliders."""
        place, arms = pose.place, points - pose.middle
        moved = np.empty((len(which), 3, 7 + len(pose.free)))
        moved[:, :, :3] = np.eye(3)
        moved[:, :, 3:6] = np.swapaxes(np.cross(np.eye(3), arms[:, None]), 1, 2)
        moved[:, :, 6] = arms
        slopes = self._combine.jacobian(pose.weights)[:, pose.free]  # (s, f)
        by_shape = np.moveaxis(self._shapes[:, which], 0, 2)  # (m, 3, s)
        moved[:, :, 7:] = place.scale * place.rotation @ (by_shape @ slopes)
        return moved

    def equations(self, found: LandmarkRows, belief: LandmarkBelief, scale: float) -> tuple[Floats, Floats]:
        """H (p, p) and g (p,) of the squared residuals, each as much as it is believed."""
        variance = scale**2 * (belief.error**2 + belief.variance[found.which])
        counts = _LASTING * self._sure(found, belief, scale) / variance
        weighed = found.rows * counts[:, None, None]
        H = np.tensordot(weighed, found.rows, axes=([0, 1], [0, 1]))
        return H, np.tensordot(weighed, found.residual, axes=([0, 1], [0, 1]))

    def learned(self, found: LandmarkRows, belief: LandmarkBelief, place: HeadPlacement) -> LandmarkBelief:
        """What is believed after a frame."""
        sure, off = self._sure(found, belief, place.scale), np.linalg.norm(found.residual, axis=1) / place.scale
        known = belief.variance[found.which]
        gain = _LASTING * sure * known / (known + belief.error**2)
        step = np.einsum("mij,mi->mj", found.across, found.residual) @ place.rotation / place.scale
        offset, variance = belief.offset.copy(), belief.variance.copy()
        offset[found.which] += gain[:, None] * step
        variance[found.which] = known * (1 - gain)
        now = float(np.clip(np.median(off) / _RAYLEIGH, _LEAST_ERROR * self._eyes, _FAR * self._eyes))
        return LandmarkBelief(offset, variance, _SLOW * belief.error + (1 - _SLOW) * now)

    def _sure(self, found: LandmarkRows, belief: LandmarkBelief, scale: float) -> Floats:
        """How much landmarks (m,) are believed, from 0 to 1."""
        off = np.linalg.norm(found.residual, axis=1) / scale
        usual = _USUAL * np.sqrt(belief.error**2 + belief.variance[found.which])
        return np.where(off < _FAR * self._eyes, 1 / (1 + (off / usual) ** 2) ** 2, 0.0)


def check_sides(sequence: ScanSequence, some: Ints) -> None:
    """Raise an error where the landmarks of some frames (k,) are those of a mirror image."""
    told = [sides_exchanged(frame.landmarks) for i in some.tolist() if (frame := sequence.frames[i]) is not None]
    known = [each for each in told if each is not None]
    if known and np.mean(known) > 0.5:
        raise BadValue(
            "the landmarks have the left eye where a face has its right one: the pictures are mirrored (--mirror, or"
            " `mirrored`, turns them back), or the landmarks are numbered from the other side"
        )


def _vertices(rig: Rig) -> dict[str, int]:
    """Landmark -> vertex: by the openings of eyes and mouth, else by what moves."""
    found = FaceMesh(rig, "the rig").landmarks
    if found:
        return found
    at = places_of(rig).found
    return {
        name: int(((rig.neutral - at[place]) ** 2).sum(axis=1).argmin())
        for place, name in _PLACES.items()
        if place in at
    }


def _lifted(frame: DepthImage, at: Floats) -> Floats:
    """Places (m, 3) in metres of columns and rows (m, 2); NaN where nothing was measured there."""
    height, width = frame.depth.shape
    found = np.full((len(at), 3), np.nan)
    for i, (column, row) in enumerate(np.rint(np.clip(at, -1e6, 1e6)).astype(np.int64).tolist()):
        rows, columns = (slice(max(pixel - _AROUND, 0), pixel + _AROUND + 1) for pixel in (row, column))
        near = frame.depth[rows, columns] if 0 <= row < height and 0 <= column < width else np.zeros(0)
        if (near > 0).any():
            depth = np.array([np.median(near[near > 0])])
            found[i] = frame.lens.points(np.array([row]), np.array([column]), depth)[0]
    return found


def _seen(frame: ScanFrame, points: Floats, at: Floats) -> tuple[Floats, Floats]:
    """What of motions before the camera is compared (m, 2 or 3, 3), and how far points (m, 3) are off, metres."""
    if not isinstance(frame, DepthImage):
        return np.broadcast_to(np.eye(3), (len(points), 3, 3)), at - points
    lens, ahead = frame.lens, np.maximum(points[:, 2:], 1e-3)
    slopes = points[:, :2] / ahead
    across = np.concatenate([np.broadcast_to(np.eye(2), (len(points), 2, 2)), -slopes[:, :, None]], axis=2)
    return across, ((at - [lens.cx, lens.cy]) / [lens.fx, lens.fy] - slopes) * ahead
