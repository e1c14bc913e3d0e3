"""Batches: which jobs are told apart, which are whole, and files that travel to a worker and back."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from facewright.errors import BadFile, BadValue
from facewright.workflow.batch import file_job
from facewright.workflow.batch.file_job import JobKeys, chunk_of, with_names, with_paths
from facewright.workflow.batch.parcel import FileSet
from facewright.workflow.batch.record import (
    JobRecord,
    all_records,
    batch_folder,
    checksums,
    find_record,
    keep_record,
    kept_commands,
)
from facewright.workflow.report.batch import batch_report


@dataclass(frozen=True)
class Inner:
    file: Path


@dataclass(frozen=True)
class Copy:
    """Reads two files, writes one."""

    take: Path
    rig: Path
    out: Path
    strength: float = 1.0
    more: tuple[Inner | str, ...] = ()

    name = "copy"

    @property
    def own(self) -> tuple[Path, ...]:
        return (self.take,)

    @property
    def common(self) -> tuple[Path, ...]:
        return (self.rig,)

    @property
    def writes(self) -> tuple[Path, ...]:
        return (self.out,)


@pytest.fixture
def job(tmp_path: Path) -> Copy:
    (tmp_path / "take.csv").write_text("1")
    (tmp_path / "rig.bin").write_text("2")
    return Copy(tmp_path / "take.csv", tmp_path / "rig.bin", tmp_path / "out.csv")


def test_a_key_changes_with_files_options_command_and_version_and_not_with_the_place(
    job: Copy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = JobKeys("solve")(job)
    assert JobKeys("solve")(job) == key
    assert JobKeys("build")(job) != key
    assert JobKeys("solve")(replace(job, strength=0.5)) != key
    assert JobKeys("solve")(replace(job, out=tmp_path / "other.csv")) != key
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    moved = {path: elsewhere / path.name for path in (job.take, job.rig, job.out)}
    for path in (job.take, job.rig):
        moved[path].write_bytes(path.read_bytes())
    assert JobKeys("solve")(with_paths(job, moved)) == key
    job.rig.write_text("3")
    assert JobKeys("solve")(job) != key
    job.rig.write_text("2")
    monkeypatch.setattr(file_job, "__version__", "0.0.1")
    assert JobKeys("solve")(job) != key


def test_paths_are_found_in_all_that_a_job_holds_and_names_in_all_that_it_says(job: Copy) -> None:
    held = replace(job, more=(Inner(job.take), "text"))
    there = with_paths(held, {job.take: Path("there.csv")})
    assert (there.take, there.more, there.rig) == (Path("there.csv"), (Inner(Path("there.csv")), "text"), job.rig)
    said = JobRecord(name="/tmp/x/a.csv", command="", status="failed", key="", version="")
    assert with_names(("/tmp/x/a.csv: broken", 3), {"/tmp/x/a.csv": "a.csv"}) == ("a.csv: broken", 3)
    assert said.name == "/tmp/x/a.csv"


def test_a_record_is_whole_only_while_its_files_are_as_they_were_written(job: Copy, tmp_path: Path) -> None:
    job.out.write_text("result")
    key = JobKeys("solve")(job)
    done = JobRecord(
        name="copy", command="solve", status="done", key=key, version="1", outputs=checksums(job.writes, tmp_path)
    )
    keep_record(tmp_path, done)
    kept = find_record(tmp_path, "solve", "copy")
    assert kept == done
    assert list(all_records(tmp_path)) == [done]
    assert done.is_whole(tmp_path, key)
    assert not done.is_whole(tmp_path, "another")
    assert not msgspec.structs.replace(done, key="").is_whole(tmp_path, "")
    assert not msgspec.structs.replace(done, status="stopped").is_whole(tmp_path, key)
    job.out.write_text("resul")
    assert not done.is_whole(tmp_path, key)
    job.out.unlink()
    assert not done.is_whole(tmp_path, key)


@pytest.mark.parametrize("broken", [b"", b"{", b'{"name": 3}', b"[" * 100_000, b"\xff\xfe", b'{"name": "\x8f"}'])
def test_a_record_that_was_broken_counts_as_none(tmp_path: Path, broken: bytes) -> None:
    (tmp_path / "batch").mkdir()
    (tmp_path / "batch" / "solve-copy.json").write_bytes(broken)
    assert find_record(tmp_path, "solve", "copy") is None
    with pytest.raises(BadFile, match="no record of a batch"):
        list(all_records(tmp_path))
    with pytest.raises(BadFile, match="no batch was made in this folder"):
        kept_commands(tmp_path)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9])
def test_chunks_share_out_all_items_each_once(count: int) -> None:
    items = list(range(count))
    parts = [chunk_of(items, f"{number}/8") for number in range(1, 9)]
    assert sorted(item for part in parts for item in part) == items
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert chunk_of(items, "") == items


@pytest.mark.parametrize("text", ["0/8", "9/8", "3", "a/b", "1/0", "-1/2", "1/2/3", "/", "²/3"])
def test_what_is_no_chunk_is_a_sentence(text: str) -> None:
    with pytest.raises(BadValue, match="chunk"):
        chunk_of([1], text)


def test_a_folder_of_results_ends_where_names_begin() -> None:
    assert batch_folder(Path("out/{take}/face.glb"), "{take}") == Path("out")
    assert batch_folder(Path("{take}.glb"), "{take}") == Path()
    assert batch_folder(Path("a/b/face.glb"), "{take}") == Path("a/b")


def test_files_travel_with_those_beside_them_and_never_out_of_their_folder(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.json").write_text('{"poses": [{"file": "scans/b.obj"}]}')
    (tmp_path / "here" / "scans").mkdir()
    (tmp_path / "here" / "scans" / "b.obj").write_text("v 0 0 0")
    found = FileSet.of(tmp_path / "here" / "a.json")
    assert sorted(found.files) == ["a.json", "scans/b.obj"]
    whole = FileSet.of(tmp_path / "here")  # a folder of scans, with whatever is in it
    assert sorted(whole.files) == ["here/a.json", "here/scans/b.obj"]
    put = found.put(tmp_path / "there")
    assert put == tmp_path / "there" / "a.json"
    assert (tmp_path / "there" / "scans" / "b.obj").read_text() == "v 0 0 0"
    with pytest.raises(BadFile, match="leads out of the folder"):
        FileSet("x", {"../x": b""}).put(tmp_path / "there")
    assert not (tmp_path / "x").exists()


def test_files_kept_for_many_jobs_are_written_once_and_removed_with_their_set(tmp_path: Path) -> None:
    files = FileSet("rig.npz", {"rig.npz": b"rig"})
    there = files.kept(tmp_path)
    assert files.kept(tmp_path) == there
    assert there.read_bytes() == b"rig"
    del files
    assert not there.exists()


def test_the_page_escapes_what_comes_from_files_and_links_to_reports(tmp_path: Path) -> None:
    figures = {"mean": 0.5, "most": 1.0, "worst": 2.0, "spread": 0.1, "frames": [
        {"frame": 7, "seconds": 0.25, "residual": 1.5}]}  # fmt: skip
    common: dict[str, Any] = {"command": "solve", "key": "k", "version": "1"}
    records = [
        JobRecord(name="good one", status="done", report="pages/good one.html", facts={"figures": figures, "frames": 9,
               "seconds": 3.0, "notes": ["<b>note</b>"]}, **common),
        JobRecord(name="<script>bad</script>", status="failed", words="it <i>broke</i>", **common),
        JobRecord(name="strange", status="done", facts={"figures": {"mean": "much"}, "frames": "many"}, **common),
    ]  # fmt: skip
    page = batch_report(tmp_path, records, tmp_path / "sub" / "index.html")
    assert 'href="../pages/good%20one.html"' in page
    assert "frame 7" in page
    assert "&lt;b&gt;note" in page
    assert "&lt;i&gt;broke" in page
    assert "<script>bad" not in page
    assert f"facewright batch retry {tmp_path}" in page
    assert "NaN" not in batch_report(tmp_path, [], tmp_path / "index.html")
