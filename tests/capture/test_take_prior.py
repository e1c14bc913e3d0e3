"""What a prior does in a take, and what a take says about the prior."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import null_space

import facewright as fw
from facewright.arrays import Floats
from facewright.capture.head import HeadStep
from facewright.capture.markers import BoundRig
from facewright.capture.take_prior import LikelyPoses, TakePrior
from facewright.motion.take import Take
from facewright.rig.binding import bind_vertices
from facewright.rig.rig import Rig
from facewright.terms.preferences import Sparse
from facewright.terms.prior_evidence import PosePrior
from tests.capture.acting import Acted, a_rig, acted, mesh_error, smooth
from tests.laws.things import random_rig


def habits(rig: Rig, frames: int, seed: int, *, of: int = 3) -> Floats:
    """Weights (frames, n) of somebody who moves the sliders in three bundles only."""
    rng = np.random.default_rng(seed)
    bundles = np.random.default_rng(of).uniform(0, 1, (3, len(rig.sliders))) ** 2
    return np.asarray(np.clip(np.abs(smooth(rng, frames, 3)) @ bundles / 2, 0, 1))


def played(weights: Floats, markers: int = 12, noise: float = 0.01) -> Acted:
    """Weights on the small rig, seen by few markers that shake."""
    rig = a_rig()
    binding = bind_vertices(rig, {f"m{i}": int(v) for i, v in enumerate(np.linspace(3, rig.vertex_count - 4, markers))})
    seen = binding.places(fw.evaluate(rig, weights))
    seen = seen + noise * np.random.default_rng(1).normal(size=seen.shape)
    still = np.eye(3)[None].repeat(len(weights), 0), np.zeros((len(weights), 3))
    return Acted(rig, binding, Take(binding.markers, seen, 60.0, "cm", "habits"), weights, *still)


def error(made: Acted, prior: fw.Prior | None, **options: float) -> float:
    found = fw.solve_take(made.rig, made.take, made.binding, head="still", prior=prior, **options)  # type: ignore[arg-type]
    return mesh_error(made.rig, found.weights, made.weights)


def likely(made: Acted, prior: fw.Prior | None = None) -> LikelyPoses:
    return fw.TakeSolver(made.rig, made.binding, prior=prior).prepare(made.take).scale.likely


@pytest.mark.parametrize("steady", [1.0, 0.0])
def test_a_prior_learned_from_the_actor_helps_and_one_of_another_does_little_harm(steady: float) -> None:
    made = played(habits(a_rig(), 200, seed=1))
    own = fw.Prior.learn(made.rig, habits(made.rig, 400, seed=2))
    others = fw.Prior.learn(made.rig, habits(made.rig, 400, seed=2, of=8))
    by_names = error(made, None, steady=steady)
    assert error(made, own, steady=steady) < 0.75 * by_names
    assert error(made, others, steady=steady) < 1.1 * by_names


def test_a_prior_without_strength_changes_nothing() -> None:
    made = played(habits(a_rig(), 60, seed=1))
    nothing = fw.Prior.learn(made.rig, habits(made.rig, 400, seed=2), strength=0.0)
    found = [fw.solve_take(made.rig, made.take, made.binding, prior=prior).weights for prior in (None, nothing)]
    np.testing.assert_array_equal(found[0], found[1])


def test_a_learned_prior_does_not_depend_on_the_scenes_unit() -> None:
    made = played(habits(a_rig(), 60, seed=1))
    prior = fw.Prior.learn(made.rig, habits(made.rig, 400, seed=2))
    small = made.scaled(0.01)
    take = replace(small.take, unit="m")
    binding = replace(small.binding, unit="m")
    here = fw.solve_take(made.rig, made.take, made.binding, prior=prior).weights
    np.testing.assert_allclose(fw.solve_take(small.rig, take, binding, prior=prior).weights, here, atol=1e-4)


def test_sides_go_together_where_the_actor_moves_them_together_and_not_where_he_does_not() -> None:
    rig = a_rig()
    left = [i for i, name in enumerate(rig.sliders) if name.endswith("Left")]
    right = [rig.slider_index(rig.sliders[i].replace("Left", "Right")) for i in left]
    apart = acted(rig, frames=240)
    weights = apart.weights.copy()
    weights[:, right] = weights[:, left]
    together = played(weights, markers=60, noise=0.0)
    strengths = [np.abs(likely(made).precision[left, right]).mean() for made in (apart, together)]
    assert strengths[0] < 0.2 * strengths[1]


def test_the_memory_of_a_take_is_a_time_and_shorter_in_a_lively_one() -> None:
    made = acted(frames=240, noise=0.01)
    slow = replace(made, take=replace(made.take, rate=made.take.rate / 3))
    assert likely(slow).memory > 2 * likely(made).memory


def test_a_still_take_has_likely_poses_all_the_same() -> None:
    made = played(np.zeros((30, len(a_rig().sliders))), noise=0.0)
    found = likely(made)
    assert np.isfinite(found.precision).all()
    assert found.memory > 0
    assert not fw.solve_take(made.rig, made.take, made.binding).weights.any()


@pytest.mark.parametrize("learned", [False, True])
def test_the_evidence_is_that_of_normal_distributions_of_all_that_markers_do_but_the_head(learned: bool) -> None:
    made = acted(frames=240, noise=0.01)
    bound, every = BoundRig(made.rig, made.binding), np.arange(len(made.rig.sliders))
    prior = fw.Prior.learn(made.rig, habits(made.rig, 400, seed=2)) if learned else None
    wanted, noise = made.take.positions - made.binding.rest, 0.01
    found = TakePrior(bound, prior, every).of_take(wanted, noise, 60.0)
    besides = null_space(HeadStep(bound.rest).rows.reshape(3 * len(bound), -1).T)  # (3m, q)
    moving = np.nan_to_num(wanted).reshape(len(wanted), -1) @ besides
    rows = besides.T @ bound.rows.reshape(3 * len(bound), -1)
    moments = PosePrior(made.rig, prior).moments(every)
    moments = [np.diag(np.diag(moments[0])), *moments]
    whole, independent = float((moving**2).mean()), len(moving) / 60.0 / found.memory
    logs, sizes = [], []
    for moment in moments:
        seen = rows @ moment @ rows.T
        sizes.append(np.clip((whole - noise**2) * len(seen) / np.trace(seen), 1.0, 4.0))
        for share in (0.0, 0.05, 0.1, 0.2, 0.4):
            K = sizes[-1] * seen + (noise**2 + share**2 * whole) * np.eye(len(seen))
            misfit = np.trace(np.linalg.solve(K, moving.T @ moving)) / len(moving)
            logs.append(-independent / 6 * (misfit + np.linalg.slogdet(K)[1]))  # a third counts as independent
    shares = np.exp(np.array(logs) - max(logs)).reshape(len(moments), 5).sum(axis=1)
    np.testing.assert_allclose(found.evidence, np.logaddexp.reduce(logs), rtol=1e-6)
    assert found.unexplained == (0.0, 0.05, 0.1, 0.2, 0.4)[int(np.argmax(logs)) % 5]
    expected = np.tensordot(shares / shares.sum() * sizes, moments, axes=1)
    np.testing.assert_allclose(np.linalg.inv(found.precision), expected, atol=2e-4 * np.abs(expected).max())


def test_very_many_markers_and_sliders_take_no_more_than_they_need() -> None:
    rig = random_rig(0, vertices=2000, shapes=600)
    binding = bind_vertices(rig, {f"m{i}": i for i in range(rig.vertex_count)})
    likely = TakePrior(BoundRig(rig, binding), None, np.arange(600))  # 6,000 dimensions: their matrix has 290 MB
    weights = np.random.default_rng(0).uniform(0, 0.3, (20, 600))
    found = likely.of_take(fw.evaluate(rig, weights) - rig.neutral, 0.01, 60.0)
    assert np.isfinite(found.precision).all()
    assert (np.linalg.eigvalsh(found.precision) > 0).all()


def test_a_slider_with_two_ends_is_drawn_to_neither() -> None:
    made = acted(frames=60, noise=0.05, head=False)
    made = replace(made, rig=fw.edit.rename(made.rig, {made.rig.sliders[0]: "puff"}))  # that goes with no other
    first, bounds = made.rig.shapes[0], np.tile([0.0, 1.0], (len(made.rig.sliders), 1))
    bounds[0] = -1, 1
    ways = [replace(first, offsets=sign * first.offsets) for sign in (1, -1)]
    rigs = [replace(made.rig, shapes=(way, *made.rig.shapes[1:]), bounds=bounds) for way in ways]
    one, other = (fw.solve_take(rig, made.take, made.binding, head="still").weights[:, 0] for rig in rigs)
    assert np.ptp(one) > 0.3
    np.testing.assert_allclose(other, -one, atol=1e-6)


def test_how_large_weights_usually_are_is_learned_from_a_take_as_far_as_it_shows_poses() -> None:
    rng, sparse = np.random.default_rng(0), Sparse()
    weights = rng.exponential([0.02, 0.1, 0.25], (500, 3))
    many, none = (sparse.usual_of(weights, poses, np.zeros(3)) for poses in (1e6, 0.0))
    np.testing.assert_allclose(many, weights.mean(axis=0), rtol=1e-3)
    np.testing.assert_array_equal(none, [sparse.usual] * 3)
    assert (np.diff([sparse.usual_of(weights, poses, np.zeros(3)) for poses in (0, 1, 10, 100)], axis=0) <= 0).all()
    hidden = sparse.usual_of(0 * weights, 1e6, np.array([0.0, 0.1, 10.0]))
    np.testing.assert_allclose(
        hidden, [0, np.abs(0.1 * rng.normal(size=100_000)).mean(), sparse.usual], rtol=0.02, atol=1e-6
    )


def test_a_longer_take_shows_which_sliders_an_actor_does_not_use() -> None:
    rig = a_rig()
    used = np.arange(len(rig.sliders)) < 4
    made = played(habits(rig, 900, seed=1) * used, markers=30, noise=0.05)
    long = replace(made.take, rate=10.0)
    short = replace(long, positions=long.positions[:60])
    more, less = (fw.solve_take(rig, take, made.binding, head="still").weights[:60] for take in (long, short))
    assert more[:, ~used].mean() < 0.8 * less[:, ~used].mean()
    assert mesh_error(rig, more, made.weights[:60]) < 0.9 * mesh_error(rig, less, made.weights[:60])
