"""Which requests are allowed: those of pages of our own address that know the secret.

A page elsewhere can make a browser send requests here, or give its own name our address (DNS rebinding); so the Host
must be ours, an Origin if there is one must be ours, and all but the entrance needs the cookie.

Browsers send a cookie to every port of a host, so another local server can read it. The cookie alone therefore shows
only the page's own files, which are no secret. The socket and all below /api need the page's key as well: the entrance
puts it behind the # of the address, which browsers send nowhere, and the page keeps it in the storage of its tab, which
belongs to one port.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

HEADER_BYTES = 16 << 10  # of a request
_SAFE = ("GET", "HEAD")
_ENTRANCE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Facewright</title>
<link rel="icon" href="data:,"><meta http-equiv="refresh" content="0;url=/#key={key}">
<p><a href="/#key={key}">Open the studio</a></p></html>"""
_CLOSED = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Facewright</title>
<h1>This address is not complete</h1><p>The studio lets in only who has its secret. Open the whole address that
<code>facewright studio</code> printed, with <code>?token=...</code> at its end.</p></html>"""


class Auth:
    """Around the whole application: checks every request before anything is answered."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._cookie = f"facewright-{port}"  # browsers share cookies between ports
        self._pass, self._key = (_derived(token, use) for use in (b"cookie", b"key of the page"))
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self._headers = _headers(port)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return
        problem = self._problem(scope)
        if problem:
            await self._refuse(scope, receive, send, problem)
        elif self._is_entrance(scope):
            await self._let_in(send)
        else:
            await self._app({**scope, "query_string": _without_key(scope)}, receive, self._guarded(send))

    def _problem(self, scope: Message) -> str:
        """Why a request is not let in; "" where it is."""
        if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADER_BYTES:
            return "the headers are too long"
        hosts, origins = _all(scope, b"host"), _all(scope, b"origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return "the Host is not this studio's"
        is_socket = scope["type"] == "websocket"
        must_say = is_socket or scope["method"] not in _SAFE
        if len(origins) > 1 or (origins and origins[0] != f"http://{hosts[0]}") or (must_say and not origins):
            return "the Origin is not this studio's"
        if self._is_entrance(scope):
            return "" if _equal(_query(scope, "token"), self._token) else "the token is wrong"
        if _all(scope, b"sec-fetch-site") not in ([], ["same-origin"], ["none"]) and not _is_navigation(scope):
            return "the request comes from another site"
        if not _equal(self._shown_pass(scope), self._pass):
            return "the cookie is missing"
        if (is_socket or scope["path"].startswith("/api")) and not _equal(_query(scope, "key"), self._key):
            return "the key of the page is missing"
        return ""

    def _is_entrance(self, scope: Message) -> bool:
        is_page = scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET"
        return is_page and b"token=" in scope["query_string"]

    def _shown_pass(self, scope: Message) -> str:
        pairs = (pair.strip().partition("=") for text in _all(scope, b"cookie") for pair in text.split(";"))
        shown = [value for name, _, value in pairs if name == self._cookie]
        return shown[-1] if shown else ""

    async def _let_in(self, send: Send) -> None:
        """Answered by a page that moves on by itself: after a redirect a SameSite cookie might not be shown."""
        cookie = f"{self._cookie}={self._pass}; HttpOnly; SameSite=Strict; Path=/"  # until the browser is closed
        await self._answer(send, 200, _ENTRANCE.format(key=self._key).encode(), (b"set-cookie", cookie.encode()))

    async def _refuse(self, scope: Message, receive: Receive, send: Send, problem: str) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": problem})
        else:
            await self._answer(send, 403, _CLOSED, (b"x-problem", problem.encode()))

    async def _answer(self, send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
        length = (b"content-length", str(len(body)).encode())
        html = (b"content-type", b"text/html; charset=utf-8")
        own = [*self._headers, html, length, (b"cache-control", b"no-store"), *headers]
        await send({"type": "http.response.start", "status": status, "headers": own})
        await send({"type": "http.response.body", "body": body})

    def _guarded(self, send: Send) -> Send:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        return guarded


def _derived(token: str, use: bytes) -> str:
    """A secret for one use, which does not reveal the token."""
    return hmac.new(token.encode(), use, hashlib.sha256).hexdigest()


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _query(scope: Message, name: str) -> str:
    """The last value that a request's address gives for a name."""
    query: str = scope["query_string"].decode("latin-1")
    return parse_qs(query).get(name, [""])[-1]


def _without_key(scope: Message) -> bytes:
    """The query without the key, which is no concern of what answers it."""
    query: bytes = scope["query_string"]
    return b"&".join(part for part in query.split(b"&") if not part.startswith(b"key="))


def _headers(port: int) -> list[tuple[bytes, bytes]]:
    # 'self' covers the socket in browsers of today; older ones want it named, and none knows [::1] in a policy
    sockets = " ".join(f"ws://{name}:{port}" for name in ("127.0.0.1", "localhost"))
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; "
        "media-src 'self' blob:; "
        f"connect-src 'self' {sockets}; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return [
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"x-frame-options", b"DENY"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    ]


def _all(scope: Message, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _is_navigation(scope: Message) -> bool:
    """Somebody followed a link to the page; without the cookie that shows nothing."""
    is_page = scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET"
    return is_page and _all(scope, b"sec-fetch-mode") == ["navigate"]
