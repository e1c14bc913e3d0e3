"""Many takes by one command: going on, chunks, lines of JSON, the page over all of them, and clusters."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.samples import mask
from tests.cli.command import Done, assert_one_paragraph, run
from tests.cluster import running_cluster

SLIDERS = mask(200, 4, seed=1).sliders


def weights(folder: Path, name: str, top: float) -> Path:
    """A recording of weights, which is quickly mapped."""
    times = np.arange(5) / 30
    table = np.linspace(0, top, 5)[:, None]
    fw.save_clip(fw.Clip.from_table(name, SLIDERS[:1], times, table), folder / f"{name}.csv")
    return folder / f"{name}.csv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fw.save(mask(200, 4, seed=1), tmp_path / "rig.npz")
    for number in range(3):
        weights(tmp_path, f"t{number}", 0.5)
    (tmp_path / "broken.csv").write_text("time\nno")
    (tmp_path / "out").mkdir()
    return tmp_path


def solve(folder: Path, *more: object, names: tuple[str, ...] = ("t0", "t1", "t2", "broken")) -> Done:
    takes = [folder / f"{name}.csv" for name in names]
    out = folder / "out" / "{take}.csv"
    return run("solve", folder / "rig.npz", *takes, "-o", out, "--json", *more)


def told(done: Done) -> tuple[dict[str, str], dict[str, object]]:
    """How each take ended, and the last line."""
    *lines, last = (json.loads(line) for line in done.stdout.splitlines())
    names = [line["name"] for line in lines]
    assert len(set(names)) == len(names)
    return {line["name"]: line["status"] for line in lines}, last


def test_a_batch_goes_on_with_what_failed_is_missing_or_changed(folder: Path) -> None:
    done = solve(folder, "--jobs", 1, "--summary", folder / "out" / "index.html")
    assert done.returncode == 2
    ends, last = told(done)
    assert ends == {"t0": "done", "t1": "done", "t2": "done", "broken": "failed"}
    assert (last["done"], last["failed"]) == (3, 1)
    page = (folder / "out" / "index.html").read_text("utf8")
    assert "broken.csv" in page
    weights(folder, "broken", 0.25)
    weights(folder, "t1", 0.75)
    (folder / "out" / "t2.csv").unlink()
    again = run("batch", "retry", folder / "out", "--json")
    assert again.returncode == 0, again.stderr
    assert told(again)[0] == {"t0": "whole", "t1": "done", "t2": "done", "broken": "done"}
    assert fw.load_clip(folder / "out" / "t1.csv").curves[SLIDERS[0]].values.max() == pytest.approx(0.75, abs=1e-4)
    ends, _ = told(solve(folder, "--resume", "--jobs", 1, "--keys", 0.1, names=("t0",)))
    assert ends == {"t0": "done"}  # other options
    assert run("batch", "summary", folder / "out", "-o", folder / "page.html").returncode == 0
    assert "Without a result" not in (folder / "page.html").read_text("utf8")


def test_chunks_of_several_commands_make_one_batch(folder: Path) -> None:
    names = ("t0", "t1", "t2")
    assert told(solve(folder, "--chunk", "1/2", "--jobs", 1, names=names))[0] == {"t0": "done", "t2": "done"}
    assert told(solve(folder, "--chunk", "2/2", names=names))[0] == {"t1": "done"}
    assert told(solve(folder, "--chunk", "4/8", names=names))[1]["done"] == 0
    assert set(told(solve(folder, "--resume", names=names))[0].values()) == {"whole"}


def test_a_kept_command_writes_nowhere_but_below_its_folder(folder: Path, tmp_path: Path) -> None:
    solve(folder, "--jobs", 1, names=("t0", "broken"))
    kept = folder / "out" / "batch" / "command-solve.json"
    words = json.loads(kept.read_text())
    wanted = words["words"].index(str(folder / "out" / "{take}.csv"))
    (folder / "out" / "link").symlink_to(folder)
    for out in ("x-{take}.csv", "out/../x-{take}.csv", "out/link/x-{take}.csv"):
        words["words"][wanted] = str(folder / out)
        kept.write_text(json.dumps(words))
        assert_one_paragraph(run("batch", "retry", folder / "out", "--quiet"), "is not below")
    assert not list(folder.glob("x-*"))
    kept.write_text(json.dumps({"words": ["studio"], "folder": str(folder)}))
    assert_one_paragraph(run("batch", "retry", folder / "out"), "makes no batch")
    assert_one_paragraph(run("batch", "retry", folder), "no batch was made in this folder")
    assert_one_paragraph(run("batch", "summary", folder, "-o", folder / "a.html"), "no batch was made in this folder")


def test_what_cannot_be_is_said_before_the_work(folder: Path) -> None:
    takes = (folder / "t0.csv", folder / "t1.csv")
    some = ("solve", folder / "rig.npz", *takes, "-o", folder / "out" / "{take}.csv")
    assert_one_paragraph(run(*some, "--chunk", "3"), "such as 1/8")
    assert_one_paragraph(run(*some, "--out-shared"), "--out-shared is for --on")
    assert_one_paragraph(run(*some, "--on", "tcp://x:1", "--jobs", "2"), "--jobs is for this machine")
    assert_one_paragraph(run(*some, "--summary", folder / "a.pdf"), ".html")
    assert_one_paragraph(run("render", folder / "rig.npz", "-", "-o", folder / "out" / "{take}.png"), "- is for one")
    assert not list((folder / "out").iterdir())


@pytest.mark.long
def test_many_files_are_drawn_and_built_by_the_commands_for_one(folder: Path) -> None:
    rig = mask(200, 4, seed=1)
    for name, size in (("anna", 1.0), ("bela", 1.1)):
        fw.save(fw.Rig(rig.neutral * size, rig.polygons, ()), folder / f"{name}.obj")
        posed = fw.evaluate(rig, np.eye(4)[0]) * size
        fw.save(fw.Rig(posed, rig.polygons, ()), folder / f"{name}-smile.obj")
        entry = {"file": f"{name}-smile.obj", "weights": {SLIDERS[0]: 1.0}}
        (folder / f"{name}.json").write_text(json.dumps({"poses": [entry]}))
    out = folder / "out" / "{take}.npz"
    faces, poses = (folder / "anna.obj", folder / "bela.obj"), folder / "{take}.json"
    built = run("build", folder / "rig.npz", *faces, "-o", out, "--poses", poses, "--iterations", 2, "--jobs", 1)
    assert built.returncode == 0, built.stderr
    alone = run("build", folder / "rig.npz", faces[1], "-o", folder / "alone.npz", "--poses", folder / "bela.json",
                "--iterations", 2)  # fmt: skip
    assert alone.returncode == 0, alone.stderr
    assert (folder / "alone.npz").read_bytes() == (folder / "out" / "bela.npz").read_bytes()
    pictures = folder / "out" / "{take}.png"
    drawn = run("render", folder / "out" / "anna.npz", folder / "out" / "bela.npz", folder / "none.npz", "-o", pictures,
                "--size", 40, "--renderer", "cpu", "--jobs", 1)  # fmt: skip
    assert drawn.returncode == 2
    assert "none.npz: there is no such file" in drawn.stderr
    assert {file.name for file in (folder / "out").glob("*.png")} == {"anna.png", "bela.png"}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("distributed")
    with running_cluster(tmp_path_factory.mktemp("farm"), workers=1) as (address, _):
        yield address


@pytest.mark.skipif(sys.platform == "win32", reason="processes of tests are ended by signals")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_cluster_gives_the_same_bytes_and_names_files_as_they_are_named_here(folder: Path, address: str) -> None:
    done = solve(folder, "--on", address)
    assert done.returncode == 2, done.stderr
    assert f"{folder / 'broken.csv'}:" in done.stderr
    assert "farm" not in done.stderr.replace(str(folder), "")
    here = folder / "here"
    here.mkdir()
    alone = run("solve", folder / "rig.npz", folder / "t1.csv", "-o", here / "t1.csv")
    assert alone.returncode == 0, alone.stderr
    assert (folder / "out" / "t1.csv").read_bytes() == (here / "t1.csv").read_bytes()
    shared = folder / "shared"
    shared.mkdir()
    takes = (folder / "t0.csv", folder / "t1.csv")
    wrote = run("solve", os.path.relpath(folder / "rig.npz"), *takes, "-o", os.path.relpath(shared / "{take}.csv"),
                "--on", address, "--out-shared")  # fmt: skip
    assert wrote.returncode == 0, wrote.stderr
    assert (shared / "t1.csv").read_bytes() == (here / "t1.csv").read_bytes()
    drawn = run("render", folder / "rig.npz", "-o", folder / "out" / "{take}.png", "--size", 40, "--renderer", "cpu",
                "--on", address)  # fmt: skip
    assert drawn.returncode == 0, drawn.stderr
    assert "out/rig.png: 40 x 40" in drawn.stderr
    assert (folder / "out" / "rig.png").exists()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_cluster_that_is_not_there_is_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from facewright.jobs import farm

    monkeypatch.setattr(farm, "_ANSWERS", 0.2)
    done = solve(folder, "--on", "tcp://127.0.0.1:9")
    assert done.returncode == 2
    assert "no scheduler answers at tcp://127.0.0.1:9" in done.stderr
