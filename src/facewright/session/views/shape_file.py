"""The file that shapes are taken from, as pages see it."""

from __future__ import annotations

from facewright.session.context import Context
from facewright.session.tasks.shape_file import ShapeFile, ShapeFileInfo
from facewright.session.views.view import view


@view("shape_file", lambda context: context.task(ShapeFile).inputs)
def shape_file(context: Context) -> ShapeFileInfo | None:
    """The file; null where none was chosen."""
    return context.task(ShapeFile).info
