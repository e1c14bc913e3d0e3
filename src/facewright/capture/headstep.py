"""Small motions of the head as six more unknowns of a fit."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.capture.stabilise import HeadMotion


class HeadStep:
    """Three shifts and three turns about the middle of the markers at rest (k, 3); a unit of each is about as far."""

    def __init__(self, rest: Floats) -> None:
        self._rest = rest
        self._middle = rest.mean(axis=0)
        arms = rest - self._middle
        self._radius = float(np.sqrt((arms**2).sum(axis=1).mean())) or 1.0
        shifts = np.broadcast_to(self._radius * np.eye(3), (len(rest), 3, 3))
        turns = np.cross(np.eye(3)[None], arms[:, None])  # (k, axis, 3)
        self.rows = np.concatenate([shifts, np.swapaxes(turns, 1, 2)], axis=2)  # (k, 3, 6)

    def moved(self, head: HeadMotion, steps: Floats) -> HeadMotion:
        """The head's motion with steps (frames, 6) put before it."""
        from scipy.spatial.transform import Rotation

        turns = Rotation.from_rotvec(np.array(steps[:, 3:])).as_matrix()
        offsets = self._middle + self._radius * steps[:, :3] - turns @ self._middle
        return head.before(turns, offsets)

    def motion(self, steps: Floats) -> Floats | float:
        """How far steps (frames, 6), or none (frames, 0), take the markers (frames, k, 3), as if they were small."""
        if not steps.shape[1]:
            return 0.0
        k = len(self.rows)
        return np.asarray((steps @ self.rows.reshape(3 * k, 6).T).reshape(-1, k, 3))
