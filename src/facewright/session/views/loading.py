"""Files that are being read, as pages see them."""

from __future__ import annotations

from facewright.session.context import Context
from facewright.session.tasks.loading import Loading, LoadingInfo
from facewright.session.views.view import view


@view("loading", lambda context: (context.task(Loading).info,))
def loading(context: Context) -> LoadingInfo | None:
    """The file that is being read; `StopLoading` stops it."""
    return context.task(Loading).info
