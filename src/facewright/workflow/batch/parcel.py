"""Files to a worker elsewhere and back: what is common to many jobs once for each worker, the rest with each job."""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from facewright.errors import BadFile
from facewright.formats.files import make_folder, write_atomically
from facewright.jobs import Failed, Finished, Shared, Task, failure
from facewright.workflow.batch.file_job import FileJob, files_of, with_names, with_paths

_lock = threading.Lock()
_folders: weakref.WeakKeyDictionary[FileSet, Path]


@dataclass(frozen=True, eq=False)
class FileSet:
    """A file or folder with all that is read where it is named, by names relative to the folder that it is in."""

    name: str
    files: dict[str, bytes]

    @classmethod
    def of(cls, path: Path) -> FileSet:
        return cls(path.name, {file.relative_to(path.parent).as_posix(): file.read_bytes() for file in files_of(path)})

    def put(self, folder: Path) -> Path:
        """Write the files into a folder; where the named one is then."""
        for name, data in self.files.items():
            file = folder / name
            if not file.resolve().is_relative_to(folder.resolve()):
                raise BadFile(f"{name}: this name leads out of the folder that it is to be written into")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return folder / self.name

    def kept(self, where: Path) -> Path:
        """The same, written when first asked for, and removed with this object."""
        with _lock:
            if self not in _folders:
                folder = Path(tempfile.mkdtemp(dir=where))
                _folders[self] = self.put(folder)
                weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            return _folders[self]


_folders = weakref.WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Parcel:
    """A job with its files."""

    work: Callable[[Task, Any], Any]
    job: FileJob
    common: dict[Path, Shared[FileSet]]
    own: dict[Path, FileSet]
    brings: bool  # what is written comes back with the answer; otherwise it is written where the job says


@dataclass(frozen=True, eq=False)
class ParcelAnswer:
    """What came of a job, and the files it wrote with the places where they belong."""

    outcome: Finished[Any] | Failed
    files: tuple[tuple[Path, bytes], ...]


def pack(
    work: Callable[[Task, Any], Any], job: FileJob, common: Mapping[Path, Shared[FileSet]], *, brings: bool
) -> Parcel:
    """The parcel for a job, with the files that it alone reads."""
    own = {path: FileSet.of(path) for path in job.own if path.exists()}
    here = {path: common[path] for path in job.common if path in common}
    sent = job if brings else with_paths(job, {path: path.absolute() for path in job.writes})
    return Parcel(work, sent, here, own, brings)


def carry_out_parcel(task: Task, parcel: Parcel) -> ParcelAnswer:
    """Do a parcel's work in a worker, in a folder that is removed afterwards."""
    from facewright.jobs.on_worker import scratch_folder

    with tempfile.TemporaryDirectory(dir=scratch_folder()) as name:
        folder = Path(name)
        paths = {path: shared().kept(scratch_folder()) for path, shared in parcel.common.items()}
        paths |= {path: files.put(folder / f"in{i}") for i, (path, files) in enumerate(parcel.own.items())}
        written = dict(enumerate(parcel.job.writes)) if parcel.brings else {}
        paths |= {path: folder / f"out{i}" / path.name for i, path in written.items()}
        for i in written:
            (folder / f"out{i}").mkdir()
        try:
            outcome: Finished[Any] | Failed = Finished(parcel.work(task, with_paths(parcel.job, paths)))
        except Exception as problem:
            outcome = replace(failure(problem), cause=None)  # which may not be portable
        outcome = with_names(outcome, {str(there): str(named) for named, there in paths.items()})
        files = (one for i, path in written.items() for one in _gathered(folder / f"out{i}", path))
        return ParcelAnswer(outcome, tuple(files))


def _gathered(folder: Path, path: Path) -> list[tuple[Path, bytes]]:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return [(path.parent / file.relative_to(folder), file.read_bytes()) for file in files]


def unpack(answer: ParcelAnswer) -> None:
    """Write the files that came back, each at once, where they belong."""
    for path, data in answer.files:
        if not path.parent.is_dir():
            make_folder(path.parent)  # of numbered pictures
        write_atomically(path, data)
