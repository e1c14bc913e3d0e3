"""Attenuation on rigs whose sliders bend and combine: the true cost, by evaluating the face."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.optimize import Bounds, lsq_linear, minimize

import facewright as fw
from facewright.pose.bent_follow import BentFollow, CostPoint, FollowAim
from facewright.pose.follow import Follow
from facewright.rig.edit import scale
from facewright.rig.point_motion import ShapeMotion
from facewright.terms.delta_matrix import DeltaMatrix
from tests.laws.things import combining_rig, factored_rig, pose

RIGS: dict[str, Callable[[int], fw.Rig]] = {"targets": combining_rig, "factors": factored_rig}


@dataclass(frozen=True)
class Move:
    """A rig at a reference, three points that stay, and what the animator sets."""

    rig: fw.Rig
    reference: np.ndarray  # (n,)
    wanted: np.ndarray  # (n,)
    selected: np.ndarray  # (3,)
    alpha: float = 20.0

    def cost(self, weights: np.ndarray) -> float:
        """Lewis' eq. 2, by evaluating the face: what is selected stays, the rest goes where it is told."""
        reference, wanted, found = (fw.evaluate(self.rig, w) for w in (self.reference, self.wanted, weights))
        rest = np.delete(found - wanted, self.selected, axis=0)
        return float(np.sum(rest**2) + self.alpha * np.sum((found - reference)[self.selected] ** 2)) / 2

    def found(self) -> np.ndarray:
        return fw.Attenuation(self.rig, self.selected, self.reference, self.alpha).solve(self.wanted).weights

    def linear(self) -> np.ndarray:
        """The answer for the rig linearised about the reference, by least squares within bounds."""
        columns = fw.jacobian(self.rig, self.reference)  # (v, 3, n)
        rest = np.delete(columns, self.selected, axis=0).reshape(-1, len(self.reference))
        held = columns[self.selected].reshape(-1, len(self.reference))
        A = np.vstack([rest, np.sqrt(self.alpha) * held])
        b = np.concatenate([rest @ (self.wanted - self.reference), np.zeros(len(held))])
        low, high = (self.rig.bounds - self.reference[:, None]).T
        return np.asarray(self.reference + lsq_linear(A, b, (low, high), method="bvls", tol=1e-15).x)


def move(kind: str, seed: int) -> Move:
    rig, rng = RIGS[kind](seed), np.random.default_rng([8, seed])
    reference = 0.8 * pose(rig, rng, 3)
    wanted = np.clip(reference + pose(rig, rng, 4), *(0.9 * rig.bounds).T)
    return Move(rig, reference, wanted, rng.choice(rig.vertex_count, 3, replace=False))


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", range(12))
def test_no_answer_costs_more_than_the_linear_one(kind: str, seed: int) -> None:
    case = move(kind, seed)
    assert case.cost(case.found()) <= case.cost(case.linear()) * (1 + 1e-9)


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", range(12))
def test_answers_come_near_to_the_best_of_a_general_method(kind: str, seed: int) -> None:
    case = move(kind, seed)
    starts = case.linear(), case.wanted, case.reference
    best = min(minimize(case.cost, start, bounds=Bounds(*case.rig.bounds.T), method="L-BFGS-B").fun for start in starts)
    assert case.cost(case.found()) <= 1.08 * best


def test_corrections_matter_where_the_rig_bends() -> None:
    cases = [move("factors", seed) for seed in range(12)]
    worse = [case.cost(case.linear()) / case.cost(case.found()) for case in cases]
    assert max(worse) > 1.5


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", range(4))
def test_cost_and_slope_are_those_of_the_face(kind: str, seed: int) -> None:
    case = move(kind, seed)
    deltas, n = DeltaMatrix(case.rig), len(case.reference)
    held = deltas.coordinates(fw.Selection.of(case.selected).coordinates)
    P, Q = deltas.shape_gram - held.T @ held, held.T @ held
    linear = Follow(np.eye(n), np.eye(n), case.alpha)  # only its alpha counts here
    motion = ShapeMotion(deltas.combine)
    follow = BentFollow(motion, case.reference, deltas.combine.jacobian(case.reference), P, Q, linear)
    aim = FollowAim(follow, case.wanted - case.reference, motion.values(case.wanted))
    weights, step = 0.37 * case.wanted + 0.41 * case.reference + 0.013, 1e-6
    found = CostPoint(follow, aim, weights - case.reference)
    assert found.cost == pytest.approx(case.cost(weights), rel=1e-9)
    differences = [(case.cost(weights + way) - case.cost(weights - way)) / (2 * step) for way in step * np.eye(n)]
    np.testing.assert_allclose(found.slope, differences, atol=1e-6 * float(np.abs(differences).max()))


@pytest.mark.parametrize("seed", range(4))
def test_a_unit_changes_nothing(seed: int) -> None:
    case = move("factors", seed)
    for factor in (0.01, 100.0):
        other = fw.Attenuation(scale(case.rig, factor), case.selected, case.reference, case.alpha).solve(case.wanted)
        np.testing.assert_allclose(other.weights, case.found(), atol=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_earlier_moves_do_not_matter_and_going_back_gives_the_reference(seed: int) -> None:
    case = move("factors", seed)
    attenuation = fw.Attenuation(case.rig, case.selected, case.reference, case.alpha)
    for share in (0.4, 1.0, 0.7):
        attenuation.solve(case.reference + share * (case.wanted - case.reference))
    np.testing.assert_allclose(attenuation.solve(case.wanted).weights, case.found(), atol=1e-9)
    np.testing.assert_array_equal(attenuation.solve(case.reference).weights, case.reference)


def test_locked_sliders_and_rules_are_kept_on_bent_rigs() -> None:
    case = move("factors", 1)
    locked = fw.Attenuation(case.rig, case.selected, case.reference, locked=["s1", "s3"]).solve(case.wanted).weights
    np.testing.assert_array_equal(locked[[1, 3]], case.wanted[[1, 3]])
    far = np.linalg.norm(fw.evaluate(case.rig, case.found()) - case.rig.neutral, axis=1)
    rule = fw.StaysWithin("near", np.array([int(far.argmax())]), 0.6 * float(far.max()))
    limited = replace(case, rig=replace(case.rig, rules=(rule,)), reference=case.rig.weights())
    moved = np.linalg.norm(fw.evaluate(case.rig, limited.found()) - case.rig.neutral, axis=1)
    assert moved[far.argmax()] <= 0.6 * far.max() * (1 + 1e-5)
