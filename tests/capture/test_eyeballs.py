"""What is left at markers bends the skin round the eyes, not through them."""

from dataclasses import replace
from functools import cache

import numpy as np

import facewright as fw
from facewright.capture.eyeballs import Eyeball, eyeballs
from facewright.capture.markers import BoundRig
from facewright.capture.playback import Playback
from facewright.capture.residual import ResidualField
from facewright.capture.residual_shapes import with_residual_shapes
from facewright.capture.solution import TakeSolution
from facewright.capture.solver import solve_take
from facewright.rig.binding import bind_vertices
from tests.capture.acting import a_rig

FRAMES = 12


def below_the_lid(rig: fw.Rig, ball: Eyeball) -> int:
    """A vertex of the skin under the eye, a little in front of the ball."""
    away = (rig.neutral[ball.skin] - ball.middle) / ball.radius
    wanted = np.array([0.0, -0.75, 0.95])
    return int(ball.skin[np.linalg.norm(away - wanted, axis=1).argmin()])


@cache
def pressed(depth: float) -> TakeSolution:
    """The embedded head at rest, with a marker under each eye pressed in, frame by frame, up to a depth in radii."""
    rig = fw.sample()
    balls = eyeballs(rig)
    marks = {"left": below_the_lid(rig, balls[0]), "right": below_the_lid(rig, balls[1]), "top": 40, "chin": 900}
    binding = bind_vertices(rig, marks)
    still = np.repeat(binding.rest[None], FRAMES, axis=0)
    solved = solve_take(rig, fw.Take(binding.markers, still, 60.0, "cm"), binding, head="markers")
    wanted = np.zeros((FRAMES, 4, 3))
    wanted[:, :2, 2] = -depth * balls[0].radius * np.linspace(0, 1, FRAMES)[:, None]
    weights = np.zeros_like(solved.weights)
    return replace(solved, wanted=wanted, motion=np.zeros_like(wanted), weights=weights)


def depths(rig: fw.Rig, positions: np.ndarray) -> np.ndarray:
    """How much deeper in a ball than at rest each frame's deepest vertex is, in radii."""
    found = []
    for ball in eyeballs(rig):
        rest, now = (np.linalg.norm(at[..., ball.skin, :] - ball.middle, axis=-1) for at in (rig.neutral, positions))
        found.append(np.maximum(np.minimum(rest, ball.radius) - now, 0.0).max(axis=-1) / ball.radius)
    return np.asarray(np.max(found, axis=0))


def test_the_sample_has_two_eyeballs_and_a_mask_none() -> None:
    rig = fw.sample()
    left, right = eyeballs(rig)
    np.testing.assert_allclose(left.middle * (-1, 1, 1), right.middle, atol=1e-6)
    ball = next(rig.neutral[part.start : part.stop] for part in rig.parts if part.name == "left eye")
    np.testing.assert_allclose(left.middle, (ball.min(axis=0) + ball.max(axis=0)) / 2, atol=0.02)
    assert not eyeballs(a_rig())


def straight_through(solved: TakeSolution) -> np.ndarray:
    """The face as if there were no eyes."""
    field = ResidualField(BoundRig(solved.rig, solved.binding))
    positions = np.repeat(solved.rig.neutral[None], FRAMES, axis=0)
    positions[:, field.skin] += field.offsets(field.strengths(solved.filled_offsets))
    return positions


def test_skin_that_is_pressed_in_goes_round_the_eye() -> None:
    solved = pressed(0.6)
    assert depths(solved.rig, straight_through(solved)).max() > 0.1
    assert depths(solved.rig, Playback(solved)(np.arange(FRAMES))).max() < 1e-9


def test_skin_that_goes_away_from_the_eyes_is_let_go() -> None:
    solved = pressed(-0.6)
    rest, plain, played = solved.rig.neutral, straight_through(solved), Playback(solved)(np.arange(FRAMES))
    away = np.ones(rest.shape[0], bool)
    for ball in eyeballs(solved.rig):
        near, now = (np.linalg.norm(at - ball.middle, axis=-1) for at in (rest, plain))
        away &= (now >= near).all(axis=0)
    assert away.sum() > 500
    np.testing.assert_allclose(played[:, away], plain[:, away], atol=1e-12)


def test_shapes_for_the_residual_go_round_the_eye_as_well_as_shapes_can() -> None:
    solved = pressed(0.6)
    rig, clip = with_residual_shapes(solved)
    played = fw.evaluate(rig, clip.sample(rig.sliders, solved.times))
    assert depths(solved.rig, played).max() < 0.4 * depths(solved.rig, straight_through(solved)).max()
