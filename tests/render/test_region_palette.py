"""Regions as colours."""

import numpy as np

from facewright.mesh.topology import Topology
from facewright.regions.segment import segment
from facewright.render.oklab import lab_of, linear_of
from facewright.render.region_palette import node_colors, region_colors
from facewright.render.tone import to_srgb
from facewright.samples import sample


def test_neighbours_differ_and_the_sides_match_in_hue() -> None:
    rig = sample()
    regions = segment(rig)
    colors = node_colors(rig, regions)
    a, b = regions.labels()[Topology(rig.polygons, rig.vertex_count).edges].T
    assert np.linalg.norm(colors[a] - colors[b], axis=1)[a != b].min() > 0.08
    left, right = (colors[regions.node(f"{side} brow")] for side in ("left", "right"))
    assert (np.argsort(left) == np.argsort(right)).all()
    assert left.sum() > right.sum()


def test_a_joined_region_keeps_the_colour_of_its_largest_part() -> None:
    rig = sample()
    regions = segment(rig)
    known = {tuple(color) for color in node_colors(rig, regions)}
    for level in range(regions.levels):
        assert {tuple(color) for color in node_colors(rig, regions, level)} <= known


def test_inside_a_region_vertices_have_its_colour() -> None:
    rig = sample()
    regions = segment(rig)
    shown = region_colors(rig, regions, 3)
    assert shown.shape == (rig.vertex_count, 3)
    weights = regions.weights_at(3).toarray()
    own = weights.max(axis=0) == 1
    np.testing.assert_allclose(shown[own], node_colors(rig, regions, 3)[regions.labels(3)][own], atol=1e-9)


def test_oklab_grey_is_grey_and_white_is_white() -> None:
    np.testing.assert_allclose(to_srgb(linear_of(lab_of(1.0, 0.0, 0.0))), 1, atol=1e-3)
    grey = to_srgb(linear_of(lab_of(0.5, 0.0, 123.0)))
    np.testing.assert_allclose(grey, grey[0], atol=1e-3)
