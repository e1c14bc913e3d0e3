"""Live Link Face: packets as a phone sends them, read over a real socket, and ours read by others."""

from pathlib import Path

import numpy as np
import pytest

from facewright.live.frame import BadPacket
from facewright.live.livelink import read_livelink, write_livelink
from facewright.rig.name_tables import ARKIT
from tests.live.wire import heard, plain_livelink, recorded, run_alone

FACE = {name: (i + 1) / 64 for i, name in enumerate(ARKIT)}
TURNS = {"HeadYaw": 0.25, "HeadPitch": -0.125, "HeadRoll": 0.5, "EyeYawLeft": 0.0625, "EyePitchLeft": 0.03125}


@pytest.mark.parametrize("take", ["dao", "debug-headyaw", "debug-jawopen", "debug-eyeblinkleft"])
def test_a_recorded_stream_arrives_number_for_number(shared_data: Path, take: str) -> None:
    packets = recorded(shared_data / "livelink_udp" / f"{take}.gesichter")
    frames, listener = run_alone(heard("livelink", packets, len(packets)))
    assert len(frames) == len(packets)
    for frame, packet in zip(frames, packets, strict=True):
        plain = plain_livelink(packet)
        assert frame.source == plain["subject"]
        assert frame.number == plain["frame"]
        assert frame.time == pytest.approx((plain["frame"] + plain["part"]) / 60, abs=1e-9)
        np.testing.assert_array_equal([frame.values[name] for name in ARKIT], plain["values"][:52])
        head = [-frame.values.get("HeadYaw", 0), frame.values.get("HeadPitch", 0), frame.values.get("HeadRoll", 0)]
        np.testing.assert_array_equal(head, plain["values"][52:55])
    (status,) = listener.sources()
    steps = np.diff([frame.number or 0 for frame in frames])
    assert status.lost == int((steps - 1).sum())
    assert listener.receiver.bad == 0


def test_what_is_written_is_read_again() -> None:
    (found,) = read_livelink(write_livelink({**FACE, **TURNS}, frame=77, part=0.5, rate=30, subject="Añ"))
    assert dict(found.values) == {**FACE, **TURNS}
    assert (found.name, found.number, found.time) == ("Añ", 77, 77.5 / 30)


def test_another_parser_reads_what_is_written() -> None:
    plain = plain_livelink(write_livelink({**FACE, **TURNS}, frame=9, subject="s" * 300, device="d"))
    assert (plain["version"], plain["device"], plain["subject"], plain["frame"]) == (6, "d", "s" * 300, 9)
    assert plain["rate"] == (60, 1)
    np.testing.assert_array_equal(plain["values"][:52], list(FACE.values()))
    np.testing.assert_array_equal(plain["values"][52:], [-0.25, -0.125, 0.5, -0.0625, 0.03125, 0, 0, 0, 0])


@pytest.mark.parametrize(
    ("rate", "over"), [(24000 / 1001, (24000, 1001)), (59.94005994, (60000, 1001)), (25.0, (25, 1))]
)
def test_a_rate_that_is_no_whole_number_is_sent_as_the_fraction_that_it_is(rate: float, over: tuple[int, int]) -> None:
    packet = write_livelink(FACE, frame=1001, rate=rate)
    assert plain_livelink(packet)["rate"] == over
    assert read_livelink(packet)[0].time == pytest.approx(1001 / rate)


def test_a_packet_without_values_says_that_no_face_is_seen() -> None:
    whole = write_livelink(FACE, frame=1)
    (found,) = read_livelink(whole[: -61 * 4 - 1] + b"\0")
    assert not found.values


@pytest.mark.parametrize("cut", [0, 1, 3, 8, 20, 40, 200])
def test_a_packet_that_is_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(BadPacket):
        read_livelink(write_livelink(FACE, frame=1)[:cut])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e9])
def test_a_value_that_no_face_has_is_refused(value: float) -> None:
    with pytest.raises(BadPacket, match="no face has"):
        read_livelink(write_livelink({"jawOpen": value, "jawLeft": 0.5}, frame=1))


def test_a_name_longer_than_the_packet_is_refused() -> None:
    packet = bytearray(write_livelink(FACE, frame=1))
    packet[1:5] = (1000).to_bytes(4, "big")
    with pytest.raises(BadPacket, match="1000 bytes"):
        read_livelink(bytes(packet))
