"""The update of a frame, smoothing over frames, and streams."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import facewright as fw
from facewright.mesh.polygons import Polygons
from facewright.tracking.comparison import SurfaceComparison, Tolerance, compare
from facewright.tracking.filter import FilteredPose, PoseBelief, PoseProcess, smoothed
from facewright.tracking.observed import observed
from facewright.tracking.solver import HEAD, ExpectedFrame
from tests.tracking.depth_of import LENS, before_camera, depth_of


@pytest.fixture(scope="module")
def solver() -> fw.TrackSolver:
    return fw.TrackSolver(fw.sample(), options=fw.TrackOptions(samples=1500))


def test_the_update_is_the_bounded_least_squares_that_scipy_finds(solver: fw.TrackSolver) -> None:
    rig, samples = solver.rig, solver.samples
    place = before_camera(rig, yaw=5)
    frame = depth_of(rig, rig.pose({"jawOpen": 0.6, "mouthSmileLeft": 0.8}), place, noise=0.001)
    weights = rig.pose({"jawOpen": 0.2})
    found = compare(samples, samples.posed(weights), place, observed(frame), Tolerance(0.02, 0.005), scaled=True)
    f, noise = len(solver.free), 0.001
    rng = np.random.default_rng(0)
    root = rng.normal(size=(f, f)) / 8
    known = ExpectedFrame(
        PoseBelief(rng.uniform(0, 0.3, f), root @ root.T + 0.05 * np.eye(f)), 0.0101, 0.02, noise, 1.0
    )
    _, answer = solver.update(found, weights, place, known)
    eyes = samples.eyes * place.scale
    units = np.array([eyes, eyes, eyes, 1, 1, 1, 1])
    at = samples.triangles[found.which]
    slopes = fw.jacobian(rig, weights, at.ravel()).reshape(*at.shape, 3, -1)  # (m, corner, 3, n)
    moving = np.einsum("ka,kc,kcan->kn", found.normals, samples.barycentric[found.which], slopes)
    rows = np.hstack([found.rows * units, place.scale * moving[:, solver.free]])
    counts = np.sqrt(solver.options.independent / noise**2 * samples.weights[found.which] * found.sure)
    held = np.linalg.cholesky(np.linalg.inv(known.pose.covariance)).T
    A = np.vstack([
        counts[:, None] * rows,
        np.hstack([np.zeros((f, HEAD)), held]),
        np.eye(1, HEAD + f, 6) / known.size,
        np.sqrt(1e-3) * np.eye(HEAD, HEAD + f),
    ])  # fmt: skip
    b = np.concatenate([
        counts * (found.residual + rows[:, HEAD:] @ weights[solver.free]),
        held @ known.pose.mean,
        [np.log(known.scale / place.scale) / known.size],
        np.zeros(HEAD),
    ])  # fmt: skip
    free = np.full(HEAD, np.inf)
    wanted = lsq_linear(A, b, (np.append(-free, solver.low), np.append(free, solver.high)), method="bvls", tol=1e-14)
    assert (answer.x[HEAD:] == 0).sum() > 3
    np.testing.assert_allclose(answer.x, wanted.x, atol=2e-3)


def test_smoothing_is_the_mean_of_all_poses_given_all_frames() -> None:
    """By one dense system over all frames, without bounds."""
    rng = np.random.default_rng(2)
    n, frames = 3, 6
    root = rng.normal(size=(n, n))
    process = PoseProcess(root @ root.T + np.eye(n), 0.5)
    times = np.cumsum(rng.uniform(0.05, 0.4, frames))
    seen = [np.diag(rng.uniform(0, 5, n)) for _ in range(frames)]
    told = rng.normal(size=(frames, n))
    last, before, filtered = process.rest(), times[0], []
    precision, right = np.zeros((frames * n, frames * n)), np.zeros(frames * n)
    for i, time in enumerate(times):
        kept, expected = process.expected(last, time - before)
        covariance = np.asarray(np.linalg.inv(np.linalg.inv(expected.covariance) + seen[i]), np.float64)
        mean = covariance @ (np.linalg.inv(expected.covariance) @ expected.mean + seen[i] @ told[i])
        last, before = PoseBelief(mean, covariance), time
        filtered.append(FilteredPose(expected.covariance, kept, last))
        at = slice(i * n, i * n + n)
        step = np.linalg.inv(process.moment if i == 0 else (1 - kept**2) * process.moment)
        precision[at, at] += seen[i] + step
        right[at] += seen[i] @ told[i]
        if i:
            prior = slice(i * n - n, i * n)
            precision[prior, prior] += kept**2 * step
            precision[at, prior] -= kept * step
            precision[prior, at] -= kept * step
    edge = np.full(n, np.inf)
    wanted = np.linalg.solve(precision, right).reshape(frames, n)
    np.testing.assert_allclose(smoothed(filtered, -edge, edge), wanted, atol=1e-10)


def test_a_stream_is_followed_from_the_first_frame_on(solver: fw.TrackSolver) -> None:
    rig = solver.rig
    wanted = rig.pose({"jawOpen": 0.7, "mouthSmileLeft": 0.6, "mouthSmileRight": 0.6})
    stream = fw.TrackSolver(rig, options=fw.TrackOptions(samples=1500))
    assert stream.next(None, 0.0).status is fw.TrackStatus.DROPPED
    for i in range(5):
        place = before_camera(rig, yaw=3.0 * i)
        found = stream.next(depth_of(rig, wanted * i / 4, place, noise=0.0005, seed=i), (i + 1) / 30)
        assert found.status is fw.TrackStatus.FOLLOWED
    assert (
        np.abs(found.weights - wanted)[[rig.slider_index("jawOpen"), rig.slider_index("mouthSmileLeft")]].max() < 0.15
    )
    assert np.trace(found.place.rotation.T @ place.rotation) > 3 - 1e-3
    assert abs(found.place.scale / 0.01 - 1) < 0.02
    nothing = stream.next(fw.DepthImage(np.zeros((120, 160), np.float32), LENS), 6 / 30)
    assert nothing.status is fw.TrackStatus.EMPTY
    np.testing.assert_array_less(nothing.weights, found.weights + 1e-9)


@pytest.mark.long
def test_a_rig_in_another_unit_gets_the_same_weights() -> None:
    rig = fw.sample()
    shapes = tuple(replace(shape, offsets=100 * shape.offsets) for shape in rig.shapes)
    large = replace(rig, neutral=100 * rig.neutral, shapes=shapes)
    place = before_camera(rig, yaw=8)
    frames = [depth_of(rig, rig.pose({"jawOpen": share, "browInnerUp": share}), place) for share in (0.2, 0.5)]
    one, other = (fw.track(each, frames, options=fw.TrackOptions(samples=1200)) for each in (rig, large))
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-3)
    assert abs(one.scale / other.scale / 100 - 1) < 1e-3
    np.testing.assert_allclose(100 * one.head.offsets, other.head.offsets, atol=0.01 * large.size)


def test_a_rig_without_triangles_is_refused() -> None:
    bare = fw.Rig(np.zeros((3, 3)), Polygons(np.zeros(0, np.int64), np.zeros(0, np.int64)), ())
    with pytest.raises(fw.BadValue, match="no surface"):
        fw.TrackSolver(bare)


def test_residuals_that_agree_over_patches_tell_less(solver: fw.TrackSolver) -> None:
    rng = np.random.default_rng(5)
    samples = solver.samples
    which = np.arange(len(samples))
    alone = rng.normal(size=len(which))
    common = rng.normal(size=samples.patches.max() + 1)[samples.patches]
    shares = []
    for residual in (alone, alone + common):
        flat = np.zeros((len(which), 3))
        found = SurfaceComparison(which, residual, np.ones(len(which)), flat, flat, np.zeros(3))
        share = 1.0
        for _ in range(60):
            share = solver._independent(found, share)
        shares.append(share)
    counts = np.bincount(samples.patches)
    usual = counts[counts >= 6].mean()
    assert shares[0] > 0.6
    assert shares[1] == pytest.approx(1 / (1 + usual * 0.5), rel=0.4)  # half of the variance is common
