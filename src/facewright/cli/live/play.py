"""`facewright live play`."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.errors import BadFile, UnknownName
from facewright.live.send import SENT_KINDS, SentKind, checked_address, packets, send_clip
from facewright.motion.clip import Clip
from facewright.workflow.open import open_any


def play(
    file: Annotated[Path, typer.Argument(metavar="CLIP", help="A file with a clip: .fwface, .glb, .csv, .json ...")],
    to: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where to send it, such as 127.0.0.1:11111.")],
    kind: Annotated[str, typer.Option(help="livelink (Unreal), or vmc (Warudo, VSeeFace).")] = "livelink",
    clip: Annotated[str, typer.Option(help="Its name, where the file has several.")] = "",
    rate: Annotated[float | None, typer.Option(min=1, max=240, help="Packets a second; by default the clip's.")] = None,
    subject: Annotated[str, typer.Option(help="The name by which others know the sender.")] = "Facewright",
    repeat: Annotated[bool, typer.Option("--repeat", help="Again and again, until Ctrl-C.")] = False,
) -> None:
    """Send a clip to another program as a phone or a tracker would, as fast as it plays."""
    if kind not in SENT_KINDS:
        raise UnknownName("kind of packets that can be sent", kind, SENT_KINDS)
    checked_address(to)
    chosen, sent_as = _clip(file, clip), _KINDS[kind]
    next(packets(chosen, sent_as, rate=rate))  # what cannot be sent is refused before anything is
    sent = [0]

    def count(packets_sent: int) -> None:
        sent[0] = packets_sent

    playing = send_clip(chosen, to, sent_as, rate=rate, subject=subject, repeat=repeat, on_sent=count)
    with suppress(KeyboardInterrupt):
        asyncio.run(playing)
    asked.tell(clip=chosen.name, to=to, packets=sent[0])
    screen(stderr=True).print(f"{sent[0]} packets of {plain(chosen.name)} sent to {to}", soft_wrap=True)


_KINDS: dict[str, SentKind] = {kind: kind for kind in SENT_KINDS}


def _clip(file: Path, name: str) -> Clip:
    found = open_any(file)
    if isinstance(found, Clip):
        return found
    clips = found.clips if isinstance(found, Document) else ()
    if not clips:
        raise BadFile(f"{file}: there is no clip in this file")
    assert isinstance(found, Document)
    return found.clip_named(name or found.clip or clips[0].name)
