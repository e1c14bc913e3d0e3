"""A clip to other programs, at its own pace."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, get_args

from facewright.errors import BadValue, UnknownName
from facewright.live.livelink import write_livelink
from facewright.live.vmc import write_vmc
from facewright.motion.bake_layers import baked_clip
from facewright.motion.clip import Clip
from facewright.options import suggests_options
from facewright.rig.controls import CONTROLS
from facewright.rig.names import convention_names
from facewright.rig.phone_angles import from_phone

SentKind = Literal["livelink", "vmc"]
SENT_KINDS: Final = get_args(SentKind)
_FASTEST = 240.0  # packets a second


@suggests_options
def packets(
    clip: Clip, kind: SentKind = "livelink", *, rate: float | None = None, subject: str = "Facewright"
) -> Iterator[tuple[float, bytes]]:
    """The packets of a clip and when to send each, in seconds from the first. Names become ARKit's where they can.

    rate: packets a second; by default the clip's own.
    """
    if kind not in SENT_KINDS:
        raise UnknownName("kind of packets that can be sent", str(kind), SENT_KINDS)
    clip = from_phone(baked_clip(clip))
    speed = clip.rate if rate is None else rate
    if not 1 <= speed <= _FASTEST:
        raise BadValue(f"from 1 to {_FASTEST:g} packets are sent in a second, not {speed:g}")
    if not clip.curves:
        raise BadValue(f"clip {clip.name!r} has no curves, so there is nothing to send")
    named = convention_names([name for name in clip.curves if name not in CONTROLS], "arkit")
    if kind == "livelink" and not named and not any(name in CONTROLS for name in clip.curves):
        raise BadValue(f"no curve of clip {clip.name!r} is one of the 52 that Live Link has; vmc sends any names")
    return _packets(clip, kind, speed, subject, named)


def _packets(
    clip: Clip, kind: SentKind, rate: float, subject: str, named: Mapping[str, str]
) -> Iterator[tuple[float, bytes]]:
    names = list(clip.curves)
    for number in range(int((clip.end - clip.start) * rate + 1e-6) + 1):
        at = number / rate
        row = clip.sample(names, [clip.start + at])[0].tolist()
        values = {named.get(name, name): value for name, value in zip(names, row, strict=True)}
        if kind == "vmc":
            yield at, write_vmc(values, time=at)
        else:
            yield at, write_livelink(values, frame=number, rate=rate, subject=subject)


@suggests_options
async def send_clip(
    clip: Clip,
    to: str,
    kind: SentKind = "livelink",
    *,
    rate: float | None = None,
    subject: str = "Facewright",
    repeat: bool = False,
    on_sent: Callable[[int], None] | None = None,
) -> int:
    """Send a clip to an address, host:port, as fast as it plays; returns how many packets were sent.

    repeat: again and again, until it is cancelled. on_sent: called with the number of packets so far.
    """
    host, port = checked_address(to)
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        asyncio.DatagramProtocol, remote_addr=(host, port)
    )
    sent = 0
    try:
        while True:
            start = time.monotonic()
            for at, packet in packets(clip, kind, rate=rate, subject=subject):
                await asyncio.sleep(max(0.0, start + at - time.monotonic()))
                transport.sendto(packet)
                sent += 1
                if on_sent is not None:
                    on_sent(sent)
            if not repeat:
                return sent
            await asyncio.sleep(1 / 60)
    finally:
        transport.close()


def checked_address(text: str) -> tuple[str, int]:
    """Host and port of host:port; a host is an address or localhost."""
    host, _, port = text.rpartition(":")
    host = "127.0.0.1" if host == "localhost" else host.strip("[]")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise BadValue(f"{text!r} is no address and port, such as 127.0.0.1:11111 or 192.168.1.30:39539") from None
    if not (port.isascii() and port.isdigit() and 0 < int(port) <= 65535):
        raise BadValue(f"{port!r} is no port; one is a number from 1 to 65535, as in 127.0.0.1:11111")
    return host, int(port)
