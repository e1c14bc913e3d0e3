"""Takes on rigs with in-betweens and combinations: the true rig is solved, no frame is worse than it began."""

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from tests.capture.acting import acted, bent_rig, markers_on, mesh_error, smooth
from tests.capture.test_regional import halves

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "14_a_production_rig.py"


@pytest.mark.parametrize("head", [False, True])
def test_weights_come_back_where_markers_are_plenty(head: bool) -> None:
    made = acted(bent_rig(), frames=80, head=head)
    found = fw.solve_take(made.rig, made.take, made.binding, head="solved" if head else "still")
    assert mesh_error(made.rig, found.weights, made.weights) < 0.02
    assert np.quantile(np.abs(found.weights - made.weights), 0.95) < 0.02


def test_correctives_are_worth_more_than_ignoring_them() -> None:
    made = acted(bent_rig(), frames=80, noise=0.02, gaps=0.05, head=False)
    own = tuple(shape for shape in made.rig.shapes if shape.name in made.rig.sliders)
    linear = fw.Rig(made.rig.neutral, made.rig.polygons, own, sliders=made.rig.sliders, bounds=made.rig.bounds)
    whole, ignoring = (fw.solve_take(rig, made.take, made.binding).weights for rig in (made.rig, linear))
    assert mesh_error(made.rig, whole, made.weights) < 0.5 * mesh_error(made.rig, ignoring, made.weights)


@pytest.mark.parametrize("by", [0.01, 100.0])
def test_a_scene_in_another_unit_has_the_same_weights(by: float) -> None:
    made = acted(bent_rig(), frames=30, noise=0.01, gaps=0.03, head=False)
    scaled = made.scaled(by)
    here = fw.TakeSolver(made.rig, made.binding).solve(made.take)
    there = fw.TakeSolver(scaled.rig, scaled.binding).solve(scaled.take)
    np.testing.assert_allclose(there.weights, here.weights, atol=2e-4)


def test_both_ends_of_a_slider_are_found() -> None:
    rig, frames = bent_rig(), 60
    weights = np.zeros((frames, 12))
    weights[:, 7] = np.sin(np.arange(frames) / 9)
    weights[:, 1] = np.clip(0.4 * smooth(np.random.default_rng(4), frames, 1)[:, 0], 0, 1)
    binding = markers_on(rig)
    take = fw.Take(binding.markers, binding.places(fw.evaluate(rig, weights)), 60.0, "cm")
    found = fw.solve_take(rig, take, binding, head="still")
    assert found.weights[:, 7].min() < -0.9
    np.testing.assert_allclose(found.weights[:, 7], weights[:, 7], atol=0.02)


def test_of_an_exclusive_pair_one_is_off_in_every_frame() -> None:
    rig = replace(bent_rig(), exclusive=((bent_rig().sliders[0], bent_rig().sliders[1]),))
    made = acted(bent_rig(), frames=60, head=False)
    found = fw.solve_take(rig, made.take, made.binding)
    assert (found.weights[:, 0] * found.weights[:, 1] == 0).all()
    assert found.weights[:, :2].any(axis=0).all()


def test_regions_follow_the_true_rig() -> None:
    made = acted(bent_rig(), frames=40, head=False)
    found = fw.solve_take(made.rig, made.take, made.binding, halves(made.rig), head="still")
    there, wanted = (fw.Playback(found, residual=False)(np.arange(40)), fw.evaluate(made.rig, made.weights))
    moved = np.linalg.norm(wanted - made.rig.neutral, axis=2).mean()
    assert np.linalg.norm(there - wanted, axis=2).mean() < 0.02 * moved


def test_terms_and_priors_count_on_a_rig_with_correctives() -> None:
    rig = bent_rig()
    made = acted(rig, frames=40, noise=0.1, head=False)
    learned = fw.Prior.learn(rig, made.weights)
    plain, likely = (fw.solve_take(rig, made.take, made.binding, prior=prior).weights for prior in (None, learned))
    assert mesh_error(rig, likely, made.weights) < 1.02 * mesh_error(rig, plain, made.weights)
    vertex = int(rig.shapes[2].vertices[len(rig.shapes[2].vertices) // 2])
    free, held = (
        fw.solve_take(rig, made.take, made.binding, terms=terms, head="still").weights
        for terms in ((), (fw.Pin(vertex=vertex, hold=True, strength=100.0),))
    )
    moved = [np.linalg.norm(fw.evaluate(rig, w)[:, vertex] - rig.neutral[vertex], axis=1).mean() for w in (free, held)]
    assert moved[1] < 0.5 * moved[0]


def test_a_production_rig_is_solved_with_less_than_half_of_its_linear_parts_error(shared_data: Path) -> None:
    folder = shared_data / "production_rig"
    if not folder.is_dir():
        pytest.skip("needs the production rig, which is not part of the repository: see CONTRIBUTING.md")
    document = runpy.run_path(str(EXAMPLE))["production_rig"](folder)
    rig = document.rig
    own = tuple(shape for shape in rig.shapes if shape.name in rig.sliders)
    linear = fw.Rig(rig.neutral, rig.polygons, own, sliders=rig.sliders)
    weights = document.clips[0].sample(rig.sliders, np.arange(0, 10, 0.1))
    binding = markers_on(rig)
    take = fw.Take(binding.markers, binding.places(fw.evaluate(rig, weights)), 10.0, "cm")
    whole, ignoring = (fw.solve_take(one, take, binding, head="still", gaze=True).weights for one in (rig, linear))
    assert mesh_error(rig, whole, weights) < 0.25 * mesh_error(rig, ignoring, weights)
    assert mesh_error(rig, whole, weights) < 0.03
