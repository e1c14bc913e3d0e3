"""No shape becomes another, and what each took is told."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.shape_limit import LIMIT, ShapeLimit
from facewright.build.shape_step import Entries, contributions, ridge, solve_edges
from tests.build.faces import bent, template


def test_no_vertex_of_a_shape_goes_further_than_the_limit_whatever_the_examples_are() -> None:
    rig = template()
    transfer = DeformationTransfer(rig, bent(rig))
    limit = ShapeLimit(transfer)
    rng = np.random.default_rng(2)
    wild = [plain + 0.3 * rig.size * rng.normal(size=plain.shape) for plain in transfer.plain]
    for plain, found, most in zip(transfer.plain, limit(wild), limit.furthest, strict=True):
        assert (np.linalg.norm(found - plain, axis=1) <= most * (1 + 1e-9)).all()
        assert most.max() <= LIMIT * np.linalg.norm(plain, axis=1).max() * (1 + 1e-9)
    near = [(1 + 0.9 * LIMIT) * plain for plain in transfer.plain]
    for found, given in zip(limit(near), near, strict=True):
        np.testing.assert_array_equal(found, given)


@pytest.mark.parametrize("poses", [2, 9])  # fewer than shapes, and more
def test_what_shapes_took_from_poses_sums_to_how_far_they_went(poses: int) -> None:
    rig = template()
    transfer = DeformationTransfer(rig, bent(rig))
    rng = np.random.default_rng(3)
    count = len(transfer.entries.triangles)
    values, motions = rng.uniform(size=(poses, 6)), rng.normal(size=(count, poses, 6))
    present = rng.uniform(size=(count, poses))
    for shown in (None, present):
        own = transfer.entries.wanted
        for prior in (transfer.entries, replace(transfer.entries, wanted=1.2 * own + 0.01)):
            took, learned = contributions(prior, values, motions, 0.1, shown, template=own)
            change = solve_edges(prior, values, motions, 0.1, shown) - own
            assert learned.any() == (prior is not transfer.entries)
            for i, rows in enumerate(transfer.entries.of_shape):
                went = np.linalg.norm(change[rows]) / np.linalg.norm(own[rows])
                assert took[i].sum() + learned[i] == pytest.approx(went, rel=1e-6)


@pytest.mark.parametrize("poses", [3, 8])
def test_a_pose_that_is_absent_from_a_triangle_tells_nothing_there(poses: int) -> None:
    rng = np.random.default_rng(4)
    values, softness = rng.uniform(size=(poses, 5)), rng.uniform(0.1, 1, (7, 5))
    residual, present = rng.normal(size=(7, poses, 6)), np.ones((7, poses))
    present[:, 0] = 0
    found = ridge(values, softness, residual, 0.1, present)
    np.testing.assert_allclose(found, ridge(values[1:], softness, residual[:, 1:], 0.1), atol=1e-9)
    half = ridge(values, softness, residual, 0.1, np.full((7, poses), 0.5))
    np.testing.assert_allclose(half, ridge(values, softness, residual, 0.2), atol=1e-9)


def test_entries_of_no_priors_are_empty() -> None:
    assert len(Entries.of([], 4).wanted) == 0


def test_lids_and_lips_close_in_built_rigs_too_and_examples_turn_no_triangle_over() -> None:
    from facewright.build.folds import Folds

    head, person = fw.sample(), fw.sample("kenji")
    names = ("eyeBlinkLeft", "jawOpen", "mouthClose", "mouthPucker", "mouthRollLower")
    rig = fw.Rig(head.neutral, head.polygons, tuple(s for s in head.shapes if s.name in names), parts=head.parts)
    transfer = DeformationTransfer(rig, person)
    weights = [{"jawOpen": 0.9, "mouthRollLower": 0.5}, {"eyeBlinkLeft": 0.7, "mouthPucker": 1.0}]
    poses = [fw.evaluate(person, one) for one in weights]
    built = fw.build_rig(rig, person, poses, weights).rig
    for i, held in transfer.contacts.items():
        posed = [person.neutral.copy(), person.neutral.copy()]
        for k in {i} if held.opener is None else {i, held.opener}:
            posed[0] += built.shapes[k].dense(len(posed[0]))
            posed[1] += transfer.transferred.shapes[k].dense(len(posed[0]))
        opened = person.neutral + (0 if held.opener is None else built.shapes[held.opener].dense(len(posed[0])))
        wide = held.difference @ opened
        along = wide / np.linalg.norm(
            wide, axis=1, keepdims=True
        )  # aside of the opening, examples tell where lids meet
        gaps = [np.abs(((held.difference @ one) * along).sum(axis=1)).mean() for one in posed]
        assert gaps[0] < 1.1 * gaps[1] + 1e-4 * rig.size
        assert gaps[0] < 0.1 * np.linalg.norm(wide, axis=1).mean()
    folds = Folds(person.neutral, transfer.triangles)
    own = Folds(rig.neutral, transfer.triangles)
    for i, (shape, there) in enumerate(zip(built.shapes, rig.shapes, strict=True)):
        if i in transfer.contacts:
            continue
        here = folds(person.neutral + shape.dense(rig.vertex_count))
        assert np.isin(here, own(rig.neutral + there.dense(rig.vertex_count))).all(), shape.name
