"""Where the session is worked on: one thread, one message after the other, every page told what changed."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeVar

from facewright.errors import BadValue, FacewrightError
from facewright.session.commands.time import choose_clip, go_to_time
from facewright.session.remembered import Remembered
from facewright.session.session import Session
from facewright.studio import protocol as p
from facewright.studio.audience import Audience
from facewright.studio.build_desk import BuildDesk
from facewright.studio.client import Client
from facewright.studio.describe import Answer, clip_table
from facewright.studio.edits import DragCommand, edit
from facewright.studio.mailbox import Job, Mailbox
from facewright.studio.take_desk import TakeDesk
from facewright.studio.work import Work
from facewright.terms.pin import Pin

T = TypeVar("T")
_VIEW = 64 << 10  # bytes of what a page may have remembered
_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class _Owner:
    """Whose gesture is open."""

    client: Client
    gesture: int


class Desk:
    """Started once. `join`, `leave`, `post` and `call` are for the server's thread, the rest runs in the desk's own."""

    def __init__(self, work: Work, loop: asyncio.AbstractEventLoop) -> None:
        self._work = work
        self._mailbox = Mailbox()
        self._audience = Audience(work, loop)
        self._owner: _Owner | None = None
        self._waiting: list[Callable[[], None]] = []  # for the end of a gesture
        self._takes = TakeDesk(work, self._audience, self._mailbox, self._waiting.append)
        self.builds = BuildDesk(work, self._audience, self._mailbox)
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
        self._thread.start()
        self._mailbox.put(Job(self._warm_up))

    @property
    def session(self) -> Session:
        return self._work.session

    def join(self, client: Client, welcome: p.Welcome) -> None:
        """A page came: it gets everything."""
        self._mailbox.put(Job(lambda: self._greet(client, welcome)))

    def leave(self, client: Client) -> None:
        """A page went: what it left unfinished never was."""
        self._mailbox.put(Job(lambda: self._forget(client)))

    async def post(self, client: Client, message: p.PageMessage) -> None:
        """A page's message, to be carried out in its turn."""
        await client.room.acquire()
        if not self._mailbox.put(Job(lambda: self._carry_out(client, message), _stream(client, message))):
            client.room.release()

    async def call(self, doing: str, job: Callable[[Work], T]) -> T:
        """Something that is no page's message, in its turn; pages are told what changed."""
        future: Future[T] = Future()
        self._mailbox.put(Job(lambda: self._call(doing, job, future)))
        return await asyncio.wrap_future(future)

    async def aside(self, job: Callable[[], T]) -> T:
        """Something that leaves the document and open gestures alone, in its turn."""
        future: Future[T] = Future()
        self._mailbox.put(Job(lambda: _settle(job, future)))
        return await asyncio.wrap_future(future)

    def say(self, text: str) -> None:
        """Something that all pages should show."""
        self._mailbox.put(Job(lambda: self._audience.tell_all(p.Notice(message=text))))

    def stop(self) -> None:
        """Finish what waits, and close the journal."""
        self._mailbox.close()
        self._thread.join()
        self._work.autosave.close()

    # In the desk's own thread

    def _greet(self, client: Client, welcome: p.Welcome) -> None:
        self._audience.greet(client, welcome)
        self._audience.send(client, self.builds.info())

    def _run(self) -> None:
        while (job := self._mailbox.take()) is not None:
            try:
                job.run()
                while self._waiting and self._owner is None:
                    self._waiting.pop(0)()
            except Exception:
                _log.exception("a job failed")
        self._takes.close()
        self.builds.close()

    def _carry_out(self, client: Client, message: p.PageMessage) -> None:
        try:
            answer = self._handle(client, message)
        except (FacewrightError, OSError, MemoryError) as problem:
            self._refuse(client, message, str(problem) or type(problem).__name__)
        except Exception as problem:
            _log.exception("%s failed", type(message).__name__)
            self._refuse(client, message, f"this went wrong inside the program, and nothing was changed: {problem!r}")
        else:
            if answer is not None:
                self._audience.publish(client, answer)
                self._say_notices()
                if not answer.is_asked:
                    self._audience.send(client, p.Done(seq=message.seq))
        finally:
            self._audience.later(client.room.release)

    def _refuse(self, client: Client, message: p.PageMessage, why: str) -> None:
        self._audience.publish(client, Answer())
        self._say_notices()
        self._audience.send(client, p.Refused(seq=message.seq, message=why))

    def _handle(self, client: Client, message: p.PageMessage) -> Answer | None:
        """Carry a message out; None where it has been answered."""
        session, answer = self.session, Answer(message.seq)
        match message:
            case p.Begin():
                self._begin(client, message)
            case p.Commit() | p.Discard():
                self._end(client, message)
            case p.Edit():
                return self._edit(client, message)
            case p.Scrub():
                session.go(lambda document: go_to_time(document, message.time))
                return Answer(message.seq, is_asked=True)
            case p.ChooseClip():
                session.go(lambda document: choose_clip(document, message.clip))
            case p.Undo() | p.Redo() | p.GoTo():
                self._travel(message)
            case p.SetDragOptions():
                session.remembered = Remembered(message.method, message.damped, session.remembered.view)
                self._work.keep_remembered()
            case p.Remember():
                self._remember(message)
            case p.OpenSample() | p.OpenPath():
                self._check_idle(client)
                self._slowly("opening", lambda: self._open(message))
            case p.Save():
                self._check_idle(client)
                self._slowly("saving", lambda: self._work.save(message.path))
            case p.SampleClip():
                table = clip_table(session.document, message.clip, session.solvers, message.seq)
                self._audience.send_frame(client, table)
                return None
            case p.OpenBuilt():
                self._check_idle(client)
                self._slowly("opening", lambda: self.builds.open(message.how))
                self._takes.check_face()
                self._mailbox.put(Job(self._warm_up))
            case p.SolveTake():
                self._takes.solve(message)
            case p.StopSolve():
                self._takes.stop()
            case p.AskFit():
                self._takes.ask(client, message)
                return None
            case p.Ping():
                self._audience.send(client, p.Pong(seq=message.seq))
                return None
            case _ if isinstance(message, p.BuildWish):
                self.builds.carry_out(message)
        return answer

    def _begin(self, client: Client, message: p.Begin) -> None:
        if self._owner is not None and self._owner.client is client:
            self._discard()
        self._check_idle(client)
        self.session.begin(message.label)
        self._owner = _Owner(client, message.gesture)

    def _end(self, client: Client, message: p.Commit | p.Discard) -> None:
        self._check_owner(client, message.gesture)
        self._owner = None
        if isinstance(message, p.Discard):
            self.session.discard()
        elif self.session.commit():
            self._work.keep_step(is_new=True)

    def _edit(self, client: Client, message: p.Edit) -> Answer:
        label, command = edit(message, self.session)
        if message.gesture:
            self._check_owner(client, message.gesture)
            self.session.update(command)
        else:
            self._check_idle(client)
            before = self.session.document
            if isinstance(message, p.FindRegions):
                self._slowly("finding regions", lambda: self.session.do(label, command))
            else:
                self.session.do(label, command)
            if self.session.document is not before:
                self._work.keep_step(is_new=True)
        dragged = command.dragged if isinstance(command, DragCommand) else None
        return Answer(message.seq, message.gesture, dragged, is_asked=message.gesture > 0)

    def _travel(self, message: p.Undo | p.Redo | p.GoTo) -> None:
        before = self.session.history.at
        match message:
            case p.Undo():
                self.session.undo()
            case p.Redo():
                self.session.redo()
            case p.GoTo():
                self.session.go_to(message.at)
        if self.session.history.at != before:
            self._work.keep_step(is_new=False)

    def _remember(self, message: p.Remember) -> None:
        size = len(p.encode(message.view))
        if size > _VIEW:
            raise BadValue(f"at most {_VIEW >> 10} KB are remembered, not {size >> 10} KB")
        now = self.session.remembered
        self.session.remembered = Remembered(now.method, now.damped, message.view)
        self._work.keep_remembered()

    def _open(self, message: p.OpenSample | p.OpenPath) -> None:
        if isinstance(message, p.OpenSample):
            self._work.open_sample(message.person, message.shapes, message.how)
        else:
            self._work.open_path(message.path, message.how)
        self._takes.check_face()
        self._mailbox.put(Job(self._warm_up))

    def _slowly(self, doing: str, job: Callable[[], T]) -> T:
        """Something that takes longer than a moment; pages hear of it."""
        self._audience.tell_all(p.Busy(doing=doing))
        try:
            return job()
        finally:
            self._audience.tell_all(p.Busy(doing=""))

    def _call(self, doing: str, job: Callable[[Work], T], future: Future[T]) -> None:
        try:
            if self._owner is not None:
                self._discard()
            found = self._slowly(doing, lambda: job(self._work))
            self._takes.check_face()
        except Exception as problem:
            future.set_exception(problem)
        else:
            self._audience.publish(None, Answer())
            self._say_notices()
            future.set_result(found)
            self._mailbox.put(Job(self._warm_up))

    def _say_notices(self) -> None:
        for notice in self._work.notices():
            self._audience.tell_all(p.Notice(message=notice))

    def _warm_up(self) -> None:
        """Prepare what the first drag would have to wait for."""
        document, solvers = self.session.document, self.session.solvers
        if document.rig.vertex_count and document.rig.sliders:
            solvers.pose(document.rig).drag([Pin(vertex=0, hold=True)], document.pose)

    def _forget(self, client: Client) -> None:
        self._audience.forget(client)
        if self._owner is not None and self._owner.client is client:
            self._discard()
            self._audience.publish(None, Answer())

    def _discard(self) -> None:
        self.session.discard()
        self._owner = None

    def _check_owner(self, client: Client, gesture: int) -> None:
        if self._owner is None or self._owner.client is not client or self._owner.gesture != gesture:
            raise BadValue("that gesture is over; begin another one")

    def _check_idle(self, client: Client) -> None:
        if self._owner is not None:
            label = "" if self.session.gesture is None else self.session.gesture.label
            whose = "this" if self._owner.client is client else "another"
            raise BadValue(f"{whose} window is in the middle of {label!r}; wait for it to end")


def _settle(job: Callable[[], T], future: Future[T]) -> None:
    try:
        future.set_result(job())
    except Exception as problem:
        future.set_exception(problem)


def _stream(client: Client, message: p.PageMessage) -> tuple[object, ...] | None:
    """What a message is a part of, if a newer one makes it needless."""
    if isinstance(message, p.Edit) and message.gesture:
        return client, message.gesture
    return (client, p.Scrub) if isinstance(message, p.Scrub) else None
