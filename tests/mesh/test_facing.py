"""Nearest points that face the same way, and what can be seen from outside."""

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from facewright.mesh.closest import Surface
from facewright.mesh.exposure import exposed
from facewright.mesh.facing import FacingSurface
from facewright.mesh.normals import vertex_normals
from facewright.samples import mask


def sheets() -> tuple[np.ndarray, np.ndarray]:
    """Two squares a hair apart: the lower faces up, the upper down, as lips that touch."""
    grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0), indexing="ij"), axis=-1).reshape(-1, 2)
    at = np.arange(25).reshape(5, 5)
    quads = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]], axis=-1).reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    points = np.concatenate([np.column_stack([grid, np.full(25, z)]) for z in (0.0, 0.01)])
    return points, np.concatenate([triangles, triangles[:, ::-1] + 25])


def test_a_lip_never_finds_the_other_that_it_touches() -> None:
    points, triangles = sheets()
    surface = FacingSurface(points, triangles, 0.5)
    places = np.random.default_rng(1).uniform(0.2, 3.8, (40, 3)) * [1, 1, 0] + [0, 0, 0.005]
    for direction, height in ((1.0, 0.0), (-1.0, 0.01)):
        found = surface.closest(places, np.tile([0, 0, direction], (40, 1)))
        np.testing.assert_allclose(found.points[:, 2], height, atol=1e-12)
        np.testing.assert_allclose(found.points[:, :2], places[:, :2], atol=1e-9)
        np.testing.assert_allclose(found.normals, np.tile([0, 0, direction], (40, 1)), atol=1e-9)


def test_on_a_single_sheet_it_is_the_nearest_point_of_all() -> None:
    rig = mask(vertices=600, shapes=1)
    normals = vertex_normals(rig.neutral, rig.triangles)
    points = rig.neutral + 0.02 * np.random.default_rng(2).normal(size=rig.neutral.shape)
    found = FacingSurface(rig.neutral, rig.triangles, 1.0).closest(points, normals)
    wanted = Surface(rig.neutral, rig.triangles).closest(points)
    further = np.linalg.norm(found.points - points, axis=1) - wanted.distances
    assert (further < 1e-9).mean() > 0.99  # candidates are few: where many triangles meet, one may be missed
    assert further.max() < 0.1 * np.median(wanted.distances)


def test_a_vertex_finds_itself_however_much_facing_counts() -> None:
    rig = mask(vertices=600, shapes=1)
    surface = FacingSurface(rig.neutral, rig.triangles, 1.0)
    found = surface.closest(rig.neutral, vertex_normals(rig.neutral, rig.triangles), alike=50.0)
    np.testing.assert_allclose(found.points, rig.neutral, atol=1e-9)


def test_a_surface_without_area_is_refused() -> None:
    with pytest.raises(BadValue, match="at least one triangle with an area"):
        FacingSurface(np.zeros((3, 3)), np.array([[0, 1, 2]]), 1.0)


def test_skin_is_seen_and_the_inside_of_mouth_and_skull_is_not() -> None:
    head = fw.sample()
    seen = exposed(head.neutral, head.triangles)
    front = head.neutral[: head.part("head").stop]
    nose = int(front[:, 2].argmax())
    assert seen[nose]
    tongue, eye = head.part("tongue"), head.part("left eye")
    assert not seen[tongue.start : tongue.stop].any()
    behind = np.arange(eye.start, eye.stop)[head.neutral[eye.start : eye.stop, 2] < -0.7]
    assert len(behind) > 50
    assert not seen[behind].any()


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_what_is_seen_turns_and_grows_with_the_mesh(factor: float) -> None:
    head = fw.sample()
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    moved = factor * (head.neutral @ turn.T + [3.0, -7, 2])
    assert np.array_equal(exposed(moved, head.triangles), exposed(head.neutral, head.triangles))


def test_vertices_without_triangles_are_not_seen() -> None:
    points, triangles = sheets()
    assert not exposed(np.concatenate([points, [[9.0, 9, 9]]]), triangles)[-1]
    assert not exposed(points, np.zeros((0, 3), np.int64)).any()
