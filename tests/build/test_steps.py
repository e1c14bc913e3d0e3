"""The two steps, each against an independent formulation."""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import facewright as fw
from facewright.build.schedule import Schedule
from facewright.build.shape_prior import ShapePriors
from facewright.build.shape_step import Entries, ridge, solve_edges
from facewright.build.weight_step import IDLE, WeightStep
from facewright.errors import BadValue
from facewright.mesh.triangle_frames import edge_pairs, gradients
from tests.build.faces import bent, combining, template
from tests.capture.acting import bent_rig


@pytest.mark.parametrize("poses", [3, 11])
def test_step_a_solves_the_normal_equations_with_few_poses_and_with_many(poses: int) -> None:
    rng = np.random.default_rng(1)
    values, softness, left = rng.uniform(size=(poses, 7)), rng.uniform(0.01, 1, (5, 7)), rng.normal(size=(5, poses, 6))
    found = ridge(values, softness, left, 0.05)
    for soft, residual, answer in zip(softness, left, found, strict=True):
        normal = values.T @ values + 0.05 * np.diag(1 / soft)
        np.testing.assert_allclose(answer, np.linalg.solve(normal, values.T @ residual), atol=1e-10)


def test_a_shape_that_cannot_move_a_triangle_takes_no_part_in_it() -> None:
    rng = np.random.default_rng(2)
    softness = np.array([[0.5, 0.0, 0.2]])
    found = ridge(rng.uniform(size=(4, 3)), softness, rng.normal(size=(1, 4, 6)), 0.1)
    assert not found[0, 1].any()
    assert found[0, [0, 2]].any(axis=1).all()


def _entries(rig: fw.Rig, rest: np.ndarray) -> Entries:
    priors = ShapePriors(rig, rest, rig.triangles)
    return Entries.of([priors(i) for i in range(len(rig.shapes))], len(rig.triangles))


def test_priors_have_the_gradients_of_the_template_and_their_edges_on_the_target() -> None:
    rig = template()
    made = ShapePriors(rig, bent(rig), rig.triangles)
    assert np.array_equal(np.unique(made.triangles, axis=0), np.unique(rig.triangles, axis=0))
    for i, shape in enumerate(rig.shapes):
        prior, offsets = made(i), np.zeros((rig.vertex_count, 3))
        offsets[prior.moved] = shape.dense(rig.vertex_count)[prior.moved]
        corners = made.triangles[prior.triangles]
        assert np.array_equal(np.flatnonzero(np.isin(made.triangles, prior.moved).any(axis=1)), prior.triangles)
        change = gradients(rig.neutral, rig.neutral + offsets, corners) - np.eye(3)
        np.testing.assert_allclose(prior.changes, change, atol=1e-9)
        np.testing.assert_allclose(prior.edges, edge_pairs(bent(rig), corners) @ change.swapaxes(1, 2), atol=1e-9)
        np.testing.assert_array_equal(prior.edges_of(offsets[prior.moved]), edge_pairs(offsets, corners))


def test_every_shape_has_one_entry_for_each_triangle_that_it_moves() -> None:
    rig = template()
    made = ShapePriors(rig, bent(rig), rig.triangles)
    priors = [made(i) for i in range(len(rig.shapes))]
    entries = Entries.of(priors, len(rig.triangles))
    of = np.repeat(entries.triangles, np.diff(entries.starts))
    for shape, (prior, rows) in enumerate(zip(priors, entries.of_shape, strict=True)):
        assert (entries.shapes[rows] == shape).all()
        assert np.array_equal(of[rows], prior.triangles)
        assert np.array_equal(entries.wanted[rows], prior.edges.reshape(-1, 6))
    assert sum(map(len, entries.of_shape)) == len(entries.shapes)
    assert len(np.unique(entries.triangles)) == len(entries.triangles)
    members = [tuple(entries.shapes[slice(*ends)]) for ends in zip(entries.starts, entries.starts[1:], strict=False)]
    assert len(set(members)) == entries.sets[-1] + 1 == len(set(zip(members, entries.sets, strict=True)))


def energy(entries: Entries, values: np.ndarray, motions: np.ndarray, edges: np.ndarray, beta: float) -> float:
    """What step A minimises, at any edges (e, 6)."""
    left, at = motions.copy(), np.repeat(np.arange(len(motions)), np.diff(entries.starts))
    for shape, rows in enumerate(entries.of_shape):
        for pose in np.flatnonzero(values[:, shape]):
            left[at[rows], pose] -= values[pose, shape] * edges[rows]
    return float((left**2).sum() + beta * (((edges - entries.wanted) ** 2).sum(axis=1) / entries.softness).sum())


@pytest.mark.parametrize("poses", [4, 9])  # fewer than shapes, and more
def test_step_a_has_no_less_energy_anywhere_about_its_answer_nor_at_the_template(poses: int) -> None:
    rig = template()
    rng = np.random.default_rng(3)
    entries, values = _entries(rig, bent(rig)), rng.uniform(size=(poses, 6))
    motions = edge_pairs(rng.normal(size=(poses, rig.vertex_count, 3)), rig.triangles)
    motions = motions.reshape(poses, -1, 6).swapaxes(0, 1)[entries.triangles]
    found = solve_edges(entries, values, motions, 0.1)
    least = energy(entries, values, motions, found, 0.1)
    assert least < energy(entries, values, motions, entries.wanted, 0.1)
    for _ in range(5):
        near = found + 1e-3 * rng.normal(size=found.shape)
        assert least < energy(entries, values, motions, near, 0.1)


def test_step_a_answers_the_same_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = template()
    rng = np.random.default_rng(4)
    entries, values = _entries(rig, bent(rig)), rng.uniform(size=(3, 6))
    motions = rng.normal(size=(len(entries.triangles), 3, 6))
    whole = solve_edges(entries, values, motions, 0.1)
    monkeypatch.setattr("facewright.build.shape_step._NUMBERS", 500)
    np.testing.assert_allclose(solve_edges(entries, values, motions, 0.1), whole, atol=1e-12)


def test_without_poses_step_a_gives_the_template() -> None:
    rig = template()
    entries = _entries(rig, bent(rig))
    motions = np.zeros((len(entries.triangles), 0, 6))
    assert np.array_equal(solve_edges(entries, np.zeros((0, 6)), motions, 0.1), entries.wanted)


def _energy(rig: fw.Rig, weights: np.ndarray, motion: np.ndarray, guess: np.ndarray, gamma: float) -> float:
    left = fw.evaluate(rig, weights) - rig.neutral - motion
    amounts = [max((s.offsets**2).sum() for s in rig.shapes if name in s.sliders) for name in rig.sliders]
    pull = gamma * np.array(amounts) * np.where(guess != 0, 1, IDLE)
    return float((left**2).sum() + (pull * (weights - guess) ** 2).sum())


@pytest.mark.parametrize("rig", [template(), combining()], ids=["linear", "combining"])
def test_step_b_finds_what_a_general_minimiser_finds(rig: fw.Rig) -> None:
    rng = np.random.default_rng(5)
    n = len(rig.sliders)
    motions, guesses = _poses(rig, rng, 3)
    start = guesses.copy()
    found = WeightStep(rig, rig.deltas(), gamma=0.1)(motions, guesses, start)
    for motion, guess, first, answer in zip(motions, guesses, start, found, strict=True):
        least = _energy(rig, answer, motion, guess, 0.1)
        assert least <= _energy(rig, first, motion, guess, 0.1)
        tries = [first, *rng.uniform(0.05, 0.95, (3, n))]
        options: dict[str, Any] = {"args": (motion, guess, 0.1), "bounds": rig.bounds}
        rivals = [minimize(partial(_energy, rig), one, **options).fun for one in tries]
        assert least <= min(rivals) + 1e-3 * abs(min(rivals)) + 1e-9
        assert ((answer >= rig.bounds[:, 0]) & (answer <= rig.bounds[:, 1])).all()


@pytest.mark.parametrize("by", [1.0, 0.01])
def test_step_b_finds_poses_with_in_betweens_again(by: float) -> None:
    rig = bent_rig()
    weights = np.random.default_rng(8).uniform(0, 1, (6, len(rig.sliders)))
    guesses = np.clip(weights + np.random.default_rng(9).uniform(-0.2, 0.2, weights.shape), 0, 1)
    motions, deltas = by * (fw.evaluate(rig, weights) - rig.neutral), by * rig.deltas()
    found = WeightStep(rig, deltas, gamma=1e-6)(motions, guesses, guesses)
    step = WeightStep(rig, deltas, gamma=1e-6)
    for x, product, guess in zip(found, step.products(motions), guesses, strict=True):
        assert step.energy(x, product, guess) <= step.energy(guess, product, guess)
    assert np.median(np.abs(found - weights)) < 1e-3
    left = np.linalg.norm(fw.evaluate(rig, found) - fw.evaluate(rig, weights), axis=2).mean()
    assert left < 0.03 * np.linalg.norm(motions / by, axis=2).mean()


def _poses(rig: fw.Rig, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    weights = rng.uniform(0.2, 1, (count, len(rig.sliders)))
    motions = fw.evaluate(rig, weights) - rig.neutral
    return motions + 0.05 * rng.normal(size=motions.shape), np.clip(
        weights + rng.uniform(-0.3, 0.3, weights.shape), 0, 1
    )


def test_exclusive_sliders_are_never_both_on_and_the_better_one_stays() -> None:
    plain = template()
    names = plain.sliders
    rig = replace(plain, exclusive=((names[0], names[1]), (names[2], names[3])))
    motions, guesses = _poses(rig, np.random.default_rng(6), 6)
    found = WeightStep(rig, rig.deltas(), gamma=0.01)(motions, guesses, guesses)
    for motion, guess, answer in zip(motions, guesses, found, strict=True):
        assert min(answer[:2]) == 0
        assert min(answer[2:4]) == 0
        sides = []
        for a in (0, 1):
            for b in (2, 3):
                bounds = plain.bounds.copy()
                bounds[[a, b]] = 0
                free = replace(plain, bounds=bounds)
                sides.append(WeightStep(free, free.deltas(), gamma=0.01)(motion[None], guess[None], guess[None])[0])
        best = min(_energy(plain, one, motion, guess, 0.01) for one in sides)
        assert _energy(plain, answer, motion, guess, 0.01) <= best * 1.1


def test_the_schedule_in_print_has_the_papers_beta_and_a_gamma_of_a_tenth_and_a_hundredth() -> None:
    steps = list(Schedule.paper())
    assert len(steps) == 10
    np.testing.assert_allclose([steps[0], steps[-1]], [(0.5, 0.1), (0.1, 0.01)])
    assert all(before > after for one, other in pairwise(steps) for before, after in zip(one, other, strict=True))


def test_a_schedule_goes_from_first_to_last_in_even_ratios() -> None:
    betas = [beta for beta, _ in Schedule(beta=(0.4, 0.1), iterations=3)]
    np.testing.assert_allclose(betas, [0.4, 0.2, 0.1])
    assert Schedule.trusting(0.5) == Schedule()
    assert Schedule.trusting(0.9).beta[1] < Schedule().beta[1] < Schedule.trusting(0.1).beta[1]
    for wrong in ({"beta": (0.0, 1.0)}, {"gamma": (1.0, -1.0)}, {"iterations": 0}):
        with pytest.raises(BadValue):
            Schedule(**wrong)
