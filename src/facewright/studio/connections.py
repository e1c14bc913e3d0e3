"""Connections of the server: how long a request may take to arrive, and what becomes of a page that does not read."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from facewright.studio.sockets import ABORT

_HEADER_SECONDS = 10.0
_BODY_SECONDS = 30.0  # for each part of a body
_BODY_PART = 64 << 10  # bytes


class HttpConnection(H11Protocol):
    """Closes a connection whose request is not there in time, headers and body."""

    _deadline: asyncio.TimerHandle | None = None
    _awaited: object = None  # what the deadline is for: headers (h11.IDLE), or a body (h11.SEND_BODY)
    _part = 0  # bytes of a body since its deadline was set

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await(h11.IDLE)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._part += len(data)
        is_socket = self.transport.get_protocol() is not self  # a request that became a socket has arrived
        self._await(None if is_socket else self.conn.their_state)

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(None)
        super().connection_lost(exc)

    def _await(self, what: object) -> None:
        """Set the deadline for what is to come next; a part of a body that came in time sets it anew."""
        if what is self._awaited and not (what is h11.SEND_BODY and self._part >= _BODY_PART):
            return
        if self._deadline is not None:
            self._deadline.cancel()
        seconds = _HEADER_SECONDS if what is h11.IDLE else _BODY_SECONDS if what is h11.SEND_BODY else None
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)
        self._awaited, self._part = what, 0


class SocketConnection(WebSocketsSansIOProtocol):
    """Can be closed without waiting until the page has read what is unsent."""

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[ABORT] = self.transport.abort
        await super().run_asgi()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
