"""The socket: messages of a page in, messages and frames out. It never waits for the solver."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from facewright.studio import protocol as p
from facewright.studio.client import Client, Outgoing
from facewright.studio.worker import SessionWorker

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

ABORT = "facewright.abort"  # in the scope's extensions: closes the connection without waiting for what is unsent
_TRY_AGAIN = 1013
_GRACE = 2.0  # seconds that a page which is given up has to read why


def endpoint(worker: SessionWorker, welcome: p.Welcome) -> Callable[[WebSocket], Awaitable[None]]:
    """The socket of a worker."""

    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        abort = socket.scope["extensions"][ABORT]
        client = Client(lambda: asyncio.get_running_loop().call_later(_GRACE, abort))
        worker.join(client, welcome)
        sending = asyncio.create_task(_send(socket, client))
        try:
            await _receive(socket, client, worker)
        finally:
            worker.leave(client)
            sending.cancel()

    return talk


async def _receive(socket: WebSocket, client: Client, worker: SessionWorker) -> None:
    """Every message of a page, until it goes."""
    while (event := await socket.receive())["type"] == "websocket.receive":
        try:
            message = p.decode_page_message(event.get("text") or b"")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            refused = p.Refused(seq=0, message=f"this message cannot be read: {str(problem)[:500]}")
            await client.room.acquire()
            client.send(Outgoing(p.encode(refused)))
            client.room.release()
            continue
        await worker.post(client, message)
        if client.is_lost:
            return


async def _send(socket: WebSocket, client: Client) -> None:
    """Send all that waits, one after the other. A page that does not read is disconnected, and connects again."""
    from starlette.websockets import WebSocketDisconnect

    try:
        while (message := await client.next()) is not None:
            if message.is_frame:
                await socket.send_bytes(message.data)
            else:
                await socket.send_text(message.data.decode())
        await socket.close(_TRY_AGAIN)
    except (RuntimeError, OSError, WebSocketDisconnect):  # the page went while something was sent
        return
