"""Checking, registering and solving the build plan in the background.

What is done next follows from the state alone (`_next`), and is asked after every change and every end of a job. So no
wish can be lost between two threads: whatever changed meanwhile, the next look sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Literal

from msgspec import Struct

from facewright import jobs
from facewright.arrays import Floats
from facewright.document import Document, with_materials_of
from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.edits.build import FindPairs, SetRegistration
from facewright.session.tasks.action import Action
from facewright.workflow.build import plan as plans
from facewright.workflow.build.plan import BuildPlan, Pair, RegisteredTemplate
from facewright.workflow.build.register import propose_pairs, ready_to_register, register_template
from facewright.workflow.build.result import BuildResult, CheckedPlan, PoseFit
from facewright.workflow.build.run import BuildRunner

Doing = Literal["", "checking", "pairing", "registering", "solving"]
SMALL = 4e6  # vertices times shapes: below this a solve takes a second or two, and is done after each change
_PAUSE = 0.35  # seconds without a change, before the plan is solved unasked


class BuildProgress(Struct, frozen=True):
    """How far the job is."""

    step: int
    steps: int
    error: float  # what is left, as a share: of the poses' motion, or of the face's size


@dataclass(frozen=True, eq=False)
class PoseView:
    """A pose to be looked at, and the rig's version of it where there is one."""

    id: str
    example: Floats  # (v, 3)
    fit: PoseFit | None


class SolveBuild(Action, frozen=True, kw_only=True):
    """Build the rig now."""

    def run(self, context: Context) -> None:
        context.task(Building).ask("solve")


class StopBuild(Action, frozen=True, kw_only=True):
    """Stop, and keep the last whole iteration."""

    def run(self, context: Context) -> None:
        context.task(Building).stop()


class SolveAlong(Action, frozen=True, kw_only=True):
    """Whether to solve by itself after each change."""

    on: bool

    def run(self, context: Context) -> None:
        context.task(Building).solve_along(self.on)


class ProposePairs(Action, frozen=True, kw_only=True):
    """Let pairs be found."""

    def run(self, context: Context) -> None:
        context.task(Building).ask("pair")


class RegisterTemplate(Action, frozen=True, kw_only=True):
    """Register the template to the neutral by the pairs."""

    def run(self, context: Context) -> None:
        ready_to_register(context.plan.value)
        context.task(Building).ask("register")


class Building:
    """What is known of the plan, and the job that is under way. For the session's thread.

    What it hands out is never changed, so that other threads may look at it.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._run = BuildRunner()  # used by one job at a time
        self._job: jobs.Job[object] | None = None
        self._job_plan: BuildPlan | None = None
        self._asked: set[Literal["pair", "register", "solve"]] = set()
        self._settled_for: BuildPlan | None = None  # as it was checked, with the guesses filled in
        self._not_unasked: BuildPlan | None = None  # this plan was stopped, or could not be solved
        self._paired_for: BuildPlan | None = None  # pairs were looked for, unasked
        self._changed_at = monotonic()
        self._last = context.plan.value
        self._checked: CheckedPlan | None = None
        self._outcome: BuildResult | None = None
        self._ids = (f"{id(self):x}-{number}" for number in count())
        self._closed = False
        self.views: dict[str, PoseView] = {}  # by the pose's name
        self.along = True
        self.doing: Doing = ""
        self.progress: BuildProgress | None = None
        self._advance()

    @property
    def plan(self) -> BuildPlan:
        return self._context.plan.value

    @property
    def checked(self) -> CheckedPlan | None:
        """What is known of the plan's faces."""
        known = self._checked
        return known if known is not None and known.plan.same_faces(self.plan) else None

    @property
    def outcome(self) -> BuildResult | None:
        """The rig of the plan's faces, perhaps with fewer poses."""
        known = self._outcome
        return known if known is not None and known.plan.same_faces(self.plan) else None

    @property
    def quick(self) -> bool:
        """Whether the rig is small enough to be solved after each change."""
        rig = self.plan.template.rig
        return rig.vertex_count * len(rig.shapes) < SMALL

    @property
    def current(self) -> bool:
        """Whether the outcome is that of the plan."""
        return self.outcome is not None and same_work(self.outcome.plan, self.plan)

    def built(self) -> BuildResult:
        """The rig, to be opened or reported on."""
        if self.outcome is None:
            raise BadValue("nothing is built yet; load a neutral and some poses, and solve")
        return self.outcome

    def view(self, id: str) -> PoseView | None:
        """A pose to be looked at, by its id."""
        return next((view for view in tuple(self.views.values()) if view.id == id), None)

    def ask(self, what: Literal["pair", "register", "solve"]) -> None:
        """Do something once, whatever the settings are."""
        self._asked.add(what)
        self._advance()

    def solve_along(self, on: bool) -> None:
        self.along = on
        self._advance()

    def stop(self) -> None:
        """End the job with what it has, and begin nothing unasked for this plan."""
        self._asked.clear()
        self._not_unasked = self.plan
        if self._job is not None:
            self._job.stop()

    def plan_changed(self) -> None:
        """Look at the plan again, if it is another one."""
        before, self._last = self._last, self.plan
        if before is self.plan:
            return
        if not before.same_faces(self.plan):
            self.views = self.views if self.checked is not None else {}
        if (
            self.plan.mesh != before.mesh
            and self.plan.registered is not None
            and self.plan.registered is before.registered
        ):
            self._asked.add("register")
        self._changed_at = monotonic()
        self._advance()

    def close(self) -> None:
        """End the job; nothing more is heard of it."""
        self._closed = True
        if self._job is not None:
            self._job.kill()

    # What comes next

    def _advance(self) -> None:
        """Begin what comes next. A job under way that is no longer wanted is stopped; its end leads here again."""
        if self._closed:
            return
        if self._job is not None:
            if self.doing == "solving" and self._job_plan is not None and not same_work(self._job_plan, self.plan):
                self._job.stop()
            return
        wanted = self._next()
        if wanted == "solving" and "solve" not in self._asked and self._pause() > 0:
            self._context.post_after(self._pause(), self._advance)
            wanted = ""
        self.doing, self.progress = wanted, None
        plan = self.plan
        match wanted:
            case "checking":
                self._begin(plan, lambda task: self._run.check(plan), self._hear_check)
            case "pairing":
                self._asked.discard("pair")
                self._paired_for = plan
                self._begin(plan, lambda task: propose_pairs(plan), self._hear_pairs)
            case "registering":
                self._asked.discard("register")
                self._begin(plan, lambda task: _registration(plan, task), self._hear_registration)
            case "solving":
                self._asked.discard("solve")
                checked = self._checked
                assert checked is not None
                self._begin(plan, lambda task: self._run.solve(checked, _listener(task)), self._hear_outcome)

    def _next(self) -> Doing:
        plan, settled = self.plan, self._settled_for
        if "pair" in self._asked:
            return "pairing"
        if "register" in self._asked:
            return "registering"
        if settled is None or not same_decisions(settled, plan):
            return "checking"
        checked = self.checked
        assert checked is not None
        if checked.other_topology and not plan.pairs and plan.registered is None and not _same(self._paired_for, plan):
            return "pairing"
        unasked = self.along and self.quick and not self.current and self._not_unasked is not plan
        if not checked.reason and ("solve" in self._asked or unasked):
            return "solving"
        self._asked.discard("solve")
        return ""

    def _pause(self) -> float:
        """Seconds that are left until the plan is solved unasked."""
        return self._changed_at + _PAUSE - monotonic()

    def _begin(self, plan: BuildPlan, work: Callable[[jobs.Task], object], hear: Callable[..., None]) -> None:
        self._job_plan = plan

        def heard(news: jobs.Progress | jobs.Finished[object] | jobs.Failed) -> None:
            """In the job's thread: hand over to the session's."""
            if isinstance(news, jobs.Progress):
                self._context.post(lambda: self._progress(news), newest=("build", id(self)))
            elif isinstance(news, jobs.Finished) and _changes_plan(news.value):
                self._context.post(lambda: self._context.when_idle(lambda: self._end(plan, news, hear)))
            else:
                self._context.post(lambda: self._end(plan, news, hear))

        self._job = jobs.start(work, heard=heard)

    def _progress(self, news: jobs.Progress) -> None:
        if self._job is not None:
            self.progress = BuildProgress(news.done, news.total, news.error)

    def _end(self, plan: BuildPlan, news: jobs.Finished[object] | jobs.Failed, hear: Callable[..., None]) -> None:
        self._job = self._job_plan = None
        if isinstance(news, jobs.Failed):
            if self.doing == "checking":  # it would fail again
                self._settled_for, self._checked = plan, CheckedPlan(plan, news.message)
            self._not_unasked = self.plan
            self._context.say(news.message)
        else:
            hear(plan, news.value)
        self._advance()

    # What jobs find

    def _hear_check(self, plan: BuildPlan, checked: CheckedPlan) -> None:
        self._settled_for = filled(plan, checked.guesses)
        if not checked.plan.same_faces(self.plan):
            return  # the faces are others by now, and are checked next
        stopped = self._not_unasked is self.plan
        self._checked = checked
        fits = {} if self.outcome is None else self.outcome.fits
        self._see({name: (positions, fits.get(name)) for name, positions in checked.positions.items()})
        if checked.guesses:
            self._context.fill_in("build", lambda now: filled(now, checked.guesses))
            self._last = self.plan
            self._not_unasked = self.plan if stopped else self._not_unasked

    def _hear_pairs(self, plan: BuildPlan, pairs: tuple[Pair, ...]) -> None:
        now = self.plan
        if not plan.same_faces(now) or plan.pairs is not now.pairs:
            return  # somebody has set pairs meanwhile
        if not pairs:
            self._context.say("Nothing tells which points belong together: pair some by hand.")
        elif plan.pairs:
            self._context.apply(FindPairs(pairs=pairs))
        else:
            self._context.fill_in("build", lambda now: plans.with_pairs(now, pairs, proposed=True))
        self._last = self.plan

    def _hear_registration(self, plan: BuildPlan, found: RegisteredTemplate | None) -> None:
        if found is not None and plan.same_faces(self.plan):
            self._context.apply(SetRegistration(registered=found))

    def _hear_outcome(self, plan: BuildPlan, outcome: BuildResult) -> None:
        if not outcome.plan.same_faces(self.plan):
            return
        self._outcome = outcome
        self._see({name: (fit.example, fit) for name, fit in outcome.fits.items()})
        if not outcome.built.finished and same_work(outcome.plan, self.plan):
            self._not_unasked = self.plan

    def _see(self, seen: dict[str, tuple[Floats, PoseFit | None]]) -> None:
        views = {}
        for name, (example, fit) in seen.items():
            old = self.views.get(name)
            same = old is not None and old.example is example and old.fit is fit
            views[name] = old if old is not None and same else PoseView(next(self._ids), example, fit)
        self.views = views


def built_document(outcome: BuildResult) -> tuple[Document, str]:
    """The rig that was built as a document, with the materials of the neutral's file, and a name for it."""
    neutral = outcome.plan.neutral
    if neutral is None or neutral.document is None:
        return Document(outcome.rig), "face" if neutral is None else f"{neutral.name} rig"
    return with_materials_of(outcome.rig, neutral.document), f"{neutral.name} rig"


def same_work(one: BuildPlan, other: BuildPlan) -> bool:
    """Whether two plans come to the same rig; a guess that is still to be made may be any."""
    return _alike(one, other, lambda a, b: a is None or b is None or dict(a) == dict(b))


def same_decisions(one: BuildPlan, other: BuildPlan) -> bool:
    """Whether two plans say the same, also about which guesses are still to be made."""
    return _alike(one, other, lambda a, b: (a is None) == (b is None) and dict(a or {}) == dict(b or {}))


def filled(plan: BuildPlan, guesses: object) -> BuildPlan:
    """The plan with guesses where there were none."""
    assert isinstance(guesses, dict)
    lacking = [pose.name for pose in plan.poses if pose.guess is None and pose.name in guesses]
    for name in lacking:
        plan = plans.change_pose(plan, name, guess=guesses[name])
    return plan


def _alike(one: BuildPlan, other: BuildPlan, same_guess: Callable[..., bool]) -> bool:
    if one is other:
        return True
    same = one.same_faces(other) and one.trust == other.trust and len(one.poses) == len(other.poses)
    return same and all(
        a.name == b.name
        and a.face is b.face
        and (a.aligned, a.add_missing) == (b.aligned, b.add_missing)
        and same_guess(a.guess, b.guess)
        for a, b in zip(one.poses, other.poses, strict=True)
    )


def _changes_plan(found: object) -> bool:
    """Whether what a job found becomes part of the plan, which has to wait for the end of an open gesture."""
    return bool(found.guesses) if isinstance(found, CheckedPlan) else not isinstance(found, BuildResult)


def _same(one: BuildPlan | None, other: BuildPlan) -> bool:
    return one is not None and one.same_faces(other)


def _registration(plan: BuildPlan, task: jobs.Task) -> RegisteredTemplate | None:
    found = register_template(plan, lambda step: _report(task, step.step, step.steps, step.distance))
    return None if task.stopped else found


def _listener(task: jobs.Task) -> Callable[..., bool]:
    return lambda step: _report(task, step.iteration, step.iterations, step.error)


def _report(task: jobs.Task, step: int, steps: int, error: float) -> bool:
    task.report(jobs.Progress(step, steps, error=error))
    return not task.stopped
