"""The thread that changes the values: one message after the other, every page told what changed."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from facewright import jobs
from facewright.errors import BadValue, FacewrightError
from facewright.session.context import Context
from facewright.session.fields import SessionName
from facewright.session.tasks.loading import Loaded, Loading
from facewright.session.views.view import Query
from facewright.studio import protocol as p
from facewright.studio.broadcaster import Answer, Broadcaster
from facewright.studio.client import Client
from facewright.studio.files import FileChanged
from facewright.studio.queue import Entry, WorkQueue
from facewright.studio.workspace import Workspace
from facewright.terms.pin import Pin

T = TypeVar("T")
_EXPECTED = (FacewrightError, OSError, MemoryError)  # errors whose own words are for the person
_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class _Owner:
    """Whose gesture is open, and in which session."""

    client: Client
    gesture: int
    session: SessionName


class SessionWorker:
    """Started once. `join`, `leave`, `post` and `call` are for the server's thread, the rest runs in its own."""

    def __init__(self, workspace: Workspace, queue: WorkQueue, loop: asyncio.AbstractEventLoop) -> None:
        self._workspace, self._queue = workspace, queue
        self.context: Context = workspace.context
        self._broadcaster = Broadcaster(self.context, loop)
        self._owner: _Owner | None = None
        self._beside = ThreadPoolExecutor(1, "queries")
        self.context.on_change = self._broadcaster.check
        workspace.ensure_shown(self._broadcaster.check)
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self._thread.start()
        self._queue.post(self._warm_up)

    def join(self, client: Client, welcome: p.Welcome) -> None:
        """Add a page, which is sent everything."""
        self._queue.post(lambda: self._broadcaster.greet(client, welcome))

    def leave(self, client: Client) -> None:
        """Remove a page, and discard the gesture that it left open."""
        self._queue.post(lambda: self._forget(client))

    async def post(self, client: Client, message: p.PageMessage) -> None:
        """A page's message, to be carried out in its turn."""
        await client.room.acquire()
        carry_out = Entry(lambda: self._carry_out(client, message), _stream(client, message), publishes=True)
        if not self._queue.put(carry_out):
            client.room.release()

    async def call(self, doing: str, job: Callable[[Workspace], T], *, idle: bool = True) -> T:
        """Something that is no page's message, in its turn. idle: not before an open gesture has ended."""
        future: Future[T] = Future()

        def run() -> None:
            self._call(doing, job, future)

        self._queue.post(lambda: self.context.when_idle(run) if idle else run())
        return await asyncio.wrap_future(future)

    def stop(self) -> None:
        """Finish what waits, and close the journals."""
        self._queue.close()
        self._thread.join()
        self._beside.shutdown(wait=False, cancel_futures=True)
        self._workspace.close()

    # In its own thread

    def _run(self) -> None:
        while (entry := self._queue.take()) is not None:
            has_failed = self._tried(entry.run)
            has_run = self._tried(self.context.run_waiting)
            if has_failed or has_run or not entry.publishes:
                self._tried(self._react)
                self._publish(None, Answer())
        for task in self.context.tasks:
            if hasattr(task, "close"):
                task.close()

    def _tried(self, run: Callable[[], bool | None]) -> bool | None:
        """Run something that answers no message. Where it fails, the person is told; returns True then."""
        try:
            return run()
        except Exception as problem:
            if not isinstance(problem, _EXPECTED):
                _log.exception("something failed outside a message")
            self.context.say(jobs.failure(problem).message)
            return True

    def _react(self) -> None:
        """Let tasks see that the values are others."""
        for task in self.context.tasks:
            for name in ("document_changed", "plan_changed"):
                if hasattr(task, name):
                    getattr(task, name)()

    def _publish(self, client: Client | None, answer: Answer) -> None:
        try:
            self._broadcaster.publish(client, answer)
        except Exception:  # every change was checked before; whatever is left, messages are answered
            _log.exception("pages cannot be told what changed")
        for notice in self.context.notices():
            self._broadcaster.tell_all(p.Notice(message=notice))
        self._broadcaster.say_trouble(self._workspace.trouble)

    def _carry_out(self, client: Client, message: p.PageMessage) -> None:
        try:
            self._answering(client, message, lambda: self._handle(client, message))
        finally:
            self._broadcaster.later(client.room.release)

    def _answering(self, client: Client, message: p.PageMessage, job: Callable[[], Answer | None]) -> None:
        """Do what a message asks for, and answer it, unless that is done elsewhere (None)."""
        try:
            answer = job()
        except _EXPECTED as problem:
            can_replace = isinstance(problem, FileChanged)
            self._refuse(client, message, str(problem) or type(problem).__name__, can_replace=can_replace)
        except Exception as problem:
            _log.exception("%s failed", type(message).__name__)
            self._refuse(client, message, f"this went wrong inside the program, and nothing was changed: {problem!r}")
        else:
            if answer is not None:
                self._tried(self._react)
                self._publish(client, answer)
                if not answer.is_asked:
                    self._broadcaster.send(client, p.Done(seq=message.seq))

    def _refuse(self, client: Client, message: p.PageMessage, why: str, *, can_replace: bool = False) -> None:
        self._publish(client, Answer())
        self._broadcaster.send(client, p.Refused(seq=message.seq, message=why, can_replace=can_replace))

    def _handle(self, client: Client, message: p.PageMessage) -> Answer | None:
        """Carry a message out; None where it is answered otherwise."""
        workspace = self._workspace
        match message:
            case p.Begin():
                self._begin(client, message)
            case p.Commit() | p.Discard():
                self._end(client, message)
            case p.Do():
                return self._edit(client, message)
            case p.Act():
                self._slowly(message.action.slow, lambda: message.action.run(self.context))
            case p.Ask():
                self._answer(client, message.query, message.seq)
                return None
            case p.Undo() | p.Redo() | p.GoTo():
                self._travel(message)
            case p.OpenSample():
                self._open(client, lambda: workspace.open_sample(message.person, message.shapes, message.how))
            case p.OpenPath():
                self._open_file(client, message)
                return None
            case p.OpenBuilt():
                self._open(client, lambda: workspace.open_built(message.how))
            case p.Save():
                self._check_idle(client)
                self._slowly("saving", lambda: workspace.save(message.path, replace=message.replace))
            case p.Ping():
                self._broadcaster.send(client, p.Pong(seq=message.seq))
                return None
        return Answer(message.seq)

    def _begin(self, client: Client, message: p.Begin) -> None:
        if self._owner is not None and self._owner.client is client:
            self._discard()
        self._check_idle(client)
        self.context.session(message.session).begin(message.label)
        self._owner = _Owner(client, message.gesture, message.session)

    def _end(self, client: Client, message: p.Commit | p.Discard) -> None:
        owner = self._own(client, message.gesture)
        self._owner = None
        if isinstance(message, p.Discard):
            self.context.discard(owner.session)
        elif self.context.session(owner.session).commit():
            self.context.on_step(owner.session, "new")

    def _edit(self, client: Client, message: p.Do) -> Answer:
        edit = message.edit
        if message.gesture:
            if self._own(client, message.gesture).session != edit.session:
                raise BadValue("the open gesture is about something else; commit or discard it first")
            self.context.update(edit)
        else:
            if edit.undoable or self.context.session(edit.session).gesture is not None:
                self._check_idle(client)
            self._slowly(edit.slow, lambda: self.context.apply(edit))
        is_asked = message.gesture > 0 or edit.streams
        return Answer(message.seq, message.gesture, is_asked)

    def _answer(self, client: Client, query: Query, seq: int) -> None:
        """Answer with a frame; a query that takes long is answered beside this thread."""

        def answer() -> None:
            try:
                self._broadcaster.send_frame(client, query.answer(self.context, seq).pack())
            except _EXPECTED as problem:
                self._broadcaster.send(client, p.Refused(seq=seq, message=str(problem) or type(problem).__name__))
            except Exception:
                _log.exception("%s could not be answered", type(query).__name__)
                self._broadcaster.send(client, p.Refused(seq=seq, message="this went wrong inside the program"))

        if query.aside:
            self._beside.submit(answer)
        else:
            answer()

    def _travel(self, message: p.Undo | p.Redo | p.GoTo) -> None:
        history = self.context.session(message.session).history
        match message:
            case p.Undo():
                at = max(history.at - 1, 0)
            case p.Redo():
                at = min(history.at + 1, len(history.steps))
            case p.GoTo():
                at = message.at
        self.context.go_to(message.session, at)

    def _open(self, client: Client, job: Callable[[], None]) -> None:
        self._check_idle(client)
        self._slowly("opening", job)
        self._queue.post(self._warm_up)

    def _open_file(self, client: Client, message: p.OpenPath) -> None:
        """Read a file in another process, then use what it holds, once no gesture is open."""
        file, origin = self._workspace.located(message.path)

        def use(found: Loaded | Exception) -> Answer:
            if isinstance(found, Exception):
                raise found
            brings = self._workspace.take(found, origin, message.how)
            if brings == "face":
                self._workspace.note_recent(file)
            self._queue.post(self._warm_up)
            return Answer(message.seq)

        def heard(found: Loaded | Exception) -> None:
            self.context.when_idle(lambda: self._answering(client, message, lambda: use(found)))

        self.context.task(Loading).start(file, file.name, "any", heard)
        self._publish(None, Answer())  # that it is being read

    def _slowly(self, doing: str, job: Callable[[], T]) -> T:
        """Something that may take longer than a moment; pages show what is being done."""
        if not doing:
            return job()
        self._broadcaster.tell_all(p.Busy(doing=doing))
        try:
            return job()
        finally:
            self._broadcaster.tell_all(p.Busy(doing=""))

    def _call(self, doing: str, job: Callable[[Workspace], T], future: Future[T]) -> None:
        try:
            found = self._slowly(doing, lambda: job(self._workspace))
            self._tried(self._react)
            self._publish(None, Answer())
        except Exception as problem:
            future.set_exception(problem)
        else:
            future.set_result(found)
            self._queue.post(self._warm_up)

    def _warm_up(self) -> None:
        """Prepare what the first drag would have to wait for."""
        document, solvers = self.context.document.value, self.context.solvers
        if not document.rig.vertex_count or not document.rig.sliders:
            return
        try:
            solvers.pose(document.rig).drag([Pin(vertex=0, hold=True)], document.pose)
        except Exception:  # the first drag says so itself
            _log.debug("drags of this face cannot be prepared", exc_info=True)

    def _forget(self, client: Client) -> None:
        self._broadcaster.forget(client)
        if self._owner is not None and self._owner.client is client:
            self._discard()

    def _discard(self) -> None:
        owner, self._owner = self._owner, None
        if owner is not None:
            self.context.discard(owner.session)

    def _own(self, client: Client, gesture: int) -> _Owner:
        owner = self._owner
        if owner is None or owner.client is not client or owner.gesture != gesture:
            raise BadValue("that gesture is over; begin another one")
        return owner

    def _check_idle(self, client: Client) -> None:
        owner = self._owner
        if owner is not None:
            gesture = self.context.session(owner.session).gesture
            whose = "this" if owner.client is client else "another"
            label = "" if gesture is None else gesture.label
            raise BadValue(f"{whose} window is in the middle of {label!r}; wait for it to end")


def _stream(client: Client, message: p.PageMessage) -> tuple[object, ...] | None:
    """What a message is a part of, if a newer one makes it needless."""
    if not isinstance(message, p.Do):
        return None
    if message.gesture:
        return client, message.gesture
    return (client, type(message.edit)) if message.edit.streams else None
