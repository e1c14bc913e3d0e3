"""Recordings of weights on the command line: what is mapped is said first, and a map of names helps."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from tests.cli.command import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    offsets = np.eye(3, 12).reshape(3, 4, 3)
    names = ("jawOpen", "mouthSmileLeft", "puff")
    shapes = tuple(Shape.from_dense(name, offset) for name, offset in zip(names, offsets, strict=True))
    rig = Rig(np.arange(12.0).reshape(4, 3) ** 1.1, np.array([[0, 1, 2], [1, 3, 2]]), shapes)
    fw.save(rig, tmp_path / "rig.npz")
    (tmp_path / "phone.csv").write_text("time,JawOpen,MouthSmileLeft,gizmo\n0,0,0,1\n1,0.5,1,0\n2,1,0,1\n")
    (tmp_path / "odd.csv").write_text("time,alpha,beta\n0,0,0\n1,0.5,1\n")
    (tmp_path / "names.csv").write_text("source,target,factor\nalpha,puff,0.5\n")
    return tmp_path


def test_the_count_of_what_is_mapped_and_not_comes_first(folder: Path) -> None:
    done = run("solve", folder / "rig.npz", folder / "phone.csv", "-o", folder / "out.csv")
    assert done.returncode == 0
    assert "out.csv: 2 curves mapped by names, 1 not; 3 frames" in done.stderr
    assert "nothing on the rig is meant by gizmo" in done.stderr


def test_nothing_mapped_is_an_error_that_says_what_the_names_are_like(folder: Path) -> None:
    done = run("solve", folder / "rig.npz", folder / "odd.csv", "-o", folder / "out.csv")
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "none of the 2 curves has a slider of its name" in said
    assert "called alpha, beta (2 of no known convention)" in said
    assert "called jawOpen, mouthSmileLeft, puff (2 arkit, 1 of no known convention)" in said
    assert "--map names.csv" in said
    assert not (folder / "out.csv").exists()


def test_a_map_of_names_drives_sliders_that_names_do_not_find(folder: Path) -> None:
    words = ("solve", folder / "rig.npz", folder / "odd.csv", "--map", folder / "names.csv", "-o", folder / "out.csv")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    clip = fw.load_clip(folder / "out.csv")
    np.testing.assert_allclose(clip.sample(["puff"], np.array([0.0, 1.0]))[:, 0], [0, 0.25])
    (folder / "names.csv").write_text("alpha,pufff\n")
    refused = run(*words)
    assert refused.returncode == 2
    assert "names.csv: no slider named 'pufff'" in " ".join(refused.stderr.split())


def test_a_recording_of_weights_has_a_report_of_what_drives_what(folder: Path) -> None:
    words = ("solve", folder / "rig.npz", folder / "phone.csv", "-o", folder / "out.csv")
    done = run(*words, "--report", folder / "out.html")
    assert done.returncode == 0, done.stderr
    assert "report:" in done.stderr
    page = (folder / "out.html").read_text()
    for words_of_it in ("2 mapped, 1 not", "JawOpen", "gizmo", "puff", "data:image/png"):
        assert words_of_it in page
    assert "http:" not in page.replace("http://www.w3.org", "")
    assert "https:" not in page
    run(*words, "--report", folder / "again.html")
    assert (folder / "again.html").read_text() == page


@pytest.mark.parametrize(
    "more",
    [
        ("--bind", "bind.json"),
        ("--pair", "Chin=3"),
        ("--regions", "regions.json"),
        ("--only", "Mouth*"),
        ("--without", "Chin"),
        ("--neutral", "3"),
        ("--method", "convex"),
        ("--head", "still"),
        ("--residual",),
        ("--sliders", "all"),
    ],
)
def test_options_for_markers_are_refused_for_weights(folder: Path, more: tuple[str, ...]) -> None:
    done = run("solve", folder / "rig.npz", folder / "phone.csv", "-o", folder / "out.csv", *more)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert f"recording of weights, which is mapped by names and not solved; {more[0]} is for markers" in said
    assert not (folder / "out.csv").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--map", "names.csv"), "a take of markers, and --map is for recordings of weights"),
        (("--bind", "b.json", "--neutral", "3", "--pair", "a=1"), "so --pair, --neutral would be ignored"),
    ],
)
def test_options_that_a_take_of_markers_would_ignore_are_refused(
    folder: Path, more: tuple[str, ...], words: str
) -> None:
    (folder / "take.csv").write_text("time,a_x,a_y,a_z\n0,1,2,3\n1,1,2,3\n")
    done = run("solve", folder / "rig.npz", folder / "take.csv", "-o", folder / "out.csv", *more)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())
