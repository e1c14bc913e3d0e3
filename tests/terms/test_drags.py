"""A user's terms in a drag, beside the same problem written down without a line of the solver's."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import facewright as fw
from facewright.rig.edit import scale
from tests.laws.things import combining_rig, pose, random_rig, two_sided_rig
from tests.pose.independent import Objective
from tests.terms.own_terms import Alike, Costly, Near, Stiff, VerticalGap

Make = Callable[[int], fw.Rig]
ALIKE, NEAR, GAP = Alike("s0", "s1", 0.5), Near("s2", 0.8, 0.3), VerticalGap(2, 9, 0.05, 4.0)


@dataclass(frozen=True)
class WithTerms(Objective):
    """The objective of a drag with more least squares: |P w - p| in curvatures of the pins, |Y - y| of vertices."""

    P: np.ndarray | None = None  # (k, n)
    p: np.ndarray | None = None  # (k,)
    gap: VerticalGap = GAP

    @property
    def curvature(self) -> float:
        return float(np.linalg.norm(self._asked[0], 2) ** 2)

    def height(self, weights: np.ndarray) -> float:
        positions = self.evaluate(weights)
        return float((positions[self.gap.upper] - positions[self.gap.lower])[1])

    @property
    def wanted_height(self) -> float:
        return self.height(self.start) + self.gap.share * self.rig.size

    def cost(self, change: np.ndarray) -> float:
        off = self.P @ (self.start + change) - self.p
        height = self.height(self.start + change) - self.wanted_height
        own = self.curvature * float(off @ off) + self.gap.importance * height**2
        return super().cost(change) + own / 2

    def one_pass(self) -> np.ndarray:
        B, m, W = self.rows()
        ridge, price = (np.tile(each, 2) for each in self.preferences)
        root = np.sqrt(self.curvature)
        rows, wanted = [W[:, None] * B, root * self.P], [W * m, root * (self.p - self.P @ self.start)]
        slopes, weight = fw.jacobian(self.rig, self.start)[:, 1], np.sqrt(self.gap.importance)  # (v, n)
        rows.append(weight * (slopes[self.gap.upper] - slopes[self.gap.lower])[None])
        wanted.append(np.array([weight * (self.wanted_height - self.height(self.start))]))
        both = np.concatenate(rows)
        A = np.vstack([np.hstack([both, -both]), np.diag(np.sqrt(ridge))])
        b = np.concatenate([*wanted, -price / np.sqrt(ridge)])
        low, high = self.rig.bounds.T
        ends = np.concatenate([high - self.start, self.start - low])
        halves = np.zeros(len(ends))
        halves[ends > 0] = lsq_linear(A[:, ends > 0], b, (0.0, ends[ends > 0]), method="bvls", tol=1e-15).x
        up, down = np.split(halves, 2)
        return self.start + up - down


def asked(rig: fw.Rig, seed: int, pins: int = 4) -> tuple[list[fw.Pin], np.ndarray]:
    rng = np.random.default_rng([11, seed])
    positions = fw.evaluate(rig, pose(rig, rng, 3))
    start = np.clip(0.6 * pose(rig, rng, 2), *rig.bounds.T)
    return [fw.Pin(vertex=v, target=positions[v]) for v in range(pins)], start


def with_terms(rig: fw.Rig, pins: list[fw.Pin], start: np.ndarray) -> WithTerms:
    """What ALIKE, NEAR and GAP mean."""
    P = np.zeros((2, len(rig.sliders)))
    P[0, :2] = np.sqrt(ALIKE.strength) * np.array([1.0, -1.0])
    P[1, 2] = np.sqrt(NEAR.strength)
    return WithTerms(rig, pins, start, P=P, p=np.array([0.0, P[1, 2] * NEAR.value]))


@pytest.mark.parametrize("make", [random_rig, two_sided_rig])
@pytest.mark.parametrize("seed", range(6))
def test_preferences_and_wishes_on_a_linear_rig_are_more_least_squares(make: Make, seed: int) -> None:
    rig = make(seed)
    pins, start = asked(rig, seed)
    found = fw.PoseSolver(rig, terms=[ALIKE]).solve(pins, start, terms=[NEAR, GAP])
    assert found.status is fw.Status.SOLVED
    np.testing.assert_allclose(found.weights, with_terms(rig, pins, start).by_least_squares(), atol=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_on_a_rig_that_combines_no_small_change_costs_less(seed: int) -> None:
    rig = combining_rig(seed)
    pins, start = asked(rig, seed)
    found = fw.solve_pose(rig, pins, start, terms=[ALIKE, NEAR, GAP]).weights
    objective, rng = with_terms(rig, pins, start), np.random.default_rng([12, seed])
    # The second pass has some share of these prices, so that without any the cost may fall by no more than they are.
    free, price = replace(objective, factors=0.0), objective.preferences[1]
    assert free.cost(found - start) < 0.9 * free.cost(fw.solve_pose(rig, pins, start).weights - start)
    for size in (1e-3, 1e-2, 5e-2):
        for way in [*np.eye(5), *-np.eye(5), *rng.normal(size=(20, 5))]:
            near = np.clip(found + size * way, *rig.bounds.T)
            assert free.cost(near - start) >= free.cost(found - start) - float(price @ np.abs(near - found)) - 1e-9


@pytest.mark.parametrize("make", [random_rig, combining_rig])
def test_a_strong_preference_is_met(make: Make) -> None:
    rig = make(3)
    pins, start = asked(rig, 3)
    plain = fw.solve_pose(rig, pins, start).weights
    alike = fw.solve_pose(rig, pins, start, terms=[Alike("s0", "s2", 1e4)]).weights
    assert abs(plain[0] - plain[2]) > 0.05
    assert abs(alike[0] - alike[2]) < 1e-3
    assert ((alike >= rig.bounds[:, 0]) & (alike <= rig.bounds[:, 1])).all()


def test_a_preference_moves_sliders_that_no_pin_sees() -> None:
    rig = random_rig(0)
    far = fw.Shape("far", np.array([19]), np.array([[0.0, 0.5, 0.0]]))
    blind = fw.Rig(rig.neutral, rig.polygons, (*rig.shapes, far))
    pins = [fw.Pin(vertex=v, target=blind.neutral[v]) for v in range(3)]
    found = fw.solve_pose(blind, pins, terms=[Near("far", 0.4)])
    np.testing.assert_allclose(found.weights[-1], 0.4, atol=1e-3)
    assert fw.solve_pose(blind, pins).weights[-1] == 0


def test_a_price_keeps_a_slider_still_that_brings_less() -> None:
    rig = random_rig(1)
    pins, _ = asked(rig, 1, pins=2)
    plain = fw.solve_pose(rig, pins)
    most = next(iter(plain.moved))
    dear = fw.solve_pose(rig, pins, terms=[Costly(most, 2.0)])
    assert most not in dear.moved
    assert dear.residual.sum() > plain.residual.sum()


def test_a_price_of_ones_own_adds_to_the_price_of_motion() -> None:
    rig = random_rig(5)
    pins, start = asked(rig, 5)
    objective = Objective(rig, pins, start)
    share = 0.05  # more of the price of motion, given by hand for every slider
    amount = np.linalg.norm(fw.jacobian(rig, start), axis=(0, 1))
    amount = np.maximum(amount / amount.max(), 1e-2)
    own = [Costly(name, share * moved) for name, moved in zip(rig.sliders, amount, strict=True)]
    found = fw.solve_pose(rig, pins, start, terms=own).weights
    louder = fw.solve_pose(rig, pins, start, terms=[fw.Quiet(share)]).weights
    np.testing.assert_allclose(found, louder, atol=1e-9)
    assert np.abs(found - objective.by_least_squares()).max() > 1e-3


def test_a_ridge_keeps_sliders_near_the_start() -> None:
    rig = random_rig(2)
    pins, start = asked(rig, 2)
    away = [np.linalg.norm(fw.solve_pose(rig, pins, start, terms=[Stiff(s)]).change) for s in (0.0, 0.1, 10.0)]
    assert away[0] > 1.2 * away[1] > 5 * away[2]


def test_a_pin_is_a_term() -> None:
    rig = random_rig(4)
    pins, start = asked(rig, 4)
    two = fw.solve_pose(rig, pins[:1], start, terms=[replace(pins[1], strength=1e3)])
    assert np.linalg.norm(fw.evaluate(rig, two.weights)[1] - pins[1].target) < 0.02 * rig.size
    held = fw.solve_pose(rig, pins[:1], start, terms=[fw.Pin(vertex=3, hold=True, strength=30)])
    there = fw.evaluate(rig, start)[3]
    assert np.linalg.norm(fw.evaluate(rig, held.weights)[3] - there) < 1e-3 * rig.size


@pytest.mark.parametrize("make", [random_rig, combining_rig])
def test_held_points_as_a_term_are_held_points(make: Make) -> None:
    rig = make(6)
    pins, start = asked(rig, 6)
    held = fw.solve_pose(rig, pins, start, held=[5, 6], alpha=3.0).weights
    term = fw.solve_pose(rig, pins, start, terms=[fw.Hold(fw.Selection.of([5, 6]), 3.0)]).weights
    np.testing.assert_allclose(term, held, atol=1e-7)


@pytest.mark.parametrize("make", [random_rig, two_sided_rig, combining_rig])
@pytest.mark.parametrize(
    "term", [Alike("s0", "s1", 0.0), Near("s1", 0.7, 0.0), Costly("s0", 0.0), VerticalGap(2, 9, 0.1, 0.0)]
)
def test_zero_strength_changes_nothing(make: Make, term: fw.Term) -> None:
    rig = make(7)
    pins, start = asked(rig, 7)
    plain, same = (fw.solve_pose(rig, pins, start, terms=terms).weights for terms in ([], [term]))
    np.testing.assert_allclose(same, plain, atol=1e-10)


@pytest.mark.parametrize("make", [random_rig, combining_rig])
@pytest.mark.parametrize("by", [0.01, 100.0])
def test_terms_do_not_depend_on_the_unit(make: Make, by: float) -> None:
    rig = make(8)
    pins, start = asked(rig, 8)
    terms: list[fw.Term] = [ALIKE, NEAR, GAP, Costly("s3", 0.2), Stiff(0.01)]
    scaled = [replace(pin, target=by * np.asarray(pin.target)) for pin in pins]
    found = fw.solve_pose(rig, pins, start, terms=terms).weights
    np.testing.assert_allclose(fw.solve_pose(scale(rig, by), scaled, start, terms=terms).weights, found, atol=1e-7)


def test_a_slider_that_goes_to_100_is_treated_like_one_that_goes_to_1() -> None:
    rig = random_rig(9)
    wide = replace(
        rig,
        shapes=tuple(replace(shape, at=(100.0,)) for shape in rig.shapes),
        bounds=100 * rig.bounds,
    )
    pins, start = asked(rig, 9)
    terms: list[fw.Term] = [ALIKE, NEAR, Costly("s3", 0.2), Stiff(0.01)]
    found = fw.solve_pose(wide, pins, 100 * start, terms=terms).weights
    np.testing.assert_allclose(found / 100, fw.solve_pose(rig, pins, start, terms=terms).weights, atol=1e-7)


def test_the_context_is_the_start_of_the_drag() -> None:
    rig, seen = combining_rig(10), []

    class Looks:
        def cost(self, context: fw.TermContext) -> fw.SliderCost:
            seen.append(context)
            return fw.SliderCost()

    pins, start = asked(rig, 10)
    fw.solve_pose(rig, pins, start, terms=[Looks()])
    (context,) = seen
    np.testing.assert_array_equal(context.start, start)
    np.testing.assert_allclose(context.positions([3, 1]), fw.evaluate(rig, start)[[3, 1]], atol=1e-12)
    assert context.amount.max() == context.reach.max() == 1


def test_terms_go_with_the_convex_method_and_are_refused_by_filters() -> None:
    rig = random_rig(0)
    pins, _ = asked(rig, 0)
    found = fw.solve_pose(rig, pins, method="convex", terms=[Near("s1", 0.9, 100.0)]).weights
    assert found.sum() <= 1 + 1e-9
    assert found[1] > 0.8
    with pytest.raises(fw.FacewrightError, match="method pinv knows no terms"):
        fw.solve_pose(rig, pins, method="pinv", terms=[ALIKE])


class Gives:
    def __init__(self, **parts: object) -> None:
        self.parts = parts

    def cost(self, context: fw.TermContext) -> fw.SliderCost:
        return fw.SliderCost(**self.parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("term", "message"),
    [
        (Gives(H=-np.eye(7)), "Gives: H is not convex"),
        (Gives(H=np.triu(np.ones((7, 7)))), "Gives: H must be symmetric"),
        (Gives(H=np.eye(3)), r"H of Gives must have shape \(7, 7\)"),
        (Gives(c=[np.nan] * 7), "c of Gives has a value that is not finite"),
        (Gives(price=-np.ones(7)), "price of Gives has -1"),
        (Gives(ridge=-np.ones(7)), "ridge of Gives has -1"),
        (VerticalGap(0, 20), "vertices has index 20"),
        ("few", "a term has the method rows"),
        (Alike, "a term has the method rows"),
    ],
)
def test_a_term_that_cannot_be_used_is_named(term: Any, message: str) -> None:
    rig = random_rig(0)
    with pytest.raises(fw.FacewrightError, match=message):
        fw.solve_pose(rig, [fw.Pin(vertex=0, target=rig.neutral[0])], terms=[term])


def test_one_term_is_no_list() -> None:
    with pytest.raises(fw.FacewrightError, match=r"terms are a list, such as \[Alike"):
        fw.PoseSolver(random_rig(0), terms=ALIKE)  # type: ignore[arg-type]


def test_a_wish_with_weights_of_another_shape_is_refused() -> None:
    with pytest.raises(fw.FacewrightError, match="weights of a wish must have shape"):
        fw.PointRows([[0, 1]], [[0.0, 1.0, 0.0]], [0.0])  # type: ignore[arg-type]
    with pytest.raises(fw.FacewrightError, match="importance of a wish is a number from 0 up"):
        fw.PointRows([[0]], [[[0.0, 1.0, 0.0]]], [0.0], importance=-1.0)  # type: ignore[arg-type]
