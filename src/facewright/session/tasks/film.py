"""Drawing a clip as a film in a process of its own, so that the face can be worked on meanwhile."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from facewright import jobs
from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.fields import Label
from facewright.session.tasks.action import Action
from facewright.workflow.export.options import ExportOptions
from facewright.workflow.film import FilmJob, draw_film, film_job

FilmKind = Literal["mp4", "gif", "zip"]
Seconds = Annotated[float, Meta(ge=-1e6, le=1e6)]


class FilmInfo(Struct, frozen=True):
    """A film that is being drawn, or that was."""

    number: int  # the film's name for `GET /api/film/{number}`
    clip: Label
    kind: FilmKind
    done: int  # frames
    total: int  # 0 where it is not known yet
    stopping: bool
    ready: bool  # whether it can be downloaded


class DrawFilm(Action, frozen=True, kw_only=True):
    """Draw a clip as a film: State.film tells how far it is."""

    clip: Label
    kind: FilmKind = "mp4"
    start: Seconds | None = None
    end: Seconds | None = None
    rate: Annotated[float, Meta(ge=0, le=1000)] = 0.0  # frames a second; 0: the clip's own
    width: Annotated[int, Meta(ge=16, le=4096)] = 1280
    height: Annotated[int, Meta(ge=16, le=4096)] = 720
    view: Label = "front"
    plane: bool = False  # with the picture or video of reference
    kept_view: Label = ""  # the name of a view that the document keeps, instead

    def run(self, context: Context) -> None:
        options = ExportOptions(
            clip=self.clip,
            start=self.start,
            end=self.end,
            rate=self.rate,
            width=self.width,
            height=self.height,
            view=self.view,
            kept_view=self.kept_view,
            plane=self.plane,
        )
        context.task(FilmDrawing).start(self.kind, options)


class StopFilm(Action, frozen=True, kw_only=True):
    """Stop drawing; the film ends with the frames that are drawn."""

    def run(self, context: Context) -> None:
        context.task(FilmDrawing).stop()


class FilmDrawing:
    """The film that is being drawn, and the last one. For the session's thread."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._job: jobs.Job[int] | None = None
        self._film: FilmJob | None = None
        self._count = 0
        self.info: FilmInfo | None = None

    def start(self, kind: FilmKind, options: ExportOptions) -> None:
        """Begin to draw; the film that was drawn before goes."""
        if self._job is not None:
            raise BadValue("a film is being drawn; stop it, or wait for it to end")
        self.close()
        context, self._count = self._context, self._count + 1
        context.scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = Path(tempfile.mkdtemp(prefix="film-", dir=context.scratch))
        try:
            film = self._film = film_job(context.document.value, kind, options, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        number = self._count
        self._job = jobs.start(draw_film, film, where="process", heard=lambda news: self._hear(number, news))
        _say_of_sound(context, kind)
        name = options.clip or context.document.value.clip
        self.info = FilmInfo(number, name[:200], kind, 0, 0, stopping=False, ready=False)

    def stop(self) -> None:
        """End with the frames that are drawn by now."""
        if self._job is None or self.info is None:
            raise BadValue("no film is being drawn")
        self._job.stop()
        self.info = replace(self.info, stopping=True)

    def path(self, number: int) -> Path | None:
        """Where a film is that was drawn; None where it is not there, or not any more."""
        info, film = self.info, self._film
        return film.path if film is not None and info is not None and info.ready and info.number == number else None

    def close(self) -> None:
        """End what is under way, and remove the film."""
        if self._job is not None:
            self._job.kill()
        if self._film is not None:
            shutil.rmtree(self._film.folder, ignore_errors=True)
        self._job = self._film = self.info = None

    def _hear(self, number: int, news: jobs.Progress | jobs.Finished[int] | jobs.Failed) -> None:
        """In the job's thread: hand over to the session's."""
        if isinstance(news, jobs.Progress):
            self._context.post(lambda: self._advance(number, news), newest=("film", id(self)))
        else:
            self._context.post(lambda: self._finish(number, news))

    def _advance(self, number: int, news: jobs.Progress) -> None:
        if self.info is not None and self._job is not None and number == self._count:
            self.info = replace(self.info, done=news.done, total=news.total)

    def _finish(self, number: int, news: jobs.Finished[int] | jobs.Failed) -> None:
        if self.info is None or number != self._count:
            return  # it was closed
        self._job = None
        if isinstance(news, jobs.Failed):
            self.close()
            self._context.say(f"The film was not drawn: {news.message}")
        else:
            self.info = replace(self.info, done=news.value, ready=True)


def _say_of_sound(context: Context, kind: FilmKind) -> None:
    """Say where a film lacks the sound that the person may expect."""
    sound = context.document.value.sound
    if sound is None or sound.muted:
        return
    if sound.file.is_missing:
        context.say(f"The film has no sound: {sound.file.name} is missing. Choose it again in the tab Reference.")
    elif kind == "gif":
        context.say("A GIF has no sound; an MP4 film has the one of the timeline.")
