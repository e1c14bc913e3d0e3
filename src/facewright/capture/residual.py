"""The residual of the markers, spread over the face so that every marker is met (Joshi 2003, eq. 3).

Kernels fall with the distance r in median spacings of the markers, so that nothing depends on the scene's unit. The
paper's exp(-r) has a tip at every marker, which shows as a dent in the skin. The smooth kernel
(1 + sqrt(3) r) exp(-sqrt(3) r) has none and is as good or better on takes with known weights (docs/capture.md), so it
is the default. With distances at rest there is one matrix of kernels for a whole take. With distances on the deformed
face, as in the paper, every frame has its own. Either way the markers are met exactly at their points of the mesh.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np

from facewright.arrays import Floats
from facewright.capture.eyeballs import eyeballs
from facewright.capture.markers import BoundRig
from facewright.capture.places import places_of
from facewright.errors import UnknownName

Space = Literal["rest", "deformed"]
Kernel = Literal["smooth", "paper"]
_CHUNK = 64 << 20  # bytes of positions at a time
_TOUCHING = 1e-9  # share of the largest singular value below which markers are on the same point


class ResidualField:
    """A bound rig's skin, prepared to follow the residuals of its k markers."""

    def __init__(self, bound: BoundRig, space: Space = "rest", kernel: Kernel = "smooth") -> None:
        for what, given, known in (("space", space, get_args(Space)), ("kernel", kernel, get_args(Kernel))):
            if given not in known:
                raise UnknownName(f"{what} of the residual", str(given), known)
        self.bound, self.space, self._smooth = bound, space, kernel == "smooth"
        self.skin = np.flatnonzero(places_of(bound.rig).skin)  # (p,)
        self.eyeballs = eyeballs(bound.rig)
        self._at_markers = self._mixed(bound.rig.neutral, bound.surface)  # (k, k)
        self._spread = self._kernels(bound.rig.neutral[self.skin], bound.surface)  # (p, k)

    def strengths(self, residual: Floats) -> Floats:
        """Coefficients (frames, k, 3) of the kernels at rest for residuals (frames, k, 3); NaN is residual out."""
        seen = ~np.isnan(residual[:, :, 0])
        found = np.zeros_like(residual)
        patterns, which = np.unique(seen, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            at = np.flatnonzero(pattern)
            frames = np.flatnonzero(which.ravel() == number)
            if len(at):
                asked = np.moveaxis(residual[np.ix_(frames, at)], 1, 0)  # (p, f, 3)
                solved = _solved(self._at_markers[np.ix_(at, at)], asked.reshape(len(at), -1))
                found[np.ix_(frames, at)] = np.moveaxis(solved.reshape(asked.shape), 0, 1)
        return found

    def offsets(self, strengths: Floats) -> Floats:
        """Offsets (frames, p, 3) of the skin's vertices for strengths (frames, k, 3)."""
        frames, k, _ = strengths.shape
        flat = np.moveaxis(strengths, 1, 0).reshape(k, -1)
        return np.moveaxis((self._spread @ flat).reshape(-1, frames, 3), 0, 1)

    def at_markers(self, strengths: Floats) -> Floats:
        """The same at the markers (frames, k, 3)."""
        return np.asarray(np.swapaxes(strengths, 1, 2) @ self._at_markers.T).swapaxes(1, 2)

    def shapes(self) -> Floats:
        """What each kernel (k,) of strength 1 does to the skin's vertices (p, k), along any axis."""
        return self._spread

    def added(self, positions: Floats, residual: Floats) -> Floats:
        """Vertices (frames, v, 3) moved so that the markers are met; only the skin moves, and not into the eyeballs."""
        moved = positions.copy()
        if self.space == "deformed":
            for face, asked in zip(moved, residual, strict=True):
                face[self.skin] += self._deformed(face, asked)
        else:
            moved[:, self.skin] += self.offsets(self.strengths(residual))
        for ball in self.eyeballs:
            ball.keep_out(moved, positions)
        return moved

    def _deformed(self, face: Floats, residual: Floats) -> Floats:
        """Offsets (p, 3) of the skin of one frame, with distances on the deformed face (v, 3)."""
        seen = ~np.isnan(residual[:, 0])
        if not seen.any():
            return np.zeros((len(self.skin), 3))
        centres = self.bound.binding.places(face)
        strengths = _solved(self._mixed(face, centres)[np.ix_(seen, seen)], residual[seen])
        return self._kernels(face[self.skin], centres[seen]) @ strengths

    def _mixed(self, face: Floats, centres: Floats) -> Floats:
        """The kernels (k, k) at the markers, interpolated from their corner vertices."""
        binding = self.bound.binding
        at_corners = self._kernels(face[binding.vertices.ravel()], centres)
        return np.asarray(np.einsum("kc,kcj->kj", binding.barycentric, at_corners.reshape(len(binding), 3, -1)))

    def _kernels(self, points: Floats, centres: Floats) -> Floats:
        """The kernel of each centre at each point (p, k)."""
        r = np.linalg.norm(points[:, None] - centres[None], axis=2) / self.bound.spacing
        r *= np.sqrt(3) if self._smooth else 1.0
        return np.asarray((1 + r if self._smooth else 1.0) * np.exp(-r))


def frame_chunks(frames: int, vertices: int) -> Iterator[slice]:
    """Slices of frames whose positions fit into memory together."""
    step = max(1, _CHUNK // (24 * max(vertices, 1)))
    return (slice(at, min(at + step, frames)) for at in range(0, frames, step))


def _solved(kernel: Floats, asked: Floats) -> Floats:
    """Strengths (p, c) with kernel @ strengths = asked; markers on the same point share it."""
    if np.linalg.cond(kernel) < 1 / _TOUCHING:
        return np.asarray(np.linalg.solve(kernel, asked))
    return np.asarray(np.linalg.pinv(kernel, rcond=_TOUCHING) @ asked)
