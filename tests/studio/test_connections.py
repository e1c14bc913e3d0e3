"""Requests that never end, headers without end, pages that never read: each costs a limited amount of memory."""

import asyncio
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.requests import Request
from starlette.responses import Response
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from facewright.document import Document
from facewright.formats.registry import save
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.views import timeline
from facewright.studio import app, connections
from facewright.studio.auth import HEADER_BYTES, Auth
from facewright.studio.connections import HttpConnection, SocketConnection
from facewright.studio.replies import answering
from tests.studio.served import PATIENCE, Served, serving, wire

MEGA = 1 << 20


async def hello(scope: Any, receive: Any, send: Any) -> None:
    """Says hi to a request, and to a socket all that it says."""
    while scope["type"] == "websocket":
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        said = message.get("text")
        await send({"type": "websocket.accept"} if said is None else {"type": "websocket.send", "text": said})
    while scope["path"] == "/body" and (message := await receive())["type"] == "http.request":
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a small server whose connections have to hurry."""
    monkeypatch.setattr(connections, "_HEADER_SECONDS", 0.2)
    monkeypatch.setattr(connections, "_BODY_SECONDS", 0.2)
    monkeypatch.setattr(connections, "_BODY_PART", 1000)
    loop = asyncio.new_event_loop()
    config = Config(hello, ws=SocketConnection, h11_max_incomplete_event_size=HEADER_BYTES, log_level="critical")
    config.load()
    state = ServerState()
    making = loop.create_server(lambda: HttpConnection(config, state, {}, loop), "127.0.0.1", 0)
    server = loop.run_until_complete(making)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield server.sockets[0].getsockname()[1]
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    server.close()
    loop.close()


def all_received(plain: socket.socket) -> bytes:
    """What comes until the other end closes, however it does."""
    received = b""
    try:
        while data := plain.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: a\r\n", b"GET / HTTP/1.1\r\nX: " + b"y" * 9000])
def test_a_request_whose_headers_never_end_is_closed(port: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
        plain.sendall(sent)
        assert all_received(plain) == b""


def test_a_second_request_on_a_connection_has_to_hurry_too_and_whole_ones_are_answered(port: int) -> None:
    request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
        for _ in range(3):
            plain.sendall(request)
            while not plain.recv(65536).endswith(b"hi"):
                pass
        plain.sendall(request[:20])
        assert all_received(plain) == b""


@pytest.mark.parametrize("path", [b"/", b"/body"])
def test_a_request_whose_body_never_ends_is_closed(port: int, path: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_HEADER_SECONDS", PATIENCE)  # on a busy machine headers may come late
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
        plain.sendall(b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\nslow" % path)
        answer = all_received(plain)
    assert answer.endswith(b"hi") == (path == b"/")


def test_a_body_that_comes_on_is_waited_for(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_HEADER_SECONDS", PATIENCE)
    monkeypatch.setattr(connections, "_BODY_SECONDS", 2.0)  # far more than a part takes, also on a busy machine
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
        plain.sendall(b"POST /body HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10000\r\n\r\n")
        for _ in range(10):
            plain.sendall(b"x" * 1000)
            time.sleep(0.25)  # so that all of it takes longer than a part may
        assert all_received(plain).endswith(b"hi")


def test_a_socket_is_not_closed_after_the_time_that_a_request_has(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_HEADER_SECONDS", PATIENCE)
    with connect(f"ws://127.0.0.1:{port}/", open_timeout=PATIENCE, ping_interval=None) as page:
        time.sleep(0.5)  # longer than a part of a body may take
        page.send("still there")
        assert page.recv(PATIENCE) == "still there"


def problem(*cookies: str) -> str:
    """Why a request with these cookies is not let in."""
    auth = Auth(hello, "t" * 43, 1234)
    headers = [(b"host", b"127.0.0.1:1234"), *((b"cookie", cookie.encode()) for cookie in cookies)]
    right = f"facewright-1234={auth._pass}"
    scope = {"type": "http", "path": "/", "method": "GET", "query_string": b"", "headers": headers}
    return auth._problem(
        {**scope, "headers": [(name, value.replace(b"RIGHT", right.encode())) for name, value in headers]}
    )


@pytest.mark.parametrize("cookie", ["a=b;" * 15_000, ";" * 60_000, 'a="\\' * 12_000])
def test_headers_beyond_a_limit_are_refused_before_anything_reads_them(cookie: str) -> None:
    assert problem(cookie) == "the headers are too long"
    assert problem(*[cookie[:1000]] * 20) == "the headers are too long"


@pytest.mark.parametrize("others", ["a=b", ";;=,", '"', "\x7f", "facewright-1=x", "a b c", "facewright-1234=wrong"])
def test_the_cookie_is_found_among_others_of_any_form(others: str) -> None:
    assert problem(others) == "the cookie is missing"
    assert problem(f"{others}; RIGHT") == ""
    assert problem(others, "RIGHT") == ""


def memory(served: Served) -> int:
    """The most bytes that the studio has had in memory."""
    lines = Path(f"/proc/{served.process.pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) * 1024


def ask_without_end(page: ClientConnection) -> None:
    end = time.monotonic() + PATIENCE
    for seq in range(1, 10**6):
        assert time.monotonic() < end, "the page is never disconnected"
        page.send(wire({"type": "SampleClip", "seq": seq, "clip": "long"}))


@pytest.mark.skipif(sys.platform != "linux", reason="how much memory a process has is asked of Linux")
def test_a_page_that_never_reads_is_disconnected_before_it_costs_much(tmp_path: Path) -> None:
    rig = mask(600, 8)
    times = np.linspace(0, 1500, 3)
    clip = Clip("long", {name: Curve(times, times / 1500) for name in rig.sliders}, 60)
    save(Document(rig, (clip,)), tmp_path / "face.fwface")
    with serving(tmp_path / "state", str(tmp_path / "face.fwface")) as served:
        page = served.page()
        assert len(page.do("SampleClip", clip="long")["data"]["times"]) == 90_001
        before = memory(served)
        with served.connected(most_waiting=1) as stuck, pytest.raises(ConnectionClosed):
            ask_without_end(stuck)
        assert memory(served) - before < 250 * MEGA
        page.do("SetWeights", weights={rig.sliders[0]: 0.5})
        assert page.weight(rig.sliders[0]) == 0.5
        assert not served.tracebacks()


def test_a_very_long_clip_is_sent_at_fewer_times(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = mask(600, 8)
    curve = Curve([0.0, 40_000.0], [0.0, 1.0])
    document = Document(rig, (Clip("long", {rig.sliders[0]: curve}, 60),))
    context = Context(document, fresh_plan(), lambda run, newest=None: run())
    monkeypatch.setattr(timeline, "TABLE_BYTES", MEGA)
    table = timeline.SampleClip(clip="long").answer(context, 1)
    assert len(table.pack()) < 1.1 * MEGA
    times, weights = np.asarray(table.times), np.asarray(table.weights)
    np.testing.assert_allclose(np.diff(times), 1 / table.rate)
    np.testing.assert_allclose(times[[0, -1]], [0, 40_000])
    np.testing.assert_allclose(weights[:, 0], times / 40_000)
    monkeypatch.undo()
    short = timeline.SampleClip(clip="long")
    context.document.value = Document(rig, (Clip("long", {rig.sliders[0]: Curve([0.0, 2.0], [0.0, 1.0])}, 60),))
    assert (short.answer(context, 1).rate, len(short.answer(context, 1).times)) == (60, 121)


def test_a_connection_sends_a_message_before_the_last_one_was_acknowledged() -> None:
    """With Nagle's algorithm on, every other pose of a live face would come up to 40 ms late."""

    async def option() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted: socket.socket = writer.get_extra_info("socket")
            found.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()
            await writer.wait_closed()

        listening = app._bound(0)
        async with await asyncio.start_server(connected, sock=listening):
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            await reader.read()  # until the server closes it
            writer.close()
            await writer.wait_closed()
            return await found

    assert asyncio.run(option()) != 0


def test_what_is_under_way_when_the_studio_ends_is_answered_in_words() -> None:
    async def never(request: Request) -> Response:
        await asyncio.Event().wait()
        raise AssertionError

    async def ended() -> Response:
        task = asyncio.create_task(answering(never)(Request({"type": "http"})))
        await asyncio.sleep(0)
        task.cancel()
        answer: Response = await task
        return answer

    answer = asyncio.run(ended())
    assert answer.status_code == 503
    assert b"the studio is ending" in bytes(answer.body)
