"""Live faces: switched on and off, adjusted, calibrated and recorded."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from facewright.session.context import Context
from facewright.session.fields import Label, Name, Number
from facewright.session.live import Calibrated, LiveFace
from facewright.session.tasks.action import Action

LiveKindName = Literal["livelink", "ifacialmocap", "facemotion3d", "vmc", "json"]
_Port = Annotated[int, Meta(ge=0, le=65535)]
_Share = Annotated[float, Meta(ge=0, le=1)]
_Seconds = Annotated[float, Meta(ge=0, le=30)]


class StartLive(Action, frozen=True, kw_only=True):
    """Listen for faces on one interface; State.live tells who sends."""

    kind: LiveKindName = "livelink"
    port: _Port | None = None  # null: that of the kind; 0: a free one
    host: Label = "127.0.0.1"
    phone: Label = ""  # the address of a phone that is asked to send

    def run(self, context: Context) -> None:
        context.task(LiveFace).start(self.kind, self.port, self.host, self.phone)


class StopLive(Action, frozen=True, kw_only=True):
    """Listen no more: the face has its own pose again. A take that is being recorded is kept."""

    def run(self, context: Context) -> None:
        context.task(LiveFace).stop()


class ChooseLiveSource(Action, frozen=True, kw_only=True):
    """Show the face of another sender."""

    source: Label

    def run(self, context: Context) -> None:
        context.task(LiveFace).choose(self.source)


class AdjustLive(Action, frozen=True, kw_only=True):
    """Smoothing, gains of sliders, and whether the face stands still; what is null stays."""

    smooth: _Share | None = None
    gains: dict[Name, Number] | None = None
    frozen: bool | None = None

    def run(self, context: Context) -> None:
        context.task(LiveFace).adjust(self.smooth, self.gains, self.frozen)


class CalibrateLive(Action, frozen=True, kw_only=True):
    """Take the face of this moment for rest, or the motion since then for the whole range; none: forget both."""

    what: Calibrated

    def run(self, context: Context) -> None:
        context.task(LiveFace).calibrate(self.what)


class RecordLive(Action, frozen=True, kw_only=True):
    """Begin to record a take after a countdown in seconds."""

    countdown: _Seconds = 0.0
    name: Label = ""  # of the clip; "": live

    def run(self, context: Context) -> None:
        context.task(LiveFace).record(self.countdown, self.name)


class FinishLive(Action, frozen=True, kw_only=True):
    """End the recording, which becomes a clip, or is not kept."""

    keep: bool = True

    def run(self, context: Context) -> None:
        context.task(LiveFace).finish(self.keep)
