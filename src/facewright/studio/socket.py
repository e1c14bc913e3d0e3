"""The socket: messages of a page in, what it should know out. It never waits for the solver."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from facewright.studio import protocol as p
from facewright.studio.client import Client, Outgoing
from facewright.studio.desk import Desk

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

_TRY_AGAIN = 1013


def endpoint(desk: Desk, welcome: p.Welcome) -> Callable[[WebSocket], Awaitable[None]]:
    """The socket of a desk."""

    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        client = Client()
        desk.join(client, welcome)
        sending = asyncio.create_task(_send(socket, client))
        try:
            await _receive(socket, client, desk)
        finally:
            desk.leave(client)
            sending.cancel()

    return talk


async def _receive(socket: WebSocket, client: Client, desk: Desk) -> None:
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
        await desk.post(client, message)


async def _send(socket: WebSocket, client: Client) -> None:
    """All that waits, one after the other; a page that does not read is let go, and comes back."""
    try:
        while (message := await client.next()) is not None:
            if message.is_frame:
                await socket.send_bytes(message.data)
            else:
                await socket.send_text(message.data.decode())
        await socket.close(_TRY_AGAIN)
    except (RuntimeError, OSError):  # the page went while something was sent
        return
