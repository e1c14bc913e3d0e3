"""Listening until Ctrl-C, a time or a number of frames is reached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated

import typer

from facewright.cli.screen import plain, screen
from facewright.jobs.interrupts import interruptions
from facewright.live.frame import LiveFrame
from facewright.live.listen import LOOPBACK, Listener, listen

Kind = Annotated[str, typer.Option(help="livelink, ifacialmocap, facemotion3d, vmc or json.")]
Port = Annotated[int | None, typer.Option(min=0, max=65535, help="By default that of the kind; 0: a free one.")]
Host = Annotated[str, typer.Option(help="The address of this machine that the phone sends to.")]
Phone = Annotated[str, typer.Option(help="Ask the phone at this address to send (iFacialMocap, Facemotion3D).")]
Seconds = Annotated[float, typer.Option(min=0, help="End by itself after so many seconds.")]
DEFAULT_HOST = LOOPBACK


def hear(listener: Listener, take: Callable[[LiveFrame], bool], seconds: float) -> None:
    """Give every frame to `take` until it returns True, Ctrl-C is pressed, or the seconds are over (0: never)."""
    asyncio.run(_hear(listener, take, seconds))


def listener_of(kind: str, port: int | None, host: str, phone: str = "", source: str = "") -> Listener:
    return listen(kind, port=port, host=host, source=source, phone=phone)


async def _hear(listener: Listener, take: Callable[[LiveFrame], bool], seconds: float) -> None:
    console, loop, heard = screen(stderr=True), asyncio.get_running_loop(), set[str]()

    def end() -> None:
        loop.call_soon_threadsafe(listener.close)

    with interruptions(end):
        async with listener:
            console.print(f"Listening on {listener.host}:{listener.port} for {listener.kind.label}; Ctrl-C ends.")
            if seconds:
                loop.call_later(seconds, listener.close)
            async for frame in listener:
                if frame.source not in heard:
                    heard.add(frame.source)
                    console.print(f"Hearing {plain(frame.source)}.", soft_wrap=True)
                if take(frame):
                    break
