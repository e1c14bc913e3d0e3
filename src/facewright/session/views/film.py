"""The film that is being drawn or was drawn, as pages see it."""

from __future__ import annotations

from facewright.session.context import Context
from facewright.session.tasks.film import FilmDrawing, FilmInfo
from facewright.session.views.view import Gone, Reply, resource, view
from facewright.workflow.film import FILMS


@view("film", lambda context: (context.task(FilmDrawing).info,))
def film(context: Context) -> FilmInfo | None:
    """The film; `StopFilm` ends it early."""
    return context.task(FilmDrawing).info


@resource("film/{number}")
def film_file(context: Context, number: str) -> Reply:
    """The bytes of a film that was drawn."""
    drawing = context.task(FilmDrawing)
    path = drawing.path(int(number)) if number.isascii() and number.isdigit() and len(number) < 9 else None
    if path is None:
        raise Gone("this film is no longer there; draw it again")
    return Reply(path.read_bytes(), FILMS[path.suffix.removeprefix(".")], keep=False)
