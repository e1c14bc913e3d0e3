import numpy as np
import pytest
from scipy.sparse import block_diag, csc_array, eye_array, kron
from scipy.sparse.linalg import spsolve

from facewright.arrays import Floats
from facewright.capture.smoothing import TemporalSmoother, white_noise


def whole_take(H: np.ndarray, R: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """The least over all frames at once, by one large system."""
    frames, n = asked.shape
    steps = csc_array(np.diff(np.eye(frames), axis=0))
    system = block_diag([H] * frames, format="csc") + kron(steps.T @ steps, R, format="csc")
    return spsolve(system, asked.ravel()).reshape(frames, n)


def a_problem(seed: int = 0) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(20, 6)) * (3, 1, 1, 0.3, 0.1, 0.02)
    A = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    return B.T @ B, (A * rng.uniform(0.1, 2, 6)) @ A.T, rng.normal(size=(40, 20)) @ B


def test_the_closed_form_is_the_least_over_the_whole_take() -> None:
    H, R, asked = a_problem()
    steady = TemporalSmoother(H, R)
    found = np.linalg.solve(steady.metric, steady.pulls(asked).T).T
    np.testing.assert_allclose(found, whole_take(H, R, asked), atol=1e-8)


def test_the_metric_is_what_the_whole_take_makes_of_a_frame_in_its_middle() -> None:
    H, R, _ = a_problem()
    frames, n = 401, len(R)
    steps = csc_array(np.diff(np.eye(frames), axis=0))
    steadying = kron(steps.T @ steps, R, format="csc")
    system = csc_array(block_diag([H] * frames, format="csc") + steadying)
    middle = csc_array(eye_array(frames * n))[:, [200 * n + i for i in range(n)]]
    covariance = spsolve(system, middle).toarray()[200 * n : 201 * n]
    np.testing.assert_allclose(np.linalg.inv(TemporalSmoother(H, R).metric), covariance, rtol=1e-6, atol=1e-9)


def test_what_stands_still_is_not_changed() -> None:
    H, R, asked = a_problem()
    steady = TemporalSmoother(H, R)
    still = np.repeat(asked[:1], 30, axis=0)
    found = np.linalg.solve(steady.metric, steady.pulls(still).T).T
    np.testing.assert_allclose(found, np.repeat(np.linalg.solve(H, asked[0])[None], 30, axis=0), atol=1e-6)


@pytest.mark.parametrize("frames", [1, 2])
def test_a_take_may_be_as_short_as_it_likes(frames: int) -> None:
    H, R, asked = a_problem()
    steady = TemporalSmoother(H, R)
    found = np.linalg.solve(steady.metric, steady.pulls(asked[:frames]).T).T
    np.testing.assert_allclose(
        found, whole_take(H, R, asked[:frames]) if frames > 1 else np.linalg.solve(H, asked[0])[None], atol=1e-8
    )


@pytest.mark.parametrize("level", [0.001, 0.03, 1.0])
def test_noise_is_measured_under_motion_and_gaps(level: float) -> None:
    rng = np.random.default_rng(0)
    times = np.arange(2000)[:, None, None] / 60
    values = 5 * np.sin(times + np.arange(30).reshape(10, 3)) + level * rng.normal(size=(2000, 10, 3))
    values[rng.uniform(size=(2000, 10)) < 0.05] = np.nan
    assert white_noise(values, 1e-9) == pytest.approx(level, rel=0.05)
