"""JupyterLab and marimo, where they are installed: started in a folder of their own, on a free port of this machine."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.forked import PATIENCE

SETTINGS = {
    # Cells that are not on the screen are drawn, too, so that a test finds them.
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
BIN = Path(__file__).resolve().parents[2] / ".venv-notebook" / "bin"


def tool(name: str) -> Path:
    """A program of the environment that has notebooks."""
    found = BIN / name
    if not found.exists():
        pytest.skip(f"{name} is not here: make test-notebook installs it into .venv-notebook")
    return found


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """The address of a JupyterLab that shows a folder."""
    state, port = folder / ".state", _free_port()
    for name, values in SETTINGS.items():
        file = state / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(values), encoding="utf-8")
    command = [str(tool("jupyter-lab")), "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]
    own = {f"JUPYTER_{kind}_DIR": str(state / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    own |= {"JUPYTERLAB_SETTINGS_DIR": str(state / "settings"), "IPYTHONDIR": str(state / "ipython")}
    with _running(command, folder, own, f"http://127.0.0.1:{port}/api"):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def marimo(script: Path) -> Iterator[str]:
    """The address of a marimo notebook that is run as an application."""
    port = _free_port()
    command = [
        str(tool("marimo")),
        "run",
        str(script),
        "--headless",
        "--no-token",
        "--host=127.0.0.1",
        f"--port={port}",
    ]
    own = {"XDG_CONFIG_HOME": str(script.parent), "XDG_STATE_HOME": str(script.parent)}
    with _running(command, script.parent, own, f"http://127.0.0.1:{port}/health"):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _running(command: list[str], folder: Path, own: dict[str, str], address: str) -> Iterator[None]:
    with (folder / ".server.txt").open("w") as said:
        server = subprocess.Popen(command, cwd=folder, env=os.environ | own, stdout=said, stderr=said)
        try:
            limit = time.monotonic() + PATIENCE
            while not _answers(address):
                assert server.poll() is None, (folder / ".server.txt").read_text()[-2000:]
                assert time.monotonic() < limit, (folder / ".server.txt").read_text()[-2000:]
                time.sleep(0.1)
            yield
        finally:
            server.terminate()
            server.wait(PATIENCE)


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as answer:
            return int(answer.status) == 200
    except (URLError, OSError):
        return False


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
