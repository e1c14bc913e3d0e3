"""The HTTP routes. Only the door may be in front of them: they take it that who asks may."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import facewright
from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError, UnknownFormat
from facewright.formats.takes import is_marker_file, load_take
from facewright.image.encoded import KTX2
from facewright.samples import people
from facewright.studio import answers
from facewright.studio.desk import Desk
from facewright.studio.folders import BINDING, CLIP, describe, readable_suffixes
from facewright.studio.geometry import geometry_frame
from facewright.studio.protocol import PROTOCOL, How
from facewright.studio.replies import Gone, answering, bytes_reply, json_reply, received
from facewright.studio.shown import ShownPictures
from facewright.studio.take_info import take_table
from facewright.studio.work import Origin, Work
from facewright.workflow.export import MEDIA, ExportOptions, export

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

_BRINGS: dict[str, answers.Brings] = {CLIP: "clip", BINDING: "binding"}
_SHAPES = ("arkit", "units")  # that `sample` knows


class Routes:
    """What the page asks for besides the socket."""

    def __init__(self, desk: Desk, work: Work, upload_limit: int, recovered: Path, shown: ShownPictures) -> None:
        self._desk, self._work, self._shown = desk, work, shown
        self._upload_limit, self._recovered = upload_limit, recovered
        self._geometry: tuple[str, bytes] = ("", b"")

    def all(self) -> list[BaseRoute]:
        from starlette.routing import Route

        asked: list[tuple[str, str, Callable[..., Any]]] = [
            ("GET", "/api/health", self.health),
            ("GET", "/api/samples", self.samples),
            ("GET", "/api/files", self.files),
            ("GET", "/api/geometry/{rig}", self.geometry),
            ("GET", "/api/texture/{rig}/{image:int}", self.texture),
            ("GET", "/api/take/{take}", self.take),
            ("GET", "/api/export/{kind}", self.export),
            ("POST", "/api/upload", self.upload),
        ]
        return [Route(path, answering(run), methods=[method]) for method, path, run in asked]

    async def health(self, request: Request) -> Response:
        return json_reply(answers.Health(facewright.__version__, PROTOCOL))

    async def samples(self, request: Request) -> Response:
        return json_reply(answers.SampleList([answers.SampleInfo(person, list(_SHAPES)) for person in people()]))

    async def files(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        return json_reply(await run_in_threadpool(self._files))

    async def geometry(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        document = self._of_rig(request)
        return bytes_reply(await run_in_threadpool(self._frame, document), "application/octet-stream", keep=True)

    async def texture(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        document = self._of_rig(request)
        try:
            media, data = await run_in_threadpool(self._image, document, request.path_params["image"])
        except FacewrightError as problem:
            self._desk.say(f"A texture of the file is not shown: {problem}.")
            raise
        return bytes_reply(data, media, keep=True)

    async def take(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        captured = self._desk.session.document.captured
        if captured is None or request.path_params["take"] != self._work.take_id():
            raise Gone("another take is loaded now")
        table = await run_in_threadpool(take_table, captured.take, self._work.take_id())
        return bytes_reply(table, "application/octet-stream", keep=True)

    async def export(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        kind, document = request.path_params["kind"], self._desk.session.document
        options = ExportOptions.from_texts(request.query_params)
        made = await run_in_threadpool(export, document, kind, options)
        name = f"{self._work.file_info().name}.{kind}"
        if kind == "fwface" and document is self._desk.session.document:
            await self._desk.call("saving", lambda work: work.mark_saved())
        if made.note:
            self._desk.say(made.note)
        response = bytes_reply(made.data, MEDIA[kind])
        response.headers["content-disposition"] = _attachment(name)
        return response

    async def upload(self, request: Request) -> Response:
        name, how = _upload_name(request), _how(request)
        with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
            path = Path(folder) / f"upload{Path(name).suffix.lower()}"
            await received(request, path, self._upload_limit)
            try:
                brings = await self._open(path, name, how)
            except BadFile as problem:  # the person knows the file by its own name
                raise BadFile(str(problem).replace(str(path), name)) from problem
        return json_reply(answers.Uploaded(name, brings))

    async def _open(self, path: Path, name: str, how: How) -> answers.Brings:
        from starlette.concurrency import run_in_threadpool

        origin = Origin(Path(name).stem or "face")
        if await run_in_threadpool(is_marker_file, path):  # long tables are read while the face is worked on
            take = replace(await run_in_threadpool(load_take, path), name=origin.name)
            await self._desk.call(f"opening {name}", lambda work: work.bring_take(take))
            return "take"
        await self._desk.call(f"opening {name}", lambda work: work.open_file(path, how, origin))
        return _BRINGS.get(path.suffix, "face")

    def _image(self, document: Document, index: int) -> tuple[str, bytes]:
        """Media type and bytes of an image of the file; it is as it came, unless no browser knows its kind."""
        if document.materials is None:
            raise BadFile("the face has no materials")
        image = document.materials.image(index)
        if image.media != KTX2:
            return image.media, image.data
        shown = self._shown(image.encoded())
        return shown.media, shown.data

    def _of_rig(self, request: Request) -> Document:
        document = self._desk.session.document
        if request.path_params["rig"] != self._work.rig_id():
            raise Gone("another face is open now")
        return document

    def _frame(self, document: Document) -> bytes:
        id = self._work.rig_id()
        if self._geometry[0] != id:
            self._geometry = (id, geometry_frame(document, id))
        return self._geometry[1]

    def _files(self) -> answers.FileList:
        folder = self._recovered
        aside = [describe(f"{folder.name}/{path.name}", path) for path in folder.glob("*.fwface")]
        return answers.FileList(self._work.folders.listed(), sorted(aside, key=lambda file: -file.changed))


def _upload_name(request: Request) -> str:
    name = Path(request.query_params.get("name", "").replace("\\", "/")).name
    suffixes = readable_suffixes()
    if Path(name).suffix.lower() not in suffixes:
        raise UnknownFormat(f"{name[:100]!r} is of no format that is read; files end in {', '.join(suffixes)}")
    return name[-200:]


def _how(request: Request) -> How:
    how = request.query_params.get("how", "new")
    if how not in get_args(How):
        raise BadValue(f"how is one of {', '.join(get_args(How))}, not {how[:20]!r}")
    return how  # type: ignore[return-value]


def _attachment(name: str) -> str:
    from urllib.parse import quote

    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_. ") else "_" for letter in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
