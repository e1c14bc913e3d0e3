"""A clip as a film, or as numbered pictures, drawn in the background with progress."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.formats.registry import load_document, save
from facewright.jobs import Progress, Task
from facewright.motion.cut import cut_clip
from facewright.reference.plane import ReferencePlane
from facewright.reference.wav import wav_bytes
from facewright.workflow.export.options import ExportOptions

if TYPE_CHECKING:
    from facewright.render.face_renderer import FaceOptions

FILMS = {"mp4": "video/mp4", "gif": "image/gif", "zip": "application/zip"}  # zip: a PNG for each frame, and the sound
_FACE = "face.fwface"


@dataclass(frozen=True, eq=False)
class FilmJob:
    """A film to be drawn: the folder that has the document, the kind of film, and the options."""

    folder: Path
    kind: str
    options: ExportOptions  # clip, start, end, rate, width, height and view count

    @property
    def path(self) -> Path:
        """Where the film is once it is drawn."""
        return self.folder / f"film.{self.kind}"


def film_job(document: Document, kind: str, options: ExportOptions, folder: Path) -> FilmJob:
    """A film of a document's clip, whose parts can be read by another process; a wrong wish raises."""
    if kind not in FILMS:
        raise UnknownName("kind of film", kind, FILMS)
    whole = document.clip_named(options.clip or document.clip)
    clip = cut_clip(whole, options.start, options.end)
    shown = replace(document, clips=(replace(clip, name="film"),), clip="film", captured=None, scanned=None)
    begins = 0.0 if clip is whole else whole.start if options.start is None else max(options.start, whole.start)
    shown = replace(shown, plane=_moved(document.plane, -begins) if options.plane else None)
    if document.sound is not None and begins:  # the first moment became 0
        shown = replace(shown, sound=replace(document.sound, offset=document.sound.offset - begins))
    _check_view(document, options.kept_view)
    save(shown, folder / _FACE)
    return FilmJob(folder, kind, options)


def draw_film(task: Task, job: FilmJob) -> int:
    """Draw the film; returns the number of its frames. It is shorter where the task is stopped."""
    from facewright.render import film  # not in memory before it is needed
    from facewright.render.bookmark_camera import kept_camera
    from facewright.render.film_sound import is_audible

    def told(done: int, total: int) -> bool:
        task.report(Progress(done, total))
        return not task.stopped

    options, document = job.options, load_document(job.folder / _FACE)
    seen: FaceOptions = {"size": (options.width, options.height), "view": options.view, "renderer": "auto"}
    seen["plane"] = options.plane
    if options.kept_view:
        seen["camera"] = kept_camera(document, options.kept_view)
    frames = film(
        document,
        "film",
        job.folder / "frames" if job.kind == "zip" else job.path,
        rate=options.rate or None,
        progress=told,
        **seen,
    )
    if job.kind == "zip":
        with zipfile.ZipFile(job.path, "w", zipfile.ZIP_STORED) as file:
            for picture in sorted((job.folder / "frames").iterdir()):
                file.write(picture, picture.name)
            if is_audible(document) and document.sound is not None:
                seconds = frames / (options.rate or document.clip_named("film").rate)
                heard = document.sound.heard(document.clip_named("film").start, seconds)
                file.writestr("sound.wav", wav_bytes(heard, document.sound.rate))
    return frames


def _moved(plane: ReferencePlane | None, by: float) -> ReferencePlane | None:
    return None if plane is None else replace(plane, offset=plane.offset + by)


def _check_view(document: Document, name: str) -> None:
    """Raises for a view that the document does not keep, before anything is drawn."""
    known = [bookmark.name for bookmark in document.bookmarks]
    if name and name not in known:
        raise UnknownName("view that is kept", name, known)
