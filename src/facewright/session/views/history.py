"""The undo menu and the open file as pages see them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from facewright.session.context import Context
from facewright.session.session import Session
from facewright.session.views.view import view


class HistoryInfo(Struct):
    """Labels of what was done, the oldest first; `at` of them are done, the others can be done again."""

    labels: list[str]
    at: int
    gesture: str  # label of the open gesture, "" where there is none


def history_of(session: Session[Any]) -> HistoryInfo:
    gesture = "" if session.gesture is None else session.gesture.label
    return HistoryInfo(session.history.labels, session.history.at, gesture)


@view("history", lambda c: (c.document.history.steps, str(c.document.history.at), c.document.gesture))
def history(context: Context) -> HistoryInfo:
    """What was done to the document."""
    return history_of(context.document)


class FileInfo(Struct):
    """What is open."""

    name: str
    unsaved: bool
    saves_to: str  # path as in OpenPath where Save goes without a path, "" where it needs one


@view("file", lambda c: (c.name, c.document.unsaved, c.saves_to))
def file(context: Context) -> FileInfo:
    """The document's name, and where it is saved."""
    return FileInfo(context.name, context.document.unsaved, context.saves_to)


@view("opened", lambda context: (context.document,))
def opened(context: Context) -> int:
    """A number that is another one when another document was opened."""
    return context.document.number


@view("view", lambda context: (context.preferences,))
def remembered_view(context: Context) -> dict[str, Any]:
    """What the page asked to find again."""
    return context.preferences.view
