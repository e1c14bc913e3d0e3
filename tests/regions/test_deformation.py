"""How much a surface is bent, whatever it is moved or turned."""

from collections.abc import Iterable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.arrays import Floats
from facewright.mesh.topology import Topology
from facewright.regions.deformation import Bending, deformation, expressions
from facewright.regions.rotation import rotated
from tests.regions.surfaces import sheet


def rotations_by_svd(B: Iterable[Floats]) -> Floats:
    """Kabsch's way, one matrix at a time."""
    found = []
    for matrix in B:
        U, _, Vt = np.linalg.svd(matrix)
        found.append(U @ np.diag([1, 1, np.sign(np.linalg.det(U @ Vt))]) @ Vt)
    return np.array(found)


def as_rotations(B: Floats) -> Floats:
    """What `rotated` does to the three axes, as matrices (n, 3, 3)."""
    flat = np.ascontiguousarray(B.transpose(1, 2, 0))
    columns = [rotated(np.tile(axis[:, None], len(B)), flat) for axis in np.eye(3)]
    return np.stack(columns, axis=1).transpose(2, 0, 1)


def test_the_closed_form_turns_as_a_singular_value_decomposition_does() -> None:
    rng = np.random.default_rng(1)
    B = rng.normal(size=(400, 3, 3))
    B[:100, 2] = 0  # flat rings have rank 2
    B[100:150] *= 1e-7
    B[150:200] *= 1e7
    np.testing.assert_allclose(as_rotations(B), rotations_by_svd(B), atol=1e-9)


@pytest.mark.parametrize("rank", [0, 1])
def test_a_matrix_that_says_too_little_still_gives_one_of_the_best_rotations(rank: int) -> None:
    rng = np.random.default_rng(2)
    B = rank * np.einsum("ni,nj->nij", rng.normal(size=(50, 3)), rng.normal(size=(50, 3)))
    R = as_rotations(B)
    np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (50, 1, 1)), atol=1e-9)
    best = np.linalg.svd(B, compute_uv=False)[:, 0]
    np.testing.assert_allclose(np.einsum("nij,nij->n", R, B), best, atol=1e-9)


def bend_by_definition(rig: fw.Rig, moved: Floats) -> Floats:
    """Debunne's Laplacian with each ring's rotation taken out, vertex by vertex."""
    topology = Topology(rig.polygons, rig.vertex_count)
    bends = np.zeros(rig.vertex_count)
    for i in range(rig.vertex_count):
        ring = topology.neighbours(i)
        rest = rig.neutral[ring] - rig.neutral[i]
        now = rest + moved[ring] - moved[i]
        lengths = np.linalg.norm(rest, axis=1)
        weights = 2 / lengths.sum() / lengths
        R = rotations_by_svd([(weights[:, None] * now).T @ rest])[0]
        bends[i] = np.linalg.norm(weights @ now - R @ (weights @ rest))
    return rig.size * bends


def test_bends_are_those_of_the_definition() -> None:
    rig = sheet(9, 7)
    moved = np.random.default_rng(3).normal(size=(63, 3))
    np.testing.assert_allclose(Bending(rig)(moved), bend_by_definition(rig, moved), rtol=1e-8)


def test_a_turning_eyeball_is_hardly_deformed_where_the_plain_laplacian_says_it_is() -> None:
    rig = fw.sample()
    eye = slice(rig.part("left eye").start, rig.part("left eye").stop)
    moved = rig.shape("eyeLookOutLeft").dense(rig.vertex_count)
    bending = Bending(rig)
    plain = rig.size * np.linalg.norm(np.asarray(bending._rows[: rig.vertex_count] @ moved), axis=1)
    # Not 0: the modeller's shape turns the ball only nearly rigidly.
    assert np.median(bending(moved)[eye]) < 0.1 * np.median(plain[eye])


def test_part_of_a_face_may_turn_and_only_its_border_is_deformed() -> None:
    rig = sheet(20, 8)
    right = rig.neutral[:, 0] >= 10
    turn = Rotation.from_rotvec([0, 0.4, 0]).as_matrix()
    moved = np.where(right[:, None], (rig.neutral - [10, 0, 0]) @ turn.T + [10, 0, 0] - rig.neutral, 0.0)
    bends = Bending(rig)(moved)
    near = np.abs(rig.neutral[:, 0] - 9.5) < 1.6
    assert not bends[~near].any()
    assert bends[near].max() > 1


def test_the_map_is_the_largest_bend_over_all_shapes() -> None:
    rig = sheet(16, 10, left=(4, 5, 3.0), right=(11, 5, 3.0))
    bending = Bending(rig)
    each = [bending(shape.dense(rig.vertex_count)) for shape in rig.shapes]
    np.testing.assert_array_equal(deformation(rig), np.maximum(*each))


def test_an_expression_is_the_face_with_the_shape_fully_on() -> None:
    rig = sheet(8, 8, a=(2, 4, 3.0), b=(5, 4, 3.0))
    half = fw.Shape("a half", rig.shapes[0].vertices, 0.2 * rig.shapes[0].offsets, ("a",), 0.5)
    both = fw.Shape("a b", rig.shapes[1].vertices, -0.3 * rig.shapes[1].offsets, ("a", "b"))
    rich = fw.Rig(rig.neutral, rig.polygons, (*rig.shapes, half, both))
    wanted = [fw.evaluate(rich, at) - rig.neutral for at in ({"a": 1}, {"b": 1}, {"a": 0.5}, {"a": 1, "b": 1})]
    np.testing.assert_allclose(list(expressions(rich)), wanted, atol=1e-12)


def test_vertices_without_edges_and_edges_without_length_deform_nothing() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0], [9, 9, 9]])
    delta = np.random.default_rng(4).normal(size=(5, 3))
    delta[3] = delta[0]
    rig = fw.Rig(points, fw.Polygons.of([[0, 1, 2], [0, 3, 1]]), (fw.Shape.from_dense("s", delta),))
    found = deformation(rig)
    assert np.isfinite(found).all()
    assert found[4] == 0
