"""Takes on rigs with in-betweens and combinations: the true rig is solved, no frame is worse than it began."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize

import facewright as fw
from facewright.arrays import Floats
from facewright.capture.corrective_frames import CorrectiveFrames
from facewright.capture.frame_solvers import FrameQuadratic, FrameTargets
from facewright.capture.markers import BoundRig
from facewright.terms.limits import Limits
from tests.capture.acting import a_rig, acted, markers_on, mesh_error, smooth

SLIDERS = 12


@cache
def bent_rig() -> fw.Rig:
    """In-betweens that leave rest in another direction than where they end, products, and a slider with two ends."""
    plain = a_rig(SLIDERS)
    names, deltas = plain.sliders, plain.deltas()
    aside = np.roll(deltas, 1, axis=2)

    def near(i: int, size: float) -> Floats:
        return np.asarray(size * aside[i])

    more = [
        fw.Shape.from_dense(f"half {i}", near(i, 0.6), sliders=(names[i],), at=0.5, additive=True) for i in (0, 3, 6)
    ]
    more += [
        fw.Shape.from_dense(f"quarter {i}", near(i, 0.3), sliders=(names[i],), at=0.25, additive=True) for i in (0, 9)
    ]
    more += [
        fw.Shape.from_dense("0 1", near(1, 0.5), sliders=(names[0], names[1])),
        fw.Shape.from_dense("2 3 at half", near(2, 0.5), sliders=(names[2], names[3]), at=(1.0, 0.5)),
        fw.Shape.from_dense("4 5 6", near(5, 0.8), sliders=(names[4], names[5], names[6])),
        fw.Shape.from_dense("7 down", -0.5 * deltas[7] + near(7, 0.5), sliders=(names[7],), at=-1.0),
    ]
    bounds = np.tile([0.0, 1.0], (SLIDERS, 1))
    bounds[7, 0] = -1.0
    return fw.Rig(plain.neutral, plain.polygons, (*plain.shapes, *more), sliders=names, bounds=bounds)


@dataclass(frozen=True, eq=False)
class Frames:
    """Single frames of the bent rig: markers that shake or are not seen, and two unknowns beside the sliders."""

    bound: BoundRig
    linear: Floats  # (k, 3, 2)
    quadratic: FrameQuadratic
    limits: Limits
    targets: FrameTargets
    start: Floats  # (frames, n + 2)
    S: Floats  # (n + 2, n + 2)
    pull: Floats  # (frames, n + 2)

    @property
    def solver(self) -> CorrectiveFrames:
        return CorrectiveFrames(self.bound.combine, (self.bound.shape_rows, self.linear), self.limits, self.quadratic)

    def cost(self, frame: int) -> Callable[[Floats], float]:
        """The cost of one frame, written from its definition."""
        seen, targets, bound = np.repeat(self.targets.seen[frame], 3), self.targets, self.bound
        by_shape, linear = bound.shape_rows.reshape(-1, bound.combine.shapes), self.linear.reshape(-1, 2)
        wanted, H = targets.motion[frame].ravel(), self.quadratic.H + self.S
        c = targets.price + self.quadratic.c + self.pull[frame]

        def cost(x: Floats) -> float:
            left = (by_shape @ bound.combine(x[:-2]) + linear @ x[-2:] - wanted)[seen]
            return float(left @ left / 2 + x @ H @ x / 2 + c @ x)

        return cost


def some_frames(count: int = 12) -> Frames:
    rig, rng = bent_rig(), np.random.default_rng(3)
    bound, n = BoundRig(rig, markers_on(rig, 30)), SLIDERS + 2
    low, high = rig.bounds.T
    weights = rng.uniform(low, high, (count, SLIDERS)) * (rng.uniform(size=(count, SLIDERS)) < 0.5)
    wanted = bound.motion(weights) + 0.02 * rng.normal(size=(count, 30, 3))
    price = np.append(np.full(SLIDERS, 1e-3), [0.0, 0.0])
    off = np.clip(weights + 0.2 * rng.normal(size=weights.shape), low, high)
    return Frames(
        bound,
        0.1 * rng.normal(size=(30, 3, 2)),
        FrameQuadratic(1e-3 * np.eye(n), 1e-3 * rng.normal(size=n)),
        Limits(np.append(low, [-1.0, -1.0]), np.append(high, [1.0, 1.0])),
        FrameTargets(wanted, rng.uniform(size=(count, 30)) < 0.9, price),
        np.concatenate([off, np.zeros((count, 2))], axis=1),
        1e-3 * np.eye(n),
        1e-3 * rng.normal(size=(count, n)),
    )


def test_no_frame_is_worse_than_its_start_and_none_is_bettered_by_an_independent_solver() -> None:
    frames = some_frames()
    solver, limits = frames.solver, frames.limits
    found = frames.start
    for _ in range(4):
        found = solver(frames.targets, found, frames.S, frames.pull)
    assert (found >= limits.low).all()
    assert (found <= limits.high).all()
    bounds = list(zip(limits.low, limits.high, strict=True))
    ours, theirs = [], []
    for frame, (x, start) in enumerate(zip(found, frames.start, strict=True)):
        cost = frames.cost(frame)
        assert cost(x) <= cost(start)
        assert cost(x) <= minimize(cost, x, bounds=bounds, method="L-BFGS-B").fun + 1e-4 * abs(cost(x))
        ours.append(cost(x))
        theirs.append(minimize(cost, start, bounds=bounds, method="L-BFGS-B").fun)
    # A frame may end in another minimum than theirs, a better one or a worse one.
    assert np.mean(np.array(ours) <= 1.001 * np.array(theirs)) > 0.8


def test_what_is_off_in_a_frame_stays_off() -> None:
    frames = some_frames()
    off = np.zeros(frames.start.shape, bool)
    off[::2, 4], off[1::2, 0] = True, True
    start = np.where(off, 0.0, frames.start)
    found = frames.solver(replace(frames.targets, off=off), start, frames.S, frames.pull)
    assert (found[off] == 0).all()
    assert (found != start).any()


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
    weights = np.zeros((frames, SLIDERS))
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
