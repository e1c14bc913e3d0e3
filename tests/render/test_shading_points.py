import numpy as np
import pytest

from facewright.render.raster import visible
from facewright.render.shading_points import ShadingPoints, shading_points
from tests.render.meshes import flat_camera, patchwork

SIZE = (31, 23)


def shown(samples: int, merge: bool) -> ShadingPoints:
    positions, triangles = patchwork(np.random.default_rng(12).uniform(3, 20, (60, 2)))
    return shading_points(visible(flat_camera(SIZE), positions, triangles, SIZE, samples=samples), merge=merge)


@pytest.mark.parametrize("samples", [1, 4, 8])
def test_merged_points_stand_for_the_same_samples_as_unmerged_ones(samples: int) -> None:
    merged, apart = shown(samples, True), shown(samples, False)
    assert len(merged.pixel) < len(apart.pixel) or samples == 1
    np.testing.assert_allclose(merged.coverage(), apart.coverage())
    # A value that is the same all over a triangle averages to the same pixels.
    values = np.random.default_rng(0).normal(size=(1000, 2)).astype(np.float32)
    for one in (merged, apart):
        assert len(np.unique(np.stack([one.pixel, one.samples.triangle]), axis=1).T) <= len(one.pixel)
    np.testing.assert_allclose(
        merged.average(values[merged.samples.triangle]), apart.average(values[apart.samples.triangle]), atol=1e-6
    )


def test_no_triangle_is_worked_out_twice_in_a_pixel() -> None:
    one = shown(8, True)
    pairs = np.stack([one.pixel, one.samples.triangle])
    assert np.unique(pairs, axis=1).shape == pairs.shape


def test_smoothing_keeps_what_is_even_and_does_not_reach_over_a_step_in_depth() -> None:
    near = [(0, 0, 50), (15, 0, 50), (15, 23, 50), (0, 23, 50)]
    far = [(15, 0, 0), (31, 0, 0), (31, 23, 0), (15, 23, 0)]
    positions, triangles = np.array(near + far, float), np.array([(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)])
    found = shading_points(visible(flat_camera(SIZE), positions, triangles, SIZE))
    side = (found.samples.triangle > 1).astype(np.float32)[:, None]
    np.testing.assert_allclose(found.smooth(np.ones_like(side), 4, 1.0), 1, rtol=1e-6)
    np.testing.assert_allclose(found.smooth(side, 4, 1.0), side, atol=1e-6)
    assert 0.3 < found.smooth(side, 4, 1e9)[np.flatnonzero(found.pixel % SIZE[0] == 15)].mean() < 0.7
