"""Carrying out a plan; the rig builder is kept and brought up to date with each plan that follows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import replace

from facewright.build.builder import BuildIteration, BuildListener, RigBuilder
from facewright.build.schedule import Schedule
from facewright.errors import BadValue, FacewrightError, OtherTopology, OutOfPlace
from facewright.rig.prior import Prior
from facewright.workflow.build.base import BuildBase, base_of
from facewright.workflow.build.plan import BuildPlan, GivenPose
from facewright.workflow.build.result import BuildResult, CheckedPlan, Obstacle, result_of


class BuildRunner:
    """For one thread at a time."""

    def __init__(self) -> None:
        self._base: BuildBase | None = None
        self._of: BuildPlan | None = None
        self._builder: RigBuilder | None = None
        self._used: dict[str, GivenPose] = {}  # as the builder has them
        self._guessed: dict[str, Prior | None] = {}  # by which prior those were guessed that had no weights
        self._obstacles: dict[str, tuple[GivenPose, Obstacle]] = {}
        self._notes: tuple[str, ...] = ()
        self._converged = False

    def check(self, plan: BuildPlan) -> CheckedPlan:
        """Bring the builder up to date with a plan."""
        if plan.neutral is None:
            return CheckedPlan(plan, "load a neutral face first")
        try:
            self._prepare(plan)
        except OtherTopology as problem:
            return CheckedPlan(plan, str(problem), other_topology=True)
        except FacewrightError as problem:
            return CheckedPlan(plan, str(problem))
        return self._with_poses(plan)

    def solve(
        self,
        checked: CheckedPlan,
        progress: BuildListener,
        *,
        iterations: int | None = None,
        schedule: Schedule | None = None,
    ) -> BuildResult:
        """Build the rig of the plan that was checked last.

        iterations: how often shapes and weights are solved for in turn, instead of the usual number.
        schedule: instead of the one of the plan's trust.
        """
        builder = self._builder
        if builder is None or checked.reason:
            raise BadValue(checked.reason or "check the plan first")
        began, steps = time.monotonic(), 0

        def told(step: BuildIteration) -> bool | None:
            nonlocal steps
            steps += 1
            return progress(step)

        schedule = schedule or Schedule.trusting(checked.plan.trust)
        builder.schedule = schedule if iterations is None else replace(schedule, iterations=iterations)
        built = builder.solve(progress=told, warm=self._converged)
        self._converged = built.finished
        return result_of(checked, built, seconds=time.monotonic() - began, steps=steps)

    def _prepare(self, plan: BuildPlan) -> None:
        if self._builder is not None and self._of is not None and self._of.same_faces(plan):
            return
        self._builder = None
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            base = base_of(plan)
            builder = RigBuilder(base.template, base.rest)
        self._notes = tuple(dict.fromkeys(str(one.message) for one in heard))
        self._builder, self._base, self._of = builder, base, plan
        self._used, self._guessed, self._obstacles, self._converged = {}, {}, {}, False

    def _with_poses(self, plan: BuildPlan) -> CheckedPlan:
        builder, base = self._builder, self._base
        assert builder is not None
        assert base is not None
        builder.prior = plan.prior
        wanted = {pose.name: pose for pose in plan.poses}
        for name in [name for name in self._used if name not in wanted]:
            self._drop(builder, name)
        guesses: dict[str, Mapping[str, float]] = {}
        for pose in plan.poses:
            self._take(builder, pose, guesses)
        positions = dict(zip(builder.poses, builder.positions, strict=True))
        obstacles = {name: obstacle for name, (_, obstacle) in self._obstacles.items() if name in wanted}
        base.forget(plan)
        return CheckedPlan(plan, "", False, self._notes, base.template, base.rest, positions, obstacles, guesses)

    def _take(self, builder: RigBuilder, pose: GivenPose, guesses: dict[str, Mapping[str, float]]) -> None:
        """Add a pose to the builder, unless it is there already or was refused."""
        known = self._used.get(pose.name)
        refused = self._obstacles.get(pose.name)
        by = builder.prior
        is_guess = pose.guess is None and pose.name in self._guessed and self._guessed[pose.name] is by
        if known is not None and _same_face(known, pose) and (is_guess or _same_guess(known, pose)):
            if is_guess:
                guesses[pose.name] = known.guess or {}
            return
        if refused is not None and refused[0] is pose:
            return
        self._guessed.pop(pose.name, None)
        assert self._base is not None
        self._obstacles.pop(pose.name, None)
        try:
            face = self._base.positions(pose, builder)
            builder.add_pose(face, pose.guess, name=pose.name, align=pose.aligned)
            guess = pose.guess
            if guess is None:
                guess = guesses[pose.name] = dict(zip(builder.poses, builder.guesses, strict=True))[pose.name]
                self._guessed[pose.name] = by
        except FacewrightError as problem:
            if pose.name in self._used:
                self._drop(builder, pose.name)
            self._obstacles[pose.name] = (pose, _obstacle(problem))
        else:
            self._used[pose.name] = replace(pose, guess=guess)

    def _drop(self, builder: RigBuilder, name: str) -> None:
        builder.remove_pose(name)
        del self._used[name]


def _same_face(known: GivenPose, pose: GivenPose) -> bool:
    return known.face is pose.face and known.aligned == pose.aligned


def _same_guess(known: GivenPose, pose: GivenPose) -> bool:
    return pose.guess is not None and dict(pose.guess) == dict(known.guess or {})


def _obstacle(problem: FacewrightError) -> Obstacle:
    if isinstance(problem, OutOfPlace):
        return Obstacle(problem.finding, can_be_aligned=True, problem=problem)
    return Obstacle(str(problem), problem=problem)
