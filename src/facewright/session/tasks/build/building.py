"""The jobs of a build: checking its faces, finding pairs, registering the template, solving."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from msgspec import Struct

from facewright import jobs
from facewright.errors import FacewrightError
from facewright.session.context import Context
from facewright.session.edits.build import FindPairs, SetRegistration
from facewright.session.tasks.build.compare import filled, same_work
from facewright.session.tasks.build.schedule import BuildSchedule, Doing, Request
from facewright.session.tasks.build.state import BuildState
from facewright.workflow.build.plan import BuildPlan, Pair, RegisteredTemplate, with_pairs
from facewright.workflow.build.register import propose_pairs, register_template
from facewright.workflow.build.result import BuildResult, CheckedPlan
from facewright.workflow.build.run import BuildRunner


class BuildProgress(Struct, frozen=True):
    """How far the job is."""

    step: int
    steps: int
    error: float  # what is left, as a share: of the poses' motion, or of the face's size


class Building:
    """The job that is under way, and what jobs found out. For the session's thread."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._run = BuildRunner()  # used by one job at a time
        self._job: jobs.Job[object] | None = None
        self._job_plan: BuildPlan | None = None
        self._schedule = BuildSchedule()
        self._last = context.plan.value
        self._closed = False
        self.known = BuildState(context)
        self.doing: Doing = ""
        self.progress: BuildProgress | None = None
        self._advance()

    @property
    def along(self) -> bool:
        """Whether it solves by itself after each change."""
        return self._schedule.along

    @property
    def waits(self) -> str:
        """Why it does not solve by itself now, in words; "" where it does, or has nothing to do."""
        plan, known = self.known.plan, self.known
        if not self.along or self._job is not None or plan.neutral is None or known.current:
            return ""
        checked = known.checked
        if checked is None:
            return ""
        if checked.reason:
            return (
                "It waits until the template is registered."
                if checked.other_topology
                else f"It waits: {checked.reason}."
            )
        if not known.quick:
            rig = plan.template.rig
            return (
                f"It waits for Solve: {len(rig.shapes)} shapes on {rig.vertex_count:,} vertices take too long to be"
                " solved after each change."
            )
        if self._schedule.not_unasked is plan:
            return "It was stopped, or failed, and waits for Solve or the next change."
        return ""

    def ask(self, what: Request) -> None:
        """Do something once, whatever the settings are."""
        self._schedule.asked.add(what)
        self._advance()

    def solve_along(self, on: bool) -> None:
        self._schedule.along = on
        self._advance()

    def stop(self) -> None:
        """End the job with what it has, and begin nothing unasked for this plan."""
        self._schedule.asked.clear()
        self._schedule.not_unasked = self.known.plan
        if self._job is not None:
            self._job.stop()

    def plan_changed(self) -> None:
        """Look at the plan again, if it is another one."""
        before, plan = self._last, self.known.plan
        self._last = plan
        if before is plan:
            return
        if not before.same_faces(plan):
            self.known.drop_views()
        if plan.mesh != before.mesh and plan.registered is not None and plan.registered is before.registered:
            self._schedule.asked.add("register")
        if before.registered is not None and plan.registered is None and plan.upright is not before.upright:
            self._schedule.asked.update(("register",) if plan.pairs and plan.pairs is before.pairs else ())
        self._schedule.changed_at = monotonic()
        self._advance()

    def close(self) -> None:
        """End the job; nothing more is heard of it."""
        self._closed = True
        if self._job is not None:
            self._job.kill()

    def _advance(self) -> None:
        """Begin what comes next. A job under way that is no longer wanted is stopped; its end leads here again."""
        if self._closed:
            return
        plan, schedule = self.known.plan, self._schedule
        if self._job is not None:
            if self.doing == "solving" and self._job_plan is not None and not same_work(self._job_plan, plan):
                self._job.stop()
            return
        wanted = schedule.next(self.known)
        if wanted == "solving" and (pause := schedule.pause()) > 0:
            self._context.post_after(pause, self._advance)
            wanted = ""
        self.doing, self.progress = wanted, None
        match wanted:
            case "checking":
                self._begin(plan, lambda task: self._run.check(plan), self._hear_check)
            case "pairing":
                schedule.asked.discard("pair")
                schedule.paired_for = plan
                self._begin(plan, lambda task: propose_pairs(plan), self._hear_pairs)
            case "registering":
                schedule.asked.discard("register")
                self._begin(plan, lambda task: _registration(plan, task), self._hear_registration)
            case "solving":
                schedule.asked.discard("solve")
                checked = self.known.checked
                assert checked is not None
                self._begin(plan, lambda task: self._run.solve(checked, _listener(task)), self._hear_outcome)

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
        if isinstance(news, jobs.Finished):
            try:
                hear(plan, news.value)
            except FacewrightError as problem:  # what was found cannot become part of the plan
                news = jobs.failure(problem)
        if isinstance(news, jobs.Failed):
            if self.doing == "checking":  # it would fail again
                self._schedule.settled_for = plan
                self.known.set_failed(plan, news.message)
            self._schedule.not_unasked = self.known.plan
            self._context.say(news.message)
        self._advance()

    def _hear_check(self, plan: BuildPlan, checked: CheckedPlan) -> None:
        schedule = self._schedule
        if not checked.plan.same_faces(self.known.plan):
            return  # the faces are others by now, and are checked next
        schedule.settled_for = filled(plan, checked.guesses)
        stopped = schedule.not_unasked is self.known.plan
        self.known.set_checked(checked)
        if checked.guesses:
            self._context.fill_in("build", lambda now: filled(now, checked.guesses))
            self._last = self.known.plan
            schedule.not_unasked = self.known.plan if stopped else schedule.not_unasked

    def _hear_pairs(self, plan: BuildPlan, pairs: tuple[Pair, ...]) -> None:
        now = self.known.plan
        if not plan.same_faces(now) or plan.pairs is not now.pairs:
            return  # somebody has set pairs meanwhile
        if not pairs:
            self._context.say("Nothing tells which points belong together: pair some by hand.")
        elif plan.pairs:
            self._context.apply(FindPairs(pairs=pairs))
        else:
            self._context.fill_in("build", lambda now: with_pairs(now, pairs, proposed=True))
        self._last = self.known.plan

    def _hear_registration(self, plan: BuildPlan, found: RegisteredTemplate | None) -> None:
        if found is not None and plan.same_faces(self.known.plan):
            self._context.apply(SetRegistration(registered=found))

    def _hear_outcome(self, plan: BuildPlan, outcome: BuildResult) -> None:
        if not outcome.plan.same_faces(self.known.plan):
            return
        self.known.set_outcome(outcome)
        if not outcome.built.finished and same_work(outcome.plan, self.known.plan):
            self._schedule.not_unasked = self.known.plan


def _changes_plan(found: object) -> bool:
    """Whether what a job found becomes part of the plan, which has to wait for the end of an open gesture."""
    return bool(found.guesses) if isinstance(found, CheckedPlan) else not isinstance(found, BuildResult)


def _registration(plan: BuildPlan, task: jobs.Task) -> RegisteredTemplate | None:
    found = register_template(plan, lambda step: _report(task, step.step, step.steps, step.distance))
    return None if task.stopped else found


def _listener(task: jobs.Task) -> Callable[..., bool]:
    return lambda step: _report(task, step.iteration, step.iterations, step.error)


def _report(task: jobs.Task, step: int, steps: int, error: float) -> bool:
    task.report(jobs.Progress(step, steps, error=error))
    return not task.stopped
