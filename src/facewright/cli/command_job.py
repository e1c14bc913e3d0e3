"""A command for one of many files as plain data, and running it inside another process.

What a command asks and does stays in one place: a batch gives the command again, for one file at a time.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

from facewright.cli.asked import asked
from facewright.cli.batch import MARK, BatchOptions, check_names, named, run_together
from facewright.cli.outputs import check_outputs
from facewright.cli.screen import plain, screen
from facewright.errors import BadValue
from facewright.jobs import EXIT, Task, stopping_with

Word = str | Path | tuple[Path, str]  # the last: a path with more words after it, such as smile.obj:jawOpen=0.2
_OF_BATCHES = {"jobs", "on", "out_shared", "resume", "chunk", "summary"}  # parameters that one file has no use for
_one_at_a_time = threading.Lock()  # what a command prints and was asked for is one for the process


@dataclass(frozen=True)
class CommandJob:
    """A command for one file."""

    name: str
    words: tuple[Word, ...]
    own: tuple[Path, ...]
    common: tuple[Path, ...]
    writes: tuple[Path, ...]


@dataclass(frozen=True)
class CommandResult:
    """What a command did, in its own words."""

    frames: int  # that were drawn; 0 where the command draws none
    seconds: float
    line: str
    said: tuple[str, ...]
    finished: bool = True


@dataclass(frozen=True)
class BatchParameters:
    """Which of a command's parameters are files: names as its function has them."""

    each: str  # the one with a file for each job
    own: tuple[str, ...] = ()  # files that have MARK in their names, one for each job
    common: tuple[str, ...] = ()
    writes: tuple[str, ...] = ("out",)


def run_for_each(
    context: typer.Context, parameters: BatchParameters, options: BatchOptions, more: Callable[[str], Word] = str
) -> None:
    """Give a command again for each of its files, here or on a cluster. more: a text that has a path in it."""
    files = [Path(file) for file in context.params[parameters.each]]
    out = Path(context.params["out"])
    check_names([context.params[name] for name in parameters.writes], [file.stem for file in files])
    jobs = [_job(context, parameters, file, more) for file in files]
    for job in jobs:
        _check_paths(job)
    written = [path for job in jobs for path in job.writes]
    check_outputs([*written, options.summary], {path for job in jobs for path in (*job.own, *job.common)})
    run_together(str(context.info_name), run_command, jobs, out, options, _tell)


def _job(context: typer.Context, parameters: BatchParameters, file: Path, more: Callable[[str], Word]) -> CommandJob:
    words: list[Word] = [str(context.info_name)]
    found: dict[str, list[Path]] = {}
    for parameter in context.command.params:
        if parameter.name is None or parameter.name in _OF_BATCHES:
            continue
        given = context.params.get(parameter.name)
        values = [file] if parameter.name == parameters.each else given if isinstance(given, list | tuple) else [given]
        is_file = parameter.name in (parameters.each, *parameters.own, *parameters.common, *parameters.writes)
        for value in values:
            if value is None or value is False or value == parameter.default:
                continue
            marked = _marked(value, file.stem, is_path=is_file, more=more)
            words += _words(parameter, marked)
            found.setdefault(parameter.name, []).extend(_paths(marked))
    own, common, writes = (
        tuple(path for name in names for path in found.get(name, ()))
        for names in (parameters.own, parameters.common, parameters.writes)
    )
    return CommandJob(file.stem, tuple(words), (file, *own), common, writes)


def _marked(value: Any, name: str, *, is_path: bool, more: Callable[[str], Word]) -> Word | bool:
    """A value for one of the files."""
    if isinstance(value, Path) or is_path:
        whole = named(Path(value), name)
        return more(str(whole)) if isinstance(value, str) else whole
    return value if isinstance(value, bool) else str(value).replace(MARK, name)


def _words(parameter: Any, value: Word | bool) -> Iterator[Word]:
    """How a value is given on a command line."""
    if parameter.param_type_name == "option":
        yield str(max(parameter.opts, key=len))
    if not isinstance(value, bool):
        yield value


def _paths(value: Word | bool) -> list[Path]:
    return [value] if isinstance(value, Path) else [value[0]] if isinstance(value, tuple) else []


def _check_paths(job: CommandJob) -> None:
    if any(str(path) == "-" for path in (*job.own, *job.common, *job.writes)):
        raise BadValue("many files are read from files and written to files; - is for one of them")


def run_command(task: Task, job: CommandJob) -> CommandResult:
    """Give the command in this process; what goes wrong is an error with its words."""
    from facewright.cli.main import app

    words = ["".join(map(str, word)) if isinstance(word, tuple) else str(word) for word in job.words]
    start, shown = perf_counter(), io.StringIO()
    with _one_at_a_time, stopping_with(task), redirect_stderr(shown), redirect_stdout(io.StringIO()):
        code = typer.main.get_command(app).main(words, "facewright", standalone_mode=False) or 0
        facts = dict(asked.facts)
    if code not in (0, EXIT):
        raise BadValue("; ".join(map(str, facts.get("errors", ()))) or shown.getvalue().strip())
    said = tuple(line for line in shown.getvalue().splitlines() if line.strip())
    frames = sum(int(each.get("frames", 0)) for each in facts.get("written", ()))
    return CommandResult(frames, perf_counter() - start, _main_line(said, job), said, finished=code == 0)


def _main_line(said: Sequence[str], job: CommandJob) -> str:
    """What was said about the first file written."""
    first = f"{job.writes[0]}: "
    about = [line.removeprefix(first) for line in said if line.startswith(first)]
    return about[-1] if about else said[-1] if said else ""


def _tell(job: CommandJob, result: CommandResult) -> None:
    for line in result.said:
        screen(stderr=True).print(plain(line), soft_wrap=True)
