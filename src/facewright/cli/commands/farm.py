"""Start a cluster for many takes, or add workers to one."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.screen import plain, screen
from facewright.errors import BadValue
from facewright.jobs import Cluster, interruptions

farm = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
farm.__doc__ = __doc__
_LOOKS = 0.5  # seconds between looks at the processes
_LOOPBACK = ("127.0.0.1", "localhost", "::1")

Workers = Annotated[int, typer.Option(help="Processes that solve, of one thread each.", min=0)]
Folder = Annotated[Path | None, typer.Option(help="Where workers keep files meanwhile; default a temporary folder.")]


@farm.command()
def start(
    workers: Workers = 2,
    host: Annotated[str, typer.Option(help="Address to listen at. Whoever reaches it can run any program here.")] = (
        _LOOPBACK[0]
    ),
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8786,
    tls: Annotated[bool, typer.Option("--tls", help="Encrypted and with certificates, as dask is set up.")] = False,
    folder: Folder = None,
) -> None:
    """Start a scheduler and workers on this machine; Ctrl-C ends them. What ends by itself is started again."""
    if host not in _LOOPBACK and not tls:
        screen(stderr=True, important=True).print(
            f"[yellow]facewright:[/] whoever reaches {plain(host)}:{port} can run any program as you; --tls asks for "
            "certificates",
            soft_wrap=True,
        )
    _check_folder(folder)
    with Cluster(folder) as cluster:
        address = cluster.add_scheduler(host=host, port=port, tls=tls)
        cluster.add_workers(address, workers)
        asked.tell(address=address, workers=workers)
        screen().print(f"{address}: {workers} workers; use it with --on {address}", soft_wrap=True)
        _watch(cluster)


@farm.command()
def join(
    address: Annotated[str, typer.Argument(help="The scheduler's, such as tcp://render01:8786.")],
    workers: Workers = 2,
    folder: Folder = None,
) -> None:
    """Add workers on this machine to a scheduler elsewhere; Ctrl-C ends them. Those that end are started again."""
    _check_folder(folder)
    with Cluster(folder) as cluster:
        cluster.add_workers(address, workers)
        asked.tell(address=address, workers=workers)
        screen().print(f"{workers} workers for {plain(address)}", soft_wrap=True)
        _watch(cluster)


def _check_folder(folder: Path | None) -> None:
    if folder is not None and not folder.is_dir():
        raise BadValue(f"{folder}: there is no such folder for the workers; make it first")


def _watch(cluster: Cluster) -> None:
    """Until Ctrl-C."""
    console = screen(stderr=True)
    with interruptions() as pressed:
        while not pressed:
            cluster.watch(lambda words: console.print(plain(words), soft_wrap=True))
            sleep(_LOOKS)
