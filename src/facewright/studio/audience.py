"""The connected pages, and what they have been told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from facewright.studio import protocol as p
from facewright.studio.client import Client, Outgoing
from facewright.studio.describe import Answer, Seen, pose_frame, seen, state
from facewright.studio.region_frames import RegionFrames
from facewright.studio.work import Work


class Audience:
    """For the desk's thread; what is sent is sent by the server's."""

    def __init__(self, work: Work, loop: asyncio.AbstractEventLoop) -> None:
        self._work, self._loop = work, loop
        self._clients: list[Client] = []
        self._revision = 0
        self._regions = RegionFrames()
        self._seen = self._see()

    def greet(self, client: Client, welcome: p.Welcome) -> None:
        """A page came: it gets everything."""
        self.publish(None, Answer())
        whole = state(None, self._seen, self._revision)
        assert whole is not None
        self._clients.append(client)
        self.send(client, welcome)
        self.send(client, whole)
        self.send_frame(client, self._regions.frame(self._seen.document))
        self.later(client.send, self._pose(Answer()))

    def forget(self, client: Client) -> None:
        self._clients = [other for other in self._clients if other is not client]

    def publish(self, asking: Client | None, answer: Answer) -> None:
        """Tell all pages what is different since the last time; one that asked for the pose gets it in any case."""
        before, now = self._seen, self._see()
        self._revision += 1
        difference = state(before, now, self._revision)
        if difference is not None:
            self.tell_all(difference)
        if before.document.regions is not now.document.regions:
            regions = self._regions.frame(now.document)
            for client in self._clients:
                self.send_frame(client, regions)
        is_moved = before.document is not now.document
        others = [client for client in self._clients if client is not asking]
        if asking is not None and (is_moved or answer.is_asked):
            self.later(asking.send, self._pose(answer))
        if others and is_moved:
            pose = self._pose(replace(answer, seq=0))
            for client in others:
                self.later(client.send, pose)
        self._seen = now

    def send(self, client: Client, message: p.ServerMessage) -> None:
        self.later(client.send, Outgoing(p.encode(message)))

    def send_frame(self, client: Client, frame: bytes) -> None:
        self.later(client.send, Outgoing(frame, is_frame=True))

    def tell_all(self, message: p.ServerMessage) -> None:
        outgoing = Outgoing(p.encode(message))
        for client in self._clients:
            self.later(client.send, outgoing)

    def later(self, run: Callable[..., None], *arguments: object) -> None:
        """Run in the server's thread, in the order of the calls."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(run, *arguments)

    def _see(self) -> Seen:
        work = self._work
        return seen(work.session, work.rig_id(), work.file_info(), take=work.take_info(), solving=work.solving)

    def _pose(self, answer: Answer) -> Outgoing:
        return Outgoing(pose_frame(self._work.session, answer, self._revision), is_frame=True, is_pose=True)
