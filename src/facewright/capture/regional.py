"""A fit with its own weights in every region (Joshi 2003, sec. 3), after the fit of the whole face."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.capture.frame_fitter import FittedFrames, FrameFitter
from facewright.capture.frame_solvers import FrameTargets
from facewright.capture.markers import BoundRig
from facewright.errors import BadValue
from facewright.rig.regions import Regions
from facewright.terms.bent_poses import PoseTargets
from facewright.terms.preferences import RIDGE

_APART = 0.3  # usual difference of a region's weight from the whole face's
_LEAST = 0.5  # of one marker: a region with less keeps the weights of the whole face


class RegionalFitter:
    """A frame fitter with the regions of one level."""

    def __init__(self, fit: FrameFitter, regions: Regions, level: int = 0) -> None:
        bound = fit.bound
        if regions.vertex_count != bound.rig.vertex_count:
            raise BadValue(
                f"the regions are of a face with {regions.vertex_count} vertices; this one has {bound.rig.vertex_count}"
            )
        self._fit, self._bound = fit, bound
        self._of_vertices = regions.weights_at(level)  # (r, v)
        of_vertices = self._of_vertices.toarray()
        self.shares = _at_markers(bound, of_vertices)  # (r, k)
        self._wish_shares = fit.terms.shares(of_vertices)  # (r, m, 3)

    def __call__(self, face: FittedFrames, rate: float) -> Floats:
        """Weights (r, frames, n), near those of the whole face; a region without markers has the same weights."""
        shares = zip(self.shares, self._wish_shares, strict=True)
        return np.stack([self._region(share, of_wishes, face, rate) for share, of_wishes in shares])

    def motion(self, weights: Floats) -> Floats:
        """Motion of the markers (frames, k, 3) for weights (r, frames, n)."""
        each = [share[:, None] * self._bound.motion(own) for share, own in zip(self.shares, weights, strict=True)]
        return np.asarray(np.sum(each, axis=0))

    def together(self, weights: Floats) -> Floats:
        """One weight for each slider (frames, n): the mean over regions, weighted by how far the slider moves them."""
        moved = np.stack([self._amounts(shape.vertices, shape.offsets) for shape in self._bound.rig.shapes], axis=1)
        by_slider = moved @ self._bound.chords**2  # (r, n)
        share = by_slider / np.where(by_slider.sum(axis=0) > 0, by_slider.sum(axis=0), 1.0)
        share[:, by_slider.sum(axis=0) == 0] = 1 / len(share)
        return self._fit.tied(np.einsum("rn,rfn->fn", share, weights))

    def _amounts(self, vertices: Ints, offsets: Floats) -> Floats:
        """How far a shape moves each region (r,), squared."""
        moved = np.zeros(self._of_vertices.shape[1])
        moved[vertices] = (offsets**2).sum(axis=1)
        return np.asarray(self._of_vertices @ moved)

    def _region(self, share: Floats, of_wishes: Floats, face: FittedFrames, rate: float) -> Floats:
        if share.sum() < _LEAST:
            return face.weights
        fit, root, root_of_wishes = self._fit, np.sqrt(share)[:, None], np.sqrt(of_wishes)
        n, stiffness = self._bound.rows.shape[2], np.sqrt(face.noise**2 + face.misfit**2) / _APART
        filled = np.where(face.believed[:, :, None], face.wanted, face.motion)
        rows = [root[:, :, None] * self._bound.rows, root_of_wishes[:, :, None] * fit.terms.rows]
        asked = [
            root * (filled - fit.bend(face.weights, face.motion)),
            root_of_wishes * fit.terms.linearised(face.weights),
        ]
        seen = known = fit.terms.seen(face.believed)
        if not fit.convex:
            near, weights = _near(face.weights, stiffness)
            rows, asked = [*rows, near], [*asked, weights]
            seen = np.concatenate([seen, np.ones((len(seen), len(near)), bool)], axis=1)
        solver = fit.solver(np.concatenate(rows), RIDGE * face.noise**2, face.noise, face.likely, rate)
        targets = FrameTargets(np.concatenate(asked, axis=1), seen, np.zeros(n))
        found, off = fit.solve_exclusive(solver, targets, rate)
        if self._bound.is_linear or fit.convex:
            return fit.within_rules(found.x)
        S, pull = solver.beside(targets.motion)
        own = fit.quadratic(n, face.noise, face.likely)
        there = np.concatenate([root * filled, root_of_wishes * fit.terms.wanted(len(filled))], axis=1)
        by_shape = [root[:, :, None] * self._bound.shape_rows, root_of_wishes[:, :, None] * fit.terms.shape_rows]
        here = np.append(share > 0, of_wishes.any(axis=1))  # (k + m,) what the region has a share of
        bent = PoseTargets(
            there[:, here].reshape(len(there), -1),
            S + own.H + stiffness**2 * np.eye(n),
            pull + own.c - stiffness**2 * face.weights,
            known=np.repeat(known[:, here], 3, axis=1),
            off=off,
        )
        poses = fit.bent_poses(np.concatenate(by_shape)[here], steps=1)  # the face's weights are near already
        return fit.within_rules(poses(bent, found.x))


def _near(weights: Floats, stiffness: float) -> tuple[Floats, Floats]:
    """A pull to weights (frames, n) in the form of markers: rows (m, 3, n), and their motion (frames, m, 3)."""
    frames, n = weights.shape
    m = -(-n // 3)
    rows, motion = np.zeros((3 * m, n)), np.zeros((frames, 3 * m))
    rows[:n], motion[:, :n] = stiffness * np.eye(n), stiffness * weights
    return rows.reshape(m, 3, n), motion.reshape(frames, m, 3)


def _at_markers(bound: BoundRig, of_vertices: Floats) -> Floats:
    binding = bound.binding
    return np.asarray(np.einsum("kc,rkc->rk", binding.barycentric, of_vertices[:, binding.vertices]))
