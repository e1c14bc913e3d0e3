"""Weights are found again from markers, whatever is taken away from them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import facewright as fw
from facewright.capture.frame_solvers import FrameTargets, IndependentFrames
from facewright.capture.markers import BoundRig
from facewright.capture.options import FitOptions
from facewright.capture.solution import FrameStatus
from facewright.capture.solver import TakeSolver, solve_take
from facewright.errors import BadValue, UnknownName
from facewright.motion.take import Take
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Shape
from facewright.terms.limits import Limits, whole_face
from tests.capture.acting import Acted, a_rig, acted, markers_on, mesh_error, moved_away


def test_without_noise_the_weights_and_the_heads_motion_come_back() -> None:
    made = acted()
    found = solve_take(made.rig, made.take, made.binding)
    assert np.abs(found.weights - made.weights).max() < 5e-3
    assert np.abs(found.head.rotations - made.rotations).max() < 1e-3
    assert np.nanmax(found.residual) < 1e-3
    assert set(found.status) == {FrameStatus.SOLVED}


def test_noise_and_gaps_cost_little() -> None:
    made = acted(noise=0.03, gaps=0.05, frames=240)
    found = solve_take(made.rig, made.take, made.binding)
    assert mesh_error(made.rig, found.weights, made.weights) < 0.08
    assert found.noise == pytest.approx(0.03, rel=0.1)


def test_steadiness_helps_where_markers_shake() -> None:
    made = acted(noise=0.05, frames=240)
    steady, alone = (solve_take(made.rig, made.take, made.binding, steady=s).weights for s in (1.0, 0.0))
    assert mesh_error(made.rig, steady, made.weights) < 0.8 * mesh_error(made.rig, alone, made.weights)


def test_no_weight_is_outside_its_bounds() -> None:
    made = acted(noise=0.2)
    bounds = np.tile([0.0, 1.0], (len(made.rig.sliders), 1))
    bounds[3], bounds[5] = (-0.2, 0.4), (0.1, 0.8)
    rig = replace(made.rig, bounds=bounds)
    for method in ("bounded", "convex"):
        weights = solve_take(rig, made.take, made.binding, method=method).weights
        low, high = (bounds if method == "bounded" else np.clip(bounds, 0, 1)).T
        assert (weights >= low).all()
        assert (weights <= high).all()


def test_convex_weights_sum_to_at_most_one() -> None:
    made = acted()
    assert solve_take(made.rig, made.take, made.binding, method="convex").weights.sum(axis=1).max() <= 1 + 1e-9


@pytest.mark.parametrize("by", [0.01, 100.0])
def test_a_scene_in_another_unit_gets_the_same_weights(by: float) -> None:
    made = acted(noise=0.03, gaps=0.05, frames=80)
    there = made.scaled(by)
    a, b = (solve_take(one.rig, one.take, one.binding) for one in (made, there))
    np.testing.assert_allclose(a.weights, b.weights, atol=1e-6)
    np.testing.assert_allclose(by * a.residual, b.residual, rtol=1e-4, atol=1e-7 * by)


def test_where_the_take_stands_and_how_large_the_actor_is_does_not_matter() -> None:
    made = acted(frames=80)
    binding, away = moved_away(made.binding)
    take = replace(made.take, positions=away(np.array(made.take.positions)))
    here, there = solve_take(made.rig, made.take, made.binding), solve_take(made.rig, take, binding)
    np.testing.assert_allclose(here.weights, there.weights, atol=1e-4)
    assert there.millimetres == pytest.approx(10 * 1.7)


def test_a_frame_alone_is_the_bounded_least_squares_of_the_markers_it_shows() -> None:
    made = acted(gaps=0.2, head=False, frames=30)
    bound = BoundRig(made.rig, made.binding)
    wanted = made.take.positions - bound.rest
    seen = made.take.seen
    n = len(made.rig.sliders)
    found = IndependentFrames(bound.rows, Limits(np.zeros(n), np.ones(n)), 0.0)(
        FrameTargets(np.nan_to_num(wanted), seen, np.zeros(n))
    )
    assert found.solved.all()
    for frame in (0, 13, 29):
        B, m = bound.rows[seen[frame]].reshape(-1, n), wanted[frame][seen[frame]].ravel()
        np.testing.assert_allclose(found.x[frame], lsq_linear(B, m, (0, 1), tol=1e-14).x, atol=1e-6)


def test_whole_faces_alone_are_the_least_squares_of_the_paper() -> None:
    made = acted(head=False, frames=10)
    bound = BoundRig(made.rig, made.binding)
    wanted, n = made.take.positions - bound.rest, len(made.rig.sliders)
    solver = IndependentFrames(bound.rows, whole_face(Limits(np.zeros(n), np.ones(n)), np.zeros(n)), 0.0)
    found = solver(FrameTargets(np.array(wanted), made.take.seen, np.zeros(n))).x
    faces = np.concatenate([np.zeros((1, wanted[0].size)), bound.rows.reshape(-1, n).T])  # the neutral first
    rng = np.random.default_rng(0)
    for frame in (0, 5, 9):
        best = ((bound.rows.reshape(-1, n) @ found[frame] - wanted[frame].ravel()) ** 2).sum()
        whole = np.concatenate([[1 - found[frame].sum()], found[frame]])
        mixtures = 0.98 * whole + 0.02 * rng.dirichlet(np.full(n + 1, 0.3), size=300)
        assert (((mixtures @ faces - wanted[frame].ravel()) ** 2).sum(axis=1) >= best - 1e-9).all()


def test_a_frame_without_markers_lies_between_its_neighbours_and_says_so() -> None:
    made = acted(frames=120)
    positions = np.array(made.take.positions)
    positions[60:63] = np.nan
    found = solve_take(made.rig, replace(made.take, positions=positions), made.binding)
    assert [status is FrameStatus.NO_MARKERS for status in found.status[58:65]] == [False] * 2 + [True] * 3 + [
        False
    ] * 2
    assert np.abs(found.weights[60:63] - made.weights[60:63]).max() < 0.1
    assert np.isnan(found.residual[61]).all()


def test_a_marker_that_is_missing_for_long_is_left_out_not_invented() -> None:
    made = acted(frames=240)
    positions = np.array(made.take.positions)
    positions[60:180, 20:24] = np.nan
    found = solve_take(made.rig, replace(made.take, positions=positions), made.binding)
    assert mesh_error(made.rig, found.weights, made.weights) < 0.02
    assert not found.believed[60:180, 20:24].any()


def test_exclusive_sliders_are_never_both_on() -> None:
    made = acted(noise=0.1)
    names = made.rig.sliders
    rig = replace(made.rig, exclusive=((names[0], names[1]), (names[4], names[5])))
    weights = solve_take(rig, made.take, made.binding).weights
    assert not (weights[:, 0] * weights[:, 1]).any()
    assert not (weights[:, 4] * weights[:, 5]).any()
    assert weights[:, [0, 1, 4, 5]].max(axis=0).min() > 0


def test_shutting_one_pair_does_not_open_another() -> None:
    made = acted(noise=0.3)
    pairs = tuple((made.rig.sliders[i], made.rig.sliders[i + 1]) for i in range(0, 16, 2))
    weights = solve_take(replace(made.rig, exclusive=pairs), made.take, made.binding).weights
    assert not (weights[:, ::2] * weights[:, 1::2]).any()


def test_locked_sliders_and_those_that_a_rule_forbids_stay_at_rest() -> None:
    made = acted(frames=40)
    lively = int(np.abs(made.rig.shapes[7].offsets).sum(axis=1).argmax())
    rule = OnlyMovedBy("mine", np.array([made.rig.shapes[7].vertices[lively]]), (made.rig.sliders[7],))
    found = solve_take(replace(made.rig, rules=(rule,)), made.take, made.binding, locked=(made.rig.sliders[2],))
    assert not found.weights[:, 2].any()
    movers = [i for i, shape in enumerate(made.rig.shapes) if rule.vertices[0] in shape.vertices and i != 7]
    reach = [np.abs(shape.dense(made.rig.vertex_count)[rule.vertices[0]]).max() for shape in made.rig.shapes]
    assert not found.weights[:, [i for i in movers if reach[i] > 1e-3 * made.rig.size]].any()


def test_rules_of_distance_are_kept() -> None:
    made = acted(frames=60, head=False)
    moved = np.linalg.norm(fw.evaluate(made.rig, made.weights) - made.rig.neutral, axis=2)
    far = np.argsort(-moved.max(axis=0))[:4]
    rule = StaysWithin("near", far, 0.5 * float(moved[:, far].max()))
    rig = replace(made.rig, rules=(rule,))
    found = solve_take(rig, made.take, made.binding, head="markers")
    offsets = np.stack([shape.dense(rig.vertex_count)[far] for shape in rig.shapes])
    distances = np.linalg.norm(np.einsum("fs,skc->fkc", found.weights, offsets), axis=2)
    assert distances.max() <= rule.distance * (1 + 1e-5)
    assert distances.max() > 0.9 * rule.distance


def bent_rig() -> Rig:
    """With a target half way along a slider, and a combination of two."""
    rig = a_rig(12)
    first, second = rig.shapes[0].dense(1500), rig.shapes[1].dense(1500)
    half = Shape.from_dense(
        "half", 0.7 * first + 0.15 * np.roll(first, 1, axis=1), sliders=rig.shapes[0].sliders, at=0.5
    )
    both = Shape.from_dense("both", 0.4 * np.roll(second, 1, axis=1) - 0.3 * first, sliders=rig.sliders[:2])
    return Rig(rig.neutral, rig.polygons, (*rig.shapes, half, both))


def test_in_betweens_and_combinations_are_followed() -> None:
    made = acted(bent_rig(), frames=40)
    found = solve_take(made.rig, made.take, made.binding)
    assert mesh_error(made.rig, found.weights, made.weights) < 0.02


def test_solving_in_windows_shows_no_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    made = acted(frames=300, noise=0.02)
    whole = solve_take(made.rig, made.take, made.binding)
    monkeypatch.setattr("facewright.capture.solver._WINDOW", 128)
    monkeypatch.setattr("facewright.capture.solver._OVERLAP", 0.5)
    seen = []
    parts = solve_take(made.rig, made.take, made.binding, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (300, 300)
    assert len(seen) > 2
    assert len(parts) == 300
    np.testing.assert_allclose(parts.weights, whole.weights, atol=0.02)


def test_one_frame_and_a_take_without_most_of_the_markers_are_solved() -> None:
    made = acted(frames=60)
    one = replace(made.take, positions=made.take.positions[:1])
    assert solve_take(made.rig, one, made.binding).weights.shape == (1, 16)
    few = made.take.only(made.take.names[:5])
    found = solve_take(made.rig, few, made.binding)
    assert "the take has no marker" in found.notes[0]
    assert set(found.status) == {FrameStatus.FEW_MARKERS}


def test_mistakes_are_refused_in_words() -> None:
    made = acted(frames=10)
    with pytest.raises(BadValue, match="of the markers that are bound"):
        solve_take(made.rig, made.take.renamed({name: "x" + name for name in made.take.names}), made.binding)
    with pytest.raises(UnknownName, match="no method named 'magic'"):
        solve_take(made.rig, made.take, made.binding, method="magic")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="steady"):
        FitOptions(steady=-1)
    with pytest.raises(BadValue, match="another rig"):
        solve_take(Rig(np.eye(3), np.array([[0, 1, 2]])), made.take, made.binding)


def test_the_clip_has_the_weights_and_the_heads_motion() -> None:
    made: Acted = acted(frames=30)
    found = solve_take(made.rig, made.take, made.binding)
    np.testing.assert_array_equal(found.clip.sample(made.rig.sliders, found.times), found.weights)
    assert {"HeadYaw", "HeadPitch", "HeadRoll", "HeadX", "HeadY", "HeadZ"} <= set(found.clip.curves)
    assert found.clip.rate == 60.0


def test_solver_can_be_used_for_several_takes() -> None:
    made = acted(frames=40)
    solver = TakeSolver(made.rig, made.binding)
    first, again = solver.solve(made.take), solver.solve(made.take)
    np.testing.assert_array_equal(first.weights, again.weights)
    other = acted(frames=40, seed=3)
    np.testing.assert_allclose(solver.solve(other.take).weights, other.weights, atol=0.02)


def test_a_take_in_millimetres_is_brought_to_the_bindings_unit() -> None:
    made = acted(frames=30)
    a, b = (solve_take(made.rig, take, made.binding).weights for take in (made.take, made.take.in_unit("mm")))
    np.testing.assert_allclose(a, b, atol=1e-9)


def test_markers_that_nobody_bound_do_not_matter() -> None:
    made = acted(frames=30)
    more = Take(
        ("*99", *made.take.names), np.concatenate([np.ones((30, 1, 3)), made.take.positions], axis=1), 60.0, "cm"
    )
    a, b = (solve_take(made.rig, take, made.binding).weights for take in (made.take, more))
    np.testing.assert_array_equal(a, b)
    assert markers_on(made.rig).markers == made.binding.markers
