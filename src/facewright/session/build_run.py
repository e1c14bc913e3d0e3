"""A plan carried out: its rig builder is kept warm, and brought up to date with every plan that follows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import replace

from facewright.arrays import Floats
from facewright.build.builder import Listener, Progress, RigBuilder
from facewright.build.carry import PoseCarrier
from facewright.build.schedule import Schedule
from facewright.build.target import positions_of
from facewright.errors import BadValue, FacewrightError, OtherTopology, OutOfPlace
from facewright.rig.rig import Rig
from facewright.session.build_outcome import Checked, Hurdle, Outcome, outcome_of
from facewright.session.build_plan import BuildPlan, GivenPose


class BuildRun:
    """For one thread at a time."""

    def __init__(self) -> None:
        self._builder: RigBuilder | None = None
        self._of: tuple[object, ...] = ()
        self._used: dict[str, GivenPose] = {}  # as the builder has them
        self._hurdles: dict[str, tuple[GivenPose, Hurdle]] = {}
        self._carrier: PoseCarrier | None = None
        self._rest: Rig | None = None
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

    def solve(self, checked: Checked, progress: Listener) -> Outcome:
        """The rig of a plan that was checked last."""
        builder = self._builder
        if builder is None or checked.hurdle:
            raise BadValue(checked.hurdle or "check the plan first")
        began, steps = time.monotonic(), 0

        def told(step: Progress) -> bool | None:
            nonlocal steps
            steps += 1
            return progress(step)

        builder.schedule = Schedule.trusting(checked.plan.trust)
        built = builder.solve(progress=told, warm=self._converged)
        self._converged = built.finished
        return outcome_of(checked, built, seconds=time.monotonic() - began, steps=steps)

    def _prepare(self, plan: BuildPlan) -> None:
        assert plan.neutral is not None
        of = (plan.template.rig, plan.neutral.rig, plan.laid)
        if self._builder is not None and all(a is b for a, b in zip(of, self._of, strict=True)):
            return
        self._builder = None
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            rest, carrier = _rest(plan)
            builder = RigBuilder(plan.template.rig, rest)
        self._notes = tuple(dict.fromkeys(str(one.message) for one in heard))
        self._builder, self._of, self._rest, self._carrier = builder, of, rest, carrier
        self._used, self._hurdles, self._converged = {}, {}, False

    def _with_poses(self, plan: BuildPlan) -> Checked:
        builder = self._builder
        assert builder is not None
        wanted = {pose.name: pose for pose in plan.poses}
        for name in [name for name in self._used if name not in wanted]:
            builder.remove_pose(name)
            del self._used[name]
        guesses: dict[str, Mapping[str, float]] = {}
        for pose in plan.poses:
            self._take(builder, pose, guesses)
        positions = dict(zip(builder.poses, builder.positions, strict=True))
        hurdles = {name: hurdle for name, (_, hurdle) in self._hurdles.items() if name in wanted}
        return Checked(plan, "", False, self._notes, self._rest, positions, hurdles, guesses)

    def _take(self, builder: RigBuilder, pose: GivenPose, guesses: dict[str, Mapping[str, float]]) -> None:
        """Put a pose into the builder, as far as it is new there."""
        known = self._used.get(pose.name)
        refused = self._hurdles.get(pose.name)
        if (known is not None and _same(known, pose)) or (refused is not None and refused[0] is pose):
            return
        self._hurdles.pop(pose.name, None)
        try:
            face = self._placed(pose)
            guess = pose.guess
            if guess is None:
                guess = guesses[pose.name] = builder.guess(face, name=pose.name, align=pose.fitted)
            builder.add_pose(face, guess, name=pose.name, align=pose.fitted)
        except FacewrightError as problem:
            if pose.name in self._used:
                builder.remove_pose(pose.name)
                del self._used[pose.name]
            self._hurdles[pose.name] = (pose, _hurdle(problem))
        else:
            self._used[pose.name] = replace(pose, guess=guess)

    def _placed(self, pose: GivenPose) -> Rig | Floats:
        """A pose with the template's polygons, whatever its own."""
        template, neutral = self._of[0], self._of[1]
        assert isinstance(template, Rig)
        assert isinstance(neutral, Rig)
        if self._carrier is not None and _alike(neutral, pose):
            return self._carrier(pose.face.neutral)
        if _alike(template, pose):
            return pose.face
        if pose.face.vertex_count != neutral.vertex_count:
            found = f"pose {pose.name!r} has {pose.face.vertex_count:,} vertices, the neutral {neutral.vertex_count:,}"
        else:
            found = f"pose {pose.name!r} has as many vertices as the neutral, but other polygons"
        raise OtherTopology(f"{found}: a pose has the same vertices in the same order, so keep them on export")


def _rest(plan: BuildPlan) -> tuple[Rig, PoseCarrier | None]:
    """The neutral with the template's polygons; where it has others, what brings its poses along."""
    assert plan.neutral is not None
    neutral, template = plan.neutral.rig, plan.template.rig
    if plan.laid is None:
        positions_of(template, neutral, "the neutral")
        return neutral, None
    if not plan.laid.good:
        raise BadValue(f"the template does not lie well on the neutral: {plan.laid.verdict}")
    rest = Rig(plan.laid.positions, template.polygons, parts=template.parts, uvs=template.uvs)
    return rest, PoseCarrier(rest, plan.laid.matched, neutral)


def _alike(rig: Rig, pose: GivenPose) -> bool:
    """Whether a pose has a rig's vertices and polygons; one turned inside out is told as such."""
    try:
        positions_of(rig, pose.face, f"pose {pose.name!r}")
    except OtherTopology:
        return False
    return True


def _same(known: GivenPose, pose: GivenPose) -> bool:
    """Whether the builder's pose is this one, as far as it is concerned."""
    as_guessed = pose.guess is None or dict(pose.guess) == dict(known.guess or {})
    return known.face is pose.face and known.fitted == pose.fitted and as_guessed


def _hurdle(problem: FacewrightError) -> Hurdle:
    if isinstance(problem, OutOfPlace):
        return Hurdle(problem.finding, fits=True)
    return Hurdle(str(problem))
