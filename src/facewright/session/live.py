"""The face that arrives live: in flight over the document's pose, and recorded as one step."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from facewright.document import Document
from facewright.errors import BadValue
from facewright.live.driver import LiveCalibration, LiveDriver, LivePose, live_range, live_rest
from facewright.live.frame import LiveFrame
from facewright.live.recording import LiveRecording
from facewright.live.source import SourceStatus
from facewright.motion.clip import Clip
from facewright.rig.head_motion import has_head_motion
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.live import AddLiveTake
from facewright.session.edits.time import go_to_time
from facewright.session.live_thread import LiveThread
from facewright.session.name_map import NameMap
from facewright.workflow.head_rig import with_head_rig

Calibrated = Literal["none", "rest", "range"]
_REST = 0.5  # seconds before the click that show the face at rest
_SMOOTH = 0.1  # share of a new latency in the mean


@dataclass(frozen=True)
class LiveTake:
    """A take that was recorded and kept."""

    clip: str
    frames: int
    seconds: float
    lost: int  # frames that never came


@dataclass(frozen=True)
class LiveStatus:
    """What is known while it is listened; another object whenever something changed."""

    kind: str
    host: str
    port: int
    source: str  # whose face is shown; "": nobody was heard yet
    sources: tuple[SourceStatus, ...]
    bad: int  # packets that were dropped
    problem: str  # of the last of these
    latency: float  # seconds from a packet's arrival to its weights being handed to the pages, the mean of late
    frozen: bool
    smooth: float
    gains: Mapping[str, float]
    calibrated: Calibrated
    countdown: float  # seconds until the recording begins
    recorded: int | None  # frames; None: nothing is recorded
    mapped: int  # names of the sender that drive a slider
    left: tuple[str, ...]  # names of the sender that drive nothing, without those of which the map says so
    takes: tuple[LiveTake, ...]


@dataclass(frozen=True, eq=False)
class _Before:
    """The document's own pose, and whose it is."""

    session: int
    document: Document


class LiveFace:
    """Off until `start`. For the session's thread; frames come from a thread of their own, and the newest wins."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._thread: LiveThread | None = None
        self._kind = ""
        self._driver: tuple[tuple[object, ...], LiveDriver] | None = None  # and what it was made for
        self._before: _Before | None = None
        self._calibration = LiveCalibration()
        self._calibrated: Calibrated = "none"
        self._rested = 0.0  # when the face was said to be at rest
        self._begins: float | None = None  # of the recording
        self._name = ""  # of the clip that it becomes
        self._takes: tuple[LiveTake, ...] = ()
        self._smooth, self._gains, self._frozen = 0.3, dict[str, float](), False
        self._latency = 0.0
        self._moment: tuple[str, float] | None = None  # clip and time over which the face is in flight
        self.status: LiveStatus | None = None

    def start(self, kind: str, port: int | None, host: str, phone: str = "") -> None:
        """Listen, in place of what was listened to before. phone: the address of one that is asked to send."""
        self.stop()
        post = self._context.post
        self._thread = LiveThread(
            kind, port, host, phone, lambda: post(self._show), lambda: post(self._look, ("live", id(self)))
        )
        self._kind, self._latency = kind, 0.0
        self._look()

    def stop(self) -> None:
        """Stop listening; the face has its own pose again. A recording is kept."""
        if self._thread is None:
            return
        if self._begins is not None:
            self.finish()
        thread, self._thread = self._thread, None
        thread.close()
        self._put_back()
        self._frozen = False
        self.status = None

    close = stop

    def choose(self, source: str) -> None:
        """Show the face of another sender."""
        thread = self._open()
        thread.source = source
        self._driver = None
        self._look()

    def adjust(self, smooth: float | None, gains: Mapping[str, float] | None, frozen: bool | None) -> None:
        """Smoothing from 0 to 1, gains of sliders, and whether the face stands still; None: as before."""
        self._open()
        if gains is not None:
            rig = self._context.document.value.rig
            LiveDriver(rig, gains=gains)  # raises for gains that cannot be used
            self._gains = {name: value for name, value in gains.items() if value != 1}
        self._smooth = self._smooth if smooth is None else smooth
        self._frozen = self._frozen if frozen is None else frozen
        self._moment = None
        self._look()

    def calibrate(self, what: Calibrated) -> None:
        """Take the face of this moment for rest, or the frames since then for the whole range; or neither."""
        thread, driver = self._open(), self._current()
        if what == "none":
            self._calibration = LiveCalibration()
        elif what == "rest":
            self._calibration = live_rest(driver, thread.recent(time.monotonic() - _REST))
            self._calibration = LiveCalibration(self._calibration.offsets)
            self._rested = time.monotonic()
        elif self._calibrated == "none":
            raise BadValue("say first when the face is at rest; then move all of it, and say that this was its range")
        else:
            self._calibration = live_range(driver, thread.recent(self._rested))
        self._calibrated = what
        self._look()

    def record(self, countdown: float, name: str = "") -> None:
        """Begin a recording after some seconds; the clip gets a name, with a number where it is taken."""
        thread = self._open()
        if self._begins is not None:
            raise BadValue("a take is being recorded; finish it first")
        self._begins = time.monotonic() + countdown
        self._name = name.strip() or "live"
        self._frozen, self._moment = False, None
        thread.record(self._begins)
        self._look()

    def finish(self, keep: bool = True) -> None:
        """End the recording; it becomes a clip, which is one step, unless it is not to be kept."""
        if self._begins is None:
            raise BadValue("nothing is being recorded")
        frames, self._begins = self._open().finish(), None
        self._look()
        if not keep:
            return
        if not frames:
            self._context.say("Nothing was recorded: no frame came.")
            return
        clip, lost = self._clip(frames), sum(frame.lost for frame in frames[1:])
        self._context.when_idle(lambda: self._add(clip, len(frames), lost))

    def _add(self, clip: Clip, frames: int, lost: int) -> None:
        self._put_back()  # the step is about the document's own pose
        self._context.apply(AddLiveTake(clip=clip))
        added = self._context.document.value.clip
        self._takes = (*self._takes, LiveTake(added, frames, clip.end - clip.start, lost))
        self._moment = None
        self._look()

    def _clip(self, frames: list[LiveFrame]) -> Clip:
        """What was shown, for every frame, with a driver that begins anew."""
        driver, recording = self._made(self._context.document.value.rig), LiveRecording()
        sliders = driver.rig.sliders
        for frame in frames:
            pose = driver(frame)
            recording.add(frame, {**dict(zip(sliders, pose.weights.tolist(), strict=True)), **pose.controls})
        clip = recording.clip(self._name)
        moved = {name: curve for name, curve in clip.curves.items() if name not in sliders or curve.values.any()}
        return replace(clip, curves=moved or clip.curves)

    def _show(self) -> None:
        """Put the newest frame on the face, unless a gesture is open, the face stands still, or a clip is looked at."""
        frame = None if self._thread is None else self._thread.take()
        session = self._context.document
        if frame is None or self._frozen or session.gesture is not None:
            return
        moment = (session.value.clip, session.value.time)
        if self._moment not in (None, moment):  # somebody looks at a clip
            self._frozen = True
            self._look()
            return
        self._moment = moment
        pose = self._current()(frame)
        if self._before is None or self._before.session != session.number:
            self._before = _Before(session.number, session.value)
        session.go(lambda document: _posed(document, pose))
        self._latency += _SMOOTH * (time.monotonic() - frame.arrived - self._latency)

    def _put_back(self) -> None:
        """Give the document its own pose again."""
        before, self._before = self._before, None
        session = self._context.document
        if before is None or before.session != session.number or session.gesture is not None:
            return
        own = before.document
        if own.rig.sliders == session.value.rig.sliders:
            session.go(lambda now: _own_pose(now, own))

    def _look(self) -> None:
        """Renew the status."""
        thread = self._thread
        if thread is None:
            return
        driver = None if self._driver is None else self._driver[1]
        begins = self._begins
        self.status = LiveStatus(
            self._kind,
            *thread.address,
            thread.source,
            thread.sources,
            *thread.bad,
            self._latency,
            self._frozen,
            self._smooth,
            self._gains,
            self._calibrated,
            0.0 if begins is None else max(0.0, begins - time.monotonic()),
            None if begins is None else thread.recorded(),
            0 if driver is None else len({name for names in driver.sources.values() for name in names}),
            () if driver is None else self._unused(driver),
            self._takes,
        )

    def _unused(self, driver: LiveDriver) -> tuple[str, ...]:
        meant = {row.source for row in self._context.task(NameMap).rows if not row.target}
        return tuple(name for name in driver.left if name not in meant)

    def _open(self) -> LiveThread:
        if self._thread is None:
            raise BadValue("nothing is listened to; switch Live on first")
        return self._thread

    def _current(self) -> LiveDriver:
        """The driver for the rig, map, calibration, gains and smoothing of now."""
        rig, rows = self._context.document.value.rig, self._context.task(NameMap).rows
        made_for = (rig, rows, self._calibration, tuple(self._gains.items()), self._smooth)
        if self._driver is None or any(a is not b and a != b for a, b in zip(self._driver[0], made_for, strict=True)):
            self._driver = (made_for, self._made(rig))
        return self._driver[1]

    def _made(self, rig: Rig) -> LiveDriver:
        rows = [row for row in self._context.task(NameMap).rows if not row.target or row.target in rig.sliders]
        gains = {name: gain for name, gain in self._gains.items() if name in rig.sliders}
        return LiveDriver(rig, names=rows, gains=gains, calibration=self._calibration, smooth=self._smooth)


def _posed(document: Document, pose: LivePose) -> Document:
    """The document with a pose in flight. Clips that move the head about the origin go on doing so."""
    controls = {**document.controls, **pose.controls}
    if pose.controls and not any(map(has_head_motion, document.clips)):
        document = with_head_rig(document)
    return replace(document, pose=pose.weights, controls=controls)


def _own_pose(now: Document, own: Document) -> Document:
    """A document with the pose that it had before; where it has other clips by now, the head turns as for these."""
    head = own.head if now.clips is own.clips else now.head
    restored = replace(now, pose=own.pose, controls=own.controls, head=head)
    moved = (now.clip, now.time) != (own.clip, own.time)
    return go_to_time(restored, now.time) if moved else restored
