"""Poses of a rig with in-betweens and combinations are fitted as an independent solver fits them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize

from facewright.arrays import Floats
from facewright.rig.combine import Combine
from facewright.terms.bent_poses import BentPoses, PoseTargets
from facewright.terms.limits import Limits
from tests.capture.acting import bent_rig, markers_on

COUNT = 12


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses of the bent rig, measured with noise, some measures unknown, and two unknowns beside the sliders."""

    combine: Combine
    rows: Floats  # (r, s)
    linear: Floats  # (r, 2)
    limits: Limits
    targets: PoseTargets
    start: Floats  # (f, n + 2)

    def solver(self, steps: int) -> BentPoses:
        return BentPoses(self.combine, self.rows, self.limits, linear=self.linear, steps=steps)

    def cost(self, pose: int) -> Callable[[Floats], float]:
        """The cost of one pose, written from its definition."""
        targets = self.targets
        assert targets.known is not None
        assert targets.ridge is not None
        known, ridge, c = targets.known[pose], targets.ridge[pose], targets.c[pose]

        def cost(x: Floats) -> float:
            left = (self.rows @ self.combine(x[:-2]) + self.linear @ x[-2:] - targets.wanted[pose])[known]
            return float(left @ left / 2 + x @ targets.H @ x / 2 + (ridge * x**2).sum() / 2 + c @ x)

        return cost


def some_poses() -> Poses:
    rig, rng = bent_rig(), np.random.default_rng(3)
    n, (low, high) = len(rig.sliders), rig.bounds.T
    combine = Combine(rig)
    rows = markers_on(rig, 30).rows(rig).reshape(combine.shapes, -1).T  # (90, s)
    weights = rng.uniform(low, high, (COUNT, n)) * (rng.uniform(size=(COUNT, n)) < 0.5)
    wanted = combine(weights) @ rows.T + 0.02 * rng.normal(size=(COUNT, len(rows)))
    targets = PoseTargets(
        wanted,
        2e-3 * np.eye(n + 2),
        1e-3 * rng.normal(size=(COUNT, n + 2)),
        1e-3 * rng.uniform(size=(COUNT, n + 2)),
        rng.uniform(size=wanted.shape) < 0.9,
    )
    start = np.clip(weights + 0.2 * rng.normal(size=weights.shape), low, high)
    limits = Limits(np.append(low, [-1.0, -1.0]), np.append(high, [1.0, 1.0]))
    start = np.concatenate([start, np.zeros((COUNT, 2))], axis=1)
    return Poses(combine, rows, 0.1 * rng.normal(size=(len(rows), 2)), limits, targets, start)


def test_no_pose_is_worse_than_its_start_and_no_small_change_makes_it_better() -> None:
    poses, rng = some_poses(), np.random.default_rng(5)
    low, high = poses.limits.low, poses.limits.high
    found = poses.solver(20)(poses.targets, poses.start)
    assert (found >= low).all()
    assert (found <= high).all()
    for pose, (x, start) in enumerate(zip(found, poses.start, strict=True)):
        cost = poses.cost(pose)
        assert cost(x) <= cost(start)
        every_way = np.concatenate([np.eye(len(x)), -np.eye(len(x)), rng.normal(size=(40, len(x)))])
        for way in every_way:
            assert cost(np.clip(x + 1e-3 * way, low, high)) > cost(x) * (1 - 1e-3)


def test_poses_are_as_good_as_an_independent_solver_makes_them() -> None:
    poses = some_poses()
    found, bounds = (
        poses.solver(12)(poses.targets, poses.start),
        list(zip(poses.limits.low, poses.limits.high, strict=True)),
    )
    costs = [poses.cost(pose) for pose in range(COUNT)]
    ours = np.array([cost(x) for cost, x in zip(costs, found, strict=True)])
    others = [
        minimize(cost, x, bounds=bounds, method="L-BFGS-B").fun for cost, x in zip(costs, poses.start, strict=True)
    ]
    np.testing.assert_allclose(poses.solver(1).cost(poses.targets, found), ours)
    # A pose may end in another minimum than theirs, a better one or a worse one.
    assert np.mean(ours <= 1.001 * np.array(others)) > 0.8


def test_more_steps_cost_no_more_and_no_step_changes_nothing() -> None:
    poses = some_poses()
    costs = [
        poses.solver(steps).cost(poses.targets, poses.solver(steps)(poses.targets, poses.start)) for steps in (1, 2, 6)
    ]
    assert (np.diff(costs, axis=0) <= 0).all()
    np.testing.assert_array_equal(poses.solver(0)(poses.targets, poses.start), poses.start)


def test_what_is_off_in_a_pose_stays_off() -> None:
    poses = some_poses()
    off = np.zeros(poses.start.shape, bool)
    off[::2, 4], off[1::2, 0] = True, True
    start = np.where(off, 0.0, poses.start)
    found = poses.solver(3)(replace(poses.targets, off=off), start)
    assert (found[off] == 0).all()
    assert (found != start).any()


def test_a_pose_alone_is_as_it_is_among_others() -> None:
    poses = some_poses()
    solver = poses.solver(3)
    together = solver(poses.targets, poses.start)
    for pose in (0, 5):
        alone = solver(poses.targets.of(slice(pose, pose + 1)), poses.start[pose : pose + 1])
        np.testing.assert_allclose(alone[0], together[pose], atol=1e-6)


def test_no_slider_alone_is_better_elsewhere_once_it_went_past_its_knots() -> None:
    poses, (low, high) = some_poses(), bent_rig().bounds.T
    solvers = [
        BentPoses(poses.combine, poses.rows, poses.limits, linear=poses.linear, steps=12, escapes=e) for e in (0, 20)
    ]
    near, far = (solver(poses.targets, poses.start) for solver in solvers)
    costs = [solvers[0].cost(poses.targets, x) for x in (near, far)]
    assert (costs[1] <= costs[0]).all()
    assert (costs[1] < costs[0]).any()
    for pose, x in enumerate(far):
        cost = poses.cost(pose)
        for slider, value in ((slider, value) for slider in range(len(low)) for value in np.linspace(0, 1, 21)):
            tried = x.copy()
            tried[slider] = low[slider] + value * (high[slider] - low[slider])
            assert cost(tried) > cost(x) * (1 - 1e-3)
