"""Depth images of surfaces."""

import numpy as np
import pytest

import facewright as fw
from facewright.mesh.normals import cross
from facewright.render.depth import render_depth


def cast(positions: np.ndarray, triangles: np.ndarray, lens: fw.Pinhole) -> np.ndarray:
    """Depth by a ray through each pixel's centre and every triangle (Moeller and Trumbore 1997)."""
    depth = np.zeros((lens.height, lens.width))
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    one, other = b - a, c - a
    for row in range(lens.height):
        for column in range(lens.width):
            ray = np.array([(column - lens.cx) / lens.fx, (row - lens.cy) / lens.fy, 1.0])
            p = cross(np.broadcast_to(ray, other.shape), other)
            size = (one * p).sum(axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                u = (-a * p).sum(axis=1) / size
                q = cross(-a, one)
                v, t = (q @ ray) / size, (other * q).sum(axis=1) / size
                hit = (np.abs(size) > 1e-15) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
            depth[row, column] = t[hit].min() if hit.any() else 0.0
    return depth


@pytest.mark.parametrize("centre", [(15.5, 11.5), (12.2, 14.9)])
def test_depth_is_that_of_rays_through_the_pixels(centre: tuple[float, float]) -> None:
    rng = np.random.default_rng(3)
    positions = rng.uniform([-0.2, -0.2, 0.3], [0.2, 0.2, 0.8], (30, 3))
    triangles = rng.integers(0, 30, (18, 3))
    lens = fw.Pinhole(30.0, 30.0, *centre, 32, 24)
    ours, theirs = render_depth(positions, triangles, lens).depth, cast(positions, triangles, lens)
    both = (ours > 0) & (theirs > 0)
    assert both.sum() > 200
    edges = np.abs(ours - theirs) > 1e-3  # a ray along the border of two triangles may meet either
    assert edges.mean() < 0.02
    # the rasteriser has corners at whole steps of its grid: 1/256 of a pixel
    assert np.median(np.abs(ours - theirs)[both & ~edges]) < 1e-4


def test_a_pinhole_for_another_size_is_refused_in_words() -> None:
    with pytest.raises(fw.BadValue, match="another size"):
        fw.Pinhole(600.0, 600.0, 319.5, 239.5, 320, 240)
    with pytest.raises(fw.BadValue, match="another size, or not in pixels"):
        fw.Pinhole(1.1, 1.1, 159.5, 119.5, 320, 240)
