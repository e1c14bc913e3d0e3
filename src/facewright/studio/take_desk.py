"""What takes need besides edits: solving in the background, and figures that are worked out beside the desk."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from facewright import jobs
from facewright.errors import BadValue, FacewrightError
from facewright.jobs import Done, Failed, Progress
from facewright.session.commands.takes import add_solved
from facewright.studio import protocol as p
from facewright.studio.audience import Audience
from facewright.studio.client import Client
from facewright.studio.describe import Answer
from facewright.studio.mailbox import Job, Mailbox
from facewright.studio.take_info import fit_table
from facewright.studio.work import Work
from facewright.workflow.solver_cache import SolverCache
from facewright.workflow.take.solve import SolvedTake, SolveOptions, solve_in_background, solve_job

_log = logging.getLogger(__name__)


class TakeDesk:
    """For the desk's thread. `when_idle` runs something there once no gesture is open."""

    def __init__(
        self, work: Work, audience: Audience, mailbox: Mailbox, when_idle: Callable[[Callable[[], None]], None]
    ) -> None:
        self._work, self._audience, self._mailbox, self._when_idle = work, audience, mailbox, when_idle
        self._solving: jobs.Job[SolvedTake] | None = None
        self._aside = ThreadPoolExecutor(1, "take figures")
        self._solvers = SolverCache()  # of that thread alone

    def solve(self, message: p.SolveTake) -> None:
        """Begin to solve the document's take."""
        if self._solving is not None:
            raise BadValue("a take is being solved; stop it, or wait for it to end")
        document = self._work.session.document
        options = SolveOptions(
            smooth=message.smooth,
            keys=message.keys,
            residual=message.residual,
            gaze=message.gaze,
            steady=message.steady,
        )
        if message.by_region and document.regions is None:
            raise BadValue("this face has no regions yet; find them first, or solve it whole")
        regions = document.regions if message.by_region else None
        level = 0 if regions is None else min(message.level, regions.levels - 1)
        job = solve_job(document, options, regions=regions, level=level)
        self._work.solving = p.SolvingInfo(job.take.name[:200], 0, len(job.take), 0.0, False)
        stream = object()  # of progress only the newest waits
        self._solving = jobs.start(
            solve_in_background, job, where="process", heard=lambda heard: self._post(heard, stream)
        )
        self._job = job

    def stop(self) -> None:
        """End with what is solved by now."""
        if self._solving is None or self._work.solving is None:
            raise BadValue("no take is being solved")
        self._solving.stop()
        self._work.solving = replace(self._work.solving, stopping=True)

    def check_face(self) -> None:
        """Where another face is open now, what is being solved is for nothing."""
        if self._solving is not None and self._work.session.document.rig is not self._job.rig:
            self._drop()
            self._work.say("Another face is open: the take of the last one is not solved any further.")

    def ask(self, client: Client, message: p.AskFit) -> None:
        """Answer how near a clip comes to the take, without keeping the desk waiting."""
        document = self._work.session.document
        if message.clip:
            document.clip_named(message.clip)

        def answer() -> None:
            try:
                frame = fit_table(document, message.clip, self._solvers, message.seq)
            except (FacewrightError, MemoryError) as problem:
                self._audience.send(client, p.Refused(seq=message.seq, message=str(problem)))
            except Exception:
                _log.exception("the fit of a clip could not be told")
                self._audience.send(client, p.Refused(seq=message.seq, message="the fit of this clip cannot be told"))
            else:
                self._audience.send_frame(client, frame)

        self._aside.submit(answer)

    def close(self) -> None:
        if self._solving is not None:
            self._drop()
        self._aside.shutdown(wait=False, cancel_futures=True)

    def _drop(self) -> None:
        if self._solving is not None:
            self._solving.kill()
        self._solving = self._work.solving = None

    def _post(self, heard: Progress | Done[SolvedTake] | Failed, stream: object) -> None:
        """In the solving's thread: hand over to the desk's."""
        self._mailbox.put(Job(lambda: self._hear(heard), stream if isinstance(heard, Progress) else None))

    def _hear(self, heard: Progress | Done[SolvedTake] | Failed) -> None:
        if self._solving is None or self._work.solving is None:
            return
        if isinstance(heard, Progress):
            self._work.solving = replace(self._work.solving, done=heard.done, total=heard.total, speed=heard.speed)
            self._audience.publish(None, Answer())
            return
        self._when_idle(lambda: self._finish(heard))

    def _finish(self, heard: Done[SolvedTake] | Failed) -> None:
        """No gesture is open: the clip comes, as one step."""
        if self._solving is None:
            return
        self._solving = self._work.solving = None
        if isinstance(heard, Failed):
            self._work.say(f"The take was not solved: {heard.message}")
        elif self._work.session.document.rig is not self._job.rig:
            self._work.say("The face is another one now: what was solved for the last one is gone.")
        else:
            found = heard.value
            self._work.do(f"solve {found.name}", lambda document: add_solved(document, found, self._job.take))
            self._work.say(_told(found))
        self._audience.publish(None, Answer())
        for notice in self._work.notices():
            self._audience.tell_all(p.Notice(message=notice))


def _told(found: SolvedTake) -> str:
    partly = "" if len(found.status) == found.frames else f" Stopped before the end, at frame {len(found.status):,}."
    return f"Solved {found.name}: {found.line}.{partly}"
