"""`facewright pose --set` sets sliders, and with `--hold` attenuates what they do to held points."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import facewright as fw
from facewright.cli.main import app
from facewright.formats.registry import load_document
from tests.laws.things import random_rig


@pytest.fixture
def face(tmp_path: Path) -> Path:
    fw.save(random_rig(5), tmp_path / "face.fwface")
    return tmp_path / "face.fwface"


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["pose", *(str(word) for word in words)])


def test_values_are_set(face: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.fwface"
    assert run(face, "--set", "s1=0.6,s2=0.25", "-o", out).exit_code == 0
    np.testing.assert_allclose(load_document(out).pose, [0, 0.6, 0.25, 0, 0, 0, 0])


def test_held_points_of_a_file_are_spared_as_the_library_spares_them(face: Path, tmp_path: Path) -> None:
    hold, out = tmp_path / "brows.json", tmp_path / "out.fwface"
    hold.write_text(json.dumps([{"vertices": [3], "axes": "y"}, {"vertices": [4, 5]}]))
    done = run(face, "--set", "s1=0.6", "--hold", hold, "--alpha", 40, "--json", "-o", out)
    assert done.exit_code == 0, done.output
    rig, chosen = random_rig(5), fw.Selection.of({3: "y", 4: "xyz", 5: "xyz"})
    expected = fw.Attenuation(rig, chosen, None, 40.0).solve({"s1": 0.6}).weights
    np.testing.assert_allclose(load_document(out).pose, expected, atol=1e-12)
    facts = json.loads(done.stdout)
    assert 0 < facts["drift"] < facts["drift_without"]


@pytest.fixture
def animated(face: Path) -> Path:
    rig, rng = random_rig(5), np.random.default_rng(3)
    clip = fw.Clip.from_table("talk", rig.sliders, np.arange(6) / 30, rng.uniform(0, 1, (6, len(rig.sliders))))
    fw.save(fw.Document(rig, (clip,), pose={"s2": 0.5}), face)
    return face


def test_over_a_clip_every_frame_is_attenuated_against_a_pose(animated: Path, tmp_path: Path) -> None:
    out, before = tmp_path / "out.fwface", load_document(animated)
    done = run(animated, "--clip", "talk", "--hold", "3,4", "--set", "s1=0.3", "--alpha", 20, "--json", "-o", out)
    assert done.exit_code == 0, done.output
    after = load_document(out)
    np.testing.assert_array_equal(after.pose, before.pose)
    rig, times = before.rig, before.clips[0].times()
    hold = fw.Attenuation(rig, [3, 4], {"s1": 0.3}, 20.0)
    frames = before.clips[0].sample(rig.sliders, times, rig.bounds)
    found = after.clips[0].sample(rig.sliders, times, rig.bounds)
    np.testing.assert_allclose(found, [hold.solve(each).weights for each in frames], atol=1e-6)
    assert np.abs(found - frames).max() > 0.01
    assert json.loads(done.stdout)["layer"] == after.clips[0].layers[-1].name == "held points 1"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--clip", "talk"), "--hold"),
        (("--clip", "tall", "--hold", "3"), "did you mean talk?"),
        (("--clip", "talk", "--hold", "3", "--pins", "pins.json"), "--pins"),
    ],
)
def test_mistakes_about_clips_are_told(animated: Path, tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    done = run(animated, *options, "-o", tmp_path / "out.fwface")
    assert done.exit_code == 2
    assert words in done.output.replace("\n", " ")
    assert run(animated, "--clip", "talk", "--hold", "3", "-o", tmp_path / "out.json").exit_code == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--set", "s1"), "such as jawOpen=0.6"),
        (("--set", "s1=nan"), "such as jawOpen=0.6"),
        (("--set", "s1=3"), "goes from 0 to 1"),
        (("--set", "t=0.3"), "s1"),
        (("--set", "s1=0.3", "--alpha", "3"), "--hold"),
        (("--set", "s1=0.3", "--hold", "none.json"), "none.json"),
        (("--set", "s1=0.3", "--hold", "99"), "99"),
        (("--hold", "3"), "--set"),
    ],
)
def test_mistakes_are_told(face: Path, tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    done = run(face, *options, "-o", tmp_path / "out.json")
    assert done.exit_code == 2
    assert words in done.output.replace("\n", " ")
