"""iFacialMocap, Facemotion3D, VMC and JSON lines."""

import asyncio
import json
import math
from typing import Any

import numpy as np
import pytest
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message_builder import OscMessageBuilder
from scipy.spatial.transform import Rotation

from facewright import live
from facewright.errors import BadValue
from facewright.live.facial_text import read_facial_text
from facewright.live.frame import BadPacket
from facewright.live.json_lines import read_json_lines
from facewright.live.osc import read_osc, write_osc
from facewright.live.vmc import VmcReader, write_vmc
from tests.live.wire import heard, plain_osc, run_alone

TEXT = b"trackingStatus-1|mouthSmile_R-25|jawOpen-100|=head#10.0,-20.0,30.0,0.1,0.2,-0.5|rightEye#1,2,3|leftEye#4,-5,6|"


def test_text_of_phones_is_read_in_both_versions() -> None:
    for packet in (TEXT, TEXT.replace(b"R-25", b"R&25.0").replace(b"Open-100", b"Open&100")):
        values = read_facial_text(packet)[0].values
        assert values["mouthSmile_R"] == 0.25
        assert values["jawOpen"] == 1.0
        degrees = {name: round(math.degrees(value), 9) for name, value in values.items() if name[0].isupper()}
        assert degrees == {
            "HeadYaw": 20, "HeadPitch": 10, "HeadRoll": -30,
            "EyeYawRight": -2, "EyePitchRight": 1, "EyeYawLeft": 5, "EyePitchLeft": 4,
        }  # fmt: skip


def test_a_phone_that_sees_no_face_gives_no_frame() -> None:
    assert not read_facial_text(TEXT.replace(b"Status-1", b"Status-0"))[0].values


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        b"|",
        b"\xff\xfe",
        b"jawOpen-nan|",
        b"jawOpen-1e300|",
        b"head#1,2|",
        b"=head#1,2,x|",
        b"jawOpen|",
        b"a-1|" * 3000,
    ],
)
def test_text_that_is_no_face_is_refused(packet: bytes) -> None:
    with pytest.raises(BadPacket):
        read_facial_text(packet)


def test_a_face_sent_as_vmc_is_read_again() -> None:
    face = {"jawOpen": 0.5, "mouthSmileLeft": 0.25, "custom shape": 0.75}
    turns = {"HeadYaw": 0.4, "HeadPitch": -0.2, "HeadRoll": 0.3, "EyeYawLeft": 0.1, "EyePitchLeft": -0.05}
    (found,) = VmcReader()(write_vmc({**face, **turns}, time=1.5))
    assert (found.values["JawOpen"], found.values["MouthSmileLeft"], found.values["custom shape"]) == (0.5, 0.25, 0.75)
    assert {name: found.values[name] for name in turns} == pytest.approx(turns, abs=1e-6)
    assert found.time == 1.5


def test_another_parser_reads_the_vmc_that_is_sent() -> None:
    turns = {"HeadYaw": 0.4, "HeadPitch": -0.2, "HeadRoll": 0.3}
    messages = plain_osc(write_vmc({"jawOpen": 0.5, **turns}, time=2.0))
    assert ("/VMC/Ext/Blend/Val", ["JawOpen", 0.5]) in messages
    assert messages[-1] == ("/VMC/Ext/Blend/Apply", [])
    _, (bone, *place, x, y, z, w) = next(one for one in messages if one[0] == "/VMC/Ext/Bone/Pos")
    assert (bone, place) == ("Head", [0, 0, 0])
    ours = Rotation.from_euler("YXZ", [0.4, -0.2, 0.3]).as_matrix()
    flip = np.diag([-1, 1, 1])  # Unity's x goes to the face's right
    np.testing.assert_allclose(Rotation.from_quat([x, y, z, w]).as_matrix(), flip @ ours @ flip, atol=1e-6)


def test_python_osc_reads_the_vmc_that_is_sent_and_what_it_sends_is_read() -> None:
    face = {"jawOpen": 0.5, "mouthSmileLeft": 0.25, "HeadYaw": 0.4}
    packet = write_vmc(face, time=2.0)
    theirs = [(one.address, list(one.params)) for one in OscBundle(packet)]
    assert theirs == plain_osc(packet)
    bundle = OscBundleBuilder(IMMEDIATELY)
    for address, arguments in theirs:
        message = OscMessageBuilder(address)
        for argument in arguments:
            message.add_arg(argument)
        bundle.add_content(message.build())
    (found,) = VmcReader()(bundle.build().dgram)
    (ours,) = VmcReader()(packet)
    assert (found.values, found.time) == (ours.values, ours.time)


def test_values_of_vmc_count_when_they_are_applied() -> None:
    reader = VmcReader()
    assert reader(write_osc([("/VMC/Ext/Blend/Val", ("A", 0.5))])) == []
    assert reader(write_osc([("/VMC/Ext/Blend/Val", ("Blink", 1.0)), ("/Other/Address", (7,))])) == []
    (found,) = reader(write_osc([("/VMC/Ext/Blend/Apply", ())]))
    assert dict(found.values) == {"A": 0.5, "Blink": 1.0}


def test_a_bad_packet_of_vmc_leaves_nothing_behind() -> None:
    reader = VmcReader()
    reader(write_osc([("/VMC/Ext/Blend/Val", ("A", 0.5))]))
    with pytest.raises(BadPacket):
        reader(write_osc([("/VMC/Ext/Blend/Val", ("A", 0.9)), ("/VMC/Ext/Blend/Val", ("B", 1e9))]))
    (found,) = reader(write_osc([("/VMC/Ext/Blend/Apply", ())]))
    assert dict(found.values) == {"A": 0.5}


def test_bundles_in_bundles_are_read_and_endless_ones_refused() -> None:
    inner = write_osc([("/a", (1, "text", 0.5))])
    for depth in range(6):
        if depth < 4:
            assert read_osc(inner) == [("/a", (1, "text", 0.5))]
        else:
            with pytest.raises(BadPacket, match="too deep"):
                read_osc(inner)
        inner = inner[:16] + len(inner).to_bytes(4, "big") + inner


@pytest.mark.parametrize(
    "line",
    [
        b'{"time": 0.5, "frame": 15, "source": "cam", "blendShapes": {"jawOpen": 0.2}}',
        b'{"time": 0.5, "frame": 15, "source": "cam", "faceBlendshapes": [{"categories": [{"categoryName": "jawOpen", '
        b'"score": 0.2}]}]}',
    ],
)
def test_json_has_weights_by_name_or_as_categories(line: bytes) -> None:
    (found,) = read_json_lines(line)
    assert (dict(found.values), found.name, found.number, found.time) == ({"jawOpen": 0.2}, "cam", 15, 0.5)


@pytest.mark.parametrize(
    "line",
    [b"", b"[]", b"{", b'{"blendShapes": {"a": 1e99}}', b'{"blendShapes": 3}', b'{"frame": "x", "a": 1}', b"[" * 9999],
)
def test_json_that_is_no_face_is_refused(line: bytes) -> None:
    with pytest.raises(BadPacket):
        read_json_lines(line)


@pytest.mark.parametrize("kind", ["ifacialmocap", "facemotion3d"])
def test_a_phone_that_is_asked_sends_until_it_is_told_to_end(kind: str) -> None:
    heard: list[bytes] = []

    class Phone(asyncio.DatagramProtocol):
        def connection_made(self, transport: Any) -> None:
            self.transport = transport

        def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
            heard.append(data)
            if not data.startswith(b"Stop"):
                self.transport.sendto(b"jawOpen&25|=head#1,2,3,0,0,0|___app", address)

    async def asked() -> float:
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(Phone, local_addr=("127.0.0.1", 0))
        port = transport.get_extra_info("sockname")[1]
        listener = live.listen(kind, port=0, phone="127.0.0.1")
        assert listener.phone == ("127.0.0.1", live.KINDS[kind].port)
        listener.phone = ("127.0.0.1", port)
        async with asyncio.timeout(30):
            async with listener:
                frame = await anext(aiter(listener))
            while kind == "facemotion3d" and len(heard) < 2:
                await asyncio.sleep(0.01)
        transport.close()
        return frame.values["jawOpen"]

    assert run_alone(asked()) == 0.25
    assert heard[0] == live.KINDS[kind].call
    assert heard[1:] == [live.KINDS[kind].farewell] * (kind == "facemotion3d")


def test_only_apps_that_wait_for_a_call_are_called() -> None:
    with pytest.raises(BadValue, match="tell the sender this machine's address"):
        live.listen("livelink", phone="192.168.1.30")
    with pytest.raises(BadValue, match="such as 192"):
        live.listen("ifacialmocap", phone="my phone")


def test_json_lines_arrive_by_udp_and_by_tcp() -> None:
    async def both() -> list[live.LiveFrame]:
        found = []
        async with live.listen("json", port=0) as listener, asyncio.timeout(10):
            _, writer = await asyncio.open_connection(listener.host, listener.port)
            lines = [{"source": "script", "frame": i, "blendShapes": {"jawOpen": i / 4}} for i in range(3)]
            writer.write(b"no json\n" + b"".join(json.dumps(line).encode() + b"\n" for line in lines))
            await writer.drain()
            async for frame in listener:
                found.append(frame)
                if len(found) == 3:
                    break
            writer.close()
            assert listener.receiver.bad == 1
        return found

    assert [frame.values["jawOpen"] for frame in run_alone(both())] == [0, 0.25, 0.5]
    packets = [b'{"blendShapes": {"jawOpen": 0.5}}\n{"blendShapes": {"jawOpen": 0.75}}\n']
    frames, _ = run_alone(heard("json", packets, 2))
    assert [frame.values["jawOpen"] for frame in frames] == [0.5, 0.75]
