"""A take that nobody has placed yet is shown upright beside the face."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from facewright.capture.placement import placed_beside, upright
from facewright.motion.take import Take
from facewright.samples import mask

Z_UP = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
ROOMS = {
    "as it is": np.eye(3),
    "turned about y": Rotation.from_rotvec((0, 1.9, 0)).as_matrix(),
    "z up": Z_UP,
    "z up and turned": Rotation.from_rotvec((0, 0, 2.4)).as_matrix()
    @ np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]]),
}


def face_markers() -> np.ndarray:
    """A dome taller than it is wide, looking along z."""
    rng = np.random.default_rng(1)
    flat = rng.uniform(-1, 1, (60, 2)) * [7, 9]
    return np.column_stack([flat, 5 - 0.05 * (flat**2).sum(axis=1)])


@pytest.mark.parametrize("room", ROOMS)
def test_markers_look_ahead_with_their_top_up_whatever_the_room(room: str) -> None:
    there = face_markers() @ ROOMS[room].T
    turned = there @ upright(there).T
    middle = turned[np.linalg.norm(face_markers()[:, :2], axis=1) < 4].mean(axis=0) - turned.mean(axis=0)
    assert middle[2] > 0.5
    assert np.corrcoef(turned[:, 1], face_markers()[:, 1])[0, 1] > 0.95


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_the_markers_are_beside_the_face_and_as_large_whatever_the_units(scale: float) -> None:
    rig = mask(vertices=600, shapes=4, seed=1)
    take = Take(tuple(f"m{i}" for i in range(60)), scale * face_markers()[None], 60.0, "cm")
    placed = placed_beside(rig, take)(take.positions[0])
    assert placed[:, 0].min() > rig.neutral[:, 0].max()
    assert np.linalg.norm(np.ptp(placed, axis=0)) == pytest.approx(0.5 * rig.size)


def test_a_take_that_shows_nothing_has_a_place_all_the_same() -> None:
    rig = mask(vertices=600, shapes=4, seed=1)
    nothing = Take(("a", "b"), np.full((3, 2, 3), np.nan), 60.0, "cm")
    assert np.isfinite(placed_beside(rig, nothing)(np.zeros(3))).all()
    assert np.isfinite(placed_beside(rig, Take((), np.zeros((0, 0, 3)), 60.0, "cm"))(np.zeros(3))).all()
