"""The live face as pages see it."""

from __future__ import annotations

from msgspec import Struct

from facewright.live.receiver import KINDS
from facewright.session.context import Context
from facewright.session.live import Calibrated, LiveFace
from facewright.session.views.view import view

_LISTED = 8  # names that drive nothing


class LiveKindInfo(Struct):
    """A kind of packets that can be listened for."""

    kind: str
    label: str
    port: int  # the usual one
    called: bool  # whether a phone can be asked to send it


class LiveSourceInfo(Struct):
    """A sender."""

    name: str
    address: str
    rate: float  # frames a second
    loss: float  # share of frames that never came
    delay: float  # seconds later than the quickest packet
    seen: bool  # whether it sees a face, and has sent a moment ago


class LiveTakeInfo(Struct):
    """A take that was recorded."""

    clip: str
    frames: int
    seconds: float
    lost: int  # frames that never came


class LiveInfo(Struct):
    """What is listened to, who sends, and what becomes of it."""

    kind: str
    host: str
    port: int
    source: str  # whose face is shown; "": nobody was heard yet
    sources: list[LiveSourceInfo]
    bad: int  # packets that were dropped
    problem: str  # of the last of these
    latency: float  # seconds from a packet's arrival to its weights being handed to the pages
    frozen: bool
    smooth: float
    gains: dict[str, float]  # other than 1, by slider
    calibrated: Calibrated
    countdown: float  # seconds until the recording begins
    recorded: int | None  # frames; null: nothing is recorded
    mapped: int  # names of the sender that drive a slider
    left: list[str]  # some names of the sender that drive nothing
    takes: list[LiveTakeInfo]


@view("live_kinds", lambda context: ())
def live_kinds(context: Context) -> list[LiveKindInfo]:
    """What can be listened for."""
    return [LiveKindInfo(name, kind.label, kind.port, bool(kind.call)) for name, kind in KINDS.items()]


@view("live", lambda context: (context.task(LiveFace).status,))
def live(context: Context) -> LiveInfo | None:
    """The live face; null while it is switched off."""
    status = context.task(LiveFace).status
    if status is None:
        return None
    sources = [
        LiveSourceInfo(
            one.name,
            one.address,
            round(one.rate, 1),
            round(one.loss, 4),
            round(one.delay, 4),
            one.is_seen and one.age < 1,
        )
        for one in status.sources
    ]
    return LiveInfo(
        status.kind,
        status.host,
        status.port,
        status.source,
        sources,
        status.bad,
        status.problem,
        round(status.latency, 5),
        status.frozen,
        status.smooth,
        dict(status.gains),
        status.calibrated,
        round(status.countdown, 1),
        status.recorded,
        status.mapped,
        list(status.left[:_LISTED]),
        [LiveTakeInfo(one.clip, one.frames, round(one.seconds, 3), one.lost) for one in status.takes],
    )
