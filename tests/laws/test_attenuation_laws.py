"""Laws of selected motion attenuation, every one against every thing."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.rig.edit import scale
from tests.laws.things import THINGS, pose

SEEDS = [range(1), pytest.param(range(1, 3), marks=pytest.mark.long)]


@dataclass(frozen=True)
class Tagged:
    """A posed face, some points of it tagged, and the weights that an animator sets next."""

    rig: fw.Rig
    solver: fw.PoseSolver
    reference: np.ndarray  # (n,)
    selected: np.ndarray  # (k,)
    wanted: np.ndarray  # (n,)

    @cached_property
    def columns(self) -> np.ndarray:
        """Motion (3v, n) of every coordinate for each slider, about the reference."""
        return fw.jacobian(self.rig, self.reference).reshape(3 * self.rig.vertex_count, -1)

    def rows(self, selection: fw.Selection) -> tuple[np.ndarray, np.ndarray]:
        """Those that are not selected, and those that are."""
        return np.delete(self.columns, selection.coordinates, axis=0), self.columns[selection.coordinates]

    def change(self, alpha: float | None = None, **options: Any) -> np.ndarray:
        found = self.solver.attenuate(self.selected, self.reference, alpha, **options).solve(self.wanted)
        assert found.status is found.status.SOLVED
        return np.asarray(found.weights - self.reference)


def tagged(thing: str, seed: int) -> Tagged:
    rig = THINGS[thing](seed)
    rng = np.random.default_rng([4, seed])
    reference = pose(rig, rng, 2)
    wanted = np.clip(reference + 0.3 * pose(rig, rng, 2), *rig.bounds.T)
    moved = np.linalg.norm(fw.evaluate(rig, wanted) - fw.evaluate(rig, reference), axis=1)
    selected = rng.choice(rig.vertex_count, 3, replace=False, p=moved / moved.sum())
    return Tagged(rig, fw.PoseSolver(rig), reference, selected, wanted)


def switching_on_moves_nothing(case: Tagged) -> None:
    attenuation = fw.Attenuation(case.rig, case.selected, case.reference)
    np.testing.assert_array_equal(attenuation.solve(case.reference).weights, case.reference)


def switching_off_moves_nothing(case: Tagged) -> None:
    attenuation = case.solver.attenuate(case.selected, case.reference)
    np.testing.assert_array_equal(attenuation.release(), case.reference)
    np.testing.assert_array_equal(attenuation.release(), attenuation.solve(case.reference).weights)
    last = attenuation.solve(case.wanted).weights
    np.testing.assert_array_equal(attenuation.release(), last)


def alpha_starts_as_unselected_over_selected_vertices(case: Tagged) -> None:
    alpha = case.solver.attenuate(case.selected).alpha
    assert alpha == (case.rig.vertex_count - len(case.selected)) / len(case.selected)


def a_low_alpha_leaves_the_face_alone(case: Tagged) -> None:
    moved, wanted = case.columns @ case.change(1e-12), case.columns @ (case.wanted - case.reference)
    np.testing.assert_allclose(moved, wanted, atol=float(1e-6 * np.linalg.norm(wanted)))


def a_high_alpha_freezes_the_selection(case: Tagged) -> None:
    _, S = case.rows(fw.Selection.of(case.selected))
    wanted = np.linalg.norm(S @ (case.wanted - case.reference))
    assert np.linalg.norm(S @ case.change(1e12)) <= 1e-4 * wanted


def the_selection_moves_less_for_a_higher_alpha(case: Tagged) -> None:
    _, S = case.rows(fw.Selection.of(case.selected))
    moved = [np.linalg.norm(S @ case.change(alpha)) for alpha in (0.1, 10.0, 1e3, 1e5)]
    assert (np.diff(moved) <= 1e-9 * moved[0]).all()


def a_unit_changes_nothing(case: Tagged) -> None:
    for factor in (0.01, 100.0):
        other = fw.Attenuation(scale(case.rig, factor), case.selected, case.reference).solve(case.wanted)
        np.testing.assert_allclose(other.weights - case.reference, case.change(), atol=1e-7)


def weights_stay_within_bounds(case: Tagged) -> None:
    low, high = case.rig.bounds.T
    attenuation = case.solver.attenuate(case.selected, case.reference)
    for share in (-2.0, 1.0, 4.0):
        weights = attenuation.solve(np.clip(case.reference + share * (case.wanted - case.reference), low, high)).weights
        assert (weights >= low).all()
        assert (weights <= high).all()


def locked_sliders_do_what_the_animator_sets(case: Tagged) -> None:
    locked = case.rig.sliders[1::2]
    chosen = [case.rig.slider_index(name) for name in locked]
    np.testing.assert_array_equal(case.change(locked=locked)[chosen], (case.wanted - case.reference)[chosen])


def no_answer_costs_less(case: Tagged) -> None:
    """Eq. 2 of the paper, within the bounds: no other change nearby, nor the wanted one, is better."""
    selection = fw.Selection.of(case.selected)
    rest, S = case.rows(selection)
    alpha = case.solver.attenuate(selection).alpha
    asked, found = case.wanted - case.reference, case.change()

    def cost(change: np.ndarray) -> float:
        return float(alpha * np.sum((S @ change) ** 2) + np.sum((rest @ (change - asked)) ** 2))

    rng = np.random.default_rng(5)
    low, high = (case.rig.bounds - case.reference[:, None]).T
    others = [np.clip(found + size * rng.normal(size=len(found)), low, high) for size in (1e-4, 1e-2, 0.3)]
    best = cost(found)
    assert all(best <= cost(other) + 1e-9 * cost(0 * asked) for other in [asked, *others])


LAWS = [
    switching_on_moves_nothing,
    switching_off_moves_nothing,
    alpha_starts_as_unselected_over_selected_vertices,
    a_low_alpha_leaves_the_face_alone,
    a_high_alpha_freezes_the_selection,
    the_selection_moves_less_for_a_higher_alpha,
    a_unit_changes_nothing,
    weights_stay_within_bounds,
    locked_sliders_do_what_the_animator_sets,
    no_answer_costs_less,
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("seeds", SEEDS)
def test_law_of_attenuation(law: Callable[..., Any], thing: str, seeds: range) -> None:
    for seed in seeds:
        law(tagged(thing, seed))
