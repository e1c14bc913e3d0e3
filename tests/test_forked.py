"""Processes that are forked for tests are as those that are started plainly."""

import os
import signal
import sys
from pathlib import Path

import pytest

from facewright.document import Document
from facewright.formats.registry import save
from facewright.samples.mask import mask
from tests.cli.command import run_alone
from tests.forked import PATIENCE, ForkedProcess, forked
from tests.studio.served import QUIET, serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


def start(*arguments: str) -> ForkedProcess:
    process = forked(arguments, os.environ | QUIET)
    assert process is not None
    return process


@pytest.mark.parametrize(
    "arguments", [pytest.param(["inspect", "face.fwface", "--json"], marks=pytest.mark.long), ["inspect", "no.fwface"]]
)
def test_it_writes_and_ends_as_a_plain_one(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(Document(mask(100, 2)), tmp_path / "face.fwface")
    monkeypatch.chdir(tmp_path)
    with start(*arguments) as process:
        told, complained = process.stdout.read(), process.stderr.read()
        code = process.wait(PATIENCE)
    plain = run_alone(*arguments, **QUIET)
    assert (code, told, complained) == (plain.returncode, plain.stdout, plain.stderr)


def test_it_is_ended_by_signals_and_says_by_which(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        assert isinstance(served.process, ForkedProcess)
        assert served.process.poll() is None
        served.process.send_signal(signal.SIGKILL)
        assert served.process.wait(PATIENCE) == -signal.SIGKILL
        assert not Path(f"/proc/{served.process.pid}").exists()


@pytest.mark.parametrize("other", [{"LANG": "eo"}, {"OPENBLAS_NUM_THREADS": "2"}])
def test_another_environment_asks_for_a_plain_one(other: dict[str, str]) -> None:
    with start("--version"):
        pass
    assert forked(["--version"], os.environ | QUIET | other) is None


def test_without_a_test_a_plain_one_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    assert forked(["--version"], os.environ | QUIET) is None
