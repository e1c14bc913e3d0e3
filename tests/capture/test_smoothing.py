import numpy as np
import pytest
from scipy.linalg import block_diag

from facewright.arrays import Floats
from facewright.capture.smoothing import TemporalSmoother, white_noise
from tests.capture.inertia import process_precision

PACE = 0.3  # per frame


def whole_system(H: Floats, P: Floats, frames: int, pace: float = PACE) -> Floats:
    """The precision of all frames at once, as one large matrix."""
    return np.asarray(block_diag(*[H] * frames) + np.kron(process_precision(frames, pace), P))


def whole_take(H: Floats, P: Floats, asked: Floats, pace: float = PACE) -> Floats:
    """The least over all frames at once."""
    return np.asarray(np.linalg.solve(whole_system(H, P, len(asked), pace), asked.ravel()).reshape(asked.shape))


def a_problem(seed: int = 0) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(20, 6)) * (3, 1, 1, 0.3, 0.1, 0.02)
    A = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    return B.T @ B, (A * rng.uniform(0.1, 2, 6)) @ A.T, rng.normal(size=(40, 20)) @ B


@pytest.mark.parametrize("pace", [0.03, 0.3, 3.0])
def test_the_closed_form_is_the_least_over_the_whole_take(pace: float) -> None:
    H, P, asked = a_problem()
    steady = TemporalSmoother(H, P, pace)
    found = np.linalg.solve(steady.metric, steady.pulls(asked).T).T
    np.testing.assert_allclose(found, whole_take(H, P, asked, pace), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("pace", [0.1, 0.3, 3.0])
def test_the_metric_is_what_the_whole_take_makes_of_a_frame_in_its_middle(pace: float) -> None:
    H, P, _ = a_problem()
    covariance = np.linalg.inv(whole_system(H, P, 201, pace))[600:606, 600:606]
    np.testing.assert_allclose(
        np.linalg.inv(TemporalSmoother(H, P, pace).metric), covariance, rtol=1e-4, atol=1e-6 * covariance.max()
    )


@pytest.mark.parametrize("pace", [0.02, 0.3, 3.0])
def test_where_nothing_is_seen_a_frame_has_the_precision_of_a_pose_by_itself(pace: float) -> None:
    _, P, _ = a_problem()
    np.testing.assert_allclose(TemporalSmoother(1e-12 * P, P, pace).metric, P, rtol=1e-4, atol=1e-6)


def test_fast_poses_are_those_of_each_frame_alone() -> None:
    H, P, asked = a_problem()
    steady = TemporalSmoother(H, P, 1e4)
    found = np.linalg.solve(steady.metric, steady.pulls(asked).T).T
    np.testing.assert_allclose(found, np.linalg.solve(H + P, asked.T).T, atol=1e-6)


def test_what_stands_still_is_not_changed() -> None:
    H, P, asked = a_problem()
    steady = TemporalSmoother(H, 1e-9 * P, PACE)
    still = np.repeat(asked[:1], 30, axis=0)
    found = np.linalg.solve(steady.metric, steady.pulls(still).T).T
    np.testing.assert_allclose(found, np.repeat(np.linalg.solve(H, asked[0])[None], 30, axis=0), atol=1e-4)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_a_take_may_be_as_short_as_it_likes(frames: int) -> None:
    H, P, asked = a_problem()
    steady = TemporalSmoother(H, P, PACE)
    found = np.linalg.solve(steady.metric, steady.pulls(asked[:frames]).T).T
    np.testing.assert_allclose(found, whole_take(H, P, asked[:frames]), atol=1e-7)


@pytest.mark.parametrize("level", [0.001, 0.03, 1.0])
def test_noise_is_measured_under_motion_and_gaps(level: float) -> None:
    rng = np.random.default_rng(0)
    times = np.arange(2000)[:, None, None] / 60
    values = 5 * np.sin(times + np.arange(30).reshape(10, 3)) + level * rng.normal(size=(2000, 10, 3))
    values[rng.uniform(size=(2000, 10)) < 0.05] = np.nan
    assert white_noise(values, 1e-9) == pytest.approx(level, rel=0.05)
