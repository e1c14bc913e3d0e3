"""The connected pages, and what they have been told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from facewright.document import Document
from facewright.session.context import Context
from facewright.session.frames import Frame, PackedArrays
from facewright.session.views import PUSHED, PUSHED_ITEMS
from facewright.session.views.pose import Pose, pose
from facewright.session.views.view import Seen, differences, look
from facewright.studio import protocol as p
from facewright.studio.client import Client, Outgoing

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Answer:
    """What a pose answers."""

    seq: int = 0
    gesture: int = 0
    is_asked: bool = False  # the page waits for it, whether the face moved or not


class Broadcaster:
    """For the worker's thread; what is sent is sent by the server's."""

    def __init__(self, context: Context, loop: asyncio.AbstractEventLoop) -> None:
        self._context, self._loop = context, loop
        self._clients: list[Client] = []
        self._revision = 0
        self._told = Seen()  # what pages have been told
        self._seen = Seen()  # what was last made, perhaps not told yet
        self._shown: Document | None = None  # whose pose was last sent
        self._pose: tuple[Document, object, Pose, PackedArrays] | None = None
        self._frames: dict[int, tuple[tuple[object, ...], Frame]] = {}  # pushed ones, by their place in the list
        self._unsent: set[int] = set()  # of those
        self._items: dict[int, tuple[tuple[object, ...], Mapping[Any, Any]]] = {}  # by their place in the list
        self._told_items: dict[int, Mapping[Any, Any]] = {}
        self._trouble = ""

    def check(self) -> None:
        """Make all that pages would be told. Raises where that cannot be done; nothing is sent."""
        self._seen = look(self._context, self._seen)
        if difference := differences(self._told, self._seen):
            p.encode(p.State(revision=0, **difference))
        self._current_pose()
        self._make_frames()
        self._changed_items()

    def greet(self, client: Client, welcome: p.Welcome) -> None:
        """Add a page and send it everything."""
        try:
            self.publish(None, Answer())
        except Exception:  # the page gets what others were told last
            _log.exception("pages cannot be told what changed")
        self.send(client, welcome)
        self._clients.append(client)
        for place, told in self._told_items.items():  # before the page is busy with the face
            self.send_frame(client, PUSHED_ITEMS[place].frame(told).pack())
        self.send(client, p.State(revision=self._revision, **differences(Seen(), self._told)))
        for _, frame in self._frames.values():
            self.send_frame(client, frame.pack(), type(frame).__name__)
        self.later(client.send, self._pose_message(Answer()))
        if self._trouble:
            self.send(client, p.Trouble(message=self._trouble))

    def forget(self, client: Client) -> None:
        self._clients = [other for other in self._clients if other is not client]

    def publish(self, asking: Client | None, answer: Answer) -> None:
        """Tell all pages what is different since the last time; one that asked for the pose gets it in any case."""
        self._seen = look(self._context, self._seen)
        difference = differences(self._told, self._seen)
        self._revision += 1
        self._send_items()
        if difference:
            self.tell_all(p.State(revision=self._revision, **difference))
        self._told = self._seen
        self._send_frames()
        document = self._context.document.value
        is_moved = document is not self._shown
        self._shown = document
        if asking is not None and (is_moved or answer.is_asked):
            self.later(asking.send, self._pose_message(answer))
        others = [client for client in self._clients if client is not asking]
        if others and is_moved:
            message = self._pose_message(replace(answer, seq=0))
            for client in others:
                self.later(client.send, message)

    def send(self, client: Client, message: p.ServerMessage) -> None:
        self.later(client.send, Outgoing(p.encode(message)))

    def send_frame(self, client: Client, frame: bytes, kind: str = "") -> None:
        self.later(client.send, Outgoing(frame, is_frame=True, kind=kind))

    def tell_all(self, message: p.ServerMessage) -> None:
        outgoing = Outgoing(p.encode(message))
        for client in self._clients:
            self.later(client.send, outgoing)

    def say_trouble(self, words: str) -> None:
        """Show what is wrong until it is over."""
        if words != self._trouble:
            self._trouble = words
            self.tell_all(p.Trouble(message=words))

    def later(self, run: Callable[..., None], *arguments: object) -> None:
        """Run in the server's thread, in the order of the calls."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(run, *arguments)

    def _make_frames(self) -> None:
        """Make pushed frames anew whose inputs are others than before."""
        for place, one in enumerate(PUSHED):
            inputs = one.inputs(self._context)
            known = self._frames.get(place)
            if known is None or any(a is not b for a, b in zip(known[0], inputs, strict=True)):
                self._frames[place] = (inputs, one.make(self._context))
                self._unsent.add(place)

    def _send_frames(self) -> None:
        self._make_frames()
        for place in sorted(self._unsent):
            frame = self._frames[place][1]
            packed = frame.pack()
            for client in self._clients:
                self.send_frame(client, packed, type(frame).__name__)
        self._unsent.clear()

    def _changed_items(self) -> dict[int, Frame]:
        """Frames of the entries that pages have not been told, by the place of their mapping in the list."""
        found = {}
        for place, one in enumerate(PUSHED_ITEMS):
            inputs = one.inputs(self._context)
            known = self._items.get(place)
            if known is None or any(a is not b for a, b in zip(known[0], inputs, strict=True)):
                self._items[place] = (inputs, one.make(self._context))
            changed = one.changed(self._told_items.get(place, {}), self._items[place][1])
            if changed:
                found[place] = one.frame(changed)
        return found

    def _send_items(self) -> None:
        for frame in self._changed_items().values():
            packed = frame.pack()
            for client in self._clients:
                self.send_frame(client, packed)  # every one, since each has only what changed
        self._told_items = {place: made for place, (_, made) in self._items.items()}

    def _current_pose(self) -> tuple[Pose, PackedArrays]:
        document, dragged = self._context.document.value, self._context.dragged
        known = self._pose
        if known is None or known[0] is not document or known[1] is not dragged:
            made = pose(self._context, seq=0, gesture=0, revision=0, dragged=dragged)
            known = self._pose = (document, dragged, made, made.pack_arrays())
        return known[2:]

    def _pose_message(self, answer: Answer) -> Outgoing:
        made, arrays = self._current_pose()
        made = replace(made, seq=answer.seq, gesture=answer.gesture, revision=self._revision)
        return Outgoing(made.pack(arrays), is_frame=True, is_pose=True, kind="Pose")
