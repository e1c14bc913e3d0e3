"""A batch: which of its jobs are whole already, and running the others in processes here or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from facewright import __version__
from facewright.errors import FacewrightError
from facewright.jobs import Failed, Farm, Finished, NotBegun, Pool, Task, failure
from facewright.workflow.batch.file_job import FileJob, JobKeys
from facewright.workflow.batch.parcel import FileSet, ParcelAnswer, carry_out_parcel, pack, unpack
from facewright.workflow.batch.record import JobRecord, Status, checksums, find_record, keep_record

J = TypeVar("J", bound=FileJob)
R = TypeVar("R", bound="FileResult")


class FileResult(Protocol):
    """What came of a job, for a person: a dataclass."""

    @property
    def finished(self) -> bool:
        """Whether it is whole; False if it was stopped."""

    @property
    def line(self) -> str:
        """How it went."""


@dataclass(frozen=True, eq=False)
class Batch(Generic[J, R]):
    """Jobs of one command, whose results are below one folder."""

    command: str
    folder: Path
    work: Callable[[Task, J], R]
    jobs: Sequence[J]


def whole_records(batch: Batch[J, R], keys: JobKeys) -> dict[str, JobRecord]:
    """The records, by name, of those jobs whose results are there, and made from the same files in the same way."""
    found = ((job, find_record(batch.folder, batch.command, job.name)) for job in batch.jobs)
    return {
        job.name: record
        for job, record in found
        if record is not None and record.is_whole(batch.folder, _key(keys, job))
    }


def run_batch(
    batch: Batch[J, R], keys: JobKeys, runner: Pool | Farm, *, brings: bool = True
) -> Iterator[tuple[J, Finished[R] | Failed | NotBegun]]:
    """Run the jobs, keep a record of each, and yield what came of it, in the order in which they end.

    brings: whether what a worker of a cluster writes comes back here; otherwise it writes where the job says.
    """
    known = {job.name: _key(keys, job) for job in batch.jobs}  # of the files as they are before the work
    ended = _on_farm(batch, runner, brings=brings) if isinstance(runner, Farm) else runner.run(batch.work, batch.jobs)
    for job, outcome in ended:
        if not isinstance(outcome, NotBegun):
            keep_record(batch.folder, _record(batch, job, outcome, known[job.name]))
        yield job, outcome


def _key(keys: JobKeys, job: FileJob) -> str:
    """The key of a job; "" where its files cannot be read, of which the work itself says best what is wrong."""
    try:
        return keys(job)
    except (FacewrightError, OSError):
        return ""


def _on_farm(batch: Batch[J, R], farm: Farm, *, brings: bool) -> Iterator[tuple[J, Finished[R] | Failed | NotBegun]]:
    paths = {path for job in batch.jobs for path in job.common if path.exists()}
    common = {path: farm.share(FileSet.of(path)) for path in sorted(paths)}
    packed = partial(pack, batch.work, common=common, brings=brings)
    for job, ended in farm.run(carry_out_parcel, batch.jobs, packed=packed):
        yield job, _unpacked(ended) if isinstance(ended, Finished) else ended


def _unpacked(ended: Finished[ParcelAnswer]) -> Finished[Any] | Failed:
    answer = ended.value
    if isinstance(answer.outcome, Finished):
        try:
            unpack(answer)
        except Exception as problem:  # a full disk fails this take, and not the night
            return failure(problem)
    return answer.outcome


def _record(batch: Batch[J, R], job: J, outcome: Finished[R] | Failed, key: str) -> JobRecord:
    status: Status = "failed"
    facts: dict[str, Any] = {}
    if isinstance(outcome, Failed):
        words = outcome.message
    else:
        status, words = "done" if outcome.value.finished else "stopped", outcome.value.line
        facts = asdict(outcome.value)  # type: ignore[call-overload]
    outputs = checksums(job.writes, batch.folder) if status == "done" else {}
    report = next((name for name in outputs if name.endswith((".html", ".htm"))), "")
    return JobRecord(
        name=job.name,
        command=batch.command,
        status=status,
        key=key,
        version=__version__,
        outputs=outputs,
        words=words,
        report=report,
        facts=facts,
    )
