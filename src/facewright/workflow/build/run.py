"""A plan carried out: its rig builder is kept warm, and brought up to date with every plan that follows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import replace

from facewright.build.builder import BuildListener, BuildProgress, RigBuilder
from facewright.build.schedule import Schedule
from facewright.errors import BadValue, FacewrightError, OtherTopology, OutOfPlace
from facewright.workflow.build.base import Ground, ground_of
from facewright.workflow.build.plan import BuildPlan, GivenPose
from facewright.workflow.build.result import Checked, Hurdle, Outcome, outcome_of


class BuildRun:
    """For one thread at a time."""

    def __init__(self) -> None:
        self._ground: Ground | None = None
        self._of: BuildPlan | None = None
        self._builder: RigBuilder | None = None
        self._used: dict[str, GivenPose] = {}  # as the builder has them
        self._hurdles: dict[str, tuple[GivenPose, Hurdle]] = {}
        self._notes: tuple[str, ...] = ()
        self._converged = False

    def check(self, plan: BuildPlan) -> Checked:
        """Bring the builder up to date with a plan."""
        if plan.neutral is None:
            return Checked(plan, "load a neutral face first")
        try:
            self._prepare(plan)
        except OtherTopology as problem:
            return Checked(plan, str(problem), other_topology=True)
        except FacewrightError as problem:
            return Checked(plan, str(problem))
        return self._with_poses(plan)

    def solve(self, checked: Checked, progress: BuildListener) -> Outcome:
        """The rig of a plan that was checked last."""
        builder = self._builder
        if builder is None or checked.hurdle:
            raise BadValue(checked.hurdle or "check the plan first")
        began, steps = time.monotonic(), 0

        def told(step: BuildProgress) -> bool | None:
            nonlocal steps
            steps += 1
            return progress(step)

        builder.schedule = Schedule.trusting(checked.plan.trust)
        built = builder.solve(progress=told, warm=self._converged)
        self._converged = built.finished
        return outcome_of(checked, built, seconds=time.monotonic() - began, steps=steps)

    def _prepare(self, plan: BuildPlan) -> None:
        if self._builder is not None and self._of is not None and self._of.same_faces(plan):
            return
        self._builder = None
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            ground = ground_of(plan)
            builder = RigBuilder(ground.template, ground.rest)
        self._notes = tuple(dict.fromkeys(str(one.message) for one in heard))
        self._builder, self._ground, self._of = builder, ground, plan
        self._used, self._hurdles, self._converged = {}, {}, False

    def _with_poses(self, plan: BuildPlan) -> Checked:
        builder, ground = self._builder, self._ground
        assert builder is not None
        assert ground is not None
        wanted = {pose.name: pose for pose in plan.poses}
        for name in [name for name in self._used if name not in wanted]:
            self._drop(builder, name)
        guesses: dict[str, Mapping[str, float]] = {}
        for pose in plan.poses:
            self._take(builder, pose, guesses)
        positions = dict(zip(builder.poses, builder.positions, strict=True))
        hurdles = {name: hurdle for name, (_, hurdle) in self._hurdles.items() if name in wanted}
        ground.forget(plan)
        return Checked(plan, "", False, self._notes, ground.template, ground.rest, positions, hurdles, guesses)

    def _take(self, builder: RigBuilder, pose: GivenPose, guesses: dict[str, Mapping[str, float]]) -> None:
        """Put a pose into the builder, as far as it is new there."""
        known = self._used.get(pose.name)
        refused = self._hurdles.get(pose.name)
        if (known is not None and _same(known, pose)) or (refused is not None and refused[0] is pose):
            return
        assert self._ground is not None
        self._hurdles.pop(pose.name, None)
        try:
            face = self._ground.placed(pose, builder)
            guess = pose.guess
            if guess is None:
                guess = guesses[pose.name] = builder.guess(face, name=pose.name, align=pose.fitted)
            builder.add_pose(face, guess, name=pose.name, align=pose.fitted)
        except FacewrightError as problem:
            if pose.name in self._used:
                self._drop(builder, pose.name)
            self._hurdles[pose.name] = (pose, _hurdle(problem))
        else:
            self._used[pose.name] = replace(pose, guess=guess)

    def _drop(self, builder: RigBuilder, name: str) -> None:
        builder.remove_pose(name)
        del self._used[name]


def _same(known: GivenPose, pose: GivenPose) -> bool:
    """Whether the builder's pose is this one, as far as it is concerned."""
    as_guessed = pose.guess is None or dict(pose.guess) == dict(known.guess or {})
    return known.face is pose.face and known.fitted == pose.fitted and as_guessed


def _hurdle(problem: FacewrightError) -> Hurdle:
    if isinstance(problem, OutOfPlace):
        return Hurdle(problem.finding, fits=True)
    return Hurdle(str(problem))
