"""The HTTP routes. Callers have been authorised by `auth`."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import facewright
from facewright.document import Document
from facewright.errors import BadValue, FacewrightError, UnknownFormat, UnknownName
from facewright.formats import limits
from facewright.image.encoded import MOST_BYTES, Encoded
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.samples import people, sample
from facewright.samples.head import UNIT
from facewright.session.context import Context
from facewright.session.edits.edit import Edit
from facewright.session.fields import How
from facewright.session.files import ROLES, Arrival
from facewright.session.storage.opened import Wanted
from facewright.session.tasks.action import Action
from facewright.session.tasks.loading import Loaded, Loading, PictureLoading
from facewright.session.views import RESOURCES
from facewright.session.views.view import Gone, Reply, Resource
from facewright.studio import answers
from facewright.studio.files import Folders, readable_suffixes
from facewright.studio.folder_upload import RIG_FILES, SCAN_FILES, unpack_folder
from facewright.studio.protocol import PROTOCOL
from facewright.studio.replies import answering, bytes_reply, json_reply, received
from facewright.studio.state_directory import StateDirectory
from facewright.studio.thumbnails import Thumbnails
from facewright.studio.worker import SessionWorker
from facewright.studio.workspace import Origin, Workspace
from facewright.workflow.export import MEDIA, ExportOptions, export
from facewright.workflow.file_kind import FileKind, kind_of, needs_whole

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

_SHAPES = ("arkit", "units")  # that `sample` knows
_THUMBNAIL_BYTES = 64 << 20  # of a file that is read for its small picture


class Routes:
    """What the page asks for besides the socket."""

    def __init__(self, worker: SessionWorker, workspace: Workspace, upload_limit: int, state: StateDirectory) -> None:
        self._worker, self._workspace = worker, workspace
        self._upload_limit, self._recovered = upload_limit, state.recovered
        self._thumbnails = Thumbnails(state.folder / "thumbnails")

    @property
    def _context(self) -> Context:
        return self._worker.context

    def all(self) -> list[BaseRoute]:
        from starlette.routing import Route

        asked: list[tuple[str, str, Callable[..., Any]]] = [
            ("GET", "/api/health", self.health),
            ("GET", "/api/samples", self.samples),
            ("GET", "/api/files", self.files),
            ("GET", "/api/thumbnail/person/{person}", self.person_thumbnail),
            ("GET", "/api/thumbnail/file", self.file_thumbnail),
            ("GET", "/api/export/{kind}", self.export),
            ("POST", "/api/kind", self.kind),
            ("POST", "/api/upload", self.upload),
            ("POST", "/api/upload-folder", self.upload_folder),
            ("POST", "/api/upload/{role}", self.upload_as),
            *(("GET", f"/api/{one.path}", self.resource(one)) for one in RESOURCES),
        ]
        return [Route(path, answering(run), methods=[method]) for method, path, run in asked]

    async def health(self, request: Request) -> Response:
        return json_reply(answers.Health(facewright.__version__, PROTOCOL))

    async def samples(self, request: Request) -> Response:
        return json_reply(answers.SampleList([answers.SampleInfo(person, list(_SHAPES)) for person in people()]))

    async def files(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        return json_reply(await run_in_threadpool(self._files))

    async def person_thumbnail(self, request: Request) -> Response:
        """A small picture of an embedded person."""
        from starlette.concurrency import run_in_threadpool

        person = request.path_params["person"]
        if person not in people():
            raise UnknownName("person", person[:40], people())
        return bytes_reply(await run_in_threadpool(self._thumbnails.of_person, person), "image/png", keep=True)

    async def file_thumbnail(self, request: Request) -> Response:
        """A small picture of the face in one of the files that were opened or saved last; it is read once for that."""
        from starlette.concurrency import run_in_threadpool

        path = request.query_params.get("path", "")
        if path not in self._context.preferences.recent:
            raise Gone("there are pictures of the files that were opened or saved last, and this is none of them")
        file = self._workspace.folders.existing(path)
        if file.stat().st_size > _THUMBNAIL_BYTES:
            raise Gone(f"{path} is too large to be read for a small picture")
        made = await run_in_threadpool(self._thumbnails.known, file)
        if not made:
            document = await self._document(file, file.name, by=PictureLoading)
            made = await run_in_threadpool(self._thumbnails.draw, file, document)
        return bytes_reply(made, "image/png")

    def resource(self, one: Resource) -> Callable[..., Any]:
        """The route of a resource that a view declares."""

        async def read(request: Request) -> Response:
            from starlette.concurrency import run_in_threadpool

            found: Reply = await run_in_threadpool(one.read, self._context, **request.path_params)
            return bytes_reply(found.data, found.media, keep=found.keep)

        return read

    async def export(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        kind, document = request.path_params["kind"], self._context.document.value
        made = await run_in_threadpool(export, document, kind, ExportOptions.from_texts(request.query_params))
        name = f"{self._context.name}.{kind}"
        if kind == "fwface" and "copy" not in request.query_params:  # a copy for another program is not saved work
            await self._worker.call("", lambda workspace: _saved(workspace, document), idle=False)
        if made.note:
            self._context.say_later(made.note)
        response = bytes_reply(made.data, MEDIA.get(kind, "application/octet-stream"))
        response.headers["content-disposition"] = _attachment(name)
        return response

    async def kind(self, request: Request) -> Response:
        """What a file holds, before it is uploaded: the body is its beginning, `size` how long it is."""
        from starlette.concurrency import run_in_threadpool

        name, size = _file_name(request), request.query_params.get("size", "")
        if not (size.isascii() and size.isdigit()):
            raise BadValue(f"size is the number of bytes of the file, not {size[:20]!r}")
        with self._scratch() as folder:
            path = folder / "beginning"
            await received(request, path, limits.JSON)
            found = await run_in_threadpool(_recognised, name, path.read_bytes(), int(size))
        return json_reply(found)

    async def upload(self, request: Request) -> Response:
        """A file to open. It is read while the face is worked on."""
        name, how = _upload_name(request), _how(request)
        with self._scratch() as folder:
            path = folder / f"upload{Path(name).suffix.lower()}"
            await received(request, path, self._upload_limit)
            found = await self._load(path, name, _wanted(request, "any"))
        origin = Origin(Path(name).stem or "face")
        brings = await self._worker.call(f"opening {name}", lambda workspace: workspace.take(found, origin, how))
        return json_reply(answers.Uploaded(name, brings))

    async def upload_folder(self, request: Request) -> Response:
        """The files of a folder, to open as one rig or sequence; the body is as `folder_upload` says."""
        from starlette.concurrency import run_in_threadpool

        name, how = _file_name(request) or "face", _how(request)
        with self._scratch() as scratch:
            await received(request, scratch / "upload", self._upload_limit)
            wanted = _wanted(request, "face")
            kind = SCAN_FILES if wanted == "scan" else RIG_FILES
            await run_in_threadpool(unpack_folder, scratch / "upload", scratch / "folder", kind)
            found = await self._load(scratch / "folder", name, wanted)
        brings = await self._worker.call(f"opening {name}", lambda workspace: workspace.take(found, Origin(name), how))
        return json_reply(answers.Uploaded(name, brings))

    async def upload_as(self, request: Request) -> Response:
        """A file in a role: uploaded, below a named folder, an embedded person, or the document that is open."""
        from starlette.concurrency import run_in_threadpool

        asked = request.path_params["role"]
        if asked not in ROLES:
            raise UnknownName("role of a file", asked[:40], ROLES)
        role, options = ROLES[asked], {key: tuple(request.query_params.getlist(key)) for key in request.query_params}
        name, content = await (self._face(request) if role.reads == "face" else self._media(request, role.reads))
        made = await run_in_threadpool(role.make, self._context, Arrival(name, content, options))
        await self._worker.call("", lambda workspace: _carry_out(workspace.context, made))
        return json_reply(answers.Taken(_names(made, name) if role.reads == "face" else [name]))

    async def _face(self, request: Request) -> tuple[str, Document]:
        """What a face is called, and the document it is in."""
        from starlette.concurrency import run_in_threadpool

        asked = request.query_params
        if "person" in asked:
            return asked["person"], Document(await run_in_threadpool(sample, asked["person"]), unit=UNIT)
        if "open" in asked:
            return self._context.name, self._context.document.value
        if "path" in asked:
            path = self._workspace.folders.existing(asked["path"])
            return path.stem, await self._document(path, path.name)
        name = _file_name(request)
        _check_face(name)
        with self._scratch() as folder:
            path = folder / f"upload{Path(name).suffix.lower()}"
            await received(request, path, self._upload_limit)
            return Path(name).stem or "face", await self._document(path, name)

    async def _media(
        self, request: Request, wanted: Literal["picture", "sound", "plane"]
    ) -> tuple[str, Encoded | ReferenceSound | ReferencePlane]:
        """What a picture, a sound or a video is called, and its bytes, unpacked once to know that it can be."""
        name = _file_name(request) or f"the {wanted}"
        with self._scratch() as folder:
            path = folder / "media"
            await received(request, path, min(self._upload_limit, MOST_BYTES))
            found = await self._load(path, name, wanted)
            assert isinstance(found, Encoded | ReferenceSound | ReferencePlane)
            return name, found

    async def _document(self, path: Path, name: str, *, by: type[Loading] = Loading) -> Document:
        found = await self._load(path, name, "face", by=by)
        assert isinstance(found, Document)
        return found

    async def _load(self, path: Path, name: str, wanted: Wanted, *, by: type[Loading] = Loading) -> Loaded:
        """What a file holds, read in another process."""
        found: Future[Loaded] = Future()

        def heard(outcome: Loaded | Exception) -> None:
            if isinstance(outcome, Exception):
                found.set_exception(outcome)
            else:
                found.set_result(outcome)

        def start(workspace: Workspace) -> None:
            workspace.context.task(by).start(path, name, wanted, heard)

        await self._worker.call("", start, idle=False)
        return await asyncio.wrap_future(found)

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        """A folder until the end of a `with`."""
        scratch = self._context.scratch
        scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(prefix="upload-", dir=scratch) as folder:
            yield Path(folder)

    def _files(self) -> answers.FileList:
        aside = Folders({self._recovered.name: self._recovered}).listed()
        folders, recent = self._workspace.folders, self._context.preferences.recent
        recovered = sorted(aside, key=lambda file: -file.changed)
        return answers.FileList(folders.listed(), recovered, folders.described(recent))


def _saved(workspace: Workspace, document: Document) -> None:
    """Note that a document was downloaded, if it is still the present one and nothing is in flight."""
    session = workspace.context.document
    if session.value is document and session.gesture is None:
        workspace.mark_saved()


def _carry_out(context: Context, made: Edit | Action) -> None:
    if isinstance(made, Edit):
        context.apply(made)
    else:
        made.run(context)


def _names(edit: object, name: str) -> list[str]:
    """What the faces are called that an edit adds."""
    poses = getattr(edit, "poses", None)
    return [name] if poses is None else [pose.name for pose in poses]


def _wanted(request: Request, usual: Wanted) -> Wanted:
    """What a file is to be read as, where the page says so."""
    return "scan" if request.query_params.get("as") == "scan" else usual


def _recognised(name: str, data: bytes, size: int) -> answers.RecognisedFile:
    if len(data) < size and needs_whole(name, data):
        return answers.RecognisedFile(None, whole=True)
    try:
        return answers.RecognisedFile(kind_of((name, data)))
    except UnknownFormat as problem:
        return answers.RecognisedFile(None, str(problem), known=list(problem.known))
    except FacewrightError as problem:
        return answers.RecognisedFile(None, str(problem))


def _check_face(name: str) -> None:
    """Raises for a name that no file of a face has, before the file is sent."""
    known = FileKind.RIG.suffixes
    if Path(name).suffix.lower() not in known:
        raise UnknownFormat(f"{name[:100]!r} is no face; files with one end in {', '.join(known)}")


def _file_name(request: Request) -> str:
    return Path(request.query_params.get("name", "").replace("\\", "/")).name[-200:]


def _upload_name(request: Request) -> str:
    name = _file_name(request)
    suffixes = readable_suffixes()
    if Path(name).suffix.lower() not in suffixes:
        raise UnknownFormat(f"{name[:100]!r} is of no format that is read; files end in {', '.join(suffixes)}")
    return name


def _how(request: Request) -> How:
    how = request.query_params.get("how", "new")
    if how not in get_args(How):
        raise BadValue(f"how is one of {', '.join(get_args(How))}, not {how[:20]!r}")
    return how  # type: ignore[return-value]


def _attachment(name: str) -> str:
    from urllib.parse import quote

    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_. ") else "_" for letter in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
