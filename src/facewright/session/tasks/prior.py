"""Learning a prior from the document's clips beside the session: long clips of a rig with many sliders take a while."""

from __future__ import annotations

from facewright import jobs
from facewright.errors import BadValue
from facewright.jobs.task import Task
from facewright.motion.clip import Clip
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.prior import UseLearnedPrior
from facewright.session.tasks.action import Action
from facewright.session.tasks.rig_change import same_sliders


class LearnPrior(Action, frozen=True, kw_only=True):
    """Learn from the document's clips which poses are likely; the prior comes as a step."""

    def run(self, context: Context) -> None:
        document = context.document.value
        sliders = set(document.rig.sliders)
        clips = tuple(clip for clip in document.clips if sliders & set(clip.moved))
        if not clips:
            raise BadValue("this face has no clips to learn from: load a take or a clip of weights first, or set keys")
        context.task(PriorLearning).start(document.rig, clips)


class PriorLearning:
    """The learning that is under way, if there is one. For the session's thread."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._job: jobs.Job[Prior] | None = None

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(self, rig: Rig, clips: tuple[Clip, ...]) -> None:
        """Begin to learn."""
        if self._job is not None:
            raise BadValue("something is being learned already; wait for it to end")
        self._job = jobs.start(_learn, rig, clips, heard=lambda news: self._hear(rig, news))

    def close(self) -> None:
        """Drop what is being learned."""
        if self._job is not None:
            self._job.kill()
        self._job = None

    def _hear(self, rig: Rig, news: jobs.Progress | jobs.Finished[Prior] | jobs.Failed) -> None:
        """In the job's thread: hand over to the session's."""
        if not isinstance(news, jobs.Progress):
            self._context.post(lambda: self._context.when_idle(lambda: self._finish(rig, news)))

    def _finish(self, rig: Rig, news: jobs.Finished[Prior] | jobs.Failed) -> None:
        """No gesture is open: the prior is used from now on, as one step."""
        context, self._job = self._context, None
        if isinstance(news, jobs.Failed):
            context.say(f"Nothing was learned: {news.message}")
        elif not same_sliders(rig, context.document.value.rig):
            context.say("The sliders are others now: what was learned for the former ones is gone. Learn again.")
        else:
            context.apply(UseLearnedPrior(prior=news.value))


def _learn(task: Task, rig: Rig, clips: tuple[Clip, ...]) -> Prior:
    return Prior.learn(rig, clips)
