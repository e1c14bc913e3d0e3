"""Routes for building rigs: faces in, faces and pictures of them out, the report."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facewright.arrays import Floats
from facewright.build.builder import Built
from facewright.document import Document, with_materials_of
from facewright.errors import BadFile, BadValue, FacewrightError, UnknownFormat
from facewright.formats.registry import formats, load_document
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.samples import sample
from facewright.studio import answers
from facewright.studio.build_frames import bare, face_frame, pose_frame, small_picture
from facewright.studio.build_work import View
from facewright.studio.desk import Desk
from facewright.studio.replies import Gone, answering, bytes_reply, json_reply, received
from facewright.studio.work import Work
from facewright.workflow.build.names import guess_by_name
from facewright.workflow.build.plan import GivenFace, GivenPose

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

BuildReport = Callable[[str, Rig, Built, Sequence[Floats], Sequence[Floats]], str]
_BINARY = "application/octet-stream"
_ROLES = ("neutral", "pose")


class BuildRoutes:
    """Everything under /api/build."""

    def __init__(self, desk: Desk, work: Work, upload_limit: int, report: BuildReport | None) -> None:
        self._desk, self._work, self._limit, self._report = desk, work, upload_limit, report

    def all(self) -> list[BaseRoute]:
        from starlette.routing import Route

        asked: list[tuple[str, str, Callable[..., Any]]] = [
            ("POST", "/api/build/faces", self.faces),
            ("GET", "/api/build/face/{face}", self.face),
            ("GET", "/api/build/pose/{view}", self.pose),
            ("GET", "/api/build/picture/{view}", self.picture),
            ("GET", "/api/build/report", self.report),
        ]
        return [Route(path, answering(run), methods=[method]) for method, path, run in asked]

    async def faces(self, request: Request) -> Response:
        """A face in the role of the neutral or of a pose: uploaded, below a named folder, embedded, or open here."""
        from starlette.concurrency import run_in_threadpool

        role = request.query_params.get("role", "")
        if role not in _ROLES:
            raise BadValue(f"a face comes as {' or '.join(_ROLES)}, not as {role[:20]!r}")
        name, document = await self._brought(request)
        if role == "neutral":
            face = await run_in_threadpool(_neutral, name, document)
            await self._desk.aside(lambda: self._desk.builds.take_neutral(face))
            return json_reply(answers.Taken([face.name]))
        sliders = self._desk.builds.work.plan.template.rig.sliders
        poses = await run_in_threadpool(_poses, name, document, sliders)
        await self._desk.aside(lambda: self._desk.builds.take_poses(poses))
        return json_reply(answers.Taken([pose.name for pose in poses]))

    async def face(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        id = request.path_params["face"]
        rig = self._desk.builds.ids.rig(id)
        if rig is None:
            raise Gone("the build has other faces now")
        return bytes_reply(await run_in_threadpool(face_frame, rig, id), _BINARY, keep=True)

    async def pose(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        rest, view = self._seen(request)
        return bytes_reply(await run_in_threadpool(pose_frame, rest, view), _BINARY, keep=True)

    async def picture(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        rest, view = self._seen(request)
        checked = self._desk.builds.work.checked
        if checked is None or checked.template is None:
            raise Gone("the build has moved on")
        return bytes_reply(await run_in_threadpool(small_picture, checked.template, rest, view), "image/png", keep=True)

    async def report(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        if self._report is None:
            raise BadValue("this studio was started without anything that writes reports")
        outcome = self._desk.builds.work.built()
        plan = outcome.plan
        name = "face" if plan.neutral is None else plan.neutral.name
        guesses = {pose.name: pose.guess or outcome.checked.guesses.get(pose.name, {}) for pose in plan.poses}
        template = outcome.checked.template or plan.template.rig
        rows = [template.weights(guesses[fit.name]) for fit in outcome.built.errors]
        shown = [outcome.fits[fit.name].example for fit in outcome.built.errors]
        page = await run_in_threadpool(self._report, name, template, outcome.built, rows, shown)
        return bytes_reply(page.encode(), "text/html; charset=utf-8")

    async def _brought(self, request: Request) -> tuple[str, Document]:
        """What a face is called, and what there is of it."""
        from starlette.concurrency import run_in_threadpool

        asked = request.query_params
        if "person" in asked:
            return asked["person"], Document(await run_in_threadpool(sample, asked["person"]))
        if "open" in asked:
            return self._work.file_info().name, self._desk.session.document
        if "path" in asked:
            path = self._work.folders.existing(asked["path"])
            _check_suffix(path.name)
            return path.stem, await run_in_threadpool(load_document, path)
        return await self._uploaded(request)

    async def _uploaded(self, request: Request) -> tuple[str, Document]:
        from starlette.concurrency import run_in_threadpool

        name = Path(request.query_params.get("name", "").replace("\\", "/")).name[-200:]
        _check_suffix(name)
        with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
            path = Path(folder) / f"upload{Path(name).suffix.lower()}"
            await received(request, path, self._limit)
            try:
                return Path(name).stem or "face", await run_in_threadpool(load_document, path)
            except FacewrightError as problem:  # the person knows the file by its own name
                raise BadFile(str(problem).replace(str(path), name)) from problem

    def _seen(self, request: Request) -> tuple[Rig, View]:
        work = self._desk.builds.work
        rest, view = work.rest, work.view(request.path_params["view"])
        if rest is None or view is None or len(view.example) != rest.vertex_count:
            raise Gone("the build has moved on")
        return rest, view


def _check_suffix(name: str) -> None:
    known = [suffix for format in formats() for suffix in format.suffixes if suffix]
    if Path(name).suffix.lower() not in known:
        raise UnknownFormat(f"{name[:100]!r} is no face; files with one end in {', '.join(known)}")


def _neutral(name: str, document: Document) -> GivenFace:
    _check_mesh(name, document.rig)
    rig = bare(document.rig)
    return GivenFace(name, rig, "file", with_materials_of(rig, document))


def _poses(name: str, document: Document, sliders: Sequence[str]) -> list[GivenPose]:
    """The pose in a file; where it has none, but shapes, each of those as a pose."""
    rig = document.rig
    mesh = bare(rig)
    if document.pose.any() or not rig.shapes:
        face = replace(mesh, neutral=evaluate(rig, document.pose)) if rig.shapes else mesh
        return [GivenPose(name, face, guess_by_name(name, sliders))]
    alone = [shape for shape in rig.shapes if not shape.is_combination]
    return [
        GivenPose(
            shape.name,
            replace(mesh, neutral=rig.neutral + shape.dense(rig.vertex_count)),
            guess_by_name(shape.name, sliders),
        )
        for shape in alone
    ]


def _check_mesh(name: str, rig: Rig) -> None:
    if not rig.vertex_count or not len(rig.polygons):
        raise BadFile(f"{name}: there is no mesh in it, only {rig.vertex_count} points; export it with its polygons")
