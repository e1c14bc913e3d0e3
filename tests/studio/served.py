"""A real studio in a process of its own, and a page without a browser."""

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import msgspec
import numpy as np
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from facewright.session.frames import unpack
from tests.forked import ForkedProcess, forked
from tests.studio.envelope import enveloped

PATIENCE = 60.0  # seconds, on a machine that does much else
QUIET = {"PYTHONWARNINGS": "default", "OPENBLAS_NUM_THREADS": "1", "NO_COLOR": "1", "COLUMNS": "300"}

Arrays = dict[str, np.ndarray]


class Served:
    """A studio on a state folder of its own; after `kill` or `stop` it can be started again."""

    def __init__(
        self, state: Path, *arguments: object, folder: Path | None = None, environment: dict[str, str] | None = None
    ) -> None:
        self._state = state
        self._environment = environment or {}
        self._arguments = [*map(str, arguments), *([] if folder is None else ["--folder", str(folder)])]
        self._folder = folder
        self.errors: list[str] = []
        self.address = self.token = self.cookie = self.key = ""
        self._pages: list[Page] = []
        self.port = 0

    @property
    def folder(self) -> Path:
        """The folder below which files may be opened and saved."""
        assert self._folder is not None, "this studio was started without a folder"
        return self._folder

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        arguments = ["studio", "--no-browser", "--state", str(self._state), *self._arguments]
        environment = os.environ | QUIET | self._environment
        self.process = forked(arguments, environment) or subprocess.Popen(
            [sys.executable, "-m", "facewright.cli.main", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self._listener = threading.Thread(target=self._listen, args=(self.process,), daemon=True)
        self._listener.start()
        assert self.process.stdout is not None
        watchdog = threading.Timer(PATIENCE, self.process.kill)
        watchdog.start()
        line = self.process.stdout.readline()
        watchdog.cancel()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        assert found, f"no address in {line!r}; {''.join(self.errors)}"
        self.address, self.port, self.token = found[0], int(found[1]), found[2]
        self.cookie = self._enter()
        return self

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self._end()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.kill()

    def _end(self) -> None:
        self.process.wait(PATIENCE)
        for page in self._pages:
            page.close()
        self._pages.clear()
        self._listener.join(PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def _listen(self, process: ForkedProcess | subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        self.errors += iter(process.stderr.readline, "")

    def _enter(self) -> str:
        answer, headers, body = self.ask("GET", f"/?token={self.token}", cookie="")
        assert answer == 200
        found = re.search(rb"/#key=(\w+)", body)
        assert found
        self.key = found[1].decode()
        return headers["set-cookie"].split(";")[0]

    def children(self, command: str) -> list[int]:
        """Processes of the studio with these words in their command, as Linux lists them."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has just ended
                said, status = (process / "cmdline").read_text(), (process / "status").read_text()
                if command in said and f"PPid:\t{self.process.pid}\n" in status:
                    found.append(int(process.name))
        return found

    @contextmanager
    def halted(self, command: str) -> Iterator[None]:
        """Processes of the studio with these words in their command are suspended meanwhile."""
        found = self.children(command)
        assert found, f"no process of the studio runs {command}"
        for each in found:
            os.kill(each, signal.SIGSTOP)
        try:
            yield
        finally:
            for each in found:
                with suppress(ProcessLookupError):  # the studio has ended it meanwhile
                    os.kill(each, signal.SIGCONT)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        cookie: str | None = None,
        key: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent = {"Cookie": self.cookie if cookie is None else cookie}
        if method not in ("GET", "HEAD"):
            sent["Origin"] = self.origin
        connection.request(method, self.keyed(path, key), body, sent | (headers or {}))
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, data

    def keyed(self, path: str, key: str | None = None) -> str:
        """An address below /api with the key of the page, or with another one."""
        if not path.startswith("/api"):
            return path
        return f"{path}{'&' if '?' in path else '?'}key={self.key if key is None else key}"

    def json(self, path: str) -> Any:
        status, _, data = self.ask("GET", path)
        assert status == 200, data
        return msgspec.json.decode(data)

    def upload(self, path: Path) -> None:
        """Open a file as a document of its own."""
        status, _, data = self.ask("POST", f"/api/upload?name={quote(path.name)}&how=new", path.read_bytes())
        assert status == 200, data

    def connected(self, *, most_waiting: int | None = None) -> ClientConnection:
        """A socket of a page; it reads on by itself until so many messages wait to be taken."""
        return connect(
            f"ws://127.0.0.1:{self.port}/socket?key={self.key}",
            additional_headers={"Cookie": self.cookie},
            origin=Origin(self.origin),
            compression=None,
            max_size=None,
            max_queue=most_waiting,
            open_timeout=PATIENCE,
            ping_interval=None,  # a busy machine is no lost connection
        )

    def page(self) -> "Page":
        """A page that is open until it is closed, or the studio ends."""
        page = Page(self)
        self._pages.append(page)
        return page

    def renew(self) -> None:
        """As a fresh studio: the embedded head, nothing remembered, nothing built."""
        page = self.page()
        page.do("SetDragOptions", method="bounded")
        page.do("SetKeying", auto_key=False, tangent="auto")
        page.do("SolveAlong", on=True)
        page.do("ClearBuild")
        end = time.monotonic() + PATIENCE
        while page.ask("OpenSample")["type"] == "Refused":  # a page that has just gone still has its gesture open
            assert time.monotonic() < end, "a gesture of another page never ends"
            time.sleep(0.05)
        page.close()
        self.forget_view()

    def forget_view(self) -> None:
        """Remember nothing of how the page was."""
        page = self.page()
        page.do("Remember", view={})
        page.close()

    def tracebacks(self) -> str:
        """What the studio said of mistakes of its own; empty where there were none."""
        return "".join(self.errors) if any("Traceback" in line for line in self.errors) else ""


class Page:
    """A connected page, which remembers what it was told."""

    def __init__(self, served: Served) -> None:
        self._open = ExitStack()
        self.socket = self._open.enter_context(served.connected())
        self.state: dict[str, Any] = {}
        self.curves: dict[tuple[str, str], dict[str, Any]] = {}
        self.told: list[dict[str, Any]] = []
        self.seq = 0
        self._frames: dict[str, tuple[Any, Arrays]] = {}  # the newest of each kind
        self.welcome = self.take("Welcome")
        self.take("State")
        self.take("Pose")

    def close(self) -> None:
        self._open.close()

    def send(self, type: str, **fields: Any) -> int:
        """Send a message without waiting for its answer; its number."""
        self.seq += 1
        self.socket.send(wire({"type": type, "seq": self.seq, **fields}))
        return self.seq

    def next(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message or frame; frames have their arrays under `data`."""
        data = self.socket.recv(timeout)
        if isinstance(data, bytes):
            header, arrays = unpack(data)
            self._frames[type(header).__name__] = header, arrays
            if type(header).__name__ == "CurveKeys":
                self._merge_curves(header, arrays)
            return {**msgspec.to_builtins(header), "data": arrays}
        message: dict[str, Any] = msgspec.json.decode(data)
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

    def until(self, holds: Callable[[], object], what: str) -> None:
        """Listen until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"waited in vain until {what}"
            self.next()

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
    def pose(self) -> tuple[Any, Arrays]:
        """Header and arrays of the last pose."""
        return self._frames["Pose"]

    @property
    def regions(self) -> tuple[Any, Arrays]:
        """Header and arrays of the last map of regions."""
        return self._frames["RegionMap"]

    def frame(self, kind: str) -> tuple[Any, Arrays]:
        """Header and arrays of the last frame of a kind."""
        return self._frames[kind]

    @property
    def weights(self) -> np.ndarray:
        return self.pose[1]["weights"]

    def weight(self, slider: str) -> float:
        names = [each["name"] for each in self.state["rig"]["sliders"]]
        return float(self.weights[names.index(slider)])

    def _merge(self, message: dict[str, Any]) -> None:
        self.state |= {key: value for key, value in message.items() if key != "type"}
        listed = {(clip["name"], slider) for clip in self.state["clips"] for slider in clip["sliders"]}
        self.curves = {key: curve for key, curve in self.curves.items() if key in listed}

    def _merge_curves(self, header: Any, arrays: Arrays) -> None:
        at = 0
        for head in header.curves:
            keys = slice(at, at + head.keys)
            at += head.keys
            found = {"times": arrays["times"][keys].tolist(), "values": arrays["values"][keys].tolist()}
            self.curves[head.clip, head.slider] = {**msgspec.to_builtins(head), **found}


def wire(message: dict[str, Any]) -> str:
    """A message of a page as it goes over the socket."""
    return msgspec.json.encode(enveloped(message)).decode()


@contextmanager
def serving(
    state: Path, *arguments: object, folder: Path | None = None, environment: dict[str, str] | None = None
) -> Iterator[Served]:
    served = Served(state, *arguments, folder=folder, environment=environment).start()
    try:
        yield served
    finally:
        served.stop()
