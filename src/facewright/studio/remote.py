"""A running studio from another program of the same person: send it a face, or fetch the one that is open.

The program goes in as a page does: by the address with the token, which answers with the cookie and the page's key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import msgspec

from facewright.errors import BadValue, FacewrightError
from facewright.formats.files import read_up_to
from facewright.session.fields import How
from facewright.studio import answers
from facewright.studio.state_directory import state_folder

_HERE = ("127.0.0.1", "localhost", "::1")
_SMALL = 1 << 20  # bytes of an answer that is no file
_LARGEST = 2 << 30  # bytes of a document
_KEY = re.compile(rb"/#key=([0-9a-f]{64})\b")
_QUICK, _LONG = 5.0, 600.0  # seconds


@dataclass(frozen=True)
class RemoteStudio:
    """A studio that answered, and what it wants to be shown with every request."""

    port: int
    cookie: str
    key: str

    @classmethod
    def enter(cls, address: str) -> RemoteStudio:
        """The studio at an address as `facewright studio` prints it, with its token."""
        parts = urlsplit(address)
        token = parse_qs(parts.query).get("token", [""])[-1]
        if parts.scheme != "http" or parts.hostname not in _HERE or not parts.port or not token:
            raise BadValue(
                "a studio's address is what `facewright studio` prints, http://127.0.0.1:port/?token=...,"
                " and it is on this machine"
            )
        with _asked(parts.port, "GET", f"/?token={quote(token)}", timeout=_QUICK) as reply:
            found = _KEY.search(reply.read(_SMALL))
            cookie = (reply.getheader("set-cookie") or "").split(";")[0]
            if reply.status != 200 or found is None or not cookie:
                raise BadValue(f"what answers on port {parts.port} is no studio with this token")
        return cls(parts.port, cookie, found[1].decode())

    def send(self, name: str, data: bytes, how: How = "new") -> answers.Brought:
        """Open a file in the studio; what it was taken for: face, clip, take, ..."""
        path = f"/api/upload?name={quote(name)}&how={how}"
        with self._asked("POST", path, data) as reply:
            return msgspec.json.decode(reply.read(_SMALL), type=answers.Uploaded).brings

    def fetch(self) -> bytes:
        """The document that is open, as the bytes of a .fwface file; it does not count as saved by that."""
        with self._asked("GET", "/api/export/fwface?copy=yes") as reply:
            data = reply.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise BadValue("the studio's document is larger than 2 GB")
        return data

    @contextmanager
    def _asked(self, method: str, path: str, body: bytes = b"") -> Iterator[HTTPResponse]:
        headers = {"Cookie": self.cookie, "Content-Type": "application/octet-stream"}
        with _asked(self.port, method, f"{path}&key={self.key}", headers, body, timeout=_LONG) as reply:
            if reply.status != 200:
                raise BadValue(f"the studio refused it: {_reason(reply)}")
            yield reply


def find_studio(root: Path | None = None) -> RemoteStudio:
    """The first running studio of this person, by what studios keep in their state folder."""
    for folder in sorted(state_folder(root).glob("studio-*")):
        port, token = (_small(folder / name) for name in ("port", "token"))
        if port.isdecimal() and token:
            try:
                return RemoteStudio.enter(f"http://127.0.0.1:{int(port)}/?token={quote(token)}")
            except BadValue:
                continue  # it has ended, and perhaps another program has its port
    raise BadValue("no studio is running; start one with `facewright studio`")


@contextmanager
def _asked(
    port: int, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b"", *, timeout: float
) -> Iterator[HTTPResponse]:
    connection = HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body or None, {"Origin": f"http://127.0.0.1:{port}", **(headers or {})})
        yield connection.getresponse()
    except (OSError, HTTPException) as problem:
        raise BadValue(f"no studio answers on port {port}: {problem}") from None
    finally:
        connection.close()


def _reason(reply: HTTPResponse) -> str:
    text = reply.read(_SMALL)
    try:
        return msgspec.json.decode(text, type=answers.Problem).problem
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return reply.getheader("x-problem") or f"status {reply.status}"


def _small(path: Path) -> str:
    try:
        return read_up_to(path, 1000).decode("ascii").strip()
    except (OSError, UnicodeDecodeError, FacewrightError):
        return ""
