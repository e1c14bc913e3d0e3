"""Answers to requests, mistakes among them, and the bodies that come with requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from facewright.errors import BadFile, FacewrightError, UnknownFormat
from facewright.session.views.view import Gone
from facewright.studio import answers

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_FOR_EVER = "private, max-age=31536000, immutable"


class TooLarge(FacewrightError):
    """More than may be sent."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the file is too large; uploads may have {limit >> 20} MB (see --upload-limit)")


def answering(run: Callable[..., Any]) -> Callable[..., Any]:
    """The same route, with mistakes answered in words."""

    async def answer(request: Request) -> Response:
        try:
            found: Response = await run(request)
        except TooLarge as problem:
            return _problem(413, str(problem))
        except Gone as problem:
            return _problem(404, str(problem))
        except UnknownFormat as problem:
            return _problem(415, str(problem))
        except (FacewrightError, OSError, MemoryError) as problem:
            return _problem(400, str(problem) or type(problem).__name__)
        except asyncio.CancelledError:  # the server ends, and waits no longer for what a thread does
            return _problem(503, "the studio is ending")
        return found

    return answer


async def received(request: Request, path: Path, limit: int) -> None:
    """The body as a file; its size is counted while it comes, whatever the header says."""
    from starlette.requests import ClientDisconnect

    claimed = request.headers.get("content-length", "0")
    if claimed.isdecimal() and int(claimed) > limit:
        raise TooLarge(limit)
    size = 0
    with path.open("wb") as file:
        try:
            async for piece in request.stream():
                size += len(piece)
                if size > limit:
                    raise TooLarge(limit)
                file.write(piece)
        except ClientDisconnect:
            raise BadFile("the upload was cut off") from None
    if not size:
        raise BadFile(f"{request.query_params.get('name', 'the file')[:100]} is empty")


def json_reply(value: msgspec.Struct, status: int = 200) -> Response:
    from starlette.responses import Response

    return Response(msgspec.json.encode(value), status, {"cache-control": "no-store"}, "application/json")


def _problem(status: int, text: str) -> Response:
    return json_reply(answers.Problem(text), status)


def bytes_reply(data: bytes, media: str, *, keep: bool = False) -> Response:
    from starlette.responses import Response

    return Response(data, headers={"cache-control": _FOR_EVER if keep else "no-store"}, media_type=media)
