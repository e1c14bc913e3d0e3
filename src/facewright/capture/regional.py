"""The same shapes blended with other weights in every region (Joshi 2003, sec. 3), after the whole face."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.capture.frame_fitter import RIDGE, FittedFrames, FrameFitter
from facewright.capture.frame_solvers import FrameTargets
from facewright.capture.markers import BoundRig
from facewright.errors import BadValue
from facewright.rig.regions import Regions

_APART = 0.3  # how far a region's weight usually is from the whole face's
_HAS = 0.5  # of one marker: what a region needs to have a say of its own


class RegionalFitter:
    """A prepared fit, with the regions of one level."""

    def __init__(self, fit: FrameFitter, regions: Regions, level: int = 0) -> None:
        bound = fit.bound
        if regions.vertex_count != bound.rig.vertex_count:
            raise BadValue(
                f"the regions are of a face with {regions.vertex_count} vertices; this one has {bound.rig.vertex_count}"
            )
        self._fit, self._bound = fit, bound
        self._of_vertices = regions.weights_at(level)  # (r, v)
        self.shares = _at_markers(bound, self._of_vertices.toarray())  # (r, k)

    def __call__(self, face: FittedFrames, rate: float) -> Floats:
        """Weights (r, frames, n), near those of the whole face; a region without markers does what the face does."""
        return np.stack([self._region(share, face, rate) for share in self.shares])

    def motion(self, weights: Floats) -> Floats:
        """How far the markers (frames, k, 3) go for weights (r, frames, n)."""
        each = [share[:, None] * self._bound.motion(own) for share, own in zip(self.shares, weights, strict=True)]
        return np.asarray(np.sum(each, axis=0))

    def together(self, weights: Floats) -> Floats:
        """One weight for each slider (frames, n): the regions' mean, each by how far the slider moves it."""
        moved = np.stack([self._amounts(shape.vertices, shape.offsets) for shape in self._bound.rig.shapes], axis=1)
        slopes = self._bound.combine.jacobian(self._bound.rig.weights())
        by_slider = moved @ slopes**2  # (r, n)
        share = by_slider / np.where(by_slider.sum(axis=0) > 0, by_slider.sum(axis=0), 1.0)
        share[:, by_slider.sum(axis=0) == 0] = 1 / len(share)
        return np.asarray(np.einsum("rn,rfn->fn", share, weights))

    def _amounts(self, vertices: Ints, offsets: Floats) -> Floats:
        """How far a shape moves each region (r,), squared."""
        moved = np.zeros(self._of_vertices.shape[1])
        moved[vertices] = (offsets**2).sum(axis=1)
        return np.asarray(self._of_vertices @ moved)

    def _region(self, share: Floats, face: FittedFrames, rate: float) -> Floats:
        if share.sum() < _HAS:
            return face.weights
        root = np.sqrt(share)[:, None, None]
        rows, n = root * self._bound.rows, self._bound.rows.shape[2]
        wanted = np.where(face.believed[:, :, None], face.wanted, face.motion) - self._fit.bend(
            face.weights, face.motion
        )
        asked, seen = root[:, 0] * wanted, face.believed
        variance = face.noise**2 + face.misfit**2
        if not self._fit.convex:
            hold, held = _towards(face.weights, np.sqrt(variance) / _APART)
            rows, asked = np.concatenate([rows, hold]), np.concatenate([asked, held], axis=1)
            seen = np.concatenate([seen, np.ones((len(seen), len(hold)), bool)], axis=1)
        solver = self._fit.solver(rows, RIDGE * face.noise**2, face.noise, rate)
        found, _ = self._fit.obeying(solver, FrameTargets(asked, seen, np.zeros(n)), rate)
        return self._fit.within(found.x)


def _towards(weights: Floats, stiffness: float) -> tuple[Floats, Floats]:
    """A pull to weights (frames, n) told as markers: rows (m, 3, n), and their motion (frames, m, 3)."""
    frames, n = weights.shape
    m = -(-n // 3)
    rows, motion = np.zeros((3 * m, n)), np.zeros((frames, 3 * m))
    rows[:n], motion[:, :n] = stiffness * np.eye(n), stiffness * weights
    return rows.reshape(m, 3, n), motion.reshape(frames, m, 3)


def _at_markers(bound: BoundRig, of_vertices: Floats) -> Floats:
    binding = bound.binding
    return np.asarray(np.einsum("kc,rkc->rk", binding.barycentric, of_vertices[:, binding.vertices]))
