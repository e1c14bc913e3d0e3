"""`facewright live list`."""

from __future__ import annotations

from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.live.hear import DEFAULT_HOST, Host, Kind, Phone, Port, hear, listener_of
from facewright.cli.screen import plain, screen


def sources(
    kind: Kind = "livelink",
    port: Port = None,
    host: Host = DEFAULT_HOST,
    phone: Phone = "",
    seconds: Annotated[float, typer.Option(min=0, help="How long to listen; 0: until Ctrl-C.")] = 2.0,
) -> None:
    """List who sends faces: name, address, frames a second, what is lost and how late it comes."""
    listener = listener_of(kind, port, host, phone)
    hear(listener, lambda frame: False, seconds)
    found = listener.sources()
    asked.tell(sources=found, bad=listener.receiver.bad)
    console = screen()
    for one in found:
        console.print(
            f"{plain(one.name)}  {one.address}  {one.rate:.0f} a second, {one.lost} lost ({one.loss:.1%}), "
            f"{1e3 * one.delay:.1f} ms later than the quickest{'' if one.is_seen else ', sees no face'}",
            soft_wrap=True,
        )
    if not found:
        console.print("nobody sends; is the sender told this machine's address and port?")
    if listener.receiver.bad:
        console.print(f"{listener.receiver.bad} packets are no {listener.kind.label}: {listener.receiver.last_problem}")
