"""Deformation transfer: its laws, and an independent formulation of it."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.mesh.align import align
from facewright.mesh.triangle_frames import edge_pairs, gradients
from facewright.rig.edit import scale
from facewright.samples import mask
from tests.build.faces import bent, combining, template, turn, turned


@pytest.mark.parametrize(
    "rig",
    [template(), combining(), fw.sample(), fw.sample("edith", shapes="units")],
    ids=["mask", "mix", "head", "units"],
)
def test_a_template_onto_itself_gives_the_template(rig: fw.Rig) -> None:
    np.testing.assert_allclose(fw.transfer(rig, rig).deltas(), rig.deltas(), atol=1e-6 * rig.size, rtol=0)


@pytest.mark.parametrize("factor", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("rig", [template(), combining()], ids=["mask", "mix"])
def test_where_how_large_and_how_turned_the_target_is_changes_nothing_else(rig: fw.Rig, factor: float) -> None:
    face = bent(rig)
    here, there = fw.transfer(rig, face), fw.transfer(rig, turned(face, factor))
    np.testing.assert_allclose(there.deltas() / factor, here.deltas() @ turn().T, atol=1e-9 * rig.size)
    assert np.array_equal(there.neutral, turned(face, factor))


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_the_unit_of_the_template_does_not_matter(factor: float) -> None:
    rig = template()
    same = fw.transfer(scale(rig, factor), bent(rig))
    np.testing.assert_allclose(same.deltas(), fw.transfer(rig, bent(rig)).deltas(), atol=1e-9 * rig.size)


def test_vertices_that_a_shape_leaves_alone_stay_exactly() -> None:
    rig = fw.sample()
    made = fw.transfer(rig, fw.sample("amara"))
    for before, after in zip(rig.shapes, made.shapes, strict=True):
        still = np.setdiff1d(np.arange(rig.vertex_count), before.vertices)
        assert not after.dense(rig.vertex_count)[still].any(), before.name


def test_transfer_is_the_least_squares_answer_to_the_wanted_gradients() -> None:
    rig = template(vertices=120, shapes=4)
    face = bent(rig)
    made = fw.transfer(rig, face, closing={})
    to = align(face, rig.neutral, scaled=True)
    placed = to(face)
    for shape, found in zip(rig.shapes, made.shapes, strict=True):
        offsets = _directly(rig, placed, shape, free=found.vertices)
        wanted = offsets @ to.rotation / to.scale
        np.testing.assert_allclose(found.dense(rig.vertex_count), wanted, atol=1e-3 * np.abs(wanted).max())


def _directly(rig: fw.Rig, rest: np.ndarray, shape: fw.Shape, free: np.ndarray) -> np.ndarray:
    """Sumner and Popović's own unknowns: minimise the area-weighted difference of gradients over free vertices."""
    wanted = gradients(rig.neutral, rig.neutral + shape.dense(rig.vertex_count), rig.triangles) - np.eye(3)
    rows, right = [], []
    for (a, b, c), edges, change in zip(rig.triangles, edge_pairs(rest, rig.triangles), wanted, strict=True):
        e = edges.T  # (3, 2)
        inverse = np.linalg.pinv(e)  # (2, 3): gradient of a field from its two edge differences
        area = np.sqrt(np.linalg.norm(np.cross(e[:, 0], e[:, 1])) / 2)
        block = np.zeros((3, rig.vertex_count))
        block[:, c] += inverse[0]
        block[:, b] += inverse[1]
        block[:, a] -= inverse.sum(axis=0)
        rows.append(area * block)
        right.append(area * (change @ e @ inverse).T)
    A, b = np.concatenate(rows), np.concatenate(right)
    found = np.zeros((rig.vertex_count, 3))
    found[free] = np.linalg.lstsq(A[:, free], b, rcond=None)[0]
    return found


def test_eyes_still_turn_about_their_middles_and_teeth_stay_stiff() -> None:
    made = fw.transfer(fw.sample(), fw.sample("kenji"))
    part = made.part("left eye")
    rest = made.neutral[part.start : part.stop]
    middle = (rest.min(axis=0) + rest.max(axis=0)) / 2
    radius = np.linalg.norm(rest - middle, axis=1)
    posed = fw.evaluate(made, {"eyeLookOutLeft": 1})[part.start : part.stop]
    np.testing.assert_allclose(np.linalg.norm(posed - middle, axis=1), radius, atol=0.02)
    teeth = made.part("lower teeth")
    jaw = fw.evaluate(made, {"jawOpen": 1})[teeth.start : teeth.stop]
    before = made.neutral[teeth.start : teeth.stop]
    gap = [np.linalg.norm(one[:200] - one[-200:], axis=1) for one in (before, jaw)]
    np.testing.assert_allclose(gap[1], gap[0], rtol=0.02)
    lips = np.linalg.norm(jaw - before, axis=1).mean()
    assert (
        0.7
        < lips / np.linalg.norm(fw.sample().shape("jawOpen").dense(made.vertex_count)[5494:5950], axis=1).mean()
        < 1.4
    )


def test_parts_polygons_names_bounds_and_rules_come_from_the_template() -> None:
    plain = template()
    rule = fw.StaysWithin("brow", np.array([1, 2]), 0.5)
    rig = replace(plain, rules=(rule,), exclusive=((plain.sliders[0], plain.sliders[1]),))
    made = fw.transfer(rig, 2 * bent(rig))
    assert made.polygons is rig.polygons
    assert (made.sliders, made.groups, made.exclusive, made.parts) == (
        rig.sliders,
        rig.groups,
        rig.exclusive,
        rig.parts,
    )
    grown = made.size / rig.size
    assert made.rules[0].distance == pytest.approx(0.5 * grown, rel=0.2)  # type: ignore[union-attr]


def test_in_betweens_and_combinations_come_along() -> None:
    rig = combining()
    made = fw.transfer(rig, bent(rig))
    assert [(s.name, s.factors, s.additive) for s in made.shapes] == [
        (s.name, s.factors, s.additive) for s in rig.shapes
    ]
    assert all(len(shape.vertices) for shape in made.shapes)


def test_a_piece_that_moves_as_a_whole_goes_as_far_as_the_face_about_it_is_large() -> None:
    face = mask(vertices=160, shapes=1, seed=1, support=0.5)
    loose = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]) + face.neutral.mean(axis=0)
    count = face.vertex_count
    moved = np.arange(count, count + 3)
    shape = face.shapes[0]
    rig = fw.Rig(
        np.concatenate([face.neutral, loose]),
        [*face.polygons.rows(), moved],
        (fw.Shape("s", [*shape.vertices, *moved], [*shape.offsets, *np.tile([0.0, -1, 0], (3, 1))]),),
    )
    made = fw.transfer(rig, rig.neutral * 2)
    np.testing.assert_allclose(made.shapes[0].dense(count + 3)[moved], np.tile([0, -2.0, 0], (3, 1)), atol=1e-9)
