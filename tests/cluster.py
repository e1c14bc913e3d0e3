"""A small cluster of real processes for tests, whose processes are started again when they end."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from facewright.jobs import Cluster

PATIENCE = 60.0


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def running_cluster(folder: Path, workers: int = 2) -> Iterator[tuple[str, Cluster]]:
    """Its address, and its processes."""
    ended = threading.Event()
    with Cluster(folder) as cluster:
        address = cluster.add_scheduler(host="127.0.0.1", port=free_port())
        cluster.add_workers(address, workers)

        def watch() -> None:
            while not ended.wait(0.05):
                cluster.watch()

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            yield address, cluster
        finally:
            ended.set()
            watching.join()
