"""What all shapes of a person have in common is learned from the poses: the edges they act on, and their amplitudes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

import facewright as fw
from facewright.build import reference_edges, shape_strength
from facewright.build.amplitude import Amplitudes, FieldProblem
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.personal_prior import PersonalPrior
from facewright.build.proportion import proportioned
from facewright.build.reference_edges import learned_edges
from facewright.build.shape_step import pose_edges
from facewright.build.shape_strength import TemplateDoubt, strengths
from facewright.build.slider_evidence import USUAL
from tests.build.faces import bent, template


def _poses(count: int, sliders: int, seed: int = 4) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.uniform(0.3, 1, (count, sliders)) * (rng.random((count, sliders)) < 0.6)


def test_the_edges_that_shapes_act_on_are_those_of_a_least_squares_fit_of_each_triangle() -> None:
    rig = template()
    transfer, values = DeformationTransfer(rig, bent(rig)), _poses(5, 6)
    rng = np.random.default_rng(6)
    entries = transfer.entries
    left = rng.normal(size=(len(entries.triangles), 5, 6))
    added = rng.normal(size=(len(entries.triangles), 2, 3))
    present = rng.uniform(0.1, 1, (len(entries.triangles), 5))
    price = np.sqrt(reference_edges._OWN + reference_edges._LEFT * (0.2 / 0.8) ** 2)
    wanted, edges = learned_edges(entries, values, left, added, 0.2, present)
    for t in range(0, len(entries.triangles), 17):
        rows = slice(entries.starts[t], entries.starts[t + 1])
        own, shapes = entries.changes[rows], entries.shapes[rows]
        makes = np.einsum("js,sab->jab", values[:, shapes], own)
        stacked = np.concatenate([(np.sqrt(present[t])[:, None, None] * makes).reshape(-1, 3), price * np.eye(3)])
        for edge in range(2):
            asked = np.sqrt(present[t])[:, None] * (
                reference_edges._FURTHER * left[t].reshape(5, 2, 3)[:, edge] + makes @ added[t, edge]
            )
            best = np.linalg.lstsq(stacked, np.concatenate([asked.ravel(), np.zeros(3)]), rcond=None)[0]
            np.testing.assert_allclose(edges[t, edge], best, atol=1e-9)
            change = (wanted[rows] - entries.wanted[rows]).reshape(-1, 2, 3)[:, edge]
            np.testing.assert_allclose(change, own @ best, atol=1e-9)


def test_each_step_brings_the_shapes_nearer_to_the_poses() -> None:
    rig = template(shapes=8, vertices=400)
    face = bent(rig)
    person = fw.transfer(replace(rig, neutral=1.1 * bent(rig)[:, [0, 1, 2]] * [1.0, 0.9, 1.2]), face)
    values = _poses(12, 8)
    transfer = DeformationTransfer(rig, face)
    motions = transfer.target.into_place(fw.evaluate(person, values)) - transfer.target.placed
    known, triangles = np.ones(motions.shape[:2]), transfer.triangles[transfer.entries.triangles]
    edges = pose_edges(motions, triangles)
    prior = PersonalPrior(transfer, transfer.entries, transfer.plain, motions, edges, known, None)
    left = []
    for _ in range(4):
        made = np.tensordot(values, prior.carried(values), 1)
        left.append(float(np.linalg.norm(edges - pose_edges(made, triangles))))
    assert all(later < former for former, later in pairwise(left))
    assert left[-1] < 0.7 * left[0]


@pytest.mark.parametrize("factor", [1.0, 0.01])
def test_a_person_who_moves_as_far_as_the_template_is_told_from_one_who_moves_as_much_as_the_face_is_larger(
    factor: float,
) -> None:
    rig = template(shapes=8, vertices=400)
    person = replace(rig, neutral=1.3 * bent(rig))  # the template's own offsets on another face
    weights = _poses(6, 8)
    scaled = replace(
        person,
        neutral=factor * person.neutral,
        shapes=tuple(replace(one, offsets=factor * one.offsets) for one in person.shapes),
    )
    built = fw.build_rig(rig, scaled, fw.evaluate(scaled, weights), weights)
    plain = fw.transfer(rig, scaled)
    off = [
        np.linalg.norm(one.deltas() - scaled.deltas()) / np.linalg.norm(scaled.deltas()) for one in (built.rig, plain)
    ]
    assert off[0] < 0.2 * off[1]


def test_fields_solve_the_normal_equations_with_poses_counted_where_they_are_known() -> None:
    rng = np.random.default_rng(2)
    values, deltas, motions = rng.uniform(size=(3, 4)), rng.normal(size=(4, 9, 3)), rng.normal(size=(3, 9, 3))
    known, basis = rng.uniform(size=(3, 9)), rng.normal(size=(9, 5))
    problem = FieldProblem(values, deltas, motions, known, basis)
    found = problem.at_price(0.3, np.zeros((4, 5)), exact=1e-12)
    rows = np.einsum("ji,xb,ixc->jxcib", values, basis, deltas).reshape(-1, 20)
    root = np.sqrt(np.repeat(known.ravel(), 3))
    left = (motions - np.tensordot(values, deltas, axes=1)).ravel()
    stacked = np.concatenate([root[:, None] * rows, np.sqrt(0.3) * np.eye(20)])
    dense = np.linalg.lstsq(stacked, np.concatenate([root * left, np.zeros(20)]), rcond=None)[0]
    np.testing.assert_allclose(found.ravel(), dense, atol=1e-8)


def test_amplitudes_of_overlapping_shapes_are_told_apart_and_unseen_shapes_keep_theirs() -> None:
    rig = template(shapes=8, vertices=400)
    deltas, weights = rig.deltas(), _poses(7, 8)
    weights[:, 3] = 0.0
    along = rig.neutral @ np.random.default_rng(1).normal(size=(3, 8)) / rig.size
    true = 1 + 0.4 * np.sin(3 * along.T + np.arange(8)[:, None])
    motions = np.tensordot(weights, deltas * true[:, :, None], axes=1)
    moved = np.flatnonzero((deltas**2).sum(axis=(0, 2)))
    found = Amplitudes(rig.neutral, moved, rig.size)(weights, deltas, motions, np.ones(motions.shape[:2]))
    assert (found[3] == 1).all()
    seen = [i for i in range(8) if i != 3]
    left, before = (np.linalg.norm((deltas * (some - true)[:, :, None])[seen]) for some in (found, np.ones_like(true)))
    assert left < 0.3 * before


def test_fields_stay_near_1_where_they_do_not_explain_the_poses() -> None:
    rig = template(shapes=8, vertices=400)
    deltas, weights = rig.deltas(), _poses(7, 8)
    noise = np.random.default_rng(5).normal(size=(7, rig.vertex_count, 3))
    motions = np.tensordot(weights, deltas, axes=1) + 0.1 * np.abs(deltas).max() * noise
    moved = np.flatnonzero((deltas**2).sum(axis=(0, 2)))
    found = Amplitudes(rig.neutral, moved, rig.size)(weights, deltas, motions, np.ones(motions.shape[:2]))
    assert np.abs(found - 1).max() < 0.1


def _doubt(each: float) -> TemplateDoubt:
    return TemplateDoubt(each, 0.03)


def test_shapes_that_fit_keep_the_strength_of_the_template_and_others_that_of_the_guesses() -> None:
    doubts = [TemplateDoubt.of(misfit) for misfit in (0.0, 0.04, 0.1, 1.0)]
    assert doubts[0].each < doubts[1].each < doubts[2].each == doubts[3].each
    assert doubts[0].together < doubts[1].together < doubts[2].together == doubts[3].together
    weights, guesses = np.full((30, 3), 0.5), np.full((30, 3), 0.5) * [0.8, 1.0, 1.25]
    by_guess = strengths(weights, guesses, np.ones(3), _doubt(10.0))
    np.testing.assert_allclose(by_guess, [0.8, 1.0, 1.25], rtol=0.05)
    np.testing.assert_allclose(strengths(weights, guesses, np.ones(3), TemplateDoubt(1e-3, 1e-3)), 1.0, rtol=0.01)


def test_rough_guesses_make_shapes_neither_stronger_nor_weaker_in_the_mean() -> None:
    rng = np.random.default_rng(8)
    weights = rng.uniform(0.3, 1, (4, 400))
    for off in (0.1, 0.3):
        guesses = weights + rng.uniform(-off, off, weights.shape)
        found = strengths(0.8 * weights, guesses, np.full(400, 0.8), _doubt(0.5))
        assert np.exp(np.log(found * 0.8).mean()) == pytest.approx(1, abs=0.02)
        plain = (0.8 * weights * guesses).sum(axis=0) / ((0.8 * weights) ** 2).sum(axis=0)
        assert np.std(np.log(found)) < np.std(np.log(plain))


def test_a_factor_is_the_mean_of_its_belief_as_integrated_by_scipy() -> None:
    weights, guesses = np.array([[0.3, 0.9], [0.6, 0.5]]), np.array([[0.4, 0.8], [0.8, 0.4]])
    noise, spread = shape_strength._noises(weights, guesses, guesses > 0)
    alike = (4 / (4 + shape_strength._MANY)) ** 2

    def likelihood(u: float, slider: int, usual: float, common: float) -> float:
        w, g = np.exp(u) * weights[:, slider], guesses[:, slider]
        squares = ((g - w) / noise) ** 2 + alike * ((w - usual) / spread) ** 2
        beyond = (max(w.max() - 1, 0) / shape_strength._BEYOND) ** 2 + ((u + common) / 0.3) ** 2
        return float(np.exp(alike * 2 * u - 0.5 * (squares.sum() + beyond)))

    usual = np.linspace(-3, 3, shape_strength._TRIED)
    mass, means = np.zeros(1), np.zeros(2)
    for one in usual:
        for other in shape_strength._APART:
            at = USUAL + shape_strength._UNKNOWN * one, 0.03 * other
            whole = [quad(lambda u, i=i, at=at: likelihood(u, i, *at), -1.4, 1.4)[0] for i in range(2)]
            along = [quad(lambda u, i=i, at=at: np.exp(u) * likelihood(u, i, *at), -1.4, 1.4)[0] for i in range(2)]
            share = whole[0] * whole[1] * np.exp(-0.5 * (one**2 + other**2))
            mass, means = mass + share, means + share * np.divide(along, whole)
    np.testing.assert_allclose(strengths(weights, guesses, np.ones(2), _doubt(0.3)), means / mass, rtol=0.01)


def test_shapes_in_no_pose_have_the_strength_of_the_template_where_there_are_many_poses() -> None:
    weights = np.tile([[0.5, 0.0], [0.7, 0.0]], (200, 1))
    found = strengths(weights, weights, np.array([1.0, 1.3]), _doubt(0.3))
    assert found[1] == pytest.approx(1.3, rel=0.03)
    assert 1 < strengths(weights[:2], weights[:2], np.array([1.0, 1.3]), _doubt(0.3))[1] < 1.15


@pytest.mark.parametrize(("as_far", "share"), [(True, 1.0), (False, 0.0)])
def test_poses_tell_whether_shapes_are_in_proportion_to_the_face(as_far: bool, share: float) -> None:
    rig = template(shapes=8, vertices=400)
    face = 1.1 * bent(rig)
    person = replace(rig, neutral=face) if as_far else fw.transfer(rig, face)
    weights = _poses(30, 8)
    transfer = DeformationTransfer(rig, face)
    motions = transfer.target.into_place(fw.evaluate(person, weights)) - transfer.target.placed
    known = np.ones(motions.shape[:2])
    for guesses in (weights, 0.9 * weights):  # a guess of all weights that is too small does not mislead
        found = proportioned(transfer, motions, guesses, guesses, known)
        assert found.share == pytest.approx(share, abs=0.1)


def test_what_guesses_have_in_common_counts_for_every_shape() -> None:
    weights = np.full((30, 10), 0.5)
    found = strengths(weights, 1.2 * weights, np.ones(10), _doubt(0.03))
    np.testing.assert_allclose(found, found[0])
    alone = strengths(
        weights[:2], np.concatenate([1.2 * weights[:2, :1], weights[:2, 1:]], axis=1), np.ones(10), _doubt(0.03)
    )
    assert alone[0] < 1.05 < found[0] == pytest.approx(1.2, abs=0.02)
