"""The build's part of the desk: what pages wish, what the worker finds, what everybody is told."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence

from facewright.document import Document, with_materials_of
from facewright.studio import build_messages as m
from facewright.studio.audience import Audience
from facewright.studio.build_info import FaceIds, build_info
from facewright.studio.build_store import BuildStore
from facewright.studio.build_work import BuildWork, fresh_plan
from facewright.studio.build_worker import BuildWorker, Failed, Found, LaidOn, News, Step, Wanted
from facewright.studio.mailbox import Job, Mailbox
from facewright.studio.protocol import Notice
from facewright.studio.work import Work
from facewright.workflow.build import plan as plans
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose
from facewright.workflow.build.register import ready_to_register
from facewright.workflow.build.result import BuildResult, CheckedPlan

_PAUSE = 0.35  # seconds without a change, before it is solved unasked
_log = logging.getLogger(__name__)


class BuildDesk:
    """For the desk's thread, but for `ids` and `work.view`, which any may ask."""

    def __init__(self, desk: Work, audience: Audience, mailbox: Mailbox) -> None:
        self._desk, self._audience, self._mailbox = desk, audience, mailbox
        self.work = BuildWork(secrets.token_hex(4))
        self.ids = FaceIds()
        self._store = BuildStore(desk.build_folder)
        self._doing = ""
        self._stream = object()  # of progress only the newest waits
        self._worker = BuildWorker(self._post)
        kept = None if desk.is_fresh else self._store.restore()
        if kept is not None:
            self.work.restore(*kept)
            self._again()

    def info(self) -> m.Build:
        return build_info(self.work, self.ids, self._doing)

    def close(self) -> None:
        self._worker.close()

    def carry_out(self, message: m.BuildWish) -> None:
        """What a page wishes; pages hear of it before it is answered."""
        match message:
            case m.SolveBuild():
                self._worker.want(Wanted(self.work.plan, "solve"))
            case m.StopBuild():
                self._worker.stop()
            case m.SolveAlong():
                self.work.along = message.on
                self._again()
            case m.ProposePairs():
                self._worker.want(Wanted(self.work.plan, "pair"))
            case m.LayTemplate():
                ready_to_register(self.work.plan)
                self._worker.want(Wanted(self.work.plan, "lay"))
            case m.UndoBuild():
                self.work.undo()
                self._again()
            case m.RedoBuild():
                self.work.redo()
                self._again()
            case m.ClearBuild():
                self._decide("begin anew", lambda _: fresh_plan())
            case m.ChooseTemplate():
                self._choose_template(message.source)
            case m.ChooseMesh():
                self._choose_mesh(message.mesh)
            case _:
                label, change = _change(message)
                self._decide(label, change, joined=isinstance(message, m.TrustExamples))
        self._keep_and_tell()

    def take_neutral(self, face: GivenFace) -> None:
        """A face to rig came; it is looked for what else it takes."""
        self._decide(f"load {face.name}", lambda plan: plans.with_neutral(plan, face))
        self._keep_and_tell()

    def take_poses(self, poses: Sequence[GivenPose]) -> None:
        """Examples came."""
        what = poses[0].name if len(poses) == 1 else f"{len(poses)} poses"
        self._decide(f"add {what}", lambda plan: plans.with_poses(plan, poses))
        self._keep_and_tell()

    def open(self, how: str) -> None:
        """The rig that was built becomes the document, or its face."""
        outcome = self.work.built()
        neutral = outcome.plan.neutral
        name = "face" if neutral is None else f"{neutral.name} rig"
        looks = None if neutral is None else neutral.document
        made = Document(outcome.rig) if looks is None else with_materials_of(outcome.rig, looks)
        self._desk.open_made(made, name, "keep" if how == "keep" else "new")

    def _choose_template(self, source: str) -> None:
        if source == "sample":
            face = fresh_plan().template
        else:
            face = GivenFace(self._desk.file_info().name, self._desk.session.document.rig, "open")
        self._decide(f"take {face.name} as template", lambda plan: plans.with_template(plan, face))

    def _choose_mesh(self, mesh: plans.Mesh) -> None:
        self._decide("another mesh for the rig", lambda plan: plans.on_mesh(plan, mesh))
        if self.work.plan.registered is not None:
            self._worker.want(Wanted(self.work.plan, "lay"))

    def _decide(self, label: str, change: Callable[[BuildPlan], BuildPlan], *, joined: bool = False) -> None:
        before = self.work.plan
        self.work.decide(label, change, joined=joined)
        if self.work.plan is not before:
            self._again()

    def _again(self) -> None:
        """The plan is another one: look at it, and solve it where that is quick."""
        work = self.work
        solve = work.along and work.quick
        self._worker.want(Wanted(work.plan, "solve" if solve else "check", _PAUSE))

    def _keep_and_tell(self) -> None:
        try:
            self._store.keep(self.work.plan, self.work.along)
        except OSError as problem:
            self._audience.tell_all(Notice(message=f"The build cannot be kept: {problem}"))
        self.tell()

    def tell(self) -> None:
        self._audience.tell_all(self.info())

    # What the worker finds

    def _post(self, news: News) -> None:
        """In the worker's thread: hand over to the desk's."""
        self._mailbox.put(Job(lambda: self._hear(news), self._stream if isinstance(news, Step) else None))

    def _hear(self, news: News) -> None:
        match news:
            case Step():
                self._audience.tell_all(m.BuildProgress(news.step, news.steps, news.error))
                return
            case Failed():
                self._audience.tell_all(Notice(message=news.message))
            case CheckedPlan():
                self._hear_check(news)
            case BuildResult():
                self.work.take_outcome(news)
            case Found():
                self._hear_pairs(news)
            case LaidOn():
                self._hear_laid(news)
            case str():
                self._doing = news
        self.tell()

    def _hear_check(self, checked: CheckedPlan) -> None:
        if not checked.plan.same_faces(self.work.plan):
            return  # another check is on its way
        for name, guess in checked.guesses.items():
            self.work.fill_in(lambda plan, name=name, guess=guess: _guessed(plan, name, guess))  # type: ignore[misc]
        self.work.take_check(checked)
        plan = self.work.plan
        if checked.other_topology and not plan.pairs and not plan.registered:
            self._worker.want(Wanted(plan, "pair"))
        if checked.guesses:
            self._keep_and_tell()

    def _hear_pairs(self, found: Found) -> None:
        if not found.plan.same_faces(self.work.plan) or found.plan.pairs is not self.work.plan.pairs:
            return  # somebody has set pairs meanwhile
        if not found.pairs:
            self._audience.tell_all(Notice(message="Nothing tells which points belong together: pair some by hand."))
        elif found.plan.pairs:
            self._decide("find pairs", lambda plan: plans.with_pairs(plan, found.pairs, proposed=True))
        else:
            self.work.fill_in(lambda plan: plans.with_pairs(plan, found.pairs, proposed=True))
        self._keep_and_tell()

    def _hear_laid(self, found: LaidOn) -> None:
        if not found.plan.same_faces(self.work.plan):
            return
        self._decide("lay the template on", lambda plan: plans.with_registered(plan, found.laid))
        self._keep_and_tell()


def _guessed(plan: BuildPlan, name: str, guess: object) -> BuildPlan:
    """The plan with a guess where there is still none."""
    if not any(pose.name == name and pose.guess is None for pose in plan.poses):
        return plan
    return plans.change_pose(plan, name, guess=guess)


def _change(message: m.BuildWish) -> tuple[str, Callable[[BuildPlan], BuildPlan]]:
    """A label, and what a message does to the plan."""
    match message:
        case m.RemoveNeutral():
            return "remove the neutral", lambda plan: plans.with_neutral(plan, None)
        case m.RemovePoses():
            what = message.poses[0] if len(message.poses) == 1 else f"{len(message.poses)} poses"
            return f"remove {what}", lambda plan: plans.without_poses(plan, message.poses)
        case m.GuessPose():
            return f"guess {message.pose}", lambda plan: plans.guess_pose(plan, message.pose, message.weights)
        case m.FitPose():
            label = "fit" if message.fitted else "do not fit"
            return f"{label} {message.pose}", lambda plan: plans.change_pose(plan, message.pose, aligned=message.fitted)
        case m.AddMissing():
            label = "add what {} lacks" if message.added else "do without what {} lacks"
            return (
                label.format(message.pose),
                lambda plan: plans.change_pose(plan, message.pose, add_missing=message.added),
            )
        case m.TrustExamples():
            return "trust", lambda plan: plans.trusting(plan, message.trust)
        case m.PairPoints():
            pairs = [plans.Pair(pair.source, pair.target, pair.name) for pair in message.pairs]
            return "pair points", lambda plan: plans.with_pairs(plan, pairs)
    raise AssertionError(f"nobody carries {type(message).__name__} out")
