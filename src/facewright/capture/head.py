"""The head's rigid motion in a take, and small corrections of it as unknowns of a fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class HeadMotion:
    """Where the head is in each frame: a point at x on the face at rest is at R x + o."""

    rotations: Floats  # (frames, 3, 3) R
    offsets: Floats  # (frames, 3) o
    known: NDArray[np.bool_]  # (frames,) whether enough markers were seen; other frames are interpolated

    @classmethod
    def still(cls, frames: int) -> HeadMotion:
        """The motion of a head that does not move."""
        return cls(np.tile(np.eye(3), (frames, 1, 1)), np.zeros((frames, 3)), np.ones(frames, bool))

    def __getitem__(self, frames: slice | Ints) -> HeadMotion:
        """The motion of some frames."""
        return HeadMotion(self.rotations[frames], self.offsets[frames], self.known[frames])

    def taken_out(self, positions: Floats) -> Floats:
        """Positions (frames, m, 3) as if the head had not moved."""
        return np.asarray((positions - self.offsets[:, None]) @ self.rotations)

    def put_back(self, positions: Floats) -> Floats:
        """Positions (frames, m, 3) of a head that does not move, moved as the head moves: the inverse of taken_out."""
        return np.asarray(positions @ np.swapaxes(self.rotations, 1, 2) + self.offsets[:, None])

    def after(self, rotations: Floats, offsets: Floats) -> HeadMotion:
        """The motion applied after another one (frames, 3, 3), (frames, 3) of the face at rest."""
        moved = np.einsum("fab,fb->fa", self.rotations, offsets) + self.offsets
        return HeadMotion(self.rotations @ rotations, moved, self.known)


class HeadStep:
    """Three shifts and three turns about the centre of the markers at rest (k, 3); a unit of each moves them alike."""

    def __init__(self, rest: Floats) -> None:
        self._centre = rest.mean(axis=0)
        arms = rest - self._centre
        self._radius = float(np.sqrt((arms**2).sum(axis=1).mean())) or 1.0
        shifts = np.broadcast_to(self._radius * np.eye(3), (len(rest), 3, 3))
        turns = np.cross(np.eye(3)[None], arms[:, None])  # (k, axis, 3)
        self.rows = np.concatenate([shifts, np.swapaxes(turns, 1, 2)], axis=2)  # (k, 3, 6)

    def moved(self, head: HeadMotion, steps: Floats) -> HeadMotion:
        """The head's motion corrected by steps (frames, 6)."""
        from scipy.spatial.transform import Rotation

        turns = Rotation.from_rotvec(np.array(steps[:, 3:])).as_matrix()
        offsets = self._centre + self._radius * steps[:, :3] - turns @ self._centre
        return head.after(turns, offsets)

    def motion(self, steps: Floats) -> Floats | float:
        """Motion of the markers (frames, k, 3) by steps (frames, 6), or by none (frames, 0), linearised."""
        if not steps.shape[1]:
            return 0.0
        k = len(self.rows)
        return np.asarray((steps @ self.rows.reshape(3 * k, 6).T).reshape(-1, k, 3))
