"""What runs in the workers of a cluster: values that all of them share, and work that can be stopped.

Needs dask.distributed. It is imported by the workers, and by `farm` once a cluster is used.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin, get_worker
from distributed.worker import Worker

from facewright import __version__
from facewright.jobs.messages import Failed, Finished, Progress, failure, portable
from facewright.jobs.task import Task
from facewright.solve.blas import use_one_thread

_lock = threading.Lock()  # of all three: workers may have several threads
_sent: dict[str, bytes] = {}  # shared values, pickled, by digest
_values: dict[str, Any] = {}  # the same, once they were asked for
_stops: dict[str, threading.Event] = {}  # of the work under way, by the key of its task
_ENDS = {"cancelled", "released", "forgotten"}  # states of a task that nobody waits for any more


class ShareValue(WorkerPlugin):  # type: ignore[misc]  # dask is not typed
    """Gives a value to each worker there is, and to each that comes later, once."""

    idempotent = True

    def __init__(self, digest: str, payload: bytes) -> None:
        self.name, self.digest, self.payload = f"facewright-{digest}", digest, payload

    def setup(self, worker: Worker) -> None:
        with _lock:
            _sent[self.digest] = self.payload
        self.payload = b""  # it is kept once

    def teardown(self, worker: Worker) -> None:
        with _lock:
            _sent.pop(self.digest, None)
            _values.pop(self.digest, None)


class ForwardStops(WorkerPlugin):  # type: ignore[misc]  # dask is not typed
    """Asks work to end soon when its task is cancelled, which dask itself does not."""

    idempotent = True
    name = "facewright-stops"

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        if finish in _ENDS and (stop := _stops.get(str(key))) is not None:
            stop.set()


def shared_value(digest: str) -> Any:
    """A value that was given to all workers."""
    with _lock:
        if digest not in _values:
            if digest not in _sent:
                raise RuntimeError("a shared value is not on this worker; it is there from `share` to the farm's end")
            _values[digest] = pickle.loads(_sent[digest])  # noqa: S301  (it comes from the client of the cluster)
        return _values[digest]


def scratch_folder() -> Path:
    """A folder of this worker, which dask removes with it, or when another worker finds it left over."""
    return Path(get_worker().local_directory)


def carry_out(version: str, work: Callable[[Task, Any], Any], item: Any) -> Finished[Any] | Failed:
    """Run `work(task, item)`. What goes wrong in it is a result, too: a retry would not help."""
    if version != __version__:
        return Failed(f"the worker has facewright {__version__}, but the client {version}; install the same on both")
    use_one_thread()
    key = str(get_worker().get_current_task())
    stop = _stops[key] = threading.Event()
    try:
        return Finished(work(Task(_ignore, stop), item))
    except Exception as problem:
        return portable(failure(problem))
    finally:
        del _stops[key]


def _ignore(progress: Progress) -> None:
    """Progress inside an item is not sent: items are many and short."""
