"""`facewright pose --apply` applies poses of files and of the document's own library."""

import json
from pathlib import Path

import numpy as np

import facewright as fw
from facewright.formats.registry import load_document, save
from tests.cli.command import run
from tests.session.faces import document


def test_poses_are_applied_in_part_and_written(tmp_path: Path) -> None:
    first, second = document().rig.sliders[:2]
    pose = fw.LibraryPose("on", {first: 1.0, "elsewhere": 1.0})
    one = fw.Document(document().rig, poses=(fw.LibraryPose("own", {second: 0.5}),))
    save(one, tmp_path / "face.fwface")
    file = fw.PoseFolder(tmp_path).save(pose)
    apply = ("--apply", tmp_path / f"{file}.json", "--apply", "own", "--blend", "0.5")
    done = run("pose", tmp_path / "face.fwface", *apply, "-o", tmp_path / "posed.fwface")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "elsewhere" in (done.stdout + done.stderr)
    np.testing.assert_allclose(load_document(tmp_path / "posed.fwface").pose[:2], [0.5, 0.25])
    run("pose", tmp_path / "face.fwface", "--apply", "own", "-o", tmp_path / "out.json")
    assert fw.PoseFolder(tmp_path).load("out").weights[second] == 0.5


def test_poses_of_a_document_and_of_a_folder_are_listed(tmp_path: Path) -> None:
    first, second = document().rig.sliders[:2]
    own = (fw.LibraryPose("grin", {first: 1.0}, ("happy",)), fw.LibraryPose("frown", {second: 0.25}))
    save(fw.Document(document().rig, poses=own), tmp_path / "face.fwface")
    assert run("poses", tmp_path / "face.fwface").stdout.splitlines() == [
        f"grin [happy]: {first} 1",
        f"frown: {second} 0.25",
    ]
    folder = fw.PoseFolder(tmp_path / "poses")
    for pose in own:
        folder.save(pose)
    listed = json.loads(run("poses", tmp_path / "poses", "--tag", "happy", "--json").stdout)["poses"]
    assert listed == [{"name": "grin", "tags": ["happy"], "weights": {first: 1.0}}]
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "a.json").write_text("7")
    assert run("poses", tmp_path / "none").returncode == 2
    assert "no poses" in run("poses", "sample").stdout


def test_mistakes_are_told(tmp_path: Path) -> None:
    save(fw.Document(document().rig, poses=(fw.LibraryPose("own", {"none": 0.5}),)), tmp_path / "face.fwface")
    for options, words in (
        ((), "--apply"),
        (("--apply", "other"), "own"),
        (("--apply", "own"), "names no slider"),
        (("--apply", "own", "--damped"), "--pins"),
    ):
        done = run("pose", tmp_path / "face.fwface", *options, "-o", tmp_path / "out.json")
        assert done.returncode == 2, options
        assert words in (done.stdout + done.stderr).replace("\n", " "), done.stdout + done.stderr
