"""Brushes change one shape, where they touch the face over its surface, in both directions of scale and side."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.mesh.polygons import Polygons
from facewright.mesh.topology import Topology
from facewright.rig.edit import scale, symmetry, touch_up
from facewright.rig.edit.brush import Brush, BrushKind, Dab, TouchUp
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from tests.rig.conftest import bump, grid_positions, grid_quads

POSE = {"smileLeft": 0.8, "jawOpen": 0.5}
KINDS: tuple[BrushKind, ...] = ("smooth", "relax", "grab", "erase")


def at_vertex(rig: Rig, vertex: int) -> Dab:
    triangle, corner = np.argwhere(rig.triangles == vertex)[0]
    mix = np.eye(3)[corner]
    return Dab(int(triangle), (mix[0], mix[1], mix[2]))


def dense(rig: Rig, name: str) -> Floats:
    return rig.shape(name).dense(rig.vertex_count)


def lively(rig: Rig, name: str) -> int:
    return int(np.linalg.norm(dense(rig, name), axis=1).argmax())


def straight_shares(rig: Rig, posed: Floats, vertex: int, brush: Brush) -> Floats:
    """The falloff by shortest paths, found by relaxing every connection again and again."""
    count = rig.vertex_count
    lengths = np.full((count, count), np.inf)
    for row in rig.polygons.rows():
        for one in row:
            lengths[one, row] = np.minimum(lengths[one, row], np.linalg.norm(posed[row] - posed[one], axis=1))
    distance = np.full(count, np.inf)
    distance[vertex] = 0.0
    for _ in range(count):
        distance = np.minimum(distance, (distance[:, None] + lengths).min(axis=0))
    near = distance / (brush.radius * rig.size)
    return brush.strength * np.where(near < 1, (1 - np.minimum(near, 1) ** 2) ** 2, 0.0)


def quad_normals(rig: Rig, posed: Floats) -> Floats:
    """Normals by the cross products of the quads' diagonals, which are twice their areas."""
    sums = np.zeros_like(posed)
    for a, b, c, d in rig.polygons.rows():
        sums[[a, b, c, d]] += np.cross(posed[c] - posed[a], posed[d] - posed[b])
    return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True))


@pytest.mark.parametrize("kind", ["smooth", "relax"])
def test_smoothing_is_the_umbrella_step_of_a_dense_matrix(face: Rig, kind: BrushKind) -> None:
    brush, vertex = Brush(kind, 0.3, 0.7), lively(face, "smileLeft")
    posed = evaluate(face, POSE)
    adjacency = Topology(face.polygons, face.vertex_count).adjacency.toarray()
    umbrella = adjacency / adjacency.sum(axis=1, keepdims=True) - np.eye(face.vertex_count)
    share = straight_shares(face, posed, vertex, brush)
    normals = quad_normals(face, posed)
    motion = posed - face.neutral
    for _ in range(4):
        change = umbrella @ motion
        if kind == "relax":
            change = np.einsum("vij,vj->vi", np.eye(3) - normals[:, :, None] * normals[:, None, :], change)
        motion = motion + np.diag(share) @ change
    found = touch_up(face, "smileLeft", brush, [at_vertex(face, vertex)], weights=POSE)
    np.testing.assert_allclose(evaluate(found, POSE), face.neutral + motion, atol=1e-12)
    assert np.abs(motion - (posed - face.neutral)).max() > 1e-3 * face.size


def test_the_middle_of_a_grab_goes_where_it_is_moved_and_the_rest_by_the_falloff(face: Rig) -> None:
    brush, vertex, move = Brush("grab", 0.25, 1.0), lively(face, "jawOpen"), np.array([0.03, -0.05, 0.02])
    posed = evaluate(face, POSE)
    found = evaluate(touch_up(face, "jawOpen", brush, [at_vertex(face, vertex)], weights=POSE, move=move), POSE)
    np.testing.assert_allclose(found[vertex], posed[vertex] + move, atol=1e-12)
    share = straight_shares(face, posed, vertex, brush)
    np.testing.assert_allclose(found, posed + share[:, None] * move, atol=1e-12)


def test_erasing_with_full_strength_leaves_nothing_in_the_middle(face: Rig) -> None:
    vertex = lively(face, "smileLeft")
    found = touch_up(face, "smileLeft", Brush("erase", 0.2, 1.0), [at_vertex(face, vertex)])
    assert vertex not in found.shape("smileLeft").vertices
    np.testing.assert_array_equal(evaluate(found, {"smileLeft": 1.0})[vertex], face.neutral[vertex])
    before, after = (np.linalg.norm(dense(rig, "smileLeft"), axis=1) for rig in (face, found))
    assert (after <= before).all()
    assert 0 < (after < before).sum() < len(before)


@pytest.mark.parametrize("kind", KINDS)
def test_a_symmetric_stroke_keeps_a_symmetric_shape_symmetric(face: Rig, kind: BrushKind) -> None:
    path = [at_vertex(face, vertex) for vertex in (12, 13, 22)]  # up to the middle, where both sides overlap
    move = (0.02, 0.05, 0.01)
    changed = touch_up(face, "jawOpen", Brush(kind, 0.3, 0.6, symmetric=True), path, move=move)
    offsets, sides = dense(changed, "jawOpen"), symmetry(face)
    np.testing.assert_allclose(sides.plane.mirror_vectors(offsets)[sides.partner], offsets, atol=1e-12)
    one_sided = dense(touch_up(face, "jawOpen", Brush(kind, 0.3, 0.6), path, move=move), "jawOpen")
    assert np.abs(sides.plane.mirror_vectors(one_sided)[sides.partner] - one_sided).max() > 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_offsets_of_one_shape_within_the_radius_change(face: Rig, kind: BrushKind) -> None:
    vertex, brush = lively(face, "smileLeft"), Brush(kind, 0.15, 1.0)
    posed = evaluate(face, POSE)
    found = touch_up(face, "smileLeft", brush, [at_vertex(face, vertex)], weights=POSE, move=(0.1, 0, 0))
    changed = (dense(found, "smileLeft") != dense(face, "smileLeft")).any(axis=1)
    far = np.linalg.norm(posed - posed[vertex], axis=1) >= brush.radius * face.size
    assert changed.any()
    assert not changed[far].any()
    assert [shape for shape in found.shapes if shape.name != "smileLeft"] == [
        shape for shape in face.shapes if shape.name != "smileLeft"
    ]
    none = touch_up(face, "smileLeft", replace(brush, strength=0.0), [at_vertex(face, vertex)], move=(0.1, 0, 0))
    np.testing.assert_array_equal(dense(none, "smileLeft"), dense(face, "smileLeft"))


def lips() -> Rig:
    """Two patches, one close above the other, that are not connected."""
    low = grid_positions()
    count = len(low)
    x = np.concatenate([low, low + np.array([0.0, 0.0, 0.01])])
    quads = np.concatenate([grid_quads(), grid_quads() + count])
    return Rig(x, Polygons.of(quads), (Shape.from_dense("part", bump(x, (0, 0), (0, 0.2, 0), 2.0)),))


def test_a_brush_does_not_reach_over_a_gap() -> None:
    rig = lips()
    count = rig.vertex_count // 2
    found = touch_up(rig, "part", Brush("erase", 0.5, 1.0), [at_vertex(rig, 31)])
    changed = (dense(found, "part") != dense(rig, "part")).any(axis=1)
    assert changed[:count].sum() > 20
    assert not changed[count:].any()


@pytest.mark.parametrize("kind", KINDS)
def test_a_small_rig_is_touched_up_like_a_large_one(face: Rig, kind: BrushKind) -> None:
    small, path = scale(face, 0.01), [at_vertex(face, vertex) for vertex in (12, 21)]
    move = np.array([0.03, 0.02, 0.01])
    brush = Brush(kind, 0.25, 0.8, symmetric=True)
    one = touch_up(face, "smileLeft", brush, path, weights=POSE, move=move)
    other = touch_up(small, "smileLeft", brush, path, weights=POSE, move=0.01 * move)
    np.testing.assert_allclose(dense(other, "smileLeft"), 0.01 * dense(one, "smileLeft"), atol=1e-14)


def test_a_combination_is_touched_up_where_its_sliders_are(face: Rig) -> None:
    extra = Shape.from_dense("both", bump(face.neutral, (0, 0), (0, 0, 0.1)), sliders=("smileLeft", "jawOpen"))
    rig = replace(face, shapes=(*face.shapes, extra))
    vertex = lively(rig, "both")
    pose = {"smileLeft": 0.5, "jawOpen": 0.8}
    found = touch_up(rig, "both", Brush("grab", 0.2, 1.0), [at_vertex(rig, vertex)], weights=pose, move=(0, 0, 0.04))
    moved = evaluate(found, pose) - evaluate(rig, pose)
    np.testing.assert_allclose(moved[vertex], (0, 0, 0.04), atol=1e-12)
    np.testing.assert_allclose(dense(found, "both")[vertex] - dense(rig, "both")[vertex], (0, 0, 0.1), atol=1e-12)


def test_a_shape_that_is_off_or_a_brush_that_makes_no_sense_is_refused_in_words(face: Rig) -> None:
    with pytest.raises(BadValue, match=r"'browUp' is at 0.*set browUp"):
        TouchUp(face, "browUp", {"jawOpen": 1.0})
    with pytest.raises(UnknownName, match="smileLeft"):
        TouchUp(face, "smielLeft")
    with pytest.raises(UnknownName, match="relax"):
        Brush("flatten")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="radius"):
        Brush("smooth", 0.0)
    with pytest.raises(BadValue, match="strength"):
        Brush("smooth", 0.1, 1.5)
    with pytest.raises(BadValue, match="triangle"):
        touch_up(face, "jawOpen", Brush(), [Dab(10**6, (1, 0, 0))])
