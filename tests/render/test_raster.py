import numpy as np
import pytest
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.render import frame, look_at, rasterise
from facewright.render.raster import Samples, visible
from facewright.render.sample_grid import PATTERNS
from tests.render.meshes import ball, cast_rays, flat_camera, patchwork, rays, soup

SIZE = (61, 47)


def drawn(positions: ArrayLike, triangles: ArrayLike, size: tuple[int, int] = SIZE, samples: int = 1) -> Samples:
    return rasterise(flat_camera(size), np.asarray(positions, float), np.asarray(triangles), size, samples=samples)


def test_a_right_triangle_covers_the_pixels_whose_middles_it_holds() -> None:
    found = drawn([(0, 40, 0), (10, 40, 0), (0, 30, 0)], [(0, 1, 2)])
    y, x = np.divmod(found.at, SIZE[0])
    # Its long side runs through the middles of ten pixels, and is neither a top nor a left side.
    wanted = {(i, j + 7) for i in range(10) for j in range(10) if i + j < 9}
    assert set(zip(x.tolist(), y.tolist(), strict=True)) == wanted


def test_a_triangle_owns_middles_on_its_top_and_left_sides_only() -> None:
    square = [(2.5, 40.5, 0), (6.5, 40.5, 0), (6.5, 36.5, 0), (2.5, 36.5, 0)]
    found = drawn(square, [(0, 1, 2), (0, 2, 3)])
    y, x = np.divmod(found.at, SIZE[0])
    assert set(x.tolist()) == {2, 3, 4, 5}
    assert set(y.tolist()) == {6, 7, 8, 9}
    assert len(found.at) == 16


@pytest.mark.parametrize("samples", PATTERNS)
@pytest.mark.parametrize("step", [0.0, 0.5])
@pytest.mark.parametrize("corners", [100, pytest.param(400, marks=pytest.mark.long)])
def test_every_sample_of_a_patchwork_is_covered_exactly_once(samples: int, step: float, corners: int) -> None:
    rng = np.random.default_rng(5)
    points = rng.uniform(-4, 70, (corners, 2))
    if step:
        points = np.unique(np.rint(points / step) * step, axis=0)  # corners and sides on the samples themselves
    points = np.concatenate([points, [(-9, -9), (-9, 80), (80, -9), (80, 80)]])
    positions, triangles = patchwork(points)
    times = np.zeros(SIZE[0] * SIZE[1] * samples, int)
    for triangle in triangles:
        np.add.at(times, drawn(positions, [triangle], samples=samples).at, 1)
    np.testing.assert_array_equal(times, 1)


def test_the_winding_of_a_triangle_changes_only_its_side() -> None:
    positions, triangles = patchwork(np.random.default_rng(2).uniform(0, 45, (60, 2)))
    one, other = drawn(positions, triangles), drawn(positions, triangles[:, ::-1])
    np.testing.assert_array_equal(one.at, other.at)
    np.testing.assert_array_equal(one.triangle, other.triangle)
    np.testing.assert_array_equal(one.front, ~other.front)


@pytest.mark.parametrize("perspective", [False, True])
@pytest.mark.parametrize("inside", [False, True], ids=["outside", "eye among the triangles"])
def test_the_nearest_triangle_is_the_one_a_ray_meets_first(perspective: bool, inside: bool) -> None:
    positions, triangles = soup(60, seed=11, size=0.5)
    eye = (0.1, 0.2, 0.3) if inside else (2, 1.5, 4)
    camera = look_at(eye, (0, 0.1, -0.4), half_height=1.2, perspective=perspective)
    found = rasterise(camera, positions, triangles, SIZE)
    depth, clear = cast_rays(camera, positions, triangles, SIZE)
    # Left out: rays within rounding of a side, of the near plane, or of meeting two triangles at once.
    two = np.sort(depth, axis=0)[:2]
    with np.errstate(invalid="ignore"):
        sure = (clear.min(axis=0) > 1e-3) & ~(two[1] - two[0] < 1e-3)
    wanted = np.where(np.isfinite(two[0]), depth.argmin(axis=0), -1)
    got = found.grid(found.triangle, -1).ravel()
    assert sure.mean() > 0.5
    assert (wanted[sure] >= 0).mean() > 0.3
    np.testing.assert_array_equal(got[sure], wanted[sure])
    seen = sure & (wanted >= 0)
    np.testing.assert_allclose(found.grid(found.depth).ravel()[seen], two[0][seen], rtol=1e-2)
    start, along = rays(camera, SIZE)
    place = found.grid(found.mix(positions[triangles])).reshape(-1, 3)
    np.testing.assert_allclose(place[seen], (start + two[0][:, None] * along)[seen], atol=2e-2)


@pytest.mark.parametrize("perspective", [False, True])
def test_the_place_given_by_barycentrics_lies_on_the_ray_through_its_sample(perspective: bool) -> None:
    positions, triangles = soup(40, seed=3, size=0.6)
    camera = look_at((1, 0.5, 3), (0, 0, 0), half_height=1.0, perspective=perspective)
    found = rasterise(camera, positions, triangles, (300, 300))
    place = found.mix(positions[triangles])
    seen = camera.seen(place)
    scale = 300 / (2 * camera.half_height) * (camera.distance / seen[:, 2] if perspective else 1)
    y, x = np.divmod(found.at, 300)
    np.testing.assert_allclose(seen[:, 2], found.depth, rtol=1e-12)
    np.testing.assert_allclose(found.barycentric.sum(axis=1), 1, rtol=1e-12)
    # Corners are rounded to 1/4096 of a pixel, which shows most where a triangle is seen edge on.
    steep = (
        np.abs(np.einsum("nk,nk->n", _unit_normals(positions, triangles)[found.triangle], camera.to_eye(place))) < 0.05
    )
    np.testing.assert_allclose((150 + scale * seen[:, 0] - x - 0.5)[~steep], 0, atol=2e-3)
    np.testing.assert_allclose((150 - scale * seen[:, 1] - y - 0.5)[~steep], 0, atol=2e-3)


def test_barycentrics_are_exact_where_corners_lie_on_the_fixed_point_grid() -> None:
    rng = np.random.default_rng(9)
    corners = np.rint(rng.uniform(0, 45, (30, 2)) * 64) / 64
    positions = np.column_stack([corners, corners @ [0.3, -0.2] + 1])  # one sloping plane
    found = drawn(positions, np.arange(30).reshape(-1, 3))
    y, x = np.divmod(found.at, SIZE[0])
    place = np.stack([x + 0.5, SIZE[1] - y - 0.5], axis=1)
    got = found.mix(positions[np.arange(30).reshape(-1, 3)])
    np.testing.assert_allclose(got, np.column_stack([place, place @ [0.3, -0.2] + 1]), atol=1e-11)
    np.testing.assert_allclose(found.depth, 100 - got[:, 2], atol=1e-10)


def test_of_equally_near_triangles_the_first_is_seen() -> None:
    positions, triangles = patchwork(np.random.default_rng(4).uniform(0, 45, (30, 2)))
    twice = drawn(positions, np.concatenate([triangles, triangles]))
    np.testing.assert_array_equal(twice.triangle, drawn(positions, triangles).triangle)


def test_a_floor_that_runs_under_the_eye_is_cut_and_not_folded() -> None:
    floor = np.array([(-50, -1, -50), (50, -1, -50), (50, -1, 50), (-50, -1, 50)], float)
    camera = look_at((0, 0, 0), (0, 0, -1), half_height=0.5)
    found = rasterise(camera, floor, np.array([(0, 2, 1), (0, 3, 2)]), (40, 40))
    seen = found.grid(np.ones(len(found.at), bool), False)
    assert not seen[:20].any()
    assert seen[22:].all()
    np.testing.assert_allclose(found.mix(floor[[(0, 2, 1), (0, 3, 2)]])[:, 1], -1, rtol=1e-9)
    assert found.depth.min() > 0


@pytest.mark.parametrize("perspective", [False, True])
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_everything_is_cut_at_the_near_distance_whatever_the_unit(perspective: bool, scale: float) -> None:
    ramp = scale * np.array([(-9, -1, 1), (9, -1, 1), (0, 2, -8)], float)  # comes at the eye and passes it
    camera = look_at((0, 0, 0), (0, 0, -4 * scale), half_height=2 * scale, perspective=perspective)
    found = rasterise(camera, ramp, np.array([(0, 1, 2)]), (400, 400))
    assert len(found.at) > 10_000
    assert found.depth.min() >= camera.near * (1 - 1e-9)
    np.testing.assert_allclose(camera.seen(found.mix(ramp[None]))[:, 2], found.depth, rtol=1e-9, atol=1e-9 * scale)
    if not perspective:
        assert found.depth.min() < 0.05 * scale


def test_a_triangle_far_larger_than_the_picture_fills_it_without_overflow() -> None:
    for reach in (1e3, 1e6, 1e9):
        found = drawn([(-reach, -reach, 0), (reach, -reach, 0), (0, reach, 0)], [(0, 1, 2)])
        assert len(found.at) == SIZE[0] * SIZE[1]
        np.testing.assert_allclose(found.barycentric.sum(axis=1), 1, rtol=1e-9)


def test_cutting_far_triangles_leaves_no_crack_between_them() -> None:
    rng = np.random.default_rng(8)
    points = np.concatenate(
        [rng.uniform(-4, 60, (40, 2)), 1e6 * np.array([(-1, -1.3), (-1.1, 1), (1.2, -1), (1, 1.4)])]
    )
    positions, triangles = patchwork(points)
    times = np.zeros(SIZE[0] * SIZE[1], int)
    for triangle in triangles:
        np.add.at(times, drawn(positions, [triangle]).at, 1)
    assert set(np.unique(times)) == {1}


def test_what_lies_behind_the_eye_or_beside_the_picture_is_not_seen() -> None:
    positions, triangles = ball()
    camera = look_at((0, 0, 5), (0, 0, 9), half_height=1.0)
    assert not len(rasterise(camera, positions, triangles, SIZE).at)
    camera = look_at((30, 0, 5), (30, 0, 0), half_height=1.0, perspective=False)
    assert not len(rasterise(camera, positions, triangles, SIZE).at)


def test_triangles_without_area_are_not_seen() -> None:
    found = drawn([(1, 1, 0), (30, 30, 0), (15, 15, 0), (4, 4, 4)], [(0, 1, 2), (3, 3, 3), (0, 0, 1)])
    assert not len(found.at)


def test_the_depth_of_a_visible_surface_is_its_distance() -> None:
    positions, triangles = ball(40)
    camera = frame(positions, perspective=False)
    seen = visible(camera, positions, triangles, (101, 101))
    np.testing.assert_allclose(seen.depth[50, 50], camera.distance - 1, rtol=5e-3)
    assert np.isinf(seen.depth[0, 0])
    assert seen.triangle[0, 0] == -1


@pytest.mark.parametrize(("size", "samples"), [((0, 5), 1), ((5, 20_000), 1), ((5, 5), 3), ((5, 9_000), 2)])
def test_a_picture_that_cannot_be_is_refused(size: tuple[int, int], samples: int) -> None:
    with pytest.raises(BadValue, match="can"):
        rasterise(flat_camera((5, 5)), np.zeros((3, 3)), np.array([(0, 1, 2)]), size, samples=samples)


def _unit_normals(positions: Floats, triangles: Ints) -> Floats:
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))
