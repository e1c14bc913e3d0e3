"""Connections of the server: how long headers may take, and what becomes of a page that does not read."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from facewright.studio.sockets import ABORT

_HEADER_SECONDS = 10.0


class HttpConnection(H11Protocol):
    """Closes a connection whose request is not there in time, headers and all."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_headers(True)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._await_headers(self.conn.their_state is h11.IDLE)

    def connection_lost(self, exc: Exception | None) -> None:
        self._await_headers(False)
        super().connection_lost(exc)

    def _await_headers(self, waiting: bool) -> None:
        if waiting and self._deadline is None:
            self._deadline = self.loop.call_later(_HEADER_SECONDS, self.transport.abort)
        elif not waiting and self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class SocketConnection(WebSocketsSansIOProtocol):
    """Can be closed without waiting until the page has read what is unsent."""

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[ABORT] = self.transport.abort
        await super().run_asgi()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
