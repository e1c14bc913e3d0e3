"""The studio's server: one process, one document, on this machine only."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import facewright
from facewright.errors import BadValue, MissingExtra
from facewright.pose.method import METHODS
from facewright.studio.build_routes import BuildReport, BuildRoutes
from facewright.studio.desk import Desk
from facewright.studio.door import Door
from facewright.studio.folders import Folders, readable_suffixes
from facewright.studio.look_routes import LookRoutes
from facewright.studio.page import page_routes
from facewright.studio.protocol import PROTOCOL, Welcome
from facewright.studio.routes import Routes
from facewright.studio.shown import ShownPictures
from facewright.studio.slot import Slot, state_folder
from facewright.studio.socket import endpoint
from facewright.studio.work import Work

LOOPBACK = "127.0.0.1"
_MESSAGE = 8 << 20  # bytes of one message of a page
_SWITCH = 0.0005  # seconds after which the solver's thread lets the server's thread run; Python's own 0.005 is felt


@dataclass(frozen=True)
class Options:
    """How a studio is started."""

    file: Path | None = None
    folders: Sequence[Path] = ()
    port: int = 0  # 0: that of the last time, or a free one
    state: Path | None = None
    fresh: bool = False
    skin: bool = True  # of the embedded people
    upload_limit: int = 512 << 20  # bytes
    build_report: BuildReport | None = None  # what writes a page about a rig that was built


@dataclass(frozen=True)
class Started:
    """What the person who started it should know."""

    address: str
    restored: bool


def serve(options: Options, on_start: Callable[[Started], None]) -> None:
    """Run a studio until it is stopped; `on_start` is called once it answers."""
    _check_installed()
    sys.setswitchinterval(_SWITCH)
    slot = Slot(state_folder(options.state))
    started = "" if options.file is None else str(options.file.resolve())
    work = Work(slot, Folders.of(options.folders), started, skin=options.skin)
    restored = work.begin(options.file, fresh=options.fresh)
    listening = _listen(options.port, slot.port())
    port = listening.getsockname()[1]
    slot.keep_port(port)
    address = f"http://{LOOPBACK}:{port}/?token={slot.token()}"
    try:
        asyncio.run(_run(options, slot, work, listening, lambda: on_start(Started(address, restored))))
    finally:
        slot.close()


async def _run(options: Options, slot: Slot, work: Work, listening: socket.socket, ready: Callable[[], None]) -> None:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute

    desk = Desk(work, asyncio.get_running_loop())
    welcome = Welcome(
        protocol=PROTOCOL,
        version=facewright.__version__,
        methods=list(METHODS),
        upload_limit=options.upload_limit,
        formats=readable_suffixes(),
        folders=list(work.folders.roots),
    )
    shown = ShownPictures()
    routes = Routes(desk, work, options.upload_limit, slot.recovered, shown).all()
    routes += LookRoutes(desk, options.upload_limit, shown).all()
    routes += BuildRoutes(desk, work, options.upload_limit, options.build_report).all()
    app = Starlette(routes=[*page_routes(), *routes, WebSocketRoute("/socket", endpoint(desk, welcome))])
    config = uvicorn.Config(
        Door(app, slot.token(), listening.getsockname()[1]),
        ws="websockets-sansio",
        ws_max_size=_MESSAGE,
        ws_per_message_deflate=False,  # costs more time than loopback saves
        lifespan="off",
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    asyncio.get_running_loop().call_soon(ready)
    try:
        await server.serve(sockets=[listening])
    finally:
        desk.stop()


def _listen(wanted: int, last: int) -> socket.socket:
    """A socket on this machine only: at the wanted port, at the last one, or at a free one."""
    if wanted:
        try:
            return _bound(wanted)
        except OSError as problem:
            raise BadValue(f"port {wanted} cannot be used: {problem.strerror}; choose another with --port") from None
    if last:
        try:
            return _bound(last)
        except OSError:
            pass  # another program has it now
    return _bound(0)


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two programs share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def _check_installed() -> None:
    for name in ("starlette", "uvicorn", "websockets"):
        if find_spec(name) is None:
            raise MissingExtra("the studio", name, "studio")
