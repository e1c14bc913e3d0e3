"""`facewright prior`: learned from clips, shown in words, and used by `facewright pose`."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from tests.cli.command import assert_one_paragraph, run, run_alone
from tests.some import some

HABIT = ("mouthSmileLeft", "mouthSmileRight", "cheekSquintLeft", "cheekSquintRight")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The embedded head, and a clip in which smiles squint the cheeks while the jaw moves by itself."""
    folder = tmp_path_factory.mktemp("prior")
    fw.save(fw.sample(), folder / "head.fwface")
    rng = np.random.default_rng(0)
    smile, jaw = rng.random(60), rng.random(60)
    table = np.stack([smile, smile, 0.5 * smile, 0.5 * smile, jaw], axis=1)
    clip = fw.Clip.from_table("smiles", (*HABIT, "jawOpen"), np.arange(60) / 30, table)
    fw.save_clip(clip, folder / "smiles.csv", style="livelink")
    fw.save(fw.Document(fw.sample(), (clip, replace(clip, name="more"))), folder / "clips.glb")
    point = fw.sample().neutral[2781]
    pins = {"pins": [{"vertex": 2781, "target": [point[0] + 0.6, point[1] + 0.8, point[2]]}]}
    (folder / "pins.json").write_text(json.dumps(pins))
    return folder


def test_what_was_learned_is_said_in_words_and_shown_again(folder: Path) -> None:
    learned = run("prior", "learn", folder / "head.fwface", folder / "smiles.csv", "-o", folder / "prior.json")
    assert learned.returncode == 0, learned.stderr
    assert "learned from smiles (60 poses)" in learned.stdout
    assert "5 of the rig's 52 sliders move" in learned.stdout
    assert "left and right go together by 1.00, 1 being always" in learned.stdout
    assert learned.stdout.splitlines()[-2:] == ["these go together most:", "  1.00  mouthSmileLeft and cheekSquintLeft"]
    assert "jawOpen" not in learned.stdout
    shown = run_alone("prior", "show", folder / "prior.json")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout == learned.stdout.replace("the rig's", "its")
    again = fw.load_prior(folder / "prior.json")
    expected = fw.Prior.learn(fw.sample(), fw.load_clip(folder / "smiles.csv"))
    np.testing.assert_allclose(again.covariance, expected.covariance, atol=1e-9)


def test_several_files_and_clips_are_learned_from_together(folder: Path) -> None:
    words = ("prior", "learn", "sample", folder / "smiles.csv", folder / "clips.glb", "--strength", 0.5)
    done = run(*words, "-o", folder / "out.fwface")
    assert done.returncode == 0, done.stderr
    assert "learned from 3 clips (180 poses, strength 0.5)" in done.stdout
    assert "52 shapes, 1 prior" in done.stderr
    kept = some(fw.load_document(folder / "out.fwface").prior)
    assert (kept.frames, kept.sources, kept.strength) == (180, ("smiles", "clips: smiles", "more"), 0.5)
    assert run("prior", "show", folder / "out.fwface").stdout == done.stdout


def test_a_map_of_names_says_which_curve_is_which_slider(folder: Path) -> None:
    (folder / "odd.csv").write_text("time,alpha,beta\n0,0,0\n1,0.5,1\n2,1,1\n")
    (folder / "names.csv").write_text("source,target,factor\nalpha,jawOpen,0.5\n")
    words = ("prior", "learn", "sample", folder / "odd.csv", "-o", folder / "odd.json")
    assert_one_paragraph(run(*words), "odd.csv", "none of the 2 curves has a slider of its name")
    assert run(*words, "--map", folder / "names.csv").returncode == 0
    prior = fw.load_prior(folder / "odd.json")
    assert prior.mean[prior.sliders.index("jawOpen")] == pytest.approx(0.25)


def test_mistakes_are_said_in_one_paragraph(folder: Path) -> None:
    fw.save(fw.sample(), folder / "still.glb")
    head, clip, out = folder / "head.fwface", folder / "smiles.csv", folder / "bad.json"
    for words, said in {
        (head, clip, "-o", folder / "bad.obj"): "a prior is kept in .json, .fwface, .glb, .gltf",
        (head, folder / "still.glb", "-o", out): "still.glb: there is no clip in this file",
        (head, folder / "pins.json", "-o", out): "pins.json: this file holds pins; a prior is learned from clips",
        (head, clip, "--strength", 2, "-o", out): "goes from 0 to 1",
    }.items():
        assert_one_paragraph(run("prior", "learn", *words), said)
    assert_one_paragraph(run("prior", "show", folder / "pins.json"), "holds pins, but no prior of poses (.json)")
    assert_one_paragraph(run("prior", "show", head), "head.fwface: there is no prior in this document")
    assert not out.exists()


def test_a_pose_goes_by_the_prior_that_is_given_else_by_that_of_the_document(folder: Path) -> None:
    fw.save_prior(fw.Prior.learn(fw.sample(), fw.load_clip(folder / "smiles.csv")), folder / "habits.json")
    fw.save(fw.Document(fw.sample(), prior=fw.load_prior(folder / "habits.json")), folder / "own.fwface")
    by: dict[str, dict[str, float]] = {}
    for name, rig, more in [
        ("names", "head.fwface", ()),
        ("given", "head.fwface", ("--prior", folder / "habits.json")),
        ("from a document", "head.fwface", ("--prior", folder / "own.fwface")),
        ("own", "own.fwface", ()),
    ]:
        words = ("pose", folder / rig, "--pins", folder / "pins.json", "--method", "natural", *more)
        done = run(*words, "-o", folder / "pose.json")
        assert done.returncode == 0, done.stderr
        by[name] = json.loads((folder / "pose.json").read_text())["weights"]
    assert by["own"] == by["given"] == by["from a document"] != by["names"]
    squint = {name: weights.get("cheekSquintLeft", 0.0) for name, weights in by.items()}
    assert squint["given"] > squint["names"] + 0.02


def test_a_prior_that_would_be_ignored_is_refused(folder: Path) -> None:
    strange = fw.Prior(("gizmo", "widget"), np.full(2, 0.5), np.eye(2), frames=9)
    fw.save_prior(strange, folder / "strange.json")
    words = ("pose", folder / "head.fwface", "--pins", folder / "pins.json", "-o", folder / "x.json", "--prior")
    assert_one_paragraph(
        run(*words, folder / "strange.json"), "--prior is for --method natural or automatic; bounded would ignore"
    )
    by_name = run(*words, folder / "strange.json", "--method", "natural")
    assert_one_paragraph(by_name, "strange.json", "it was learned for gizmo, widget")


def test_the_prior_of_another_face_gives_way_to_names(folder: Path) -> None:
    strange = fw.Prior(("gizmo", "widget"), np.full(2, 0.5), np.eye(2), frames=9)
    fw.save(fw.Document(fw.sample(), prior=strange), folder / "strange.fwface")
    poses = []
    for rig in ("head.fwface", "strange.fwface"):
        words = ("pose", folder / rig, "--pins", folder / "pins.json", "--method", "natural")
        assert run(*words, "-o", folder / "pose.json").returncode == 0
        poses.append(json.loads((folder / "pose.json").read_text()))
    assert poses[0] == poses[1]
