"""Iris and pupil, painted on eyeballs without a texture."""

import numpy as np

from facewright.arrays import Floats
from facewright.render.tone import Floats32, to_linear
from facewright.rig.gaze import balls

IRIS = to_linear((0.36, 0.36, 0.33))
RIM = to_linear((0.10, 0.14, 0.17))
PUPIL = to_linear((0.02, 0.02, 0.025))
VEIN = to_linear((0.80, 0.60, 0.55))
IRIS_SINE, PUPIL_SHARE = 0.45, 0.38  # iris radius over eyeball radius (11 mm / 24.4 mm); pupil over iris


def gaze_frame(rest: Floats) -> Floats:
    """For each vertex (v, 3) of eyeballs at rest its place on its own eyeball, in radii (v, 3); +z is ahead.

    A part may contain both eyes.
    """
    placed = np.zeros_like(rest)
    for ball in balls(rest):
        placed[ball.points] = (rest[ball.points] - ball.middle) / ball.radius
    return placed


def eye_color(placed: Floats32, white: Floats32) -> Floats32:
    """Linear colour (n, 3) at places (n, 3) on the eyeball, over the given white."""
    length = np.maximum(np.linalg.norm(placed, axis=1), 1e-6)
    x, y, z = (placed / length[:, None]).astype(np.float64).T
    away = np.where(z > 0, np.hypot(x, y), 2.0) / IRIS_SINE  # 1 at the edge of the iris
    color = _iris(away, np.arctan2(y, x))
    tired = 0.8 * _step(away, 1.2, 2.1)
    outer = white.astype(np.float64) * (1 - tired[:, None] * (1 - VEIN))
    return _mix(color, outer, _step(away, 0.94, 1.08)).astype(np.float32)


def _iris(away: Floats, angle: Floats) -> Floats:
    """Radial fibres, a brighter ring and a dark rim."""
    threads = 0.5 + 0.5 * np.sin(37 * angle + 3 * np.sin(5 * angle)) * np.sin(23 * angle + 1.7)
    out = np.clip((away - PUPIL_SHARE) / (1 - PUPIL_SHARE), 0, 1)
    color = IRIS * (0.75 + 0.5 * threads * (1 - out) + 1.8 * out * (1 - out))[:, None]
    color = _mix(color, RIM, _step(away, 0.80, 1.0))
    return _mix(color, PUPIL, 1 - _step(away, PUPIL_SHARE - 0.04, PUPIL_SHARE + 0.04))


def _step(x: Floats, low: float, high: float) -> Floats:
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def _mix(a: Floats, b: Floats, share: Floats) -> Floats:
    return a + (b - a) * share[:, None]
