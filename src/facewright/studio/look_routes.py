"""Routes for a face's textures: pictures in, pictures and their smooth parts out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facewright.document import Document
from facewright.errors import BadFile, BadValue
from facewright.image.encoded import MOST_BYTES, Encoded
from facewright.session.commands.textures import set_map, set_mask, set_neutral
from facewright.session.session import Command
from facewright.studio import answers
from facewright.studio.desk import Desk
from facewright.studio.look import LookBands, checked_picture, layout_id, look_info, picture_named, thumbnail
from facewright.studio.look_edits import some
from facewright.studio.replies import Gone, answering, bytes_reply, json_reply, received
from facewright.studio.shown import ShownPictures

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

_BINARY = "application/octet-stream"
_KINDS = ("neutral", "map", "mask")


class LookRoutes:
    """Everything under /api/look."""

    def __init__(self, desk: Desk, upload_limit: int, shown: ShownPictures) -> None:
        self._desk, self._limit, self._shown = desk, min(upload_limit, MOST_BYTES), shown
        self._bands = LookBands()

    def all(self) -> list[BaseRoute]:
        from starlette.routing import Route

        asked: list[tuple[str, str, Callable[..., Any]]] = [
            ("GET", "/api/look/picture/{id}", self.picture),
            ("GET", "/api/look/thumb/{id}", self.thumb),
            ("GET", "/api/look/low/{layout}/{id}", self.low),
            ("GET", "/api/look/limits/{look}", self.limits),
            ("POST", "/api/look", self.bring),
        ]
        return [Route(path, answering(run), methods=[method]) for method, path, run in asked]

    async def picture(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        found = await run_in_threadpool(self._shown, self._named(request))
        return bytes_reply(found.data, found.media, keep=True)

    async def thumb(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        named = self._named(request)
        media, data = await run_in_threadpool(lambda: thumbnail(self._shown(named)))
        return bytes_reply(data, media, keep=True)

    async def low(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        document = self._document
        if document.textures is None or request.path_params["layout"] != layout_id(document.rig, document.textures):
            raise Gone("the face wears other textures now")
        self._named(request)
        frame = await run_in_threadpool(self._bands.low, document, request.path_params["id"])
        return bytes_reply(frame, _BINARY, keep=True)

    async def limits(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        document = self._document
        info = look_info(document)
        if info is None or info.id != request.path_params["look"]:
            raise Gone("the face wears other textures now")
        return bytes_reply(await run_in_threadpool(self._bands.limits, document), _BINARY, keep=True)

    async def bring(self, request: Request) -> Response:
        """A picture for the face at rest, for some shapes, or of what never changes."""
        from starlette.concurrency import run_in_threadpool

        kind, shapes = request.query_params.get("kind", "neutral"), request.query_params.getlist("shape")
        name = Path(request.query_params.get("name", "").replace("\\", "/")).name[-200:] or "the picture"
        if kind not in _KINDS or (kind == "map") != bool(shapes):
            raise BadValue(f"kind is one of {', '.join(_KINDS)}, and a map names its shapes")
        with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
            path = Path(folder) / "picture"
            await received(request, path, self._limit)
            picture = await run_in_threadpool(lambda: checked_picture(path.read_bytes(), name))
        label, command = self._bringing(kind, shapes, picture)
        await self._desk.call(f"putting on {name}", lambda work: work.do(label, command))
        return json_reply(answers.Uploaded(name))

    @property
    def _document(self) -> Document:
        return self._desk.session.document

    def _named(self, request: Request) -> Encoded:
        try:
            return picture_named(self._document, request.path_params["id"])
        except BadValue as problem:
            raise Gone(str(problem)) from problem

    def _bringing(self, kind: str, shapes: list[str], picture: Encoded) -> tuple[str, Command]:
        if kind == "mask":
            return "mask", lambda document: set_mask(document, picture)
        if kind == "map":
            return f"texture for {some(shapes)}", lambda document: self._with_map(document, shapes, picture)
        return "texture at rest", lambda document: set_neutral(document, picture)

    def _with_map(self, document: Document, shapes: list[str], picture: Encoded) -> Document:
        found = set_map(document, shapes, picture)
        assert found.textures is not None
        try:
            self._shown(found.textures.neutral)
        except BadFile as problem:
            raise BadFile(f"the face's own texture is not mixed: {problem}; give it another at rest first") from problem
        return found
