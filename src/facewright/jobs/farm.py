"""Many pieces of work on a cluster of dask.distributed, which moves them and starts them again where a worker dies."""

from __future__ import annotations

import hashlib
import pickle
import queue
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from facewright import __version__
from facewright.errors import BadValue, MissingExtra
from facewright.jobs.interrupts import interruptions
from facewright.jobs.messages import Failed, Finished, failure
from facewright.jobs.pool import NotBegun
from facewright.jobs.task import Task
from facewright.options import suggests_options

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
R = TypeVar("R")
_LOOKS = 0.5  # seconds between looks at signals, at the connection and at the workers there are
_AHEAD = 2  # items sent for each thread of the workers: one at work and one that waits there, so that memory stays flat
_ATTEMPTS = 8  # times that an item is sent again after the connection was lost
_PATIENCE = 120.0  # seconds that a scheduler may be away
_ANSWERS = 30.0  # seconds in which a scheduler that is there answers
_ENDED_WORKERS = Failed(
    "each worker that had this alone ended, one after the other; it may need more memory than they have"
)


@dataclass(frozen=True)
class Shared(Generic[T]):
    """A value that each worker is sent once. Called in a worker, it gives the value."""

    digest: str

    def __call__(self) -> T:
        from facewright.jobs.on_worker import shared_value

        value: T = shared_value(self.digest)
        return value


class Farm:
    """A cluster's workers until the end of a `with`, during which the first Ctrl-C is a request to stop."""

    @suggests_options
    def __init__(
        self, client: Client, *, patience: float = _PATIENCE, looked: Callable[[Farm], None] = lambda farm: None
    ) -> None:
        """Use a client's cluster.

        patience: seconds to wait for a scheduler that went away, before giving up.
        looked: called now and then during `run`, when the number of workers is known anew.
        """
        self._client, self._patience, self._told = client, patience, looked
        self._address, self._security = _address(client), client.security
        self._shared: dict[str, bytes] = {}
        # A SimpleQueue can be put to in a signal handler. None: stop.
        self._heard: queue.SimpleQueue[tuple[int, Future[Any]] | None] = queue.SimpleQueue()
        self._stopped = False
        self._until_exit = ExitStack()
        self.workers = self.threads = 0  # when last looked
        self.again = 0  # items that were sent again, since the connection to the scheduler or to a result was lost
        self._looked = -1.0
        self._prepare()
        self._look()

    def __enter__(self) -> Self:
        self._until_exit.enter_context(interruptions(lambda: self._heard.put(None)))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not self._is_lost():
            for digest in self._shared:
                with suppress(OSError, ValueError):  # ValueError: a new scheduler does not know it
                    self._client.unregister_worker_plugin(f"facewright-{digest}")
        self._until_exit.close()

    def stop(self) -> None:
        """Ask those at work to end, and begin nothing more."""
        self._heard.put(None)

    def share(self, value: T) -> Shared[T]:
        """Give a value to every worker, once, whatever the number of items that use it."""
        payload = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        digest = hashlib.sha256(payload).hexdigest()
        if digest not in self._shared:
            self._shared[digest] = payload
            self._give(digest)
        return Shared(digest)

    @suggests_options
    def run(
        self, work: Callable[[Task, Any], R], items: Sequence[T], *, packed: Callable[[T], Any] | None = None
    ) -> Iterator[tuple[T, Finished[R] | Failed | NotBegun]]:
        """What comes of `work(task, item)` for each of the items, in the order in which they end, each once.

        packed: what is sent for an item, made when its turn comes.
        """
        waiting, doubted, tries = deque(range(len(items))), deque[int](), Counter[int]()
        running: dict[int, Future[Any]] = {}
        alone: set[int] = set()
        while waiting or running or doubted:
            if not waiting and not running:  # whether it was that one which ended workers is seen when it is alone
                waiting.append(doubted.popleft())
                alone.update(waiting)
            if self._is_lost() and not self._stopped:
                waiting.extendleft(sorted(running, reverse=True))
                running.clear()
                if not self._reconnected():
                    gone = f"the scheduler at {self._address} has been away for {self._patience:.0f} seconds"
                    yield from ((items[index], Failed(gone)) for index in (*waiting, *doubted))
                    return
            self._look()
            while waiting and not self._stopped and len(running) < _AHEAD * max(self.threads, 1):
                index = waiting.popleft()
                try:
                    item = items[index] if packed is None else packed(items[index])
                except Exception as problem:
                    yield items[index], failure(problem)
                    continue
                future = self._submit(index, work, item)
                if future is None:
                    waiting.appendleft(index)
                    break
                running[index] = future
            heard = self._next()
            if self._stopped:
                with suppress(Exception):  # a scheduler that is gone needs not be told
                    self._client.cancel(list(running.values()), force=True)
                yield from ((items[index], NotBegun()) for index in sorted({*waiting, *running, *doubted}))
                return
            if heard is None or running.get(heard[0]) is not heard[1]:  # nothing, or of a lost connection
                continue
            index, future = heard
            del running[index]
            outcome = self._outcome(future)
            if outcome is _ENDED_WORKERS and index not in alone:
                doubted.append(index)
                continue
            if outcome is None and tries[index] < _ATTEMPTS:
                tries[index] += 1
                self.again += 1
                waiting.appendleft(index)
                continue
            lost = Failed(f"its result was lost {_ATTEMPTS + 1} times on the way from the worker")
            yield items[index], lost if outcome is None else outcome

    def _submit(self, index: int, work: Callable[..., Any], item: Any) -> Future[Any] | None:
        """Send an item; None where the scheduler is gone."""
        from facewright.jobs.on_worker import carry_out

        try:
            future: Future[Any] = self._client.submit(carry_out, __version__, work, item, pure=False)
        except Exception as problem:
            if self._is_lost():
                return None
            raise BadValue(f"this cannot be sent to a worker: {problem}") from problem
        future.add_done_callback(lambda done: self._heard.put((index, done)))
        return future

    def _next(self) -> tuple[int, Future[Any]] | None:
        try:
            heard = self._heard.get(timeout=_LOOKS)
        except queue.Empty:
            return None
        self._stopped |= heard is None
        return heard

    def _outcome(self, future: Future[Any]) -> Finished[Any] | Failed | None:
        """What came of an item; None where its result was lost."""
        from distributed import KilledWorker

        if future.status not in ("finished", "error"):
            return None
        try:
            outcome: Finished[Any] | Failed = future.result(timeout=self._patience)
            return outcome
        except KilledWorker:
            return _ENDED_WORKERS
        except Exception as problem:
            return None if future.status != "error" else failure(problem)

    def _look(self) -> None:
        """See how many workers there are, now and then."""
        if monotonic() - self._looked < _LOOKS and self.threads:
            return
        self._looked = monotonic()
        with suppress(OSError):
            found = self._client.nthreads()
            self.workers, self.threads = len(found), sum(found.values())
        self._told(self)

    def _is_lost(self) -> bool:
        comm = self._client.scheduler_comm
        return self._client.status != "running" or comm is None or bool(comm.closed())

    def _reconnected(self) -> bool:
        """Wait for the scheduler, and connect to it anew; False where it stays away."""
        end = monotonic() + self._patience
        while monotonic() < end:
            with suppress(OSError, BadValue):
                self._client = connect(self._address, security=self._security)
                self._until_exit.callback(self._client.close, timeout=_ANSWERS)
                self._prepare()
                return True
            self._next()
            if self._stopped:
                return True
        return False

    def _prepare(self) -> None:
        """Give the scheduler what workers need; a new one has forgotten it."""
        from facewright.jobs.on_worker import ForwardStops

        self._client.register_plugin(ForwardStops())
        for digest in self._shared:
            self._give(digest)

    def _give(self, digest: str) -> None:
        from facewright.jobs.on_worker import ShareValue

        self._client.register_plugin(ShareValue(digest, self._shared[digest]))


def _address(client: Client) -> str:
    if client.scheduler is None or client.asynchronous:
        raise BadValue("a client that is closed, or asynchronous, cannot be used; make a plain Client(address)")
    return str(client.scheduler.address)


@suggests_options
def over(client: Client, *, patience: float = _PATIENCE, looked: Callable[[Farm], None] = lambda farm: None) -> Farm:
    """The workers of a dask.distributed client's cluster, used as a `Pool` is. Arguments as in `Farm`."""
    return Farm(client, patience=patience, looked=looked)


@suggests_options
def connect(address: str, *, security: Any = None) -> Client:
    """A client of the cluster whose scheduler is at an address, such as tcp://127.0.0.1:8786, or tls://..."""
    try:
        import dask
        from distributed import Client
        from distributed.comm.addressing import parse_address, parse_host_port
    except ImportError:
        raise MissingExtra("work on a cluster", "distributed", "farm") from None
    # Takes are sent as they are: a graph is as large as they are, and dask warns of large ones.
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "4GiB"})
    try:
        parse_host_port(parse_address(address)[1])  # a client of what is no address never ends
    except ValueError as problem:
        raise BadValue(f"{address} is no address of a scheduler, such as tcp://127.0.0.1:8786: {problem}") from problem
    try:
        return Client(address, timeout=_ANSWERS, security=security, set_as_default=False)
    except (OSError, TimeoutError) as problem:
        hint = "`facewright farm start` starts one here"
        raise BadValue(f"no scheduler answers at {address}; {hint}") from problem
    except (ValueError, TypeError) as problem:
        raise BadValue(f"{address} is no address of a scheduler, such as tcp://127.0.0.1:8786: {problem}") from problem
