"""A solved take as vertices: shapes, regions, residual of the markers, parts that follow, and the head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, indices
from facewright.capture.followers import Followers, followers
from facewright.capture.markers import BoundRig
from facewright.capture.residual import Kernel, ResidualField, Space, frame_chunks
from facewright.capture.solution import TakeSolution
from facewright.options import suggests_options
from facewright.rig.evaluate import Evaluator


class Playback:
    """A solved take, ready to be played.

    residual: spread the residual of the markers over the skin, so that they are met; `space` and `kernel` are explained
    in residual.py. head: move the head as the actor's head moved. rigid: parts that move rigidly with given sets of
    vertices (Joshi 2003, sec. 6); by default teeth and tongue with the chin, found by names.
    """

    @suggests_options
    def __init__(
        self,
        solved: TakeSolution,
        *,
        residual: bool = True,
        head: bool = False,
        space: Space = "rest",
        kernel: Kernel = "smooth",
        rigid: Sequence[Followers] | None = None,
    ) -> None:
        self.solved = solved
        self._run = Evaluator(solved.rig)
        self._field = ResidualField(BoundRig(solved.rig, solved.binding), space, kernel) if residual else None
        self._residual = solved.filled_offsets if residual else solved.residual_offsets
        self._head = head
        self._rigid = (followers(solved.rig),) if rigid is None else tuple(rigid)
        for one in self._rigid:
            one.check(solved.rig)
        regions = solved.regions
        self._shares = None if regions is None or solved.region_weights is None else regions.weights_at(solved.level)

    def __call__(self, frames: ArrayLike) -> Floats:
        """Vertices (k, v, 3) of some frames (k,)."""
        solved, rest = self.solved, self.solved.rig.neutral
        at = indices("frames", frames, (None,), below=len(solved))
        positions = self._blended(at)
        if self._field is not None:
            positions = self._field.added(positions, self._residual[at])
        for one in self._rigid:
            positions = one.follow(rest, positions)
        if self._head:
            positions = solved.head[at].put_back(positions)
        return positions

    def chunks(self) -> Iterator[Floats]:
        """All frames in order, as many at a time as fit into memory: (k, v, 3)."""
        for some in frame_chunks(len(self.solved), self.solved.rig.vertex_count):
            yield self(np.arange(some.start, some.stop))

    def _blended(self, at: np.ndarray) -> Floats:
        """Vertices (k, v, 3) by the shapes; where there are regions, each with its own weights."""
        if self._shares is None or self.solved.region_weights is None:
            return self._run(self.solved.weights[at])
        rest = self.solved.rig.neutral
        positions = np.repeat(rest[None], len(at), axis=0)
        for share, weights in zip(self._shares.toarray(), self.solved.region_weights, strict=True):
            positions += share[:, None] * (self._run(weights[at]) - rest)
        return positions
