"""A live face in a session: in flight over the pose, calibrated, frozen, recorded as one step."""

import queue
import socket
import time
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.errors import BadValue
from facewright.live.livelink import write_livelink
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.pose import SetWeights
from facewright.session.edits.time import Scrub
from facewright.session.live import LiveFace
from facewright.session.tasks.live import AdjustLive, CalibrateLive, FinishLive, RecordLive, StartLive, StopLive
from facewright.session.tasks.name_map import MapName, UnmapName
from facewright.session.views.live import live
from facewright.session.views.name_map import name_map
from tests.live.wire import plain_livelink, recorded
from tests.some import some

PATIENCE = 10.0  # seconds


class Phone:
    """A session that listens on a free port, and a socket that sends to it."""

    def __init__(self) -> None:
        self._work: queue.Queue[Callable[[], None]] = queue.Queue()
        self.most = 0  # pieces of work that waited at once
        self.context = Context(Document(fw.sample(), pose={"cheekPuff": 0.5}), fresh_plan(), self._post)
        StartLive(port=0).run(self.context)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._to = ("127.0.0.1", some(live(self.context)).port)
        self._count = 0

    def _post(self, run: Callable[[], None], newest: Hashable | None = None) -> None:
        self._work.put(run)
        self.most = max(self.most, self._work.qsize())

    def send(self, **values: float) -> None:
        self._count += 1
        self.raw(write_livelink(values, frame=self._count, subject="phone"))

    def raw(self, packet: bytes) -> None:
        self._socket.sendto(packet, self._to)

    def until(self, reached: Callable[[], bool]) -> None:
        """Do the session's work until something is so."""
        end = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < end, "it never came"
            try:
                self._work.get(timeout=0.2)()
            except queue.Empty:
                continue

    def weight(self, name: str) -> float:
        document = self.context.document.value
        return float(document.pose[document.rig.slider_index(name)])

    def shows(self, jaw: float) -> None:
        """Send a jaw until the face has it."""
        self.until(lambda: self._sent(jaw) and abs(self.weight("jawOpen") - jaw) < 1e-6)

    def _sent(self, jaw: float) -> bool:
        self.send(jawOpen=jaw, HeadYaw=-0.2)
        return True

    def close(self) -> None:
        self.context.task(LiveFace).close()
        self._socket.close()


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone()
    AdjustLive(smooth=0.0).run(phone.context)
    yield phone
    phone.close()


def test_nothing_is_listened_to_until_it_is_switched_on() -> None:
    context = Context(Document(fw.sample()), fresh_plan(), lambda run, newest=None: run())
    assert live(context) is None
    for action in (RecordLive(), CalibrateLive(what="rest"), AdjustLive(frozen=True)):
        with pytest.raises(BadValue, match="switch Live on"):
            action.run(context)


def test_the_face_moves_without_a_step_and_is_itself_again_afterwards(phone: Phone) -> None:
    phone.shows(0.75)
    assert phone.context.document.value.controls["HeadYaw"] == pytest.approx(-0.2)
    assert phone.weight("cheekPuff") == 0
    assert not phone.context.document.history.steps
    assert not phone.context.document.unsaved
    StopLive().run(phone.context)
    assert (phone.weight("jawOpen"), phone.weight("cheekPuff")) == (0, 0.5)
    assert not phone.context.document.value.controls
    assert live(phone.context) is None


def test_a_face_that_is_frozen_or_dragged_is_left_alone(phone: Phone) -> None:
    phone.shows(0.25)
    AdjustLive(frozen=True).run(phone.context)
    for _ in range(5):
        phone.send(jawOpen=0.9)
    phone.until(lambda: phone.context.task(LiveFace)._open().recent()[-1].values["jawOpen"] > 0.89)
    assert phone.weight("jawOpen") == 0.25
    AdjustLive(frozen=False).run(phone.context)
    phone.shows(0.5)
    phone.context.document.begin("drag")
    phone.send(jawOpen=0.9)
    phone.until(lambda: phone.context.task(LiveFace)._open().recent()[-1].values["jawOpen"] > 0.89)
    assert phone.weight("jawOpen") == 0.5
    phone.context.discard("document")
    phone.shows(0.6)


def test_rest_and_range_are_two_clicks(phone: Phone) -> None:
    with pytest.raises(BadValue, match="at rest"):
        CalibrateLive(what="range").run(phone.context)
    phone.shows(0.2)
    CalibrateLive(what="rest").run(phone.context)
    phone.until(lambda: phone._sent(0.2) and phone.weight("jawOpen") < 1e-6)
    phone.until(lambda: phone._sent(0.6) and abs(phone.weight("jawOpen") - 0.4) < 1e-6)
    CalibrateLive(what="range").run(phone.context)
    phone.until(lambda: phone._sent(0.6) and phone.weight("jawOpen") > 0.99)
    assert some(live(phone.context)).calibrated == "range"
    CalibrateLive(what="none").run(phone.context)
    phone.shows(0.6)


def test_a_recorded_take_is_one_step_with_every_frame_at_its_time(phone: Phone, shared_data: Path) -> None:
    packets = recorded(shared_data / "livelink_udp" / "dao.gesichter")
    phone.raw(packets[0])
    phone.until(lambda: some(live(phone.context)).source != "")
    RecordLive().run(phone.context)
    thread = phone.context.task(LiveFace)._open()
    for packet in packets:
        count = thread.recorded()
        phone.raw(packet)
        phone.until(lambda count=count: thread.recorded() > count)  # type: ignore[misc]
    assert some(live(phone.context)).recorded is not None
    FinishLive().run(phone.context)
    document = phone.context.document.value
    (clip,) = document.clips
    assert [step.label for step in phone.context.document.history.steps] == ["Record take"]
    plain = [plain_livelink(packet) for packet in packets]
    times = np.array([(one["frame"] + one["part"]) / 60 for one in plain])
    jaw = clip.curves["jawOpen"]
    np.testing.assert_allclose(jaw.times, times - times[0], atol=1e-6)
    np.testing.assert_allclose(jaw.values, [np.clip(one["values"][17], 0, 1) for one in plain], atol=1e-6)
    assert "HeadYaw" in clip.curves
    phone.context.go_to("document", 0)
    assert not phone.context.document.value.clips
    assert phone.weight("cheekPuff") == 0.5


def test_a_take_that_is_not_kept_leaves_nothing(phone: Phone) -> None:
    RecordLive(countdown=0.0).run(phone.context)
    phone.shows(0.5)
    with pytest.raises(BadValue, match="finish it first"):
        RecordLive().run(phone.context)
    FinishLive(keep=False).run(phone.context)
    assert not phone.context.document.value.clips
    RecordLive(countdown=30.0).run(phone.context)
    phone.shows(0.25)
    assert some(live(phone.context)).countdown > 20
    FinishLive().run(phone.context)
    assert phone.context.notices() == ["Nothing was recorded: no frame came."]


def test_an_edit_meanwhile_is_kept_and_the_newest_packet_wins(phone: Phone) -> None:
    phone.shows(0.5)
    phone.context.apply(SetWeights(weights={"browInnerUp": 0.5}))
    for i in range(2000):
        phone.send(jawOpen=i / 2000)
    phone.send(jawOpen=0.125)
    phone.shows(0.125)
    assert phone.most <= 4  # one face, and looks at the senders
    assert [step.label for step in phone.context.document.history.steps] != []


def test_gains_count_and_unknown_sliders_are_refused(phone: Phone) -> None:
    AdjustLive(gains={"jawOpen": 2.0}).run(phone.context)
    phone.until(lambda: phone._sent(0.25) and abs(phone.weight("jawOpen") - 0.5) < 1e-6)
    with pytest.raises(fw.UnknownName, match="jawOpen"):
        AdjustLive(gains={"jawOpem": 2.0}).run(phone.context)


def test_going_through_a_clip_freezes_the_live_face(phone: Phone) -> None:
    RecordLive().run(phone.context)
    phone.shows(0.25)
    phone.shows(0.75)
    FinishLive().run(phone.context)
    phone.shows(0.5)
    end = phone.context.document.value.clips[0].end
    phone.context.apply(Scrub(time=end))
    assert phone.weight("jawOpen") == pytest.approx(0.75)
    phone.until(lambda: phone._sent(0.5) and some(live(phone.context)).frozen)
    assert phone.weight("jawOpen") == pytest.approx(0.75)
    StopLive().run(phone.context)
    assert phone.weight("jawOpen") == pytest.approx(0.75)


def test_several_takes_are_clips_of_their_own_and_are_listed(phone: Phone) -> None:
    for count in (1, 2):
        RecordLive(name="scene 3").run(phone.context)
        phone.shows(0.25 * count)
        phone.shows(0.125)
        FinishLive().run(phone.context)
        assert len(some(live(phone.context)).takes) == count
    takes = some(live(phone.context)).takes
    assert [take.clip for take in takes] == [clip.name for clip in phone.context.document.value.clips]
    assert takes[0].clip == "scene 3"
    for take, clip in zip(takes, phone.context.document.value.clips, strict=True):
        assert take.frames == len(clip.curves["jawOpen"].times)
        assert take.seconds == pytest.approx(clip.end, abs=1e-3)
        assert take.lost == 0


def test_a_name_that_drives_nothing_is_given_a_slider_or_is_left_out(phone: Phone) -> None:
    StopLive().run(phone.context)
    StartLive(kind="json", port=0).run(phone.context)
    AdjustLive(smooth=0.0).run(phone.context)
    to = ("127.0.0.1", some(live(phone.context)).port)
    face = b'{"source": "script", "blendShapes": {"zzJoy": 0.5, "zzGrim": 0.25, "jawOpen": 0.125}}'

    def shown(**weights: float) -> bool:
        phone._socket.sendto(face, to)
        return all(abs(phone.weight(name) - weight) < 1e-6 for name, weight in weights.items())

    phone.until(lambda: shown(jawOpen=0.125) and some(live(phone.context)).left == ["zzJoy", "zzGrim"])
    MapName(source="zzJoy", target="cheekPuff", factor=0.5).run(phone.context)
    MapName(source="zzGrim", target="").run(phone.context)
    phone.until(lambda: shown(jawOpen=0.125, cheekPuff=0.25) and some(live(phone.context)).left == [])
    told = some(name_map(phone.context))
    listed = [(row.source, row.target, row.factor) for row in told.listed]
    assert listed == [("zzJoy", "cheekPuff", 0.5), ("zzGrim", "", 1)]
    MapName(source="zzJoy", target="mouthPucker").run(phone.context)
    phone.until(lambda: shown(cheekPuff=0, mouthPucker=0.5))
    UnmapName(source="zzJoy").run(phone.context)
    phone.until(lambda: shown(mouthPucker=0) and some(live(phone.context)).left == ["zzJoy"])
    with pytest.raises(fw.UnknownName, match="cheekPuff"):
        MapName(source="zzJoy", target="cheekPuf").run(phone.context)
    UnmapName(source="zzGrim").run(phone.context)
    assert name_map(phone.context) is None
