"""Triangles that a shape turns over are turned back, and nothing else happens."""

import numpy as np
import pytest
import scipy.sparse as sp

import facewright as fw
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.edge_system import EdgeSystem
from facewright.build.folds import Folds
from facewright.build.registration.quality import folded
from facewright.build.unfold import Unfolding
from facewright.rig.edit import scale
from tests.build.faces import template

RIG = template(vertices=900, shapes=1)
REST, TRIANGLES = RIG.neutral, RIG.triangles
ALL = np.arange(len(REST))
EDGE = float(np.median(np.linalg.norm(REST[TRIANGLES[:, 0]] - REST[TRIANGLES[:, 1]], axis=1)))


def unfolding(factor: float = 1.0) -> Unfolding:
    rest = factor * REST
    return Unfolding(Folds(rest, TRIANGLES), EdgeSystem(rest, TRIANGLES), factor * RIG.size)


def pulled(share: float = 1.03) -> np.ndarray:
    """The face with one inner vertex pulled over the edge against it, and all of it turned and pushed."""
    a, b, c = TRIANGLES[middle()]
    posed = REST.copy()
    posed[a] += share * (0.5 * (REST[b] + REST[c]) - REST[a])
    angle = 0.4
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return np.asarray(posed @ turn.T + np.array([0.1, 0.2, -0.3]))


def middle() -> int:
    return int(np.linalg.norm(REST[TRIANGLES].mean(axis=1) - REST.mean(axis=0), axis=1).argmin())


def turned_over(rest: np.ndarray, posed: np.ndarray, triangles: np.ndarray, some: np.ndarray) -> list[int]:
    """Which of some triangles face away, by the best rigid motion of the vertices about each: no gradients at all."""
    found = []
    for row in some:
        about = np.unique(triangles[np.isin(triangles, triangles[row]).any(axis=1)])
        before, after = (points[about] - points[about].mean(axis=0) for points in (rest, posed))
        U, _, Vt = np.linalg.svd(after.T @ before)
        rotation = U @ np.diag([1, 1, np.sign(np.linalg.det(U @ Vt))]) @ Vt
        a, b, c = triangles[row]
        normals = [np.cross(points[b] - points[a], points[c] - points[a]) for points in (rest, posed)]
        if rotation @ normals[0] @ normals[1] < 0:
            found.append(int(row))
    return found


def test_a_vertex_pulled_over_an_edge_goes_back_as_far_as_it_must() -> None:
    posed = pulled()
    bad = folded(REST, posed, TRIANGLES)
    assert len(turned_over(REST, posed, TRIANGLES, bad)) == len(bad) > 0
    change = unfolding()(posed, ALL)
    assert not len(folded(REST, posed + change, TRIANGLES))
    assert not turned_over(REST, posed + change, TRIANGLES, np.arange(len(TRIANGLES)))
    assert 0 < np.linalg.norm(change, axis=1).max() < 0.005 * RIG.size
    assert (change != 0).any(axis=1).sum() < 0.2 * len(REST)


def test_where_nothing_is_folded_nothing_is_changed() -> None:
    assert not unfolding()(pulled(0.6), ALL).any()
    assert not unfolding()(REST, ALL).any()


def test_folds_are_those_of_the_whole_surface() -> None:
    for share in (0.6, 0.98, 1.03, 2.0):
        np.testing.assert_array_equal(Folds(REST, TRIANGLES)(pulled(share)), folded(REST, pulled(share), TRIANGLES))


def test_folds_of_turned_crushed_and_shaken_faces_are_those_of_the_whole_surface() -> None:
    rng, folds, counts = np.random.default_rng(4), Folds(REST, TRIANGLES), []
    for angle, shake in ((0.0, 0.2), (1.2, 0.1), (3.0, 0.3), (2.0, 0.02)):
        turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
        lower = np.clip((REST[:, 1].mean() - REST[:, 1]) / np.ptp(REST[:, 1]), 0, 1)[:, None]
        posed = REST + np.sqrt(lower) * (REST @ turn.T - REST) + shake * EDGE * rng.normal(size=REST.shape)
        posed[: len(posed) // 5] *= [1, 0.01, 1]
        counts.append(len(folds(posed)))
        np.testing.assert_array_equal(folds(posed), folded(REST, posed, TRIANGLES))
    assert min(counts) > 0


def test_triangles_without_an_area_are_never_folded() -> None:
    flat = np.concatenate([TRIANGLES, [[0, 0, 1]], TRIANGLES[:1, [0, 1, 1]]])
    np.testing.assert_array_equal(Folds(REST, flat)(pulled()), folded(REST, pulled(), TRIANGLES))


def test_what_may_be_folded_and_what_may_not_move_stays() -> None:
    posed = pulled()
    assert not unfolding()(posed, ALL, known=folded(REST, posed, TRIANGLES)).any()
    still = np.setdiff1d(ALL, TRIANGLES[middle()][0])
    assert not unfolding()(posed, still)[TRIANGLES[middle()][0]].any()
    assert not unfolding()(posed, ALL[:0]).any()


def test_points_that_touch_keep_their_gaps() -> None:
    posed, (a, b, c) = pulled(), TRIANGLES[middle()]
    far = int(np.linalg.norm(REST - REST[a], axis=1).argmax())
    held = sp.csr_array(([1.0, -1.0, 1.0, -0.5, -0.5], ([0, 0, 1, 1, 1], [b, far, c, far - 1, far])), (2, len(REST)))
    change = unfolding()(posed, ALL, held)
    assert change.any()
    np.testing.assert_allclose(np.asarray(held @ change), 0, atol=1e-12 * RIG.size)
    assert not len(folded(REST, posed + change, TRIANGLES))


def test_what_would_have_to_go_too_far_is_left() -> None:
    change = unfolding()(pulled(6.0), ALL)
    assert np.linalg.norm(change, axis=1).max() <= 0.005 * RIG.size


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_the_unit_does_not_matter(factor: float) -> None:
    here, there = unfolding()(pulled(), ALL), unfolding(factor)(factor * pulled(), ALL)
    np.testing.assert_allclose(there / factor, here, atol=1e-5 * np.abs(here).max())


@pytest.mark.parametrize("factor", [1.0, 0.01])
def test_transfer_folds_nothing_that_the_template_does_not_fold(factor: float) -> None:
    rig, face = scale(fw.sample(), factor), scale(fw.sample("kenji"), factor)
    transfer = DeformationTransfer(rig, face)
    made, plain = transfer.transferred, transfer.rig(transfer.plain)
    repaired, away = [], [0, 0]
    for i in range(len(rig.shapes)):
        known = folded(rig.neutral, _posed(transfer, rig, i), transfer.triangles)
        before, after = (
            np.setdiff1d(folded(face.neutral, _posed(transfer, one, i), transfer.triangles), known)
            for one in (plain, made)
        )
        assert not len(after), rig.shape_names[i]
        if len(before):
            repaired.append(rig.shape_names[i])
            for count, one in enumerate((plain, made)):
                away[count] += len(turned_over(face.neutral, _posed(transfer, one, i), transfer.triangles, before))
        else:
            np.testing.assert_array_equal(made.shapes[i].offsets, plain.shapes[i].offsets)
        assert np.abs(made.shapes[i].offsets - plain.shapes[i].offsets).max(initial=0.0) < 0.005 * rig.size
    assert {"eyeBlinkLeft", "mouthClose"} <= set(repaired)
    assert (
        away[1] < 0.6 * away[0]
    )  # pressed lips stand on edge: for one measure on this side of it, for the other on that


def test_lids_and_lips_stay_as_close_as_they_were() -> None:
    transfer = DeformationTransfer(fw.sample(), fw.sample("kenji"))
    made, plain = transfer.transferred, transfer.rig(transfer.plain)
    for i, one in transfer.contacts.items():
        gaps = [np.linalg.norm(one.difference @ _posed(transfer, rig, i), axis=1) for rig in (plain, made)]
        assert gaps[1].mean() < 1.02 * gaps[0].mean()
        assert gaps[1].max() < 1.02 * gaps[0].max()


def _posed(transfer: DeformationTransfer, rig: fw.Rig, i: int) -> np.ndarray:
    """A shape, on top of the one that opens what it closes."""
    opener = transfer.contacts[i].opener if i in transfer.contacts else None
    shapes = [rig.shapes[j].dense(rig.vertex_count) for j in (i, opener) if j is not None]
    return np.asarray(rig.neutral + np.sum(shapes, axis=0))
