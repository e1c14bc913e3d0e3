"""usd-core in a process of its own: a damaged file can end that process, and can take no more than its limits allow."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from facewright.errors import BadFile, MissingExtra
from facewright.formats import limits

_MODULE = "facewright.formats.usd_stage"
_START = [sys.executable, "-P", "-m", _MODULE]
_PACKAGE = "pxr"
_FREE_BYTES = 64 << 20  # of arrays that any file may have
_MEMORY = 2 << 30  # bytes that reading any file may take,
_MEMORY_PER_BYTE = 64  # and more for each of its own
_SECONDS, _SECONDS_PER_MB = 20, 0.5  # of the processor
_PATIENCE = 6  # times these seconds until the process is ended, on a busy machine
_TYPES = frozenset("fdeiIqQlLbB?")  # of numbers in arrays, as `struct` calls them

_servers: list[subprocess.Popen[bytes]] = []  # see `reused_process`


class ArrayEntry(msgspec.Struct):
    """Where an array is among the bytes that follow the description of a stage."""

    start: int
    type: str
    shape: list[int]


@dataclass(frozen=True, eq=False)
class StageFile:
    """What was found on a stage: a description, and the arrays that it refers to."""

    description: dict[str, Any]
    data: NDArray[np.uint8]

    def array(self, entry: object) -> NDArray[Any]:
        """An array of the description."""
        one = msgspec.convert(entry, ArrayEntry)
        if one.type not in _TYPES or min(one.shape, default=0) < 0:
            raise BadFile(f"an array has numbers of the kind {one.type!r}")
        kind, count = np.dtype(one.type), prod(one.shape)
        return self.data[one.start : one.start + count * kind.itemsize].view(kind).reshape(one.shape)


def check_installed(what: str) -> None:
    """Raise where usd-core is not here."""
    if find_spec(_PACKAGE) is None:
        raise MissingExtra(what, "usd-core", "usd")


def read_stage(path: Path) -> StageFile:
    """What is on the stage of a file."""
    check_installed("Reading USD files")
    size = path.stat().st_size
    most = _FREE_BYTES + limits.WIDENED * size
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        made = Path(folder, "stage")
        _run(["read", str(path), str(made), str(most)], size)
        data = np.fromfile(made, np.uint8)
    length = int.from_bytes(data[:8].tobytes(), "little")
    description = msgspec.json.decode(data[8 : 8 + length].tobytes(), type=dict[str, Any])
    if "refused" in description:
        raise BadFile(str(description["refused"]))
    return StageFile(description, data[8 + length :])


def pack_layer(text: Path, binary: Path) -> None:
    """Write a layer of text as a binary one."""
    check_installed("Writing .usdc and .usdz files")
    _run(["pack", str(text), str(binary)], text.stat().st_size)


@contextmanager
def reused_process() -> Iterator[None]:
    """Within this, usd-core is loaded once for many files: each is still read by a process of its own, a copy of the
    one that has it, with limits of its own. Only where processes can be copied (not on Windows).
    """
    check_installed("Reading USD files")
    with (
        tempfile.TemporaryDirectory(prefix="facewright-") as folder,
        subprocess.Popen(  # noqa: S603
            [*_START, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment(folder)
        ) as server,
    ):
        _servers.append(server)
        try:
            yield
        finally:
            _servers.remove(server)
            server.kill()


def _run(arguments: list[str], size: int) -> None:
    seconds = _SECONDS + _SECONDS_PER_MB * size / (1 << 20)
    words = [str(int(seconds)), str(_MEMORY + _MEMORY_PER_BYTE * size), *arguments]
    code, said = _by_server(_servers[-1], words) if _servers else _alone(words, _PATIENCE * seconds)
    if code:
        last = said.splitlines()[-1][:300] if said else ""
        if code == 1 and "Traceback" in said and not last.startswith("MemoryError"):
            raise BadFile(f"reading it failed: {last}") from TypeError(said)  # a mistake of ours
        raise BadFile(f"usd-core cannot read it: it ended with {_ending(code)}")


def _alone(words: list[str], patience: float) -> tuple[int, str]:
    """The exit code of a command, and what it said about its end."""
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        started: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "env": _environment(folder)}
        try:
            done = subprocess.run([*_START, *words], timeout=patience, **started)  # noqa: S603
        except subprocess.TimeoutExpired:
            raise BadFile(f"usd-core has not read it after {patience:.0f} s") from None
    return done.returncode, done.stderr.decode("utf-8", "replace").strip()


def _by_server(server: subprocess.Popen[bytes], words: list[str]) -> tuple[int, str]:
    """The same by a process that has usd-core already; its copy ends by its limit on the processor's time."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(msgspec.json.encode(words) + b"\n")
    server.stdin.flush()
    code, said = msgspec.json.decode(server.stdout.readline(), type=tuple[int, str])
    return code, said.strip()


def _ending(code: int) -> str:
    return "an error" if code > 0 else f"signal {-code}, as with a damaged file, or for want of memory or time"


def _environment(temporary: str) -> Mapping[str, str]:
    """The variables of the process: our package is found, and no other folder is searched for layers.

    What usd-core writes about its own end goes into a folder that is removed.
    """
    package = Path(__file__).parents[3]
    known = {name: value for name, value in os.environ.items() if name != "PXR_AR_DEFAULT_SEARCH_PATH"}
    paths = [str(package), *filter(None, [known.get("PYTHONPATH")])]
    return known | {"PYTHONPATH": os.pathsep.join(paths), "TMPDIR": temporary}
