"""A clip as a film, or as numbered pictures, drawn in the background with progress."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.formats.registry import load_document, save
from facewright.jobs import Progress, Task
from facewright.motion.cut import cut_clip
from facewright.workflow.export.options import ExportOptions

FILMS = {"mp4": "video/mp4", "gif": "image/gif", "zip": "application/zip"}  # media types; zip: one PNG for each frame
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
    clip = cut_clip(document.clip_named(options.clip or document.clip), options.start, options.end)
    clips = (replace(clip, name="film"),)
    save(replace(document, clips=clips, clip="film", captured=None), folder / _FACE)
    return FilmJob(folder, kind, options)


def draw_film(task: Task, job: FilmJob) -> int:
    """Draw the film; returns the number of its frames. It is shorter where the task is stopped."""
    from facewright.render import film  # not in memory before it is needed

    def told(done: int, total: int) -> bool:
        task.report(Progress(done, total))
        return not task.stopped

    options = job.options
    frames = film(
        load_document(job.folder / _FACE),
        "film",
        job.folder / "frames" if job.kind == "zip" else job.path,
        rate=options.rate or None,
        size=(options.width, options.height),
        view=options.view,
        progress=told,
    )
    if job.kind == "zip":
        with zipfile.ZipFile(job.path, "w", zipfile.ZIP_STORED) as file:
            for picture in sorted((job.folder / "frames").iterdir()):
                file.write(picture, picture.name)
    return frames
