"""Which requests are allowed: those of pages of our own address that know the secret.

A page elsewhere can make a browser send requests here, or give its own name our address (DNS rebinding); so the Host
must be ours, an Origin if there is one must be ours, and all but the entrance needs the cookie.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

_SAFE = ("GET", "HEAD")
_ENTRANCE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Facewright</title>
<link rel="icon" href="data:,"><meta http-equiv="refresh" content="0;url=/">
<p><a href="/">Open the studio</a></p></html>"""
_CLOSED = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Facewright</title>
<h1>This address is not complete</h1><p>The studio lets in only who has its secret. Open the whole address that
<code>facewright studio</code> printed, with <code>?token=...</code> at its end.</p></html>"""


class Auth:
    """Around the whole application: checks every request before anything is answered."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._cookie = f"facewright-{port}"  # browsers share cookies between ports
        self._pass = hmac.new(token.encode(), b"cookie", hashlib.sha256).hexdigest()
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
            await self._app(scope, receive, self._guarded(send))

    def _problem(self, scope: Message) -> str:
        """Why a request is not let in; "" where it is."""
        hosts, origins = _all(scope, b"host"), _all(scope, b"origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return "the Host is not this studio's"
        is_socket = scope["type"] == "websocket"
        must_say = is_socket or scope["method"] not in _SAFE
        if len(origins) > 1 or (origins and origins[0] != f"http://{hosts[0]}") or (must_say and not origins):
            return "the Origin is not this studio's"
        if self._is_entrance(scope):
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[-1]
            return "" if hmac.compare_digest(given.encode(), self._token.encode()) else "the token is wrong"
        if _all(scope, b"sec-fetch-site") not in ([], ["same-origin"], ["none"]) and not _is_navigation(scope):
            return "the request comes from another site"
        return (
            ""
            if hmac.compare_digest(self._shown_pass(scope).encode(), self._pass.encode())
            else "the cookie is missing"
        )

    def _is_entrance(self, scope: Message) -> bool:
        is_page = scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET"
        return is_page and b"token=" in scope["query_string"]

    def _shown_pass(self, scope: Message) -> str:
        shown = ""
        for text in _all(scope, b"cookie"):
            try:
                morsel = SimpleCookie(text).get(self._cookie)
            except CookieError:
                continue
            shown = morsel.value if morsel is not None else shown
        return shown

    async def _let_in(self, send: Send) -> None:
        """Answered by a page that moves on by itself: after a redirect a SameSite cookie might not be shown."""
        cookie = f"{self._cookie}={self._pass}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000"
        await self._answer(send, 200, _ENTRANCE, (b"set-cookie", cookie.encode()))

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


def _headers(port: int) -> list[tuple[bytes, bytes]]:
    # 'self' covers the socket in browsers of today; older ones want it named, and none knows [::1] in a policy
    sockets = " ".join(f"ws://{name}:{port}" for name in ("127.0.0.1", "localhost"))
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; "
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
