"""Many takes by one command: its options, what is shown meanwhile, and how it ends."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console

from facewright.cli.asked import asked
from facewright.cli.outputs import check_folder
from facewright.cli.progress_bar import progress_bar
from facewright.cli.saving import check_report_name
from facewright.cli.screen import plain, screen
from facewright.errors import BadValue
from facewright.formats.files import write_atomically
from facewright.jobs import EXIT, Failed, Farm, Finished, NotBegun, Pool, connect, over
from facewright.workflow.batch.file_job import JobKeys, chunk_of
from facewright.workflow.batch.record import all_records, batch_folder, keep_command
from facewright.workflow.batch.run import Batch, J, R, run_batch, whole_records
from facewright.workflow.report.batch import batch_report

MARK = "{take}"  # in an output's path: the name of a take
_LEFT_OUT = ("--chunk", "--resume", "--json", "--quiet", "-q")  # of the command that is kept for another time

Jobs = Annotated[int, typer.Option(help="Takes at once, each in a process; default one for each core.")]
On = Annotated[str, typer.Option("--on", help="On a cluster, by the address of its scheduler: tcp://render01:8786.")]
OutShared = Annotated[
    bool, typer.Option("--out-shared", help="With --on: the workers write, into a folder that all machines share.")
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Leave out what is whole, and made from the same in the same way.")
]
Chunk = Annotated[str, typer.Option(help="Only a share of the takes, such as 3/8, for a farm that runs commands.")]
SummaryPage = Annotated[Path | None, typer.Option("--summary", help="Write a page over all takes, such as index.html.")]


@dataclass(frozen=True)
class BatchOptions:
    """How many takes are done."""

    jobs: int = 0
    on: str = ""
    out_shared: bool = False
    resume: bool = False
    chunk: str = ""
    summary: Path | None = None

    def __post_init__(self) -> None:
        if self.out_shared and not self.on:
            raise BadValue("--out-shared is for --on: without it, all is written from here")
        if self.on and self.jobs:
            raise BadValue("--jobs is for this machine; a cluster has the workers that were started for it")
        chunk_of([], self.chunk)
        check_report_name(self.summary)

    @property
    def are_given(self) -> bool:
        """Whether even a single take is treated as one of many."""
        return bool(self.on or self.resume or self.chunk or self.summary)


def check_names(outputs: Iterable[Path | None], names: Sequence[str]) -> None:
    """Raise where several takes would be written to the same file."""
    if len(names) < 2:
        return
    for path in outputs:
        if path is not None and MARK not in str(path):
            raise BadValue(f"several takes need a name each: say {path.with_name(MARK + path.suffix)}, for instance")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise BadValue(f"two of the takes have the same name, {twice[0]}, and would be written to the same file")


def named(path: Path, name: str) -> Path:
    """A path with a take's name in it."""
    return Path(str(path).replace(MARK, name))


def run_together(
    command: str,
    work: Callable[[Any, J], R],
    jobs: Sequence[J],
    out: Path,
    options: BatchOptions,
    told: Callable[[J, R], None],
) -> None:
    """Do the jobs; one that fails does not stop the others. Exits with 2 where some failed, 130 where it was stopped.

    out: where results go, with MARK in it. told: prints what came of a job.
    """
    folder, keys, asked.in_lines = batch_folder(out, MARK), JobKeys(command), True
    if options.summary is not None:
        check_folder(options.summary)
    keep_command(folder, command, list(_again(asked.words)))
    batch = Batch(command, folder, work, chunk_of(list(jobs), options.chunk))
    whole = whole_records(batch, keys) if options.resume else {}
    for record in whole.values():
        asked.line({"name": record.name, "status": "whole", **record.facts})
    left = replace(batch, jobs=[job for job in batch.jobs if job.name not in whole])
    ends = Counter(whole=len(whole))
    try:
        ends.update(_each(left, keys, options, told))
    finally:
        if options.summary is not None:
            write_atomically(options.summary, batch_report(folder, list(all_records(folder)), options.summary).encode())
    _conclude(ends, folder, options)


def _again(words: Sequence[str]) -> Iterator[str]:
    """The words of a command without those about a part of it."""
    skip = False
    for word in words:
        if not skip and word.partition("=")[0] not in _LEFT_OUT:
            yield word
        skip = not skip and word == "--chunk"


def _each(batch: Batch[J, R], keys: JobKeys, options: BatchOptions, told: Callable[[J, R], None]) -> Iterator[str]:
    """Run what is left; how each one ended."""
    if not batch.jobs:
        return
    console, total, start, frames = screen(stderr=True), len(batch.jobs), perf_counter(), 0
    with progress_bar(console, "frames/s") as bar:
        shown = bar.add_task(f"{total} takes", total=total, speed="")

        def looked(farm: Farm) -> None:
            words = f"{farm.workers} workers" if farm.workers else "no workers yet"
            bar.update(shown, description=f"{total} takes, {words}")

        with _runner(options, total, looked, console) as runner:
            for job, ended in run_batch(batch, keys, runner, brings=not options.out_shared):
                yield _heard(job, ended, told)
                frames += getattr(ended.value, "frames", 0) if isinstance(ended, Finished) else 0
                bar.update(shown, advance=1, speed=f"{frames / (perf_counter() - start):,.0f}")


@contextmanager
def _runner(
    options: BatchOptions, count: int, looked: Callable[[Farm], None], console: Console
) -> Iterator[Pool | Farm]:
    if not options.on:
        with Pool(min(count, options.jobs if options.jobs > 0 else multiprocessing.cpu_count())) as pool:
            yield pool
        return
    with connect(options.on) as client, over(client, looked=looked) as farm:
        if not farm.workers:
            console.print(f"[yellow]{plain(options.on)} has no workers yet; waiting for some[/]", soft_wrap=True)
        yield farm


def _heard(job: J, ended: Finished[R] | Failed | NotBegun, told: Callable[[J, R], None]) -> str:
    """Print what came of a job; in a word."""
    name = job.name
    if isinstance(ended, NotBegun):
        asked.line({"name": name, "status": "stopped"})
        return "stopped"
    if isinstance(ended, Failed):
        asked.line({"name": name, "status": "failed", "words": ended.message})
        asked.list("errors", f"{name}: {ended.message}")
        words = f"[bold red]{plain(name)}:[/] {plain(ended.message)}"
        screen(stderr=True, important=True).print(words, soft_wrap=True)
        return "failed"
    status = "done" if ended.value.finished else "stopped"
    asked.line({"name": name, "status": status, **asdict(ended.value)})  # type: ignore[call-overload]
    told(job, ended.value)
    return status


def _conclude(ends: Counter[str], folder: Path, options: BatchOptions) -> None:
    asked.tell(**{word: ends[word] for word in ("done", "whole", "failed", "stopped")})
    said = ", ".join(f"{count} {word}" for word, count in ends.items() if count) or "none"
    console = screen(stderr=True)
    console.print(f"{ends.total()} takes: {said}", soft_wrap=True)
    if options.summary is not None:
        console.print(f"summary: {plain(str(options.summary))}", soft_wrap=True)
    if ends["stopped"] or ends["failed"]:
        console.print(f"`facewright batch retry {plain(str(folder))}` does what is left", soft_wrap=True)
    if ends["stopped"]:
        raise typer.Exit(EXIT)
    if ends["failed"]:
        raise typer.Exit(2)
