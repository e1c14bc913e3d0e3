"""The built page, which is part of the package, or words where it is not built."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

_NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Facewright</title>
<h1>The page is not built</h1><p>The server runs, but the studio's page is not in this checkout. Build it with
<code>make studio</code>, or in <code>web/</code> with <code>npm install</code> and <code>npm run build</code>, and
reload. An installed package carries it already.</p></html>"""


def static_folder() -> Path:
    """Where vite puts the page."""
    return Path(str(files("facewright.studio") / "static"))


def page_routes() -> list[BaseRoute]:
    """The page at /, its files below /assets, and the licences of what is bundled in it."""
    from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    async def page(request: Request) -> Response:
        index = static_folder() / "index.html"
        if not index.is_file():
            return HTMLResponse(_NOT_BUILT, 503, {"cache-control": "no-store"})
        return FileResponse(index, headers={"cache-control": "no-cache"})

    async def licenses(request: Request) -> Response:
        file = static_folder() / "licenses.txt"
        return FileResponse(file) if file.is_file() else PlainTextResponse("The page is not built.\n", 503)

    assets = StaticFiles(directory=static_folder() / "assets", check_dir=False)
    return [
        Route("/", page, methods=["GET"]),
        Route("/licenses.txt", licenses, methods=["GET"]),
        Mount("/assets", assets),
    ]
