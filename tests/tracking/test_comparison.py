"""Samples of a face, what they are compared with, and how that changes with the pose."""

import numpy as np
import pytest

import facewright as fw
from facewright.tracking.comparison import Tolerance, compare
from facewright.tracking.observed import observed
from facewright.tracking.surface_samples import SurfaceSamples
from tests.tracking.depth_of import before_camera, depth_of


@pytest.fixture(scope="module")
def samples() -> SurfaceSamples:
    return SurfaceSamples(fw.sample(), 800)


def weights_of(rig: fw.Rig) -> np.ndarray:
    return rig.pose({"jawOpen": 0.4, "mouthSmileLeft": 0.7, "browInnerUp": 0.5})


def test_samples_lie_on_the_posed_surface(samples: SurfaceSamples) -> None:
    weights = weights_of(samples.rig)
    corners = fw.evaluate(samples.rig, weights)[samples.triangles]
    wanted = np.einsum("kc,kca->ka", samples.barycentric, corners)
    np.testing.assert_allclose(samples.posed(weights).points, wanted, atol=1e-5 * samples.rig.size)


def test_a_cloud_s_counterpart_is_the_mean_of_the_nearest_points() -> None:
    rng = np.random.default_rng(1)
    points, normals = rng.normal(size=(200, 3)), np.tile([0.0, 0.0, 1.0], (200, 1))
    asked = rng.normal(size=(15, 3))
    found = observed(fw.PointCloud(points, normals)).measured(asked)
    order = np.argsort(((asked[:, None] - points) ** 2).sum(axis=2), axis=1)[:, :3]
    np.testing.assert_allclose(found.points, points[order].mean(axis=1))


def test_a_plane_is_measured_with_its_place_and_normal() -> None:
    normal = np.array([0.3, -0.2, -1.0]) / np.linalg.norm([0.3, -0.2, -1.0])
    lens = fw.Pinhole(150.0, 150.0, 79.5, 59.5, 160, 120)
    rows, columns = np.indices((120, 160))
    rays = np.stack([(columns - 79.5) / 150, (rows - 59.5) / 150, np.ones((120, 160))], axis=2)
    depth = (normal @ [0, 0, 0.5]) / (rays @ normal)
    points = np.random.default_rng(0).uniform([-0.1, -0.1, 0.45], [0.1, 0.1, 0.55], (40, 3))
    found = observed(fw.DepthImage(depth.astype(np.float32), lens)).measured(points)
    assert found.known.all()
    np.testing.assert_allclose(found.points @ normal, normal[2] * 0.5, atol=1e-6)
    np.testing.assert_allclose(found.normals @ normal, 1, atol=1e-3)


def test_rows_are_the_slope_of_the_residual(samples: SurfaceSamples) -> None:
    """By finite differences of a measured point's distance along the normal, the point and the normal held."""
    rig, weights = samples.rig, weights_of(samples.rig)
    place = before_camera(rig, yaw=10)
    seen = observed(depth_of(rig, rig.pose({"jawOpen": 0.5}), place))
    found = compare(samples, samples.posed(weights), place, seen, Tolerance(0.02, 0.01), scaled=True)
    assert len(found.which) > 50
    normals = found.normals @ place.rotation.T
    start = place(samples.posed(weights).points[found.which])
    for k in range(7):
        step = np.zeros(7)
        step[k] = 1e-5
        moved = place.moved(step, found.middle)(samples.posed(weights).points[found.which])
        slope = ((moved - start) * normals).sum(axis=1) / 1e-5
        np.testing.assert_allclose(slope, found.rows[:, k], atol=2e-3 * max(1e-3, np.abs(found.rows[:, k]).max()))
    slopes = samples.slopes(found.normals, found.which)
    for slider in ("jawOpen", "mouthSmileLeft", "browDownLeft"):
        more = weights.copy()
        more[rig.slider_index(slider)] += 0.01
        moved = place(samples.posed(more).points[found.which])
        expected = place.scale * slopes[:, rig.slider_index(slider)]
        np.testing.assert_allclose(((moved - start) * normals).sum(axis=1) / 0.01, expected, atol=1e-5)


def test_what_faces_away_or_is_something_else_is_not_compared(samples: SurfaceSamples) -> None:
    rig = samples.rig
    place = before_camera(rig)
    frame = depth_of(rig, rig.pose(), place)
    pose = samples.posed(rig.pose())
    found = compare(samples, pose, place, observed(frame), Tolerance(0.02, 0.01))
    normals = pose.normals[found.which] @ place.rotation.T
    points = place(pose.points[found.which])
    assert ((normals * points).sum(axis=1) < 0).all()
    far = fw.DepthImage(np.where(frame.depth > 0, 3.0, 0.0).astype(np.float32), frame.lens)
    assert not len(compare(samples, pose, place, observed(far), Tolerance(0.02, 0.01)).which)
