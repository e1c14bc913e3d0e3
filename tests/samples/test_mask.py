"""The generated face."""

import numpy as np
import pytest

from facewright import Rig
from facewright.errors import BadValue
from facewright.rig.names import mirror_name
from facewright.samples import mask
from tests.samples.surfaces import border, edges_of


def partners(rig: Rig) -> np.ndarray:
    from scipy.spatial import cKDTree

    away, found = cKDTree(rig.neutral).query(rig.neutral * [-1, 1, 1])
    assert np.max(away) < 1e-9
    return np.asarray(found)


@pytest.mark.parametrize("vertices", [100, 101, 137, 200, 997, 1234, 4999, 5000, 20_011])
def test_a_mask_has_exactly_the_vertices_asked_for_in_quads_round_one_border(vertices: int) -> None:
    rig = mask(vertices, shapes=1)
    assert rig.vertex_count == vertices
    quads = rig.polygons.uniform()
    assert quads is not None
    assert quads.shape[1] == 4
    assert np.array_equal(np.unique(quads), np.arange(vertices))
    assert set(edges_of(rig, "face").values()) == {1}
    assert len(border(rig, "face")) == 1


@pytest.mark.parametrize("shapes", [1, 2, 3, 10, 52, 151])
def test_a_mask_has_exactly_the_shapes_asked_for_each_with_its_mirror_image(shapes: int) -> None:
    rig = mask(700, shapes)
    assert len(rig.shapes) == len(rig.sliders) == shapes
    partner = partners(rig)
    for shape in rig.shapes:
        other = rig.shape(mirror_name(shape.name) or shape.name)
        image = other.dense(700)[partner] * [-1, 1, 1]
        np.testing.assert_allclose(image, shape.dense(700), atol=1e-12)


def test_the_same_seed_gives_the_same_rig_and_another_seed_another_one() -> None:
    first, again, other = mask(500, 12, seed=3), mask(500, 12, seed=3), mask(500, 12, seed=4)
    assert first.sliders == again.sliders
    assert np.array_equal(first.deltas(), again.deltas())
    assert np.array_equal(first.neutral, other.neutral)
    assert not np.array_equal(first.deltas(), other.deltas())


@pytest.mark.parametrize("support", [0.02, 0.15, 0.5])
def test_shapes_move_on_average_the_part_of_the_vertices_asked_for(support: float) -> None:
    rig = mask(3000, 100, support=support)
    shares = np.array([len(shape.vertices) for shape in rig.shapes]) / 3000
    assert shares.mean() == pytest.approx(support, rel=0.15)
    assert shares.max() < 2 * support


def test_full_support_moves_every_vertex() -> None:
    shapes = mask(400, 8, support=1.0).shapes
    assert max(len(shape.vertices) for shape in shapes) == 400
    assert min(len(shape.vertices) for shape in shapes) > 0.55 * 400


def test_shapes_move_a_few_percent_of_the_face_and_end_smoothly() -> None:
    rig = mask(6000, 40)
    height = np.ptp(rig.neutral[:, 1])
    edges = np.array(list(edges_of(rig, "face")))
    for shape in rig.shapes:
        delta = shape.dense(6000)
        reach = np.linalg.norm(delta, axis=1).max()
        assert 0.003 * height < reach < 0.06 * height
        steps = np.linalg.norm(delta[edges[:, 0]] - delta[edges[:, 1]], axis=1)
        assert steps.max() < 0.35 * reach
        rim = (delta[edges] == 0).all(axis=2)
        assert steps[rim.any(axis=1) & ~rim.all(axis=1)].max() < 0.02 * reach


def test_shapes_overlap() -> None:
    moved = np.array([shape.dense(1000).any(axis=1) for shape in mask(1000, 52).shapes])
    assert moved.any(axis=0).mean() > 0.95
    assert moved.sum(axis=0).max() > 10


def test_a_mask_faces_forward_and_has_a_nose() -> None:
    rig = mask(5000, 1)
    a, b, c = (rig.neutral[rig.triangles[:, i]] for i in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
    tip = rig.neutral[rig.neutral[:, 2].argmax()]
    assert abs(tip[0]) < 0.3
    assert -3 < tip[1] < 1


def test_texture_coordinates_cover_the_square_without_folding() -> None:
    rig = mask(800, 1)
    assert rig.uvs is not None
    assert (rig.uvs.coordinates >= 0).all()
    assert (rig.uvs.coordinates <= 1).all()
    a, b, c = (rig.uvs.coordinates[rig.uvs.corners[rig.polygons.triangle_corners[:, i]]] for i in range(3))
    assert (np.cross(np.pad(b - a, ((0, 0), (0, 1))), np.pad(c - a, ((0, 0), (0, 1))))[:, 2] > 0).all()


def test_names_say_side_and_region() -> None:
    rig = mask(300, 52)
    assert set(rig.groups) <= {"brow", "cheek", "eye", "jaw", "mouth", "nose"}
    for name in rig.sliders:
        assert name.endswith(("Left", "Right")) == (mirror_name(name) is not None)


@pytest.mark.parametrize("wrong", [{"vertices": 99}, {"shapes": 0}, {"support": 0.0}, {"support": 1.5}])
def test_impossible_masks_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadValue, match="at least"):
        mask(**wrong)  # type: ignore[arg-type]
