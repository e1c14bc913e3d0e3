"""The studio's server: one process, one document, on this machine only."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import facewright
from facewright.errors import BadValue, MissingExtra
from facewright.pose.method import METHODS
from facewright.studio.auth import HEADER_BYTES, Auth
from facewright.studio.files import Folders, readable_suffixes
from facewright.studio.page import page_routes
from facewright.studio.protocol import PROTOCOL, Welcome
from facewright.studio.queue import WorkQueue
from facewright.studio.routes import Routes
from facewright.studio.sockets import endpoint
from facewright.studio.state_directory import StateDirectory, state_folder
from facewright.studio.worker import SessionWorker
from facewright.studio.workspace import Workspace
from facewright.workflow.file_kind import FileKind

LOOPBACK = "127.0.0.1"
_MESSAGE = 8 << 20  # bytes of one message of a page
_CHECKED = 2.0  # seconds between two looks at the state folder
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


@dataclass(frozen=True)
class Started:
    """What the person who started it should know."""

    address: str
    restored: bool


def serve(options: Options, on_start: Callable[[Started], None]) -> None:
    """Run a studio until it is stopped; `on_start` is called once it answers."""
    _check_installed()
    sys.setswitchinterval(_SWITCH)
    folders = Folders.of(options.folders)
    state = StateDirectory(state_folder(options.state))
    try:
        with _listen(options.port, state.port()) as listening:  # before anything of the last time is set aside
            _serve(options, on_start, folders, state, listening)
    finally:
        state.close()


def _serve(
    options: Options,
    on_start: Callable[[Started], None],
    folders: Folders,
    state: StateDirectory,
    listening: socket.socket,
) -> None:
    started = "" if options.file is None else os.path.realpath(options.file)
    queue = WorkQueue()
    workspace = Workspace(state, folders, queue.post, started, skin=options.skin)
    restored = workspace.begin(options.file, fresh=options.fresh)
    port = listening.getsockname()[1]
    state.keep_port(port)
    token = state.token()
    address = f"http://{LOOPBACK}:{port}/?token={token}"
    asyncio.run(_run(options, token, state, workspace, queue, listening, lambda: on_start(Started(address, restored))))


async def _run(
    options: Options,
    token: str,
    state: StateDirectory,
    workspace: Workspace,
    queue: WorkQueue,
    listening: socket.socket,
    ready: Callable[[], None],
) -> None:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute

    from facewright.studio.connections import HttpConnection, SocketConnection

    worker = SessionWorker(workspace, queue, asyncio.get_running_loop())
    welcome = Welcome(
        protocol=PROTOCOL,
        version=facewright.__version__,
        methods=list(METHODS),
        upload_limit=options.upload_limit,
        formats=readable_suffixes(),
        suffixes={kind.value: list(kind.suffixes) for kind in FileKind},
        folders=list(workspace.folders.roots),
    )
    routes = Routes(worker, workspace, options.upload_limit, state).all()
    app = Starlette(routes=[*page_routes(), *routes, WebSocketRoute("/socket", endpoint(worker, welcome))])
    config = uvicorn.Config(
        Auth(app, token, listening.getsockname()[1]),
        http=HttpConnection,
        h11_max_incomplete_event_size=HEADER_BYTES,
        ws=SocketConnection,
        ws_max_size=_MESSAGE,
        ws_ping_interval=None,  # a page that is busy for long is not lost; what waits for it is limited
        ws_per_message_deflate=False,  # costs more time than loopback saves
        lifespan="off",
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    _end_on_signals(server.handle_exit)
    asyncio.get_running_loop().call_soon(ready)
    watching = asyncio.create_task(_watch(queue, workspace))
    try:
        await server.serve(sockets=[listening])
    finally:
        watching.cancel()
        worker.stop()


def _end_on_signals(end: Callable[[int, None], None]) -> None:
    """End on SIGHUP as on SIGTERM: what waits is finished, and temporary folders are removed.

    The server raises SIGTERM again once it has ended; there is nothing left to do then.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda number, frame: None)
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under `nohup`
            signal.signal(signal.SIGHUP, lambda number, frame: end(number, None))


async def _watch(queue: WorkQueue, workspace: Workspace) -> None:
    """Look after the state folder now and then."""
    while True:
        await asyncio.sleep(_CHECKED)
        queue.post(workspace.check)


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
    # The protocol is named: asyncio switches Nagle's algorithm off only for the connections of a socket that names TCP.
    # With the algorithm a pose would wait up to 40 ms for the acknowledgement of the one before.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
