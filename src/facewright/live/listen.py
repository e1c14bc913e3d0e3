"""Listening for faces on one interface of this machine."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType

from facewright.errors import BadValue
from facewright.live.frame import PACKET_BYTES, LiveFrame
from facewright.live.receiver import LiveKind, Receiver, kind_named
from facewright.live.source import SourceStatus
from facewright.options import suggests_options

LOOPBACK = "127.0.0.1"
_WAITING = 4096  # frames that may wait to be taken; then the oldest are dropped
_BUFFER = 1 << 20  # bytes of packets that wait in the system while this program is busy
_CALLED = 1.0  # seconds between two calls to a phone
_CONNECTIONS = 16  # of JSON lines at a time

Heard = Callable[[LiveFrame], None]


@suggests_options
def listen(
    kind: str = "livelink", *, port: int | None = None, host: str = LOOPBACK, source: str = "", phone: str = ""
) -> Listener:
    """What hears a kind of packets: iterate over it with `async for` for the frames as they come.

    kind: livelink, ifacialmocap, facemotion3d, vmc or json. port: that of the kind; 0 is a free one. host: the address
    of the interface that is listened on; by default only this machine is heard. source: only frames of this sender.
    phone: the address of a phone that is asked to send, of ifacialmocap and facemotion3d; otherwise nothing is sent.
    """
    return Listener(kind, port, host, source, phone)


class Listener:
    """A socket that is open inside `async with`, and the frames that arrive there. Iterating opens it, too.

    Frames that nobody takes are kept up to a limit, and then the oldest are dropped. `on_frame`, if it is set, is
    called with every frame instead.
    """

    def __init__(self, kind: str, port: int | None, host: str, source: str = "", phone: str = "") -> None:
        self.kind, self.host = kind_named(kind), checked_host(host)
        self.port = self.kind.port if port is None else port
        if not 0 <= self.port <= 65535:
            raise BadValue(f"a port is a number from 0 to 65535, not {self.port}")
        self.phone = _checked_phone(phone, self.kind) if phone else None
        self.receiver = Receiver(kind)
        self.dropped = 0  # frames that nobody took in time
        self.on_frame: Heard | None = None
        self._source = source
        self._lines = kind == "json"
        self._frames: deque[LiveFrame] = deque(maxlen=_WAITING)
        self._ready: asyncio.Event | None = None
        self._transport: asyncio.DatagramTransport | None = None
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Listener:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def open(self) -> None:
        """Begin to listen. A port that another program has is refused in words."""
        if self._transport is not None:
            return
        self._ready = asyncio.Event()
        loop = asyncio.get_running_loop()
        try:
            self._transport, _ = await loop.create_datagram_endpoint(
                lambda: _Datagrams(self._hear), sock=_bound(self.host, self.port)
            )
            self.port = self._transport.get_extra_info("sockname")[1]
            if self._lines:
                self._server = await asyncio.start_server(
                    self._connected, self.host, self.port, limit=PACKET_BYTES, backlog=_CONNECTIONS
                )
            self._call()
        except OSError as problem:
            self.close()
            raise BadValue(
                f"{self.host}:{self.port} cannot be listened on: {problem.strerror or problem}; another program may "
                "have the port, or the address is none of this machine's"
            ) from None

    def _call(self) -> None:
        """Ask the phone to send, again and again until it is heard."""
        if self.phone is None or self._transport is None or self.receiver.packets:
            return
        self._transport.sendto(self.kind.call, self.phone)
        asyncio.get_running_loop().call_later(_CALLED, self._call)

    def close(self) -> None:
        """Stop listening. Frames that are there can still be taken."""
        if self._transport is not None:
            if self.phone is not None and self.kind.farewell:
                self._transport.sendto(self.kind.farewell, self.phone)
            self._transport.close()
        if self._server is not None:
            self._server.close()
        for writer in self._connections:
            writer.close()
        self._transport = self._server = None
        if self._ready is not None:
            self._ready.set()

    def sources(self) -> tuple[SourceStatus, ...]:
        """All senders that were heard, by name."""
        return self.receiver.statuses(time.monotonic())

    async def __aiter__(self) -> AsyncIterator[LiveFrame]:
        is_ours = self._transport is None
        await self.open()
        assert self._ready is not None
        try:
            while self._frames or self._transport is not None:
                while self._frames:
                    yield self._frames.popleft()
                self._ready.clear()
                if self._transport is not None:
                    await self._ready.wait()
        finally:
            if is_ours:
                self.close()

    def _hear(self, packet: bytes, address: str) -> None:
        for frame in self.receiver.feed(packet, address, time.monotonic()):
            if self._source and frame.source != self._source:
                continue
            if self.on_frame is not None:
                self.on_frame(frame)
                continue
            self.dropped += len(self._frames) == _WAITING
            self._frames.append(frame)
        if self._ready is not None:
            self._ready.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Lines of a connection, until it ends or sends a line that is too long."""
        if len(self._connections) >= _CONNECTIONS:
            writer.close()
            return
        self._connections.add(writer)
        host, port = writer.get_extra_info("peername")[:2]
        try:
            while line := await reader.readline():
                if line.strip():
                    self._hear(line, f"{host}:{port}")
        except (ValueError, ConnectionError):  # the line is longer than a packet
            self.receiver.bad += 1
        except asyncio.CancelledError:
            pass  # the loop ends; asyncio reports a connection's task that was cancelled as a failure
        finally:
            self._connections.discard(writer)
            writer.close()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, hear: Callable[[bytes, str], None]) -> None:
        self._hear = hear

    def datagram_received(self, data: bytes, address: tuple[str | int, ...]) -> None:
        self._hear(data, f"{address[0]}:{address[1]}")


def checked_host(host: str) -> str:
    """The address of one interface; all interfaces at once are refused."""
    try:
        found = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise BadValue(
            f"{host!r} is no address of an interface; give 127.0.0.1 for this machine alone, or this machine's own "
            "address in the network of the phone, such as 192.168.1.20"
        ) from None
    if found.is_unspecified or found.is_multicast:
        raise BadValue(f"{host} stands for every interface; name the one that the phone sends to, or 127.0.0.1")
    return str(found)


def _checked_phone(text: str, kind: LiveKind) -> tuple[str, int]:
    """Address and port of a phone that can be asked to send."""
    if not kind.call:
        raise BadValue(f"{kind.label} is not asked to send: tell the sender this machine's address instead")
    try:
        return str(ipaddress.ip_address(text.strip())), kind.port
    except ValueError:
        raise BadValue(f"{text!r} is no address of a phone, such as 192.168.1.30") from None


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_DGRAM)
    try:
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        opened.bind((host, port))
    except OSError:
        opened.close()
        raise
    return opened
