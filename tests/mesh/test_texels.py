import numpy as np
import pytest

import facewright as fw
from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons, Uvs
from facewright.mesh.texels import Texels, islands

SIZE = (40, 56)


def by_looking_at_every_texel(places: Floats, size: tuple[int, int]) -> Floats:
    """Whether each texel's middle is in each triangle (t, h, w), from three signs; nan on an edge."""
    y, x = np.mgrid[0 : size[0], 0 : size[1]] + 0.5
    x, y = x / size[1], 1 - y / size[0]
    signs = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        for triangle in places
        for a, b in zip(triangle, np.roll(triangle, -1, axis=0), strict=True)
    ]
    sides = np.reshape(signs, (len(places), 3, *size))
    inside = (sides > 1e-9).all(axis=1) | (sides < -1e-9).all(axis=1)
    outside = (sides.min(axis=1) < -1e-9) & (sides.max(axis=1) > 1e-9)
    return np.where(inside, 1.0, np.where(outside, 0.0, np.nan))


def triangle_soup(count: int, seed: int = 0) -> tuple[Polygons, Uvs]:
    coordinates = np.random.default_rng(seed).uniform(0.02, 0.98, (3 * count, 2))
    return Polygons.of(np.arange(3 * count).reshape(-1, 3)), Uvs(coordinates, np.arange(3 * count))


def test_texels_are_those_whose_middles_lie_in_a_triangle_and_the_first_one_counts() -> None:
    polygons, uvs = triangle_soup(25)
    texels = Texels.of(polygons, uvs, SIZE)
    inside = by_looking_at_every_texel(uvs.coordinates.reshape(-1, 3, 2), SIZE)
    sure = ~np.isnan(inside).any(axis=0)
    first = np.where((inside == 1).any(axis=0), np.argmax(inside == 1, axis=0), -1)
    np.testing.assert_array_equal(texels.picture(texels.triangle, -1)[sure], first[sure])


def test_coordinates_mixed_over_the_texels_are_the_texels_own_places() -> None:
    rig = fw.sample()
    assert rig.uvs is not None
    texels = Texels.of(rig.polygons, rig.uvs, SIZE)
    corners = rig.uvs.corners[rig.polygons.triangle_corners]
    rows, columns = np.divmod(texels.at, SIZE[1])
    wanted = np.stack([(columns + 0.5) / SIZE[1], 1 - (rows + 0.5) / SIZE[0]], axis=1)
    np.testing.assert_allclose(texels.mix(rig.uvs.coordinates[corners]), wanted, atol=1e-6)
    assert len(texels.at) / np.prod(SIZE) == pytest.approx(0.41, abs=0.02)  # what the layout covers


def test_neighbouring_triangles_leave_no_crack() -> None:
    grid = np.linspace(0.1, 0.9, 12)
    coordinates = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    coordinates += np.random.default_rng(1).uniform(-0.02, 0.02, coordinates.shape)
    at = np.arange(144).reshape(12, 12)
    quads = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], axis=-1).reshape(-1, 4)
    covered = Texels.of(Polygons.of(quads), Uvs(coordinates, quads.ravel()), (300, 300))
    inner = covered.picture(np.ones(len(covered.at), bool))[60:-60, 60:-60]
    assert inner.all()


def test_coordinates_beyond_the_picture_repeat_it() -> None:
    polygons, uvs = triangle_soup(6)
    moved = Uvs(uvs.coordinates + np.repeat([[3, -2]] * 6, 3, axis=0), uvs.corners)
    here, there = Texels.of(polygons, uvs, SIZE), Texels.of(polygons, moved, SIZE)
    np.testing.assert_array_equal(here.at, there.at)
    np.testing.assert_allclose(here.barycentric, there.barycentric, atol=1e-4)
    across = Uvs(np.array([[0.9, 0.4], [1.1, 0.4], [1.0, 0.7]]), np.arange(3))
    columns = Texels.of(Polygons.of([[0, 1, 2]]), across, SIZE).at % SIZE[1]
    assert columns.min() < 6
    assert columns.max() > 50


def test_triangles_without_area_or_coordinates_have_no_texels() -> None:
    uvs = Uvs(np.array([[0.1, 0.1], [0.5, 0.5], [0.9, 0.9], [0.1, 0.9]]), np.array([0, 1, 2, 0, 2, -1]))
    assert len(Texels.of(Polygons.of([[0, 1, 2], [0, 2, 3]]), uvs, SIZE).at) == 0
    with pytest.raises(BadValue, match="at least one texel"):
        Texels.of(Polygons.of([[0, 1, 2], [0, 2, 3]]), uvs, (0, 4))


def test_islands_end_where_the_layout_is_cut_and_not_where_a_file_has_copies() -> None:
    polygons = Polygons.of([[0, 1, 2], [2, 1, 3], [3, 1, 4], [5, 6, 7]])
    rows = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.2, 0.3], [0, 0], [1, 0], [0, 1], [1, 0]])
    # The second triangle names a copy of coordinate 1; the third is cut off; the fourth lies over the first.
    uvs = Uvs(rows, np.array([0, 1, 2, 2, 8, 3, 4, 4, 4, 5, 6, 7]))
    assert islands(polygons, uvs).tolist() == [0, 0, 1, 2]
