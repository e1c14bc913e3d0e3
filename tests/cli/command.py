"""The command line as tests run it: mostly inside their own process, and as a real process where that is the point."""

import os
import subprocess
import sys
import traceback
from dataclasses import dataclass

from typer.testing import CliRunner

from facewright.cli.main import app

PATIENCE = 60.0  # seconds


@dataclass(frozen=True)
class Done:
    """What came of a command."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object, **environment: str) -> Done:
    """Run a command in this process, which spares the start of another."""
    done = CliRunner().invoke(app, [str(each) for each in arguments], env=environment)
    if done.exception is None or isinstance(done.exception, SystemExit):
        return Done(done.exit_code, done.stdout, done.stderr)
    told = "".join(traceback.format_exception(done.exception))  # as the interpreter would
    return Done(1, done.stdout, done.stderr + told)


def run_alone(*arguments: object, **environment: str) -> Done:
    """Run a command as a process of its own."""
    done = subprocess.run(
        command(*arguments), capture_output=True, encoding="utf8", env=os.environ | environment, timeout=PATIENCE
    )
    return Done(done.returncode, done.stdout, done.stderr)


def command(*arguments: object) -> list[str]:
    """The words that start the program."""
    return [sys.executable, "-m", "facewright.cli.main", *map(str, arguments)]


def assert_one_paragraph(done: Done, *words: str) -> None:
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("facewright: ")
    assert done.stderr.count("\n") == 1
    for word in words:
        assert word in done.stderr
