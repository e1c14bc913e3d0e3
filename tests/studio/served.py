"""A real studio in a process of its own, and a page without a browser."""

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from websockets.sync.client import ClientConnection, connect

from facewright.studio.frames import unpack

PATIENCE = 60.0  # seconds, on a machine that does much else


class Served:
    """A running studio."""

    def __init__(self, state: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "facewright.cli.main", "studio", "--no-browser", "--state", str(state)]
        self.process = subprocess.Popen(
            [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | ENV
        )
        assert self.process.stdout is not None
        self.errors: list[str] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        assert found, f"no address in {line!r}; {''.join(self.errors)}"
        self.port, self.token = int(found[1]), found[2]
        self.cookie = self._enter()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        self.errors += iter(self.process.stderr.readline, "")

    def _enter(self) -> str:
        answer, headers, _ = self.ask("GET", f"/?token={self.token}", cookie="")
        assert answer == 200
        return headers["set-cookie"].split(";")[0]

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        cookie: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent = {"Cookie": self.cookie if cookie is None else cookie}
        if method not in ("GET", "HEAD"):
            sent["Origin"] = self.origin
        connection.request(method, path, body, sent | (headers or {}))
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, data

    def json(self, path: str) -> Any:
        status, _, data = self.ask("GET", path)
        assert status == 200, data
        return msgspec.json.decode(data)

    def page(self) -> "Page":
        return Page(self)

    def kill(self) -> None:
        """As a power cut would."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()
        self._listener.join(PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


class Page:
    """A connected page, which remembers what it was told."""

    def __init__(self, served: Served) -> None:
        headers = {"Cookie": served.cookie}
        address = f"ws://127.0.0.1:{served.port}/socket"
        self._open = ExitStack()
        connecting = connect(
            address,
            additional_headers=headers,
            origin=served.origin,
            compression=None,
            max_size=None,
            max_queue=None,
            open_timeout=PATIENCE,
        )
        self.socket: ClientConnection = self._open.enter_context(connecting)
        self.state: dict[str, Any] = {}
        self.curves: dict[tuple[str, str], dict[str, Any]] = {}
        self.pose: tuple[Any, dict[str, np.ndarray]] | None = None
        self.regions: tuple[Any, dict[str, np.ndarray]] | None = None
        self.told: list[dict[str, Any]] = []
        self.seq = 0
        self.welcome = self.take("Welcome")
        self.take("State")
        self.take("Pose")

    def close(self) -> None:
        self._open.close()

    def send(self, type: str, **fields: Any) -> int:
        self.seq += 1
        self.socket.send(msgspec.json.encode({"type": type, "seq": self.seq, **fields}).decode())
        return self.seq

    def next(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message or frame; frames have their arrays under `data`."""
        data = self.socket.recv(timeout)
        if isinstance(data, bytes):
            header, arrays = unpack(data)
            if type(header).__name__ == "Pose":
                self.pose = (header, arrays)
            if type(header).__name__ == "RegionMap":
                self.regions = (header, arrays)
            return {**msgspec.to_builtins(header), "data": arrays}
        message = msgspec.json.decode(data)
        if message["type"] == "State":
            self._merge(message)
        self.told.append(message)
        return message

    def take(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types; others are passed over."""
        while True:
            message = self.next()
            if message["type"] in types:
                return message

    def do(self, type: str, **fields: Any) -> dict[str, Any]:
        """Send and wait until it is done; a refusal is an error."""
        answer = self.ask(type, **fields)
        assert answer["type"] != "Refused", answer
        return answer

    def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """Send and wait for the answer, whatever it is."""
        seq = self.send(type, **fields)
        while True:
            message = self.take("Done", "Refused", "Pose", "ClipTable", "TakeFitTable", "Pong")
            is_stream = fields.get("gesture") and type not in ("Begin", "Commit", "Discard")
            if message["type"] == "Pose" and not is_stream and type != "Scrub":
                continue
            if message["seq"] >= seq:
                return message

    @property
    def weights(self) -> np.ndarray:
        assert self.pose is not None
        return self.pose[1]["weights"]

    def weight(self, slider: str) -> float:
        names = [each["name"] for each in self.state["rig"]["sliders"]]
        return float(self.weights[names.index(slider)])

    def _merge(self, message: dict[str, Any]) -> None:
        for curve in message.get("curves", ()):
            self.curves[curve["clip"], curve["slider"]] = curve
        self.state |= {key: value for key, value in message.items() if key not in ("type", "curves")}
        listed = {(clip["name"], slider) for clip in self.state["clips"] for slider in clip["sliders"]}
        self.curves = {key: curve for key, curve in self.curves.items() if key in listed}


ENV = {"PYTHONWARNINGS": "default"}


@contextmanager
def serving(state: Path, *arguments: str) -> Iterator[Served]:
    served = Served(state, *arguments)
    try:
        yield served
    finally:
        served.stop()
